"""Divisors and multiples of integers."""

from __future__ import annotations

import torch

from opcases._case import OpCase, ints

__all__ = ["CASES"]

X, Y = ints(-99, 99, 13, 17), ints(-99, 99, 17, seed=1)
DTYPES = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)

CASES = [
    OpCase("gcd", torch.gcd, (X, Y), extremes=True, dtypes=DTYPES),
    OpCase("gcd promotes", torch.gcd, (X.int(), ints(-99, 99, 17, seed=2).to(torch.int8))),
    OpCase("gcd empty", torch.gcd, (X, Y), resized=[{17: 0}], from_zero=True),
    OpCase("gcd long", torch.gcd, (ints(2**40, 2**62, 17), ints(2**40, 2**62, 17, seed=1))),
    OpCase("lcm", torch.lcm, (X, Y), dtypes=DTYPES[:2]),
    # Of the least int64 or int32, eager divides by -1, which ends the process.
    OpCase("lcm narrow", torch.lcm, (X, Y), extremes=True, dtypes=DTYPES[2:]),
]
