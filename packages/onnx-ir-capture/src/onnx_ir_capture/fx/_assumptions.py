"""Conditions on sizes that a captured program assumes, told from those that hold for every size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import onnx_ir as ir
import sympy

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import items_of, known_constant
from onnx_ir_capture.lowering import location_of
from onnx_ir_capture.program import DimensionRange
from onnx_ir_capture.rules import DIMENSION_FIXED, SIZE_CONDITION

__all__ = ["is_broken", "may_fail", "report_squeezed_dimensions", "squeezed_singles"]

_SIZES = (1, 2, 3, 4, 5, 7, 8, 11, 16, 33, 100, 1000)
_TRIALS = 36


def may_fail(
    condition: sympy.Basic, ranges: Mapping[str, DimensionRange], given: Iterable[sympy.Basic] = ()
) -> bool:
    """Whether ``condition`` is false for some sizes within ``ranges`` for which all of ``given`` hold.

    Torch notes many conditions that follow from others or hold always, such as ``a*b // b == a``, and sympy
    proves few of them; so sizes are tried. A condition that no trial breaks is taken to hold.

    Args:
        condition: a truth value over the dimensions' symbols.
        ranges: smallest and largest size of each dimension by name; others are at least 1.
        given: conditions that are known already; those with other symbols say nothing.
    """
    symbols = sorted(condition.free_symbols, key=str)
    known = list(given)
    return any(
        is_broken(condition, sizes) and not any(is_broken(other, sizes) for other in known)
        for sizes in _trials(symbols, ranges)
    )


def is_broken(condition: sympy.Basic, sizes: Mapping[sympy.Symbol, int]) -> bool:
    """Whether ``condition`` is false for these sizes.

    Where it divides by a size that is 0, it is neither: the model itself raises there.
    """
    try:
        return bool(condition.subs(dict(sizes)) == sympy.false)
    except ZeroDivisionError:
        return False


def _trials(
    symbols: list[sympy.Symbol], ranges: Mapping[str, DimensionRange]
) -> Iterator[dict[sympy.Symbol, int]]:
    allowed = [_allowed(ranges.get(str(symbol), DimensionRange(1, None))) for symbol in symbols]
    for trial in range(_TRIALS):
        # Each symbol walks through its sizes at a pace of its own, so that they meet in all orders.
        yield {
            symbol: sizes[trial * (place + 1) % len(sizes) if place else trial % len(sizes)]
            for place, (symbol, sizes) in enumerate(zip(symbols, allowed, strict=True))
        }


def _allowed(limits: DimensionRange) -> list[int]:
    lower = max(limits.lower, 1)
    upper = limits.upper
    sizes = {lower, lower + 1, *_SIZES} | ({upper, max(upper - 1, lower)} if upper is not None else set())
    return sorted(size for size in sizes if size >= lower and (upper is None or size <= upper))


def report_squeezed_dimensions(
    graph: ir.Graph, diagnostics: DiagnosticContext, example: Mapping[str, int] | None = None
) -> None:
    """Report each ``squeeze`` of a dimension that varies: the graph holds where its size is not 1.

    Args:
        graph: what was captured.
        diagnostics: gets a warning for each, and an error where its size is 1 in the example itself.
        example: sizes in the example, where they are known.
    """
    for node, dimension in _squeezed_dimensions(graph):
        if _is_single(dimension, example or {}):
            diagnostics.report(
                DIMENSION_FIXED,
                location=location_of(node),
                dimension=f"the squeezed dimension {str(dimension)!r}",
                size=1,
                advice=_SQUEEZED,
            )
        else:
            diagnostics.report(SIZE_CONDITION, location=location_of(node), condition=f"{dimension} != 1")


def squeezed_singles(graph: ir.Graph, example: Mapping[str, int]) -> list[str]:
    """The dimensions that vary, are squeezed and have the size 1 in ``example``."""
    dimensions = (dimension for _, dimension in _squeezed_dimensions(graph))
    return [str(dimension) for dimension in dimensions if _is_single(dimension, example)]


def _is_single(dimension: ir.SymbolicDim, example: Mapping[str, int]) -> bool:
    return dimension.evaluate(example) == 1


_SQUEEZED = (
    "squeeze removes a dimension of size 1 and keeps any other, and a graph does one of the two: give the "
    "example another size, or leave the dimension out of dynamic_shapes"
)


def _squeezed_dimensions(graph: ir.Graph) -> Iterator[tuple[ir.Node, ir.SymbolicDim]]:
    """Each ``squeeze`` of a dimension that varies, with the dimension.

    Torch removes it where its size is 1, and then only; the graph has one rank, the one for other sizes.
    """
    for node in graph:
        if node.domain != "aten" or node.op_type != "squeeze" or (source := node.inputs[0]) is None:
            continue
        shape = source.shape or ()
        for axis in _squeezed_axes(node, len(shape)):
            dimension = shape[axis]
            if isinstance(dimension, ir.SymbolicDim) and dimension.value is not None:
                yield node, dimension


def _squeezed_axes(node: ir.Node, rank: int) -> list[int]:
    if not node.overload:
        return list(range(rank))
    items = items_of(node.inputs[1])
    axes = map(known_constant, node.inputs[1:2] if items is None else items)
    return [axis % rank for axis in axes if isinstance(axis, int) and rank]
