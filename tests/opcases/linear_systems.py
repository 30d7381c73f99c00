"""Systems of linear equations, inverses and factors."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

A = floats(2, 5, 5) + 3 * torch.eye(5)
# The largest elements are far from the diagonal: rows have to be exchanged.
MIXED = A[:, torch.tensor([3, 0, 4, 1, 2])]
POSITIVE = A @ A.mT
LOWER = torch.linalg.cholesky(POSITIVE)
ONE, B = MIXED[0], floats(5, 7)
SINGULAR = ONE * torch.tensor([1, 1, 0, 1, 1])
EMPTY = floats(3, 0, 0)
WIDE, SIZES = (floats(2, 5, 13),), [{2: 7, 5: 3, 13: 11}]
DTYPES = (torch.float32, torch.float64)
aten, linalg = torch.ops.aten, torch.linalg

CASES = [
    OpCase("linalg_inv", linalg.inv, (MIXED,), dynamic=[[0]], dtypes=DTYPES),
    OpCase("inverse", aten.inverse, (ONE,), resized=[]),
    OpCase("linalg_inv_ex", linalg.inv_ex, (MIXED,), dynamic=None),
    OpCase("linalg_inv_ex singular", lambda x: linalg.inv_ex(x)[1], (SINGULAR,), dynamic=None),
    OpCase("linalg_inv empty", linalg.inv, (EMPTY,), dynamic=None),
    OpCase("linalg_inv_ex empty", linalg.inv_ex, (EMPTY,), dynamic=None),
    OpCase("linalg_solve empty", linalg.solve, (EMPTY, floats(3, 0, 2)), dynamic=None),
    OpCase("linalg_slogdet empty", linalg.slogdet, (EMPTY,), dynamic=None),
    OpCase("linalg_cholesky empty", linalg.cholesky, (EMPTY,), dynamic=None),
    OpCase("linalg_cholesky_ex empty", linalg.cholesky_ex, (EMPTY,), {"upper": True}, dynamic=None),
    OpCase("linalg_tensorinv", linalg.tensorinv, (ONE.reshape(5, 5, 1), 1), dynamic=None),
    OpCase("linalg_solve", linalg.solve, (ONE, B), resized=[{7: 11}], dtypes=DTYPES),
    OpCase("linalg_solve vector", linalg.solve, (ONE, B[:, 0]), dynamic=None),
    OpCase("linalg_solve vectors", linalg.solve, (MIXED, floats(2, 5)), dynamic=[[0], [0]]),
    OpCase("linalg_solve right", linalg.solve, (MIXED, B.mT), {"left": False}, resized=[{2: 3, 7: 11}]),
    OpCase("linalg_slogdet", linalg.slogdet, (MIXED,), dynamic=[[0]], dtypes=DTYPES),
    OpCase("linalg_slogdet singular", linalg.slogdet, (SINGULAR,), dynamic=None),
    OpCase("slogdet", aten.slogdet, (MIXED[1],), dynamic=None),
    *(
        OpCase(
            f"linalg_solve_triangular {'upper' if upper else 'lower'}{' unit' if unit else ''}",
            linalg.solve_triangular,
            (A, B),
            {"upper": upper, "unitriangular": unit},
            resized=[{7: 11, 2: 3}],
            dtypes=DTYPES,
        )
        for upper, unit in ((True, False), (False, False), (True, True))
    ),
    OpCase(
        "linalg_solve_triangular right",
        linalg.solve_triangular,
        (A, B.mT),
        {"upper": True, "left": False},
        dynamic=[[0], [0]],
    ),
    OpCase("triangular_solve", aten.triangular_solve, (B, A[0], False, True), dynamic=[[1], []]),
    OpCase("linalg_cholesky", linalg.cholesky, (POSITIVE,), dynamic=None, dtypes=DTYPES),
    OpCase("linalg_cholesky of any size", lambda x: linalg.cholesky(x @ x.mT), WIDE, resized=SIZES),
    OpCase("linalg_inv of any size", lambda x: linalg.inv(x @ x.mT), WIDE, resized=SIZES),
    OpCase("linalg_cholesky upper", linalg.cholesky, (POSITIVE,), {"upper": True}, resized=[]),
    OpCase("linalg_cholesky_ex", linalg.cholesky_ex, (POSITIVE,), dynamic=None),
    OpCase("linalg_cholesky_ex failing", lambda x: linalg.cholesky_ex(x)[1], (A - 2 * torch.eye(5),)),
    OpCase("cholesky", aten.cholesky, (POSITIVE[0].triu(), True), dynamic=None),
    OpCase("cholesky_solve", torch.cholesky_solve, (B, LOWER[0]), dynamic=[[1], []], dtypes=DTYPES),
    OpCase("cholesky_inverse", torch.cholesky_inverse, (LOWER[0].mT, True), dynamic=None),
]
