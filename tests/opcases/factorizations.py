"""Factors and functions of matrices."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

TALL, WIDE, SQUARE = floats(2, 7, 3), floats(3, 7), floats(5, 5)
# A column of zeros, one that is a number already, and numbers whose squares leave the range.
ODD = floats(5, 3) * torch.tensor([0.0, 1.0, 1e30])
UPPER = floats(5, 5).triu()
SCALES = torch.tensor([0.0, 1e-9, 0.3, 2.0, torch.inf])[:, None, None]
DTYPES = (torch.float32, torch.float64)
aten, linalg = torch.ops.aten, torch.linalg
NO_VALUES = "singular values, which ONNX has no operator for"

CASES = [
    OpCase("linalg_qr", linalg.qr, (TALL,), dynamic=[[0]], resized=[], dtypes=DTYPES),
    OpCase("linalg_qr wide", linalg.qr, (WIDE,), dynamic=None),
    OpCase("linalg_qr sizes", linalg.qr, (WIDE,), resized=[{3: 5, 7: 11}, {3: 5, 7: 2}]),
    OpCase("linalg_qr square", linalg.qr, (SQUARE,), dynamic=None),
    OpCase("linalg_qr odd", linalg.qr, (ODD,), dynamic=None),
    OpCase("linalg_qr upper", linalg.qr, (UPPER,), dynamic=None),
    OpCase("linalg_qr complete", lambda x: linalg.qr(x, "complete"), (TALL,), dynamic=None),
    OpCase("linalg_qr r", lambda x: linalg.qr(x, "r"), (WIDE,), dynamic=None),
    OpCase("linalg_qr empty", linalg.qr, (floats(3, 0),), dynamic=None),
    OpCase("qr", aten.qr, (SQUARE,), dynamic=None),
    OpCase(
        "linalg_householder_product",
        linalg.householder_product,
        (TALL, floats(2, 3)),
        resized=[{2: 5, 7: 11}],
    ),
    OpCase(
        "linalg_householder_product fewer",
        linalg.householder_product,
        (TALL, floats(2, 2)),
        dynamic=None,
        dtypes=DTYPES,
    ),
    OpCase("orgqr", aten.orgqr, (SQUARE, floats(5)), dynamic=None),
    OpCase("linalg_matrix_exp", linalg.matrix_exp, (SQUARE,), resized=[{5: 7}, {5: 2}], dtypes=DTYPES),
    OpCase("linalg_matrix_exp sizes", linalg.matrix_exp, (SQUARE * SCALES,), dynamic=[[0]], resized=[]),
    OpCase("linalg_matrix_exp skew", lambda x: linalg.matrix_exp(x - x.mT), (SQUARE * 9,), dynamic=None),
    OpCase("linalg_matrix_exp empty", linalg.matrix_exp, (floats(3, 0, 0),), dynamic=None),
    OpCase("matrix_exp", aten.matrix_exp, (SQUARE,), dynamic=None),
    OpCase("_linalg_svd", lambda x: aten._linalg_svd(x)[1], (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase("linalg_svd", linalg.svd, (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase("linalg_svdvals", linalg.svdvals, (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase("svd", aten.svd, (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase("linalg_eigh", linalg.eigh, (SQUARE,), dynamic=None, refused="eigenvalues"),
    OpCase("linalg_eigvalsh", linalg.eigvalsh, (SQUARE,), dynamic=None, refused="eigenvalues"),
    OpCase("linalg_lu_factor", linalg.lu_factor, (SQUARE,), dynamic=None, refused="LU factors"),
    OpCase(
        "linalg_pinv.atol_rtol_float",
        lambda x: linalg.pinv(x, rtol=0.1),
        (SQUARE,),
        dynamic=None,
        refused=NO_VALUES,
    ),
    OpCase("linalg_cond", linalg.cond, (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase("linalg_pinv.atol_rtol_tensor", linalg.pinv, (SQUARE,), dynamic=None, refused=NO_VALUES),
    OpCase(
        "linalg_matrix_rank.atol_rtol_tensor", linalg.matrix_rank, (SQUARE,), dynamic=None, refused=NO_VALUES
    ),
    OpCase("_linalg_eigh", aten._linalg_eigh, (SQUARE,), dynamic=None, refused="eigenvalues"),
    OpCase("linalg_lu", linalg.lu, (SQUARE,), dynamic=None, refused="LU factors"),
    OpCase("linalg_lu_factor_ex", linalg.lu_factor_ex, (SQUARE,), dynamic=None, refused="LU factors"),
]
