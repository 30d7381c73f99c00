"""Arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
INTS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
X, Y = floats(2, 3, 5) * 3, floats(3, 5, seed=1) * 3
M, N = ints(-9, 10, 2, 3), ints(1, 5, 2, 3, seed=1) * torch.tensor([1, -1, 1])
DIVIDENDS = torch.tensor([7.0, -7.0, 0.0, -0.0, torch.inf, -torch.inf, torch.nan, 0.3, 1e30, 2.5, -2.5])
UINTS = ints(0, 200, 2, 3).to(torch.uint8)


MOD = 10
"""The first opset with an operator that gives the remainder of floats exactly."""


def over_dtypes(
    name: str, function: Callable[..., object], since: int | None = None, **kwargs: object
) -> list[OpCase]:
    """A function of two tensors over floats (``since`` an opset), integers, and mixtures that promote."""
    return [
        OpCase(name, function, (X, Y), kwargs, dtypes=FLOATS, since=since),
        OpCase(
            f"{name} int",
            function,
            (M, N),
            kwargs,
            dtypes=(torch.int8, torch.int16, torch.int32, torch.int64),
        ),
        OpCase(f"{name} uint8", function, (UINTS, N.abs().to(torch.uint8)), kwargs),
        OpCase(f"{name} mixed", function, (M, Y[:2, :3] + 5), kwargs, dynamic=None, since=since),
        OpCase(
            f"{name} 0-d", function, (X.half(), torch.tensor(2.5, dtype=torch.double)), kwargs, since=since
        ),
        OpCase(
            f"{name} int 0-d float", function, (M, torch.tensor(2.5, dtype=torch.double)), kwargs, since=since
        ),
    ]


def by_edges(
    name: str, function: Callable[..., object], since: int | None = None, **kwargs: object
) -> OpCase:
    """Every pair of the numbers at which division has cases of its own."""
    pairs = (DIVIDENDS[:, None], DIVIDENDS[None, :])
    return OpCase(f"{name} edges", function, pairs, kwargs, dynamic=None, since=since)


SMALL = torch.tensor([1e-3, 2e-3, 3e4, 3.0, -6e-8, 0.0], dtype=torch.float16)
NUMBERS = {"large": 1e5, "small": 1e-5, "tenth": 0.1}
"""What half precision holds as infinity, as a subnormal number, and rounded."""


def div_floor(x: torch.Tensor, number: float) -> torch.Tensor:
    return torch.div(x, number, rounding_mode="floor")


def div_trunc(x: torch.Tensor, number: float) -> torch.Tensor:
    return torch.div(x, number, rounding_mode="trunc")


UNROUNDED = "ONNX Runtime computes half precision in float32, and leaves out the rounding between two nodes"


def of_halves() -> list[OpCase]:
    """Half precision with numbers that it does not hold."""
    rows = []
    for word, number in NUMBERS.items():
        rows += [
            OpCase(f"add.Tensor half {word}", torch.add, (SMALL, number)),
            OpCase(f"mul.Tensor half {word}", torch.mul, (SMALL, number)),
            OpCase(f"div.Tensor half {word}", torch.div, (SMALL, number)),
            OpCase(f"div.Tensor_mode floor half {word}", div_floor, (SMALL, number), since=MOD),
            OpCase(f"div.Tensor_mode trunc half {word}", div_trunc, (SMALL, number)),
            OpCase(f"addcmul half {word}", torch.addcmul, (SMALL, SMALL, SMALL / 2), {"value": number}),
            OpCase(f"addcdiv half {word}", torch.addcdiv, (SMALL, SMALL, SMALL + 1), {"value": number}),
            OpCase(f"lerp.Scalar half {word}", torch.lerp, (SMALL, SMALL * 2, number)),
        ]
    return rows


CASES = [
    *of_halves(),
    OpCase("mul.Tensor half 0-d", torch.mul, (SMALL, torch.tensor(1e5))),
    OpCase("mul.Tensor 0-d half", torch.mul, (torch.tensor(1e5), SMALL)).xfail(UNROUNDED),
    OpCase("div.Tensor half 0-d", torch.div, (SMALL, torch.tensor(1e5))),
    OpCase("div.Tensor 0-d half", torch.div, (torch.tensor(1e5), SMALL)).xfail(UNROUNDED),
    OpCase("mul.Tensor half size", lambda x: x * (x.shape[0] * 20000), (SMALL,), resized=[{6: 5}]),
    OpCase("div.Tensor half size", lambda x: x / (x.shape[0] * 20000), (SMALL,), resized=[{6: 5}]),
    *over_dtypes("add.Tensor", torch.add),
    OpCase("add.Tensor extremes", torch.add, (X, Y), extremes=True, dtypes=(*FLOATS, *INTS)),
    OpCase("add.Tensor alpha", torch.add, (X, Y), {"alpha": 0.5}, dtypes=FLOATS),
    OpCase("add.Tensor alpha int", torch.add, (M, N), {"alpha": -3}, dtypes=(torch.int8, torch.int64)),
    OpCase("add.Tensor bool", torch.add, (bools(2, 3), bools(2, 3, seed=1))),
    OpCase("add.Tensor bool int", torch.add, (bools(2, 3), M)),
    OpCase("add.Tensor number", lambda x: x + 2.5, (X,), dtypes=(*FLOATS, torch.int32, torch.bool)),
    OpCase("add.Tensor int number", lambda x: x + 7, (X,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("add.Tensor negative number", lambda x: x + -1, (UINTS,)),
    OpCase(
        "add.Tensor bool number", lambda x: x + True, (X,), dtypes=(torch.float32, torch.int8, torch.bool)
    ),
    OpCase(
        "add.Tensor size", lambda x: x + x.shape[0], (X,), dtypes=(torch.float32, torch.float16, torch.int8)
    ),
    *over_dtypes("sub.Tensor", torch.sub),
    OpCase("sub.Tensor alpha", torch.sub, (X, Y), {"alpha": 2}, dtypes=FLOATS),
    OpCase("subtract.Tensor", torch.subtract, (X, Y)),
    OpCase("rsub.Scalar", torch.rsub, (X, 2.5), dtypes=(*FLOATS, torch.int64)),
    OpCase("rsub.Tensor", torch.rsub, (X, Y), {"alpha": 2}),
    *over_dtypes("mul.Tensor", torch.mul),
    OpCase("mul.Tensor extremes", torch.mul, (X, Y), extremes=True, dtypes=(*FLOATS, *INTS)),
    OpCase("mul.Tensor bool", torch.mul, (bools(2, 3), bools(2, 3, seed=1))),
    OpCase("mul.Tensor number", lambda x: x * 0.1, (X,), dtypes=(*FLOATS, torch.int64, torch.bool)),
    OpCase("multiply.Tensor", torch.multiply, (X, Y)),
    *over_dtypes("div.Tensor", torch.div),
    by_edges("div.Tensor", torch.div),
    OpCase("div.Tensor number", lambda x: x / 3, (X,), dtypes=(*FLOATS, torch.int64, torch.bool)),
    OpCase("div.Tensor bool", torch.div, (bools(2, 3), torch.ones(2, 3, dtype=torch.bool))),
    OpCase("divide.Tensor", torch.divide, (X, Y)),
    OpCase("true_divide.Tensor", torch.true_divide, (X, Y)),
    *over_dtypes("div.Tensor_mode floor", torch.div, MOD, rounding_mode="floor"),
    by_edges("div.Tensor_mode floor", torch.div, MOD, rounding_mode="floor"),
    *over_dtypes("div.Tensor_mode trunc", torch.div, rounding_mode="trunc"),
    by_edges("div.Tensor_mode trunc", torch.div, rounding_mode="trunc"),
    OpCase("div.Tensor_mode none", torch.div, (M, N), {"rounding_mode": None}),
    OpCase(
        "div.Tensor_mode number", lambda x: torch.div(x, -3, rounding_mode="floor"), (M,), dtypes=INTS[:4]
    ),
    *over_dtypes("floor_divide", torch.floor_divide, MOD),
    by_edges("floor_divide", torch.floor_divide, MOD),
    OpCase("floor_divide number", lambda x: x // 3, (M,), dtypes=(torch.int8, torch.int64)),
    OpCase("floor_divide float number", lambda x: x // 3, (X,), since=MOD),
    *over_dtypes("remainder.Tensor", torch.remainder, MOD),
    by_edges("remainder.Tensor", torch.remainder, MOD),
    OpCase("remainder.Scalar", lambda x: x % 3, (M,), dtypes=(torch.int8, torch.int64)),
    OpCase("remainder.Scalar negative", lambda x: x % -3.5, (X,), dtypes=(*FLOATS, torch.int64), since=MOD),
    OpCase("remainder.Scalar_Tensor", lambda x: torch.remainder(7, x), (N,)),
    *over_dtypes("fmod.Tensor", torch.fmod, MOD),
    by_edges("fmod.Tensor", torch.fmod, MOD),
    OpCase("fmod.Scalar", lambda x: torch.fmod(x, 3), (M,), dtypes=(torch.int8, torch.int64)),
    OpCase("fmod.Scalar float", lambda x: torch.fmod(x, 3), (X,), since=MOD),
    OpCase("addcmul", torch.addcmul, (X, Y, Y + 1), {"value": 0.5}, dtypes=(torch.float32, torch.float64)),
    OpCase("addcmul int", torch.addcmul, (M, N, N), {"value": 3}),
    OpCase(
        "addcmul halves",
        torch.addcmul,
        (X.half(), Y.half() * 1e3, Y.half() * 20),
        {"value": 0.5},
    ),
    OpCase("lerp.Tensor halves", torch.lerp, (X.half(), -X.half() * 7, Y.half())),
    OpCase(
        "addcdiv", torch.addcdiv, (X, Y, Y.abs() + 1), {"value": 0.5}, dtypes=(torch.float32, torch.float64)
    ),
    OpCase("lerp.Scalar", torch.lerp, (X, X + Y, 0.3), dtypes=(torch.float32, torch.float64)),
    OpCase("lerp.Tensor", torch.lerp, (X, X + Y, Y), dtypes=(torch.float32, torch.float64)),
]
