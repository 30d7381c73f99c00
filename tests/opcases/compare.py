"""Comparisons."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
)
X, Y = floats(2, 3, 5) * 3, floats(3, 5, seed=1) * 3
M, N = ints(-3, 4, 2, 3), ints(-3, 4, 2, 3, seed=1)
ORDERS = {
    "eq": torch.eq,
    "ne": torch.ne,
    "lt": torch.lt,
    "le": torch.le,
    "gt": torch.gt,
    "ge": torch.ge,
}
ALIASES = {
    "not_equal": torch.not_equal,
    "less": torch.less,
    "less_equal": torch.less_equal,
    "greater": torch.greater,
    "greater_equal": torch.greater_equal,
}
# The last half-precision number, and the first three that are not one: torch rounds numbers to it.
HALVES = torch.tensor([65504.0, -65504.0, torch.inf, 0.1, 0.0, 6e-8], dtype=torch.float16)
NUMBERS = (65519.0, 70000.0, 0.1)
CASES = [
    *(OpCase(f"{n}.Scalar half {m}", f, (HALVES, m)) for n, f in ORDERS.items() for m in NUMBERS),
    *(OpCase(f"{n}.Tensor", f, (M, N), extremes=True, dtypes=DTYPES) for n, f in ORDERS.items()),
    *(OpCase(f"{n}.Tensor mixed", f, (M, N.double()), extremes=True) for n, f in ORDERS.items()),
    *(OpCase(f"{n}.Scalar", f, (M, 1), dtypes=DTYPES) for n, f in ORDERS.items()),
    *(OpCase(f"{n}.Scalar float", f, (M, 0.5), dtypes=DTYPES) for n, f in ORDERS.items()),
    *(OpCase(f"{n}.Scalar large", f, (M, 300), dtypes=(torch.int8, torch.uint8)) for n, f in ORDERS.items()),
    *(OpCase(f"{n}.Tensor", f, (M, N)) for n, f in ALIASES.items()),
    OpCase("maximum", torch.maximum, (M, N), extremes=True, dtypes=(*DTYPES, torch.int16)),
    OpCase("maximum NaN", torch.maximum, (X, Y), extremes=True),
    OpCase("minimum", torch.minimum, (M, N), extremes=True, dtypes=(*DTYPES, torch.int16)),
    OpCase("max.other", torch.max, (X, Y)),
    OpCase("min.other", torch.min, (X, Y)),
    OpCase("fmax", torch.fmax, (X, torch.where(Y > 0, Y, torch.nan)), extremes=True),
    OpCase("fmin", torch.fmin, (X, torch.where(Y > 0, Y, torch.nan)), extremes=True),
    OpCase("fmax int", torch.fmax, (M, N)),
    OpCase("isclose", torch.isclose, (X, X + 1e-6), extremes=True),
    OpCase("isclose equal_nan", torch.isclose, (X, X + 1e-3, 1e-3, 1e-4, True), extremes=True),
    OpCase("eq.Tensor of bools", torch.eq, (bools(2, 3), bools(2, 3, seed=1))),
]
