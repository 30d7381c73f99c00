"""Logic on bools and on the bits of integers."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

INTS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
M, N = ints(-90, 100, 2, 3), ints(-90, 100, 2, 3, seed=1)
BITS = {"and": torch.bitwise_and, "or": torch.bitwise_or, "xor": torch.bitwise_xor}
LOGIC = {"and": torch.logical_and, "or": torch.logical_or, "xor": torch.logical_xor}
SHIFTS = torch.tensor([0, 1, 3, 7, 8, 31, 32, 63])

CASES = [
    *(
        OpCase(f"bitwise_{n}.Tensor", f, (M, N), extremes=True, dtypes=(*INTS, torch.bool))
        for n, f in BITS.items()
    ),
    *(OpCase(f"bitwise_{n}.Scalar", f, (M, 5), dtypes=INTS) for n, f in BITS.items()),
    *(OpCase(f"bitwise_{n}.Tensor mixed", f, (M, bools(2, 3))) for n, f in BITS.items()),
    OpCase("__and__.Tensor", lambda x, y: x & y, (M, N), dtypes=(torch.int64, torch.bool)),
    OpCase("__or__.Tensor", lambda x, y: x | y, (M, N), dtypes=(torch.int64, torch.bool)),
    OpCase("__xor__.Tensor", lambda x, y: x ^ y, (M, N), dtypes=(torch.int64, torch.bool)),
    OpCase("bitwise_not", torch.bitwise_not, (M,), extremes=True, dtypes=(*INTS, torch.bool)),
    *(
        OpCase(
            f"logical_{n}",
            f,
            (floats(2, 3).round(), N),
            extremes=True,
            dtypes=(torch.float32, torch.int8, torch.bool),
        )
        for n, f in LOGIC.items()
    ),
    OpCase(
        "bitwise_left_shift.Tensor", torch.bitwise_left_shift, (M[:, :1], SHIFTS), dynamic=None, dtypes=INTS
    ),
    OpCase(
        "bitwise_right_shift.Tensor", torch.bitwise_right_shift, (M[:, :1], SHIFTS), dynamic=None, dtypes=INTS
    ),
    OpCase("bitwise_left_shift.Tensor_Scalar", torch.bitwise_left_shift, (M, 3), dtypes=INTS),
    OpCase("bitwise_right_shift.Tensor_Scalar", torch.bitwise_right_shift, (M, 3), dtypes=INTS),
    OpCase("__lshift__.Scalar", lambda x: x << 2, (M,), dtypes=INTS),
    OpCase("__rshift__.Scalar", lambda x: x >> 2, (M,), dtypes=INTS),
]
