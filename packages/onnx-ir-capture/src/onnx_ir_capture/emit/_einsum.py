"""Sums of products over named axes."""

from __future__ import annotations

import string
from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of

__all__ = ["contraction", "einsum_of"]


_ELLIPSIS = "..."


def einsum_of(emitter: Emitter, equation: str, tensors: Sequence[Value]) -> Value:
    """Torch's einsum_of of ``tensors``."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    free = [letter for letter in string.ascii_letters if letter not in left]
    spread = [
        rank_of(emitter, value) - len(term.replace(_ELLIPSIS, ""))
        for term, value in zip(terms, tensors, strict=True)
    ]
    # The axes of an ellipsis get names of their own, the same ones counted from the last.
    names = "".join(free[: max(0, *spread)] if any(_ELLIPSIS in term for term in terms) else [])
    named = [
        term.replace(_ELLIPSIS, names[len(names) - count :])
        for term, count in zip(terms, spread, strict=True)
    ]
    result = right.replace(_ELLIPSIS, names) if arrow else names + _once(left)
    return _sum_of_products(emitter, tensors, named, result)


def _sum_of_products(emitter: Emitter, values: Sequence[Value], terms: Sequence[str], result: str) -> Value:
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
        operands.append(emitter.Squeeze(value, single) if single else value)
        kept.append("".join(label for axis, label in enumerate(term) if axis not in single))
    return emitter.Einsum(*operands, equation=f"{','.join(kept)}->{result}")


def _once(terms: str) -> str:
    """The labels that occur once, in alphabetical order: the result where the equation names none."""
    return "".join(label for label in sorted(set(terms)) if label.isalpha() and terms.count(label) == 1)


def contraction(
    emitter: Emitter, self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Value:
    """The sum of products over ``dims_self`` of one and ``dims_other`` of the other."""
    rank = rank_of(emitter, self)
    first = string.ascii_letters[:rank]
    second = list(string.ascii_letters[rank : rank + rank_of(emitter, other)])
    summed = set()
    for left, right in zip(dims_self, dims_other, strict=True):
        label = first[normalize_axis(left, rank)]
        second[normalize_axis(right, len(second))] = label
        summed.add(label)
    result = "".join(label for label in (*first, *second) if label not in summed)
    return _sum_of_products(emitter, [self, other], [first, "".join(second)], result)
