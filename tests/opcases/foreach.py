"""Functions of lists of tensors."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X, Y = floats(3, 5), floats(7)
LISTS = [X, Y], [floats(3, 5, seed=1), floats(7, seed=1)]
MIXED = [X, ints(-9, 9, 7)]
THIRD = [floats(3, 5, seed=2) + 9, floats(7, seed=2) + 9]
aten = torch.ops.aten

UNARY = ("abs", "neg", "exp", "reciprocal", "sigmoid", "tanh", "sign", "sqrt", "rsqrt", "log")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")

CASES = [
    *(OpCase(f"_foreach_{n}", getattr(torch, f"_foreach_{n}"), ([X, Y],), resized=[]) for n in UNARY),
    *(
        OpCase(f"_foreach_{n}.Scalar", getattr(torch, f"_foreach_{n}"), (MIXED, 2), resized=[])
        for n in BINARY
    ),
    *(
        OpCase(f"_foreach_{n}.ScalarList", getattr(torch, f"_foreach_{n}"), (MIXED, [2.5, 3]), resized=[])
        for n in BINARY
    ),
    *(OpCase(f"_foreach_{n}.List", getattr(torch, f"_foreach_{n}"), LISTS, resized=[]) for n in BINARY),
    *(
        OpCase(f"_foreach_{n}.Tensor", getattr(aten, f"_foreach_{n}").Tensor, (MIXED, floats()), resized=[])
        for n in ("add", "mul", "div")
    ),
    OpCase("_foreach_add.List alpha", torch._foreach_add, LISTS, {"alpha": 2.5}, resized=[]),
    OpCase("_foreach_add.Tensor alpha", aten._foreach_add.Tensor, ([X, Y], floats()), {"alpha": 2}),
    OpCase("_foreach_addcmul.Scalar", torch._foreach_addcmul, (*LISTS, THIRD, 2.5), resized=[]),
    OpCase("_foreach_addcdiv.Scalar", torch._foreach_addcdiv, (*LISTS, THIRD, 2.5), resized=[]),
    OpCase("_foreach_lerp.Scalar", torch._foreach_lerp, (*LISTS, 0.25), resized=[]),
    OpCase("_foreach_norm.Scalar", torch._foreach_norm, ([X, Y],)),
    OpCase("_foreach_norm.Scalar order", torch._foreach_norm, ([X, Y], 1, torch.float64)),
    OpCase("_foreach_pow.Scalar", torch._foreach_pow, (MIXED, 3)),
]
