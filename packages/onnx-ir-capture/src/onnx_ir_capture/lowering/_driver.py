"""The lowering driver: a captured program to an ONNX model, by tables of lowerings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import onnx
import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Lowering, OpTable, Target, Unsupported
from onnx_ir_capture.dialect import (
    OpName,
    ScalarType,
    constant_value,
    is_constant,
    op_name,
)
from onnx_ir_capture.emit import Emitter, GraphFrame
from onnx_ir_capture.lowering._binding import Argument, bind
from onnx_ir_capture.lowering._locations import call_stack, location_of
from onnx_ir_capture.lowering._origin import write_origin
from onnx_ir_capture.lowering._results import check_results, placeholder
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import (
    CUSTOM_TRANSLATION_FAULT,
    LOWERING_FAULT,
    UNSUPPORTED_ARGUMENTS,
    UNSUPPORTED_OPERATOR,
)

__all__ = ["LoweredProgram", "lower"]


@dataclasses.dataclass(frozen=True)
class LoweredProgram:
    """An ONNX model, and for each captured value the ONNX value that holds it.

    The model is whole only if ``failed`` is False; the diagnostics then hold no error of the lowering.
    """

    model: ir.Model
    value_map: Mapping[ir.Value, ir.Value]
    tables: Mapping[ir.Node, str]
    """Which table translated each captured call."""
    failed: bool


def lower(
    program: CapturedProgram,
    tables: Sequence[OpTable],
    target: Target,
    diagnostics: DiagnosticContext,
) -> LoweredProgram:
    """Build the ONNX model of ``program`` beside it, going on after a failure.

    Args:
        program: left as it is.
        tables: asked in this order for each call.
        target: the opset to write.
        diagnostics: gets one finding per call that cannot be lowered, with its source line.
    """
    stage = diagnostics.child()
    return _Driver(program, tables, target, stage).run()


class _Driver:
    def __init__(
        self,
        program: CapturedProgram,
        tables: Sequence[OpTable],
        target: Target,
        diagnostics: DiagnosticContext,
    ) -> None:
        self._program = program
        self._target = target
        self._diagnostics = diagnostics
        graph = ir.Graph([], [], nodes=[], opset_imports={"": target.opset}, name=program.model.graph.name)
        self._frame = GraphFrame(graph, target)
        self._emitter = Emitter(self._frame)
        self._tables = [(table, table.context(self._frame)) for table in tables]
        self._values: dict[ir.Value, ir.Value] = {}
        self._translated_by: dict[ir.Node, str] = {}

    def run(self) -> LoweredProgram:
        source, graph = self._program.model.graph, self._frame.graph
        for value in source.inputs:
            graph.inputs.append(self._copy(value))
        for value in source.initializers.values():
            graph.register_initializer(self._copy(value))
        for node in source:
            self._node(node)
        graph.outputs.extend(self._values[value] for value in source.outputs)
        used = {node.domain for node in graph if node.domain}
        graph.opset_imports.update(dict.fromkeys(sorted(used), 1))
        ir_version = onnx.helper.find_min_ir_version_for([onnx.helper.make_opsetid("", self._target.opset)])
        model = ir.Model(graph, ir_version=ir_version)
        return LoweredProgram(model, self._values, self._translated_by, self._diagnostics.has_errors)

    def _copy(self, value: ir.Value) -> ir.Value:
        """The ONNX value of a graph input or a weight: the same name, type and data."""
        copy = ir.Value(
            name=value.name,
            type=ir.TensorType(value.dtype or ir.DataType.UNDEFINED),
            shape=value.shape.copy() if value.shape is not None else None,
            const_value=value.const_value,
        )
        self._record(value, copy)
        return copy

    def _record(self, value: ir.Value, lowered: ir.Value) -> None:
        if isinstance(value.type, ScalarType):
            lowered.meta["torch.scalar"] = value.type.kind
        self._values[value] = lowered

    def _node(self, node: ir.Node) -> None:
        if node.domain == "prim" and node.op_type in ("Constant", "ListConstruct", "TupleConstruct"):
            return
        if node.domain == "prim" and node.op_type == "Identity":
            self._finish(node, [self._identity(node)])
            return
        op = op_name(node)
        for table, context in self._tables:
            lowering = table.find(op, self._target.opset)
            if lowering is not None:
                self._translated_by[node] = table.name
                self._call(node, lowering, context)
                return
        self._unsupported(node, op)

    def _identity(self, node: ir.Node) -> ir.Value:
        argument = self._argument(node.inputs[0])
        if isinstance(argument, ir.Value):
            return self._emitter.Identity(argument)
        if isinstance(argument, bool | int | float):
            dtype = {bool: ir.DataType.BOOL, int: ir.DataType.INT64, float: ir.DataType.DOUBLE}
            return self._emitter.Identity(self._emitter.constant(argument, dtype[type(argument)]))
        raise ValueError(
            f"%{node.outputs[0].name} is the identity of {argument!r}, which ONNX has no value for"
        )

    def _call(self, node: ir.Node, lowering: Lowering, context: object) -> None:
        op = op_name(node)
        self._frame.expected = node.outputs
        try:
            arguments = bind(lowering.function, [self._argument(value) for value in node.inputs])
            result = lowering.function(context, *arguments)
            results = [result] if isinstance(result, ir.Value) else list(result)
            check_results(node, results)
        except Unsupported as refusal:
            self._diagnostics.report(
                UNSUPPORTED_ARGUMENTS,
                location=location_of(node),
                related=call_stack(node),
                op=op,
                reason=refusal.reason,
            )
            self._stand_in(node)
        except Exception as error:  # noqa: BLE001  # any fault of one translation must not hide the others
            self._fault(node, lowering, f"{type(error).__name__}: {error}")
        else:
            self._finish(node, results)

    def _fault(self, node: ir.Node, lowering: Lowering, reason: str) -> None:
        """Note a translation that raised, or that contradicts the program."""
        op, place, stack = op_name(node), location_of(node), call_stack(node)
        if lowering.custom:
            name = lowering.function.__qualname__
            self._diagnostics.report(
                CUSTOM_TRANSLATION_FAULT, location=place, related=stack, op=op, function=name, reason=reason
            )
        else:
            table = lowering.table
            self._diagnostics.report(
                LOWERING_FAULT, location=place, related=stack, op=op, table=table, reason=reason
            )
        self._stand_in(node)

    def _finish(self, node: ir.Node, results: Sequence[ir.Value]) -> None:
        created = self._frame.take_created()
        write_origin(node, created, results)
        for value, lowered in zip(node.outputs, results, strict=True):
            self._record(value, lowered)

    def _unsupported(self, node: ir.Node, op: OpName) -> None:
        firsts = [first for table, _ in self._tables if (first := table.first_opset(op)) is not None]
        later = [first for first in firsts if first > self._target.opset]
        hint = f"; it has one from opset {min(later)}" if later else ""
        self._diagnostics.report(
            UNSUPPORTED_OPERATOR,
            location=location_of(node),
            related=call_stack(node),
            op=op,
            opset=self._target.opset,
            hint=hint,
        )
        self._stand_in(node)

    def _stand_in(self, node: ir.Node) -> None:
        """Record stand-ins for the outputs, so that the rest of the program is looked at too."""
        self._frame.take_created()
        for value in node.outputs:
            self._record(value, placeholder(value))

    def _argument(self, value: ir.Value | None) -> Argument:
        if value is None:
            raise ValueError(
                "a dialect call has an input for every schema argument; None is a prim::Constant"
            )
        if is_constant(value):
            return constant_value(value)
        producer = value.producer()
        if producer is not None and producer.op_type in ("ListConstruct", "TupleConstruct"):
            return [self._argument(item) for item in producer.inputs]
        return self._values[value]
