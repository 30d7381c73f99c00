"""Sizes that keep to what a model's way through its code was chosen by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy

from onnx_ir_capture.fx._assumptions import is_broken
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.program import CapturedProgram, DimensionRange

__all__ = ["fitting_sizes"]


def fitting_sizes(
    program: CapturedProgram, example: Mapping[str, int], sizes: Mapping[str, int]
) -> dict[str, int]:
    """``sizes`` with those changed that break a condition which the program was captured under.

    Where ``past + sequence <= total`` is one of them, and both sides are equal in the example, ``total``
    becomes the sum of the others. Conditions on one dimension, and those that no single dimension can
    restore, stay broken: the model does something else there than its file.

    Args:
        program: the program.
        example: the size of each dynamic dimension at capture.
        sizes: the sizes that are wanted.
    """
    found = dict(sizes)
    dimensions = program.symbols
    if not isinstance(dimensions, Dimensions):
        return found
    for condition in dimensions.assumptions:
        relates = isinstance(condition, sympy.Rel) and len(condition.free_symbols) > 1
        if relates and _broken(condition, found):
            found.update(next(_restored(condition, example, found, program.dimensions), {}))
    return found


def _broken(condition: sympy.Basic, sizes: Mapping[str, int]) -> bool:
    known = {symbol: sizes[str(symbol)] for symbol in condition.free_symbols if str(symbol) in sizes}
    return is_broken(condition, known)


def _at(expression: sympy.Basic, sizes: Mapping[str, int]) -> sympy.Basic:
    known = {symbol: sizes[str(symbol)] for symbol in expression.free_symbols if str(symbol) in sizes}
    return expression.subs(known)


def _restored(
    condition: sympy.Rel,
    example: Mapping[str, int],
    sizes: Mapping[str, int],
    ranges: Mapping[str, DimensionRange],
) -> Iterator[dict[str, int]]:
    """Other sizes of one dimension with which the sides are as far apart as in the example."""
    gap = sympy.expand(condition.lhs - condition.rhs)
    factors = {symbol: gap.coeff(symbol) for symbol in sorted(gap.free_symbols, key=str)}
    # A sum is the only one of its sign, and larger than its parts: there is always a size for it.
    signs = [sympy.sign(factor) for factor in factors.values()]
    for symbol in sorted(factors, key=lambda each: signs.count(sympy.sign(factors[each]))):
        name, factor = str(symbol), factors[symbol]
        if abs(factor) != 1 or name not in sizes:
            continue
        size = sizes[name] + (_at(gap, example) - _at(gap, sizes)) / factor
        limits = ranges.get(name, DimensionRange(1, None))
        if not size.is_Integer or size < max(1, limits.lower) or size > (limits.upper or size):
            continue
        changed = {name: int(size)}
        if not _broken(condition, {**sizes, **changed}):
            yield changed
