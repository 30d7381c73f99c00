"""Sums of products over named axes."""

from __future__ import annotations

import string
from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import normalize_axis, promote, rank_of
from onnx_torchlib import Op, translator

__all__ = ["einsum", "inner", "tensordot"]

_ELLIPSIS = "..."


@translator("aten::einsum")
def einsum(op: Op, equation: str, tensors: Sequence[Value], path: Sequence[int] | None = None) -> Value:
    """einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    free = [letter for letter in string.ascii_letters if letter not in left]
    spread = [
        rank_of(op, value) - len(term.replace(_ELLIPSIS, ""))
        for term, value in zip(terms, tensors, strict=True)
    ]
    # The axes of an ellipsis get names of their own, the same ones counted from the last.
    names = "".join(free[: max(0, *spread)] if any(_ELLIPSIS in term for term in terms) else [])
    named = [
        term.replace(_ELLIPSIS, names[len(names) - count :])
        for term, count in zip(terms, spread, strict=True)
    ]
    result = right.replace(_ELLIPSIS, names) if arrow else names + _once(left)
    return _sum_of_products(op, tensors, named, result)


def _sum_of_products(op: Op, values: Sequence[Value], terms: Sequence[str], result: str) -> Value:
    """Einsum, in which an axis of size 1 stands for one of any size, as in torch; ONNX wants equal sizes."""
    wide = {
        label
        for value, term in zip(values, terms, strict=True)
        for label, size in zip(term, value.shape or (), strict=True)
        if size != 1
    }
    kept, operands = [], []
    for value, term in zip(values, terms, strict=True):
        sizes = tuple(value.shape or ())
        single = [axis for axis, label in enumerate(term) if sizes[axis] == 1 and label in wide]
        operands.append(op.Squeeze(value, single) if single else value)
        kept.append("".join(label for axis, label in enumerate(term) if axis not in single))
    return op.Einsum(*operands, equation=f"{','.join(kept)}->{result}")


def _once(terms: str) -> str:
    """The labels that occur once, in alphabetical order: the result where the equation names none."""
    return "".join(label for label in sorted(set(terms)) if label.isalpha() and terms.count(label) == 1)


@translator("aten::tensordot")
def tensordot(
    op: Op, self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Value:
    """tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"""
    rank = rank_of(op, self)
    first = string.ascii_letters[:rank]
    second = list(string.ascii_letters[rank : rank + rank_of(op, other)])
    summed = set()
    for left, right in zip(dims_self, dims_other, strict=True):
        label = first[normalize_axis(left, rank)]
        second[normalize_axis(right, len(second))] = label
        summed.add(label)
    result = "".join(label for label in (*first, *second) if label not in summed)
    return _sum_of_products(op, [self, other], [first, "".join(second)], result)


@translator("aten::inner")
def inner(op: Op, self: Value, other: Value) -> Value:
    """inner(Tensor self, Tensor other) -> Tensor"""
    if rank_of(op, self) == 0 or rank_of(op, other) == 0:
        return op.Mul(*promote(op, self, other))
    return tensordot(op, self, other, [-1], [-1])
