"""Sums of products over named axes."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

A, B, C = floats(3, 5), floats(5, 7), floats(7, 2)
Q, K = floats(2, 3, 5, 11), floats(2, 3, 7, 11)
NUMBERS = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8)


def sums(equation: str, *tensors: torch.Tensor, dtypes: tuple[torch.dtype, ...] = ()) -> OpCase:
    return OpCase(f"einsum {equation}", torch.einsum, (equation, *tensors), dtypes=dtypes)


CASES = [
    sums("ij,jk->ik", ints(-3, 4, 3, 5).float(), ints(-3, 4, 5, 7).float(), dtypes=NUMBERS),
    sums("ij,jk", A, B),
    sums("ba,cb", A, floats(7, 3)),
    sums(" i j , j k -> k i ", A, B),
    sums("ij,jk,kl->il", A, B, C),
    sums("bhid,bhjd->bhij", Q, K),
    sums("ij->ji", A),
    sums("ij->", A),
    sums("ij", A),
    sums("i,j->ij", A[0], B[0]),
    sums("Ij,jK", A, B),
    sums(",ij->i", floats(), A),
    OpCase("einsum ii->i", torch.einsum, ("ii->i", floats(3, 3)), dynamic=None),
    OpCase("einsum ii", torch.einsum, ("ii", floats(3, 3)), dynamic=None),
    OpCase("einsum bii->b", torch.einsum, ("bii->b", floats(2, 3, 3)), dynamic=None),
    sums("...ij,...jk->...ik", floats(2, 3, 5), floats(11, 2, 5, 7)),
    sums("...ij,jk", floats(11, 2, 3, 5), B),
    sums("i...,i...->...", floats(3, 5, 7), floats(3, 7)),
    sums("i...->i", floats(3, 5, 7)),
    sums("a...b->b...a", A),
    OpCase(
        "einsum broadcast", torch.einsum, ("bij,bjk->bik", floats(1, 3, 5), floats(2, 5, 7)), dynamic=None
    ),
    OpCase("einsum sublists", lambda a, b: torch.einsum(a, [0, 1], b, [1, 2], [2, 0]), (A, B)),
    OpCase(
        "einsum sublists with ellipsis",
        lambda a, b: torch.einsum(a, [..., 0, 1], b, [..., 1, 2], [..., 0, 2]),
        (floats(2, 3, 5), floats(2, 5, 7)),
    ),
    OpCase("einsum none", torch.einsum, ("ij,jk->ik", A[:, :0], B[:0]), dynamic=None),
    OpCase("tensordot", torch.tensordot, (floats(3, 5, 7), floats(5, 7, 11), 2), dtypes=NUMBERS[:2]),
    OpCase("tensordot axes", torch.tensordot, (floats(3, 5, 7), floats(11, 7, 3), ([0, -1], [2, 1]))),
    OpCase("tensordot outer", torch.tensordot, (A, B, 0)),
    OpCase("tensordot broadcast", torch.tensordot, (floats(3, 1), floats(5, 7), ([1], [0])), dynamic=None),
    OpCase("inner", torch.inner, (floats(2, 3, 5), floats(7, 5))),
    OpCase("inner vectors", torch.inner, (floats(5), floats(5, seed=1))),
    OpCase("inner 0-d", torch.inner, (floats(), A)),
]
