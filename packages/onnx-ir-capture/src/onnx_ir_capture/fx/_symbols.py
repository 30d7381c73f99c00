"""What torch found out about the symbols of an exported program: ranges, guards and their lines."""

from __future__ import annotations

import traceback
from collections.abc import Sequence

import sympy
import torch
from torch.export.graph_signature import InputKind
from torch.fx.experimental.symbolic_shapes import ShapeEnv, ShapeGuard
from torch.utils._sympy.functions import Min
from torch.utils._sympy.value_ranges import ValueRanges

from onnx_diagnostics import Location
from onnx_ir_capture.fx._tracing import is_recorded_file
from onnx_ir_capture.program import DimensionRange

__all__ = ["INT_LIMIT", "SymbolTable", "input_values", "is_bound", "narrowed", "range_of"]

INT_LIMIT = 2**63
"""Torch's integers have 64 bits; a symbol without bounds has infinite ones."""


def input_values(exported: torch.export.ExportedProgram) -> list[object]:
    """The fake values of the program's own inputs, in the order of the flattened ``(args, kwargs)``."""
    placeholders = [node for node in exported.graph.nodes if node.op == "placeholder"]
    specs = exported.graph_signature.input_specs
    return [
        node.meta.get("val")
        for node, spec in zip(placeholders, specs, strict=True)
        if spec.kind is InputKind.USER_INPUT
    ]


def range_of(interval: ValueRanges[sympy.Expr]) -> DimensionRange:
    """The bounds of an integer as torch keeps them."""
    return DimensionRange(
        -INT_LIMIT if interval.lower <= -INT_LIMIT else int(interval.lower),
        None if interval.upper >= INT_LIMIT - 1 else int(interval.upper),
    )


class SymbolTable:
    """The symbols of the sizes in one exported program."""

    def __init__(self, exported: torch.export.ExportedProgram) -> None:
        self._exported = exported
        self._values = input_values(exported)
        self._env = _shape_env(self._values)

    def expression(self, leaf: int, axis: int | None) -> sympy.Expr:
        """The size of a dimension, or a number that is an input (``axis`` None), as the program has it."""
        return sympy.sympify(self._size(leaf, axis, raw=False))

    def symbol(self, leaf: int, axis: int | None) -> sympy.Symbol | None:
        """The symbol that the dimension began with, whatever the model did to it."""
        raw = self._size(leaf, axis, raw=True)
        return raw if isinstance(raw, sympy.Symbol) else None

    def _size(self, leaf: int, axis: int | None, *, raw: bool) -> object:
        value = self._values[leaf]
        size = value.shape[axis] if isinstance(value, torch.Tensor) and axis is not None else value
        if not isinstance(size, torch.SymInt):
            return size
        return size.node._expr if raw else size.node.expr

    def range(self, symbol: sympy.Symbol) -> DimensionRange:
        """Sizes for which the program holds."""
        interval = self._exported.range_constraints.get(symbol)
        bounds = DimensionRange(-INT_LIMIT, None) if interval is None else range_of(interval)
        for guard in self.guards(symbol):
            bounds = narrowed(guard, symbol, bounds)
        return bounds

    def guards(self, symbol: sympy.Symbol) -> Sequence[sympy.Basic]:
        """Conditions on this symbol alone that the program was captured under."""
        return [condition for condition in self.conditions() if condition.free_symbols == {symbol}]

    def conditions(self) -> Sequence[sympy.Basic]:
        """What the program was captured under, in the symbols that were left of those found to be equal."""
        return [] if self._env is None else [self.in_kept_symbols(guard.expr) for guard in self._env.guards]

    def in_kept_symbols(self, condition: sympy.Basic) -> sympy.Basic:
        """The condition in the symbols that were left of those found to be equal."""
        return condition if self._env is None else self._env.replace(condition)

    def place_of(self, condition: sympy.Basic) -> Location | None:
        """The model's line that first asked for one of :meth:`conditions`."""
        if self._env is None:
            return None
        found = (guard for guard in self._env.guards if self._env.replace(guard.expr) == condition)
        return next(filter(None, map(_location, found)), None)

    def place(self, *symbols: sympy.Symbol | None) -> Location | None:
        """The model's line that first tied the symbols to each other or, if it is one, to a number."""
        wanted = {symbol for symbol in symbols if symbol is not None}
        if self._env is None:
            return None
        relations = [guard for guard in self._env.guards if isinstance(guard.expr, sympy.Rel)]
        ties = [guard for guard in relations if wanted <= guard.expr.free_symbols]
        # Where a third one stands between the two, the line that gave up the first.
        ties += [guard for guard in relations if symbols[0] in guard.expr.free_symbols]
        return next(filter(None, map(_location, ties)), None)


def _location(guard: ShapeGuard) -> Location | None:
    """The line of the model, or of one of torch's layers, that asked."""
    frame = guard.sloc.framework_loc
    if not isinstance(frame, traceback.FrameSummary) or not is_recorded_file(frame.filename):
        return None
    return Location.at(frame.filename, frame.lineno, function=frame.name)


def _shape_env(values: Sequence[object]) -> ShapeEnv | None:
    env: ShapeEnv | None = None
    for value in values:
        if isinstance(value, torch._subclasses.FakeTensor):
            env = env or value.fake_mode.shape_env
        elif isinstance(value, torch.SymInt):
            env = env or value.node.shape_env
    return env


def is_bound(guard: sympy.Basic) -> bool:
    """Whether a condition compares one symbol with a number."""
    return isinstance(guard, sympy.Rel) and _plain(guard).lhs.is_Symbol and _plain(guard).rhs.is_Integer


def _plain(guard: sympy.Rel) -> sympy.Rel:
    """``guard`` with the symbol on the left.

    ``s == min(512, s)`` is ``s <= 512``, and ``5 == min(5, s)`` is ``s >= 5``.
    """
    relation = guard.reversed if guard.rhs.is_Symbol else guard
    if not isinstance(relation, sympy.Eq) or not isinstance(relation.rhs, Min):
        return relation
    others = [part for part in relation.rhs.args if part != relation.lhs]
    if len(others) != 1 or relation.lhs not in relation.rhs.args:
        return relation
    if relation.lhs.is_Integer:
        return sympy.Ge(others[0], relation.lhs) if others[0].is_Symbol else relation
    return sympy.Le(relation.lhs, others[0]) if others[0].is_Integer else relation


def narrowed(guard: sympy.Basic, symbol: sympy.Symbol, bounds: DimensionRange) -> DimensionRange:
    """The range after a guard that compares the symbol with a number; others do not change it."""
    if not isinstance(guard, sympy.Rel):
        return bounds
    relation, lower, upper = _plain(guard), bounds.lower, bounds.upper
    if relation.lhs != symbol or not relation.rhs.is_Integer:
        return bounds
    bound = int(relation.rhs)
    if isinstance(relation, sympy.Eq | sympy.Ge | sympy.Gt):
        lower = max(lower, bound + isinstance(relation, sympy.Gt))
    if isinstance(relation, sympy.Eq | sympy.Le | sympy.Lt):
        limit = bound - isinstance(relation, sympy.Lt)
        upper = limit if upper is None else min(upper, limit)
    return DimensionRange(lower, upper)
