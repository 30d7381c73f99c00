"""Sizes that a captured program was not made for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import onnx_ir as ir
import sympy

from onnx_ir_capture.fx._assumptions import is_broken
from onnx_ir_capture.fx._dimensions import Dimensions, condition_text
from onnx_ir_capture.program import CapturedProgram, DimensionRange

__all__ = ["InputSize", "size_faults"]

_TORCHS_OWN = 2  # the least size that torch tells from none and one, and may assume without need


@dataclasses.dataclass(frozen=True)
class InputSize:
    """The size that a call gives to a dimension of an input which varies."""

    input: str
    axis: int
    size: int
    dimension: ir.SymbolicDim

    def __str__(self) -> str:
        return f"{self.input} has size {self.size} in dimension {self.axis}"


def size_faults(program: CapturedProgram, sizes: Sequence[InputSize]) -> Iterator[str]:
    """What is wrong with the sizes of a call, each with the input and its dimension.

    That is a size beyond the user's ``Dim``, or beyond a limit that the capture warned of; and one that is no
    ``2 * batch`` for any batch, or for none that another input has.
    """
    known: dict[str, InputSize] = {}
    roots: dict[str, int] = {}
    for given in sorted(
        sizes, key=lambda each: str(each.dimension.value) not in each.dimension.free_symbols()
    ):
        names = sorted(given.dimension.free_symbols())
        if len(names) != 1:
            continue
        (name,) = names
        if name not in roots:
            root = _root(given.dimension, name, given.size)
            if isinstance(root, sympy.Integer) and root >= 0:
                known[name], roots[name] = given, int(root)
            elif root is not None:
                yield f"{given}, which is {given.dimension} for no {name}"
        elif str(given.dimension.value) != name and given.dimension.evaluate(roots) != given.size:
            yield f"{given}, but {given.dimension} is {given.dimension.evaluate(roots)} as {known[name]}"
    for limit in _limits(program):
        bound = {symbol: roots[str(symbol)] for symbol in limit.free_symbols if str(symbol) in roots}
        if is_broken(limit, bound):
            place = known[min(map(str, bound))]
            yield f"{place}, and the exported model holds only for {condition_text(limit)}"


def _root(dimension: ir.SymbolicDim, name: str, size: int) -> sympy.Rational | None:
    """What ``name`` is where the dimension has this size; None where that is not sure."""
    values = [dimension.evaluate({name: trial}) for trial in (0, 1, 2)]
    zero, one, two = (value if isinstance(value, int) else 0 for value in values)
    is_linear = all(isinstance(value, int) for value in values) and two - one == one - zero != 0
    return sympy.Rational(size - zero, one - zero) if is_linear else None


def _limits(program: CapturedProgram) -> Iterator[sympy.Basic]:
    dimensions = program.symbols
    if isinstance(dimensions, Dimensions) and dimensions.ranges:
        yield from dimensions.limits
        return
    for name, limits in program.dimensions.items():
        yield from _range_limits(sympy.Symbol(name, integer=True), limits)


def _range_limits(name: sympy.Symbol, limits: DimensionRange) -> Iterator[sympy.Basic]:
    if limits.lower > _TORCHS_OWN:
        yield sympy.Ge(name, limits.lower)
    if limits.upper is not None:
        yield sympy.Le(name, limits.upper)
