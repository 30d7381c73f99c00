"""The lowering driver: a captured program to an ONNX model, by tables of lowerings."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import onnx
import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Decomposer, Decomposition, Lowering, OpTable, Target, Unsupported
from onnx_ir_capture.dialect import (
    ListType,
    OpName,
    ScalarType,
    constant_value,
    is_constant,
    is_literal,
    items_of,
    op_name,
)
from onnx_ir_capture.emit import Emitter, GraphFrame
from onnx_ir_capture.lowering._binding import Argument, bind
from onnx_ir_capture.lowering._control_flow import check_ranks, lower_blocks
from onnx_ir_capture.lowering._failures import (
    NoTranslation,
    RefusedArguments,
    TranslationFailure,
    TranslationFault,
    Untranslatable,
    mark_translated,
)
from onnx_ir_capture.lowering._notes import Notes
from onnx_ir_capture.lowering._numbers import number_value
from onnx_ir_capture.lowering._origin import write_origin, write_place
from onnx_ir_capture.lowering._results import check_results, placeholder
from onnx_ir_capture.lowering._sequences import is_sequence, lower_sequence_call, takes_sequence
from onnx_ir_capture.program import UNSUPPORTED, CapturedProgram

__all__ = ["DECOMPOSITION", "LoweredProgram", "lower"]

DECOMPOSITION = "decomposition"
"""Stands beside the names of tables, for calls that are taken apart."""

# Control flow is no matter of tables.
_DRIVER = "onnx-ir-capture"


@dataclasses.dataclass(frozen=True)
class LoweredProgram:
    """An ONNX model, and for each captured value the ONNX value that holds it.

    The model is whole only if ``failed`` is False; the diagnostics then hold no error of the lowering.
    ``translated`` says, for each operator of the program, how many of its calls each table served, by the
    table's name or :data:`DECOMPOSITION`; calls that failed are missing.
    """

    model: ir.Model
    value_map: Mapping[ir.Value, ir.Value]
    failed: bool
    translated: Mapping[OpName, Mapping[str, int]] = dataclasses.field(default_factory=dict)


def lower(
    program: CapturedProgram,
    tables: Sequence[OpTable],
    target: Target,
    diagnostics: DiagnosticContext,
    *,
    decomposer: Decomposer | None = None,
    fallbacks: Sequence[OpTable] = (),
) -> LoweredProgram:
    """Build the ONNX model of ``program`` beside it, going on after a failure.

    Args:
        program: left as it is.
        tables: asked in this order for each call.
        target: the opset to write.
        diagnostics: gets one finding per call that cannot be lowered, with its source line.
        decomposer: takes calls apart that no table translates.
        fallbacks: tables that are asked last, after the decomposer.
    """
    stage = diagnostics.child()
    return _Driver(program, tables, target, stage, decomposer, fallbacks).run()


class _Place(NamedTuple):
    """The graph or block that is being built, and what appends to it."""

    frame: GraphFrame
    emitter: Emitter
    tables: Sequence[tuple[OpTable, object]]
    fallbacks: Sequence[tuple[OpTable, object]]


class _Driver:
    def __init__(
        self,
        program: CapturedProgram,
        tables: Sequence[OpTable],
        target: Target,
        diagnostics: DiagnosticContext,
        decomposer: Decomposer | None,
        fallbacks: Sequence[OpTable],
    ) -> None:
        self._program = program
        self._decomposer = decomposer
        self._target = target
        self._diagnostics = diagnostics
        graph = ir.Graph([], [], nodes=[], opset_imports={"": target.opset}, name=program.model.graph.name)
        self._tables = tables
        self._fallbacks = fallbacks
        least = {name: found.lower for name, found in program.dimensions.items()}
        self._place = self._enter(GraphFrame(graph, target, least_sizes=least))
        self._notes = Notes(diagnostics)
        self._translated_by: defaultdict[OpName, Counter[str]] = defaultdict(Counter)
        self._values: dict[ir.Value, ir.Value] = {}
        self._renamed: dict[ir.Value, ir.Value] = {}

    def run(self) -> LoweredProgram:
        source, graph = self._program.model.graph, self._frame.graph
        for value in source.inputs:
            graph.inputs.append(self._copy(value))
        for value in source.initializers.values():
            graph.register_initializer(self._copy(value))
        self.nodes(source)
        graph.outputs.extend(self._values[value] for value in source.outputs)
        used = {node.domain for node in graph.all_nodes() if node.domain}
        used.update(domain for domain, _, _ in self._frame.functions)
        graph.opset_imports.update({domain: self._frame.domains.get(domain, 1) for domain in sorted(used)})
        ir_version = onnx.helper.find_min_ir_version_for([onnx.helper.make_opsetid("", self._target.opset)])
        model = ir.Model(graph, ir_version=ir_version, functions=list(self._frame.functions.values()))
        failed = self._diagnostics.has_errors or not self._program.is_whole
        return LoweredProgram(model, self._values, failed, self._translated_by)

    def nodes(self, nodes: Iterable[ir.Node]) -> None:
        """Lower ``nodes`` to the graph or block at hand."""
        for node in nodes:
            self._node(node)

    @contextlib.contextmanager
    def inside(self, node: ir.Node, graph: ir.Graph) -> Iterator[None]:
        """Lower to ``graph``, a block of ``node``, meanwhile."""
        outer = self._place
        self._place = self._enter(GraphFrame(graph, self._target, outer.frame))
        try:
            yield
            write_place(node, self._frame.take_created())
        finally:
            self._place = outer

    def _enter(self, frame: GraphFrame) -> _Place:
        tables, fallbacks = (
            [(table, table.context(frame)) for table in group] for group in (self._tables, self._fallbacks)
        )
        return _Place(frame, Emitter(frame), tables, fallbacks)

    @property
    def emitter(self) -> Emitter:
        """Appends to the graph or block at hand."""
        return self._place.emitter

    @property
    def _frame(self) -> GraphFrame:
        return self._place.frame

    def _copy(self, value: ir.Value) -> ir.Value:
        """The ONNX value of a graph input or a weight: the same name, type and data."""
        copy = ir.Value(
            name=value.name,
            type=ir.TensorType(value.dtype or ir.DataType.UNDEFINED),
            shape=value.shape.copy() if value.shape is not None else None,
            const_value=value.const_value,
        )
        self.record(value, copy)
        return copy

    def record(self, value: ir.Value, lowered: ir.Value) -> None:
        """Let ``lowered`` stand for a captured value."""
        if isinstance(value.type, ScalarType):
            lowered.meta["torch.scalar"] = value.type.kind
        self._values[value] = lowered

    def _node(self, node: ir.Node) -> None:
        if is_literal(node):  # only the calls that use it make something of it
            return
        if node.domain == "prim" and node.op_type in ("Identity", "If", "Loop"):
            self._structure(node)
            return
        if node.domain == UNSUPPORTED or any(_is_untyped_stand_in(value) for value in node.inputs):
            self._stand_in(node)
            return
        try:
            results, by = self._translated(node, ())
        except TranslationFailure as failure:
            failure.report(self._diagnostics, node)
            self._stand_in(node)
        else:
            self._finish(node, results, by)

    def _structure(self, node: ir.Node) -> None:
        try:
            check_ranks(node, self._program.model.graph)
            results = [self._identity(node)] if node.op_type == "Identity" else lower_blocks(self, node)
            check_results(node, results)
        except Unsupported as refusal:
            RefusedArguments(op_name(node), refusal).report(self._diagnostics, node)
            self._stand_in(node)
        else:
            self._finish(node, results, _DRIVER)

    def _identity(self, node: ir.Node) -> ir.Value:
        argument = self.argument(node.inputs[0])
        value = number_value(self.emitter, argument)
        if value is None:
            raise ValueError(
                f"%{node.outputs[0].name} is the identity of {argument!r}, which ONNX has no value for"
            )
        # A sequence is handed on as it is: Identity takes none before opset 14.
        return value if is_sequence(value) else self.emitter.Identity(value)

    def _translated(self, node: ir.Node, within: tuple[OpName, ...]) -> tuple[Sequence[ir.Value], str]:
        """The results of a call by a table, by decomposition, or by a table of last resort; and by which.

        ``within`` are the operators whose decomposition holds the call.
        """
        if any(isinstance(value.type, ListType) for value in node.inputs if value is not None):
            arguments = [self.argument(value) for value in node.inputs]
            if takes_sequence(op_name(node), arguments):
                return self._of_sequence(node, arguments), _DRIVER
        mark = self._frame.mark
        try:
            return self._by_tables(node, self._place.tables)
        except Untranslatable as first:
            self._frame.discard_created(mark)
            is_held = not isinstance(first, NoTranslation)
            failure = first
        if self._decomposer is not None:
            try:
                return self._apart(node, self._decomposer, failure, within), DECOMPOSITION
            except Untranslatable as second:
                self._frame.discard_created(mark)
                failure = second
        if is_held:  # what a table refuses, a worse one is not asked for
            raise failure
        try:
            results, table = self._by_tables(node, self._place.fallbacks)
        except TranslationFailure:  # what went wrong before is nearer to the user
            self._frame.discard_created(mark)
            raise failure from None
        self._notes.last_resort(node, table, failure)
        return results, table

    def _of_sequence(self, node: ir.Node, arguments: Sequence[Argument]) -> Sequence[ir.Value]:
        """The results of a call that takes a list whose length only run time knows."""
        try:
            results = [lower_sequence_call(self.emitter, op_name(node), arguments)]
            check_results(node, results)
        except Unsupported as refusal:
            raise RefusedArguments(op_name(node), refusal) from refusal
        return results

    def _by_tables(
        self, node: ir.Node, tables: Sequence[tuple[OpTable, object]]
    ) -> tuple[Sequence[ir.Value], str]:
        """The results of a call, and the name of the table that they are by."""
        op, mark = op_name(node), self._frame.mark
        refusal: RefusedArguments | None = None
        for table, context in tables:
            lowering = table.find(op, self._target.opset)
            if lowering is None:
                continue
            try:
                return self._call(node, lowering, context), table.name
            except RefusedArguments as refused:
                if not lowering.custom:
                    raise
                # A caller's own function need not serve every call.
                self._frame.discard_created(mark)
                refusal = refused
        if refusal is not None:
            raise refusal
        firsts = [first for table, _ in tables if (first := table.first_opset(op)) is not None]
        later = [first for first in firsts if first > self._target.opset]
        raise NoTranslation(op, self._target.opset, min(later, default=None))

    def _call(self, node: ir.Node, lowering: Lowering, context: object) -> Sequence[ir.Value]:
        self._frame.expected = node.outputs
        last = next(reversed(self._frame.graph), None)
        known = len(self._frame.limits)
        try:
            arguments = bind(lowering.function, [self.argument(value) for value in node.inputs])
            result = lowering.function(context, *arguments)
            results = [result] if isinstance(result, ir.Value) else list(result)
            check_results(node, results)
        except Unsupported as refusal:
            del self._frame.limits[known:]
            raise RefusedArguments(op_name(node), refusal) from refusal
        except Exception as error:
            raise TranslationFault(lowering, error) from error
        made = itertools.takewhile(lambda made: made is not last, reversed(self._frame.graph))
        mark_translated(node, lowering, made)
        return results

    def _apart(
        self,
        node: ir.Node,
        decomposer: Decomposer,
        failure: Untranslatable,
        within: tuple[OpName, ...],
    ) -> Sequence[ir.Value]:
        """The results of a call by its decomposition, every part of which must have a translation."""
        try:
            apart = decomposer.decompose(node)
        except Unsupported as refusal:
            raise failure.because(f"its decomposition {refusal.reason}") from refusal
        if apart is None:
            raise failure
        parts = [op_name(part) for part in apart.graph if part.domain != "prim"]
        op = op_name(node)
        repeated = next((part for part in parts if part in (*within, op)), None)
        if repeated is not None:
            raise failure.because(f"it decomposes into {repeated} again")
        try:
            results = self._spliced(apart, (*within, op))
        except Untranslatable as inner:
            raise failure.because(inner.as_part()) from inner
        self._notes.decomposition(node, failure, parts)
        return results

    def _spliced(self, apart: Decomposition, within: tuple[OpName, ...]) -> Sequence[ir.Value]:
        """The results of a decomposition, whose parts are lowered where the frame stands."""
        graph = apart.graph
        for inner, operand in zip(graph.inputs, apart.operands, strict=True):
            self._values[inner] = self._values[operand]
        for weight in graph.initializers.values():
            if weight.const_value is None:
                raise ValueError(f"the constant %{weight.name} of a decomposition has no value")
            self._values[weight] = self._frame.tensor(weight.const_value)
        for part in graph:
            if is_literal(part):
                continue
            mark = self._frame.mark
            is_identity = part.domain == "prim" and part.op_type == "Identity"
            results = [self._identity(part)] if is_identity else self._translated(part, within)[0]
            self._note_results(part, self._frame.created_since(mark), results)
        return [self._values[output] for output in graph.outputs]

    def _finish(self, node: ir.Node, results: Sequence[ir.Value], by: str) -> None:
        self._translated_by[op_name(node)][by] += 1
        self._notes.limits(node, self._frame.take_limits())
        self._note_results(node, self._frame.take_created(), results)

    def _note_results(self, node: ir.Node, created: Sequence[ir.Node], results: Sequence[ir.Value]) -> None:
        write_origin(node, created, results)
        for value, lowered in zip(node.outputs, results, strict=True):
            self.record(value, lowered)

    def _stand_in(self, node: ir.Node) -> None:
        """Record stand-ins for the outputs, so that the rest of the program is looked at too."""
        self._frame.take_created()
        for value in node.outputs:
            self.record(value, placeholder(value))

    def argument(self, value: ir.Value | None) -> Argument:
        """What stands for a captured value: a constant, a value of the ONNX graph, or a list of those."""
        if value is None:
            raise ValueError(
                "a dialect call has an input for every schema argument; None is a prim::Constant"
            )
        value = self._renamed.get(value, value)
        if is_constant(value):
            return constant_value(value)
        items = items_of(value)
        if items is not None:
            return [self.argument(item) for item in items]
        return self._values[value]

    def rename(self, value: ir.Value, outer: ir.Value) -> None:
        """Let what stands for ``outer`` stand for ``value``, too."""
        self._renamed[value] = self._renamed.get(outer, outer)
        if outer in self._values:
            self._values[value] = self._values[outer]


def _is_untyped_stand_in(value: ir.Value | None) -> bool:
    """Whether nothing more can be said of a call that takes ``value``: a front end refused what made it."""
    made_by = None if value is None else value.producer()
    is_refused = made_by is not None and made_by.domain == UNSUPPORTED
    return is_refused and value is not None and value.dtype == ir.DataType.UNDEFINED
