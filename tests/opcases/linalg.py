"""Linear algebra."""

from __future__ import annotations

import math

import torch

from opcases._case import TORCHLIB, OpCase, floats, ints

__all__ = ["CASES"]

A = floats(3, 5, 7)
M = floats(5, 7)
FLOATS = (torch.float32, torch.float64, torch.float16)
norm, matrix_norm, aten = torch.linalg.norm, torch.linalg.matrix_norm, torch.ops.aten

CASES = [
    OpCase("linalg_norm", norm, (A,), dtypes=FLOATS),
    OpCase("linalg_norm keepdim", norm, (A,), {"keepdim": True, "dtype": torch.float64}),
    OpCase("linalg_norm of an axis", norm, (A,), {"dim": 1}),
    OpCase("linalg_norm of two axes", norm, (A,), {"dim": (0, -1), "keepdim": True}),
    OpCase("linalg_norm of a vector", norm, (A[0, 0], 3)),
    OpCase("linalg_norm of a matrix", norm, (M, math.inf), dynamic=None),
    OpCase("linalg_norm order of an axis", norm, (A, 1, 2)),
    OpCase("linalg_norm order of two axes", norm, (A, -1, (2, 0)), dynamic=None),
    OpCase("linalg_norm singular", norm, (M, 2), refused="singular values"),
    OpCase("linalg_norm.ord_str", norm, (M, "fro")),
    OpCase("linalg_norm.ord_str nuclear", norm, (M, "nuc"), refused="singular values"),
    *(
        OpCase(
            f"linalg_matrix_norm {order}", aten.linalg_matrix_norm, (A, order), dynamic=None, extremes=True
        )
        for order in (1, -1, math.inf, -math.inf)
    ),
    OpCase(
        "linalg_matrix_norm axes",
        aten.linalg_matrix_norm,
        (A, 1, [0, 1], True),
        {"dtype": torch.float64},
        dynamic=None,
    ),
    OpCase("linalg_matrix_norm.str_ord", aten.linalg_matrix_norm.str_ord, (A,), dtypes=FLOATS),
    OpCase("linalg_cross", torch.linalg.cross, (floats(5, 1, 3), floats(1, 7, 3)), dynamic=[[0], [1]]),
    OpCase(
        "linalg_cross axis",
        torch.linalg.cross,
        (ints(-9, 9, 5, 3, 7), ints(-9, 9, 5, 3, 7, seed=1)),
        {"dim": 1},
        dynamic=[[0, 2], [0, 2]],
        dtypes=(torch.int64, torch.int32, torch.float16),
    ),
    OpCase("cross", torch.cross, (floats(5, 3), floats(5, 3, seed=1), -1), dynamic=[[0], [0]]),
    OpCase("cross first axis of three", aten.cross, (floats(5, 3), floats(5, 3, seed=1)), dynamic=None),
    OpCase(
        "linalg_multi_dot", torch.linalg.multi_dot, ([floats(5), M, floats(7, 2), floats(2)],), dynamic=None
    ),
    OpCase("chain_matmul", aten.chain_matmul, ([floats(3, 5), M, floats(7, 2)],), dynamic=None),
    OpCase(
        "kron",
        torch.kron,
        (ints(-9, 9, 2, 3), floats(5, 7)),
        dynamic=None,
        dtypes=(torch.int64, torch.float64),
    ),
    OpCase("kron of other ranks", torch.kron, (floats(2, 3, 5), floats(7)), dynamic=None),
    OpCase("kron 0-d", torch.kron, (floats(), floats(7)), dynamic=None),
    OpCase("trace", torch.trace, (M,), dtypes=(torch.float32, torch.int32, torch.float64)),
    OpCase("trace tall", torch.trace, (M.T,)),
    OpCase("linalg_vecdot", torch.linalg.vecdot, (A, floats(5, 7)), dtypes=FLOATS[:2]),
    OpCase("linalg_vecdot axis", torch.linalg.vecdot, (A, floats(3, 5, 7, seed=1)), {"dim": 0}),
    OpCase("vdot", torch.vdot, (floats(5), floats(5, seed=1))),
    OpCase("linalg_det", torch.linalg.det, (floats(2, 5, 5),), dynamic=[[0]]),
    OpCase("linalg_det of one", aten.linalg_det, (floats(3, 3),), dynamic=None),
    OpCase("linalg_det float64", torch.linalg.det, (floats(2, 5, 5).double(),), dynamic=[[0]], only=TORCHLIB),
    OpCase("linalg_det singular", torch.linalg.det, (torch.ones(3, 3).double(),), only=TORCHLIB),
    OpCase("det", aten.det, (floats(3, 3),), dynamic=None),
    *(
        OpCase(f"cdist {p}", torch.cdist, (floats(2, 3, 7), floats(2, 5, 7, seed=1), p))
        for p in (2.0, 1.0, math.inf, 0.0, 1.5)
    ),
    OpCase("cdist inf extremes", torch.cdist, (A, floats(3, 11, 7), math.inf), extremes=True, only=TORCHLIB),
    OpCase("cdist float64", torch.cdist, (floats(3, 7).double(), floats(11, 5, 7, seed=1).double())),
    OpCase("_cdist_forward", aten._cdist_forward, (floats(3, 7), floats(5, 7, seed=1), 1.0, None)),
]
