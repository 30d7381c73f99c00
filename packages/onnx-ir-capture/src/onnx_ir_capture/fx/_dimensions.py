"""Dynamic dimensions after capture: did they stay dynamic, and what are they called."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import sympy
import torch
from torch.export.dynamic_shapes import _DerivedDim
from torch.utils._sympy.functions import Mod

from onnx_diagnostics import DiagnosticContext, Level, Location, Rule
from onnx_ir_capture.fx._assumptions import may_fail
from onnx_ir_capture.fx._decisions import Decision, Questions
from onnx_ir_capture.fx._dynamic_shapes import DimensionRequest, dim_bounds
from onnx_ir_capture.fx._symbols import SymbolTable, is_bound, narrowed
from onnx_ir_capture.program import DimensionRange
from onnx_ir_capture.rules import (
    DIMENSION_FIXED,
    DIMENSION_LIMITED,
    DIMENSIONS_TIED,
    SIZE_CONDITION,
)

__all__ = ["Dimensions", "SizeFinding", "condition_text", "resolve_dimensions"]

_FIXED = (
    "if another input's size fixes it, let that one vary under the same name; else write the line for every "
    "size (a loop over it as torch.while_loop or scan), or leave the dimension as it is"
)
_TWO = 2  # the least size that torch tells from none and one


@dataclasses.dataclass(frozen=True)
class SizeFinding:
    """A condition on sizes, in the user's names, with the rule that reports it and its place."""

    condition: sympy.Basic
    rule: Rule
    location: Location | None
    is_warning: bool


@dataclasses.dataclass(frozen=True)
class Dimensions:
    """Names for torch's symbols, and the sizes that each named dimension may have.

    ``assumptions`` are the conditions on sizes, in these names, that the model chose its way by. ``asked``
    are the bounds that the user gave, ``findings`` the conditions that were reported. ``example`` has the
    sizes at capture.
    """

    names: Mapping[sympy.Symbol, sympy.Expr] = dataclasses.field(default_factory=dict)
    ranges: Mapping[str, DimensionRange] = dataclasses.field(default_factory=dict)
    assumptions: Sequence[sympy.Basic] = ()
    asked: Sequence[sympy.Basic] = ()
    findings: Sequence[SizeFinding] = ()
    example: Mapping[str, int] = dataclasses.field(default_factory=dict)

    @property
    def limits(self) -> Sequence[sympy.Basic]:
        """Conditions on one dimension without which the program is wrong, or not what was asked for."""
        warned = [
            finding.condition
            for finding in self.findings
            if finding.is_warning and finding.rule == DIMENSION_LIMITED
        ]
        return [*self.asked, *warned]

    def rename(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression over torch's symbols in the user's names."""
        return expression.xreplace(dict(self.names)) if self.names else expression


def resolve_dimensions(
    exported: torch.export.ExportedProgram,
    requests: Sequence[DimensionRequest],
    questions: Questions,
    diagnostics: DiagnosticContext,
) -> Dimensions:
    """Compare what was asked for with what torch made of it, and report the differences.

    Args:
        exported: the captured program.
        requests: the dimensions that shall vary.
        questions: what was asked of sizes during the capture.
        diagnostics: where the differences are reported.
    """
    return _Resolver(exported, requests, questions, diagnostics).run()


class _Resolver:
    def __init__(
        self,
        exported: torch.export.ExportedProgram,
        requests: Sequence[DimensionRequest],
        questions: Questions,
        diagnostics: DiagnosticContext,
    ) -> None:
        self._table = SymbolTable(exported)
        self._questions = questions
        self._findings: list[SizeFinding] = []
        self._requests = requests
        self._diagnostics = diagnostics
        self._names: dict[sympy.Symbol, sympy.Expr] = {}
        self._owners: dict[sympy.Symbol, DimensionRequest] = {}
        self._symbols = [
            symbol
            for symbol, interval in exported.range_constraints.items()
            if isinstance(symbol, sympy.Symbol) and interval.is_int
        ]

    def run(self) -> Dimensions:
        dynamic = [request for request in self._requests if self._stayed_dynamic(request)]
        for request in dynamic:
            self._name_plainly(request)
        for request in dynamic:
            if request.derived is not None:
                self._name_derived(request, request.derived)
        self._keep_names_apart()
        dimensions = Dimensions(self._names, self._ranges(), example=self._example())
        for request in dynamic:
            self._report_relation(request, dimensions)
        asked = [limit for request in dynamic for limit in self._asked(request, dimensions)]
        decided = self._decided(dimensions)
        for symbol, owner in self._owners.items():
            self._report_limits(symbol, owner, dimensions, decided)
        assumptions = self._report_assumptions(dimensions, decided)
        return dataclasses.replace(dimensions, assumptions=assumptions, asked=asked, findings=self._findings)

    def _stayed_dynamic(self, request: DimensionRequest) -> bool:
        expression = self._table.expression(request.leaf, request.axis)
        symbol = self._table.symbol(request.leaf, request.axis)
        if isinstance(expression, sympy.Symbol):
            upper = self._table.range(expression).upper
            # The range of a dimension that a model treats as 1 reaches from 0 or 1 to 1.
            if upper is None or upper > max(1, self._table.range(expression).lower):
                return True
        elif not expression.is_number:
            return True
        self._diagnostics.report(
            DIMENSION_FIXED,
            level=Level.ERROR if request.required else Level.NOTE,
            location=self._table.place(symbol),
            dimension=request,
            size=request.size,
            advice=_FIXED,
        )
        return False

    def _name_plainly(self, request: DimensionRequest) -> None:
        """Give the name to the symbol that the dimension is, if that has none yet."""
        symbol = self._table.expression(request.leaf, request.axis)
        if not isinstance(symbol, sympy.Symbol):
            return
        owner = self._owners.get(symbol)
        if owner is None or (owner.name is None and request.name is not None):
            self._owners[symbol] = request
        if request.name is not None and request.derived is None:
            self._names.setdefault(symbol, _symbol(request.name))

    def _name_derived(self, request: DimensionRequest, derived: _DerivedDim) -> None:
        """``2 * batch`` for a dimension that has no other name; or the name ``batch`` found by solving."""
        wanted = _derived_expression(request)
        actual = self._table.expression(request.leaf, request.axis)
        if isinstance(actual, sympy.Symbol):
            self._names.setdefault(actual, wanted)
            return
        for symbol in actual.free_symbols - self._names.keys():
            if derived.fn(symbol) == actual:
                self._names[symbol] = _symbol(derived.root.__name__)

    def _keep_names_apart(self) -> None:
        """A symbol of torch's that has the name of a user's dimension gets another one."""
        taken = {name for expression in self._names.values() for name in map(str, expression.free_symbols)}
        for symbol in self._symbols:
            if symbol in self._names or str(symbol) not in taken:
                continue
            name = f"{symbol}_"
            while name in taken:
                name += "_"
            taken.add(name)
            self._names[symbol] = _symbol(name)

    def _ranges(self) -> dict[str, DimensionRange]:
        ranges: dict[str, DimensionRange] = {}
        for symbol in self._symbols:
            expression, found = self._names.get(symbol, symbol), self._table.range(symbol)
            if isinstance(expression, sympy.Symbol):
                ranges[str(expression)] = _intersection(ranges.get(str(expression), found), found)
        for request in self._requests:
            if request.derived is not None:
                root = request.derived.root
                ranges.setdefault(root.__name__, DimensionRange(*dim_bounds(root)))
            if request.name in ranges:
                asked = DimensionRange(request.lower, request.upper)
                ranges[request.name] = _intersection(ranges[request.name], asked)
        return ranges

    def _asked(self, request: DimensionRequest, dimensions: Dimensions) -> list[sympy.Basic]:
        """The bounds of the user's ``Dim``; a size of 0 is asked for by whoever says nothing of it."""
        expression = dimensions.rename(self._table.expression(request.leaf, request.axis))
        return _bounds_within(
            expression, DimensionRange(0, None), DimensionRange(request.lower, request.upper)
        )

    def _example(self) -> dict[str, int]:
        names = {symbol: self._names.get(symbol, symbol) for symbol in self._owners}
        return {
            str(name): self._owners[symbol].size
            for symbol, name in names.items()
            if isinstance(name, sympy.Symbol)
        }

    def _report_relation(self, request: DimensionRequest, dimensions: Dimensions) -> None:
        """Warn of a name that is not used because the dimension is tied to another."""
        if request.name is None:
            return
        wanted = _symbol(request.name) if request.derived is None else _derived_expression(request)
        expression = self._table.expression(request.leaf, request.axis)
        actual = dimensions.rename(expression)
        if actual == wanted:
            return
        others = [self._owners[symbol] for symbol in expression.free_symbols if symbol in self._owners]
        own = self._table.symbol(request.leaf, request.axis)
        tied = [self._table.symbol(other.leaf, other.axis) for other in others]
        self._diagnostics.report(
            DIMENSIONS_TIED,
            location=self._table.place(own, *tied),
            dimension=request,
            others=" and ".join(map(str, others)) or "another dimension",
            relation=actual,
        )

    def _decided(self, dimensions: Dimensions) -> list[Decision]:
        """What the model decided by dimensions that vary, unless it follows from what was decided before."""
        asked = {
            str(dimensions.rename(symbol)): DimensionRange(owner.lower, owner.upper)
            for symbol, owner in self._owners.items()
        }
        known: list[sympy.Basic] = []
        decided: list[Decision] = []
        for decision in self._questions.decisions:
            guard = self._table.in_kept_symbols(decision.condition)
            condition = dimensions.rename(guard)
            if not guard.free_symbols & self._owners.keys() or not may_fail(condition, asked, known):
                continue
            known.append(condition)
            if decision.location is not None:
                decided.append(Decision(guard, decision.location))
        return decided

    def _report_limits(
        self,
        symbol: sympy.Symbol,
        owner: DimensionRequest,
        dimensions: Dimensions,
        decided: Sequence[Decision],
    ) -> None:
        """Report sizes that were asked for, but for which the captured program does not hold.

        That 1 is left out, or multiples of a number are asked for, torch notes of harmless strides, too; a
        limit beyond that, and what the model's own code asked for, comes of a branch that the example took.
        """
        found, name = self._table.range(symbol), dimensions.rename(symbol)
        asked = DimensionRange(max(owner.lower, 1), owner.upper)
        limits = {
            condition: found.lower > _TWO or isinstance(condition, sympy.Le)
            for condition in _bounds_within(name, asked, found)
        }
        places: dict[sympy.Basic, Location | None] = {}
        for decision in decided:
            if decision.condition.free_symbols != {symbol} or not _is_limit(decision.condition):
                continue
            conditions = [dimensions.rename(decision.condition)]
            if is_bound(decision.condition) and not isinstance(decision.condition, sympy.Ne):
                # One that is not among them is less than what was found, of which there is a warning.
                mine = _bounds_within(name, asked, narrowed(decision.condition, symbol, asked))
                conditions = [condition for condition in mine if condition in limits]
            limits.update(dict.fromkeys(conditions, True))
            places.update((condition, decision.location) for condition in conditions)
        for guard in self._table.guards(symbol):
            condition = dimensions.rename(guard)
            if isinstance(condition, sympy.Ne) or condition.has(Mod):
                limits.setdefault(condition, False)
        for limit, is_choice in limits.items():
            place = places.get(limit) or self._table.place(symbol)
            self._findings.append(SizeFinding(limit, DIMENSION_LIMITED, place, is_choice))
            level = Level.ERROR if _breaks_bound(limit, owner) else Level.WARNING
            self._diagnostics.report(
                DIMENSION_LIMITED,
                level=level if is_choice else Level.NOTE,
                location=place,
                dimension=owner,
                limit=condition_text(limit),
            )

    def _report_assumptions(self, dimensions: Dimensions, decided: Sequence[Decision]) -> list[sympy.Basic]:
        """Warn of conditions by which the model chose its way: the file goes the same way for every size."""
        guards = [guard for guard in self._table.conditions() if guard.free_symbols & self._owners.keys()]
        harmless = {self._table.in_kept_symbols(condition) for condition in self._questions.of_layout}
        known = [dimensions.rename(guard) for guard in guards if _is_limit(guard)]
        reported = [choice for choice in decided if not _is_limit(choice.condition)]
        known += [dimensions.rename(choice.condition) for choice in decided]
        for guard in guards:
            condition = dimensions.rename(guard)
            if _is_limit(guard) or guard in harmless or not may_fail(condition, dimensions.ranges, known):
                continue
            known.append(condition)
            reported.append(Decision(guard, self._table.place_of(guard)))
        conditions = [dimensions.rename(choice.condition) for choice in reported]
        for condition, choice in zip(conditions, reported, strict=True):
            self._findings.append(SizeFinding(condition, SIZE_CONDITION, choice.location, is_warning=True))
            self._diagnostics.report(
                SIZE_CONDITION, location=choice.location, condition=condition_text(condition)
            )
        return conditions


def _bounds_within(name: sympy.Expr, asked: DimensionRange, found: DimensionRange) -> list[sympy.Basic]:
    """The bounds of ``found`` that were not asked for."""
    # Unevaluated, as the symbols are known to be at least 0.
    bounds: list[sympy.Basic] = []
    if found.lower > asked.lower:
        bounds.append(sympy.Ge(name, found.lower, evaluate=False))
    if found.upper is not None and (asked.upper is None or found.upper < asked.upper):
        bounds.append(sympy.Le(name, found.upper, evaluate=False))
    return bounds


def _breaks_bound(limit: sympy.Basic, owner: DimensionRequest) -> bool:
    """Whether the user has stated a bound that the limit is inside of, and so relies on the sizes between."""
    if isinstance(limit, sympy.Ge):
        return owner.lower > 0
    return owner.upper is not None or (owner.lower > 0 and not isinstance(limit, sympy.Le))


def _is_limit(guard: sympy.Basic) -> bool:
    """Whether a condition on one symbol is among those that are reported as a limit of its range."""
    return len(guard.free_symbols) == 1 and (isinstance(guard, sympy.Ne) or guard.has(Mod) or is_bound(guard))


def _symbol(name: str) -> sympy.Symbol:
    return sympy.Symbol(name, integer=True, nonnegative=True)


def _derived_expression(request: DimensionRequest) -> sympy.Expr:
    if request.derived is None:
        raise ValueError(f"{request} is not derived from another dimension")
    expression: sympy.Expr = request.derived.fn(_symbol(request.derived.root.__name__))
    return expression


def _intersection(first: DimensionRange, second: DimensionRange) -> DimensionRange:
    uppers = [upper for upper in (first.upper, second.upper) if upper is not None]
    return DimensionRange(max(first.lower, second.lower), min(uppers, default=None))


def condition_text(guard: sympy.Basic) -> str:
    """A condition as Python has it."""
    relations = {sympy.Eq: "==", sympy.Ne: "!="}
    relation = relations.get(type(guard))
    return str(guard) if relation is None else f"{guard.args[0]} {relation} {guard.args[1]}"
