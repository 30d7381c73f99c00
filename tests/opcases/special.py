"""Functions of floating-point numbers that C's mathematics has and ONNX does not."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X, Y = floats(2, 17), floats(17, seed=1)
FLOATS = (torch.float32, torch.float64, torch.float16)
NUMBERS = (*FLOATS, torch.int64, torch.int32, torch.uint8)

CASES = [
    OpCase("signbit", torch.signbit, (X,), extremes=True, dtypes=(*NUMBERS, torch.bool)),
    OpCase("copysign.Tensor", torch.copysign, (X, Y), extremes=True, dtypes=FLOATS),
    OpCase("copysign.Tensor int", torch.copysign, (ints(-9, 9, 2, 7), ints(-9, 9, 7, seed=1))),
    OpCase("copysign.Scalar", torch.copysign, (X, -0.0), extremes=True, dtypes=NUMBERS),
    OpCase("hypot", torch.hypot, (X, Y), extremes=True, dtypes=FLOATS),
    OpCase("hypot large", torch.hypot, (X * 1e30, Y * 1e30)),
    OpCase("hypot small", torch.hypot, (X * 1e-30, Y * 0)),
    OpCase("hypot promotes", torch.hypot, (X, Y.double())),
    OpCase("ldexp.Tensor", torch.ldexp, (X, ints(-9, 9, 17)), dtypes=FLOATS),
    OpCase("ldexp.Tensor int", torch.ldexp, (ints(-9, 9, 2, 7), ints(-9, 9, 7).int())),
    OpCase("xlogy.Tensor", torch.xlogy, (X, Y), extremes=True, dtypes=FLOATS),
    OpCase("xlogy.Tensor int", torch.xlogy, (ints(0, 3, 2, 7), ints(0, 3, 7, seed=1))),
    OpCase("xlogy.Scalar_Self", torch.xlogy, (0, X), extremes=True),
    OpCase("xlogy.Scalar_Other", torch.xlogy, (X, 2.5), extremes=True),
    OpCase("xlogy.Scalar_Other int", torch.xlogy, (ints(0, 3, 2, 7), 0)),
    OpCase("special_xlogy", torch.special.xlogy, (X, Y)),
    OpCase("frexp.Tensor", torch.frexp, (X * 1000,), extremes=True, dtypes=FLOATS),
    OpCase("frexp.Tensor powers", torch.frexp, (2.0 ** ints(-149, 128, 97).float(),)),
    OpCase("frexp.Tensor double powers", torch.frexp, (2.0 ** ints(-1074, 1024, 997).double(),)),
    OpCase(
        "frexp.Tensor beside powers",
        torch.frexp,
        (torch.nextafter(2.0 ** ints(-1000, 1000, 997).double(), torch.tensor(0.0).double()),),
    ),
]
