"""Modified Bessel functions of the first kind."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

special = torch.special

X = torch.cat([floats(2, 7), torch.linspace(-70, 70, 26).reshape(2, 13)], 1)
FUNCTIONS = (
    ("i0", torch.i0),
    ("special_i0", torch.ops.aten.special_i0),
    ("special_i0e", special.i0e),
    ("special_i1", special.i1),
    ("special_i1e", special.i1e),
    ("special_modified_bessel_i0", special.modified_bessel_i0),
    ("special_modified_bessel_i1", special.modified_bessel_i1),
)

CASES = [
    *(OpCase(name, function, (X,), extremes=True) for name, function in FUNCTIONS),
    *(OpCase(f"{name} double", function, (X.double(),), extremes=True) for name, function in FUNCTIONS[1:5]),
    OpCase("i0 int", torch.i0, (ints(-9, 9, 2, 7),)),
    OpCase("special_i1e int", special.i1e, (ints(-9, 9, 2, 7),)),
    OpCase("i0 half", torch.i0, (X.half() / 7,)),
]
