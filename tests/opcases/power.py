"""Powers."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
X = floats(2, 3, 5) * 3
M = ints(-9, 10, 2, 3)
EXPONENTS = torch.tensor([0, 1, 2, 3, 7, 5])


def by_number(exponent: float, *dtypes: torch.dtype) -> OpCase:
    """A constant exponent, on numbers that include 0, infinities and NaN."""
    return OpCase(
        f"pow.Tensor_Scalar {exponent}", torch.pow, (X, exponent), extremes=True, dtypes=dtypes or FLOATS
    )


CASES = [
    *(by_number(exponent) for exponent in (0, 1, 2, 3, 0.5, -0.5, -1, -2, 2.5)),
    by_number(4, torch.int8, torch.int32, torch.int64, torch.uint8),
    by_number(13, torch.int64),
    by_number(2.0, torch.int64),
    OpCase("pow.Tensor_Scalar int 0", torch.pow, (M, 0)),
    OpCase("pow.Tensor_Tensor", torch.pow, (X.abs(), floats(3, 5, seed=1)), dtypes=FLOATS),
    OpCase(
        "pow.Tensor_Tensor int",
        torch.pow,
        (M[:, :1], EXPONENTS),
        dynamic=None,
        dtypes=(torch.int64, torch.int32),
    ),
    OpCase(
        "pow.Tensor_Tensor negative",
        torch.pow,
        (torch.tensor([[0], [1], [-1], [5]]), -EXPONENTS),
        dynamic=None,
    ),
    OpCase(
        "pow.Tensor_Tensor large",
        torch.pow,
        (torch.tensor([[0], [1], [-1]]), EXPONENTS + 2**40),
        dynamic=None,
    ),
    OpCase("pow.Tensor_Tensor mixed", torch.pow, (M.abs(), floats(2, 3))),
    OpCase("pow.Scalar", lambda x: torch.pow(2, x), (X,), dtypes=FLOATS),
    OpCase(
        "float_power.Tensor_Tensor",
        torch.float_power,
        (X.abs(), floats(3, 5, seed=1)),
        dtypes=(torch.float32, torch.float64, torch.float16, torch.int8),
    ),
    OpCase("float_power.Tensor_Tensor int", torch.float_power, (M[:, :1], EXPONENTS), dynamic=None),
    OpCase(
        "float_power.Tensor_Scalar",
        lambda x: torch.float_power(x, 2),
        (X,),
        extremes=True,
        dtypes=(torch.float32, torch.float16, torch.int64, torch.bool),
    ),
    OpCase("float_power.Tensor_Scalar root", lambda x: torch.float_power(x, 0.5), (X,), extremes=True),
    OpCase("float_power.Scalar", lambda x: torch.float_power(2.5, x), (X,), dtypes=FLOATS),
    OpCase("float_power.Scalar int", lambda x: torch.float_power(3, x), (M,)),
    OpCase("pow.Scalar int", lambda x: torch.pow(3, x), (EXPONENTS,)),
]
