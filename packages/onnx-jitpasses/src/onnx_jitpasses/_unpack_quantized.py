"""The pass :class:`UnpackQuantized`."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ListType, blocks_of, op_name
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._edit import Editor, remove_node
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses._quantized_call import Grid, QuantizedCall
from onnx_jitpasses._quantized_forms import ON_THE_SAME_GRID, PACKS, REWRITES, UNTOUCHED
from onnx_jitpasses._rewritten_call import drop_identities
from onnx_jitpasses.rules import QUANTIZED_OPERATOR

__all__ = ["UnpackQuantized"]


class UnpackQuantized(DialectPass):
    """Makes quantized tensors plain integers, and unpacks the weights of quantized modules.

    ONNX has no tensors that know their scale. What is computed with them becomes the same on floats, between
    calls that go from integers to floats and back, which is how runtimes expect it. A call that has no such
    form is reported.
    """

    needs = frozenset([Guarantee.NO_WRITES])

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        super().__init__()
        self._diagnostics = diagnostics or DiagnosticContext("onnx-jitpasses", "0")

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> UnpackQuantized:
        """The pass as the pipeline runs it."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        if not any(_is_quantized(node) for node in all_nodes(model.graph)):
            return ir.passes.PassResult(model, modified=False)
        walk = _Walk(Editor(model.graph), self._diagnostics)
        walk.graph(model.graph)
        walk.clean_up()
        return ir.passes.PassResult(model, modified=True)


def _is_quantized(node: ir.Node) -> bool:
    """Whether the call is one that makes quantized tensors, or packs weights."""
    is_named_so = node.domain == "aten" and "quantize" in node.op_type
    return node.domain == "quantized" or (is_named_so and str(op_name(node)) in REWRITES)


class _Walk:
    def __init__(self, editor: Editor, diagnostics: DiagnosticContext) -> None:
        self._editor = editor
        self._diagnostics = diagnostics
        self._grids: dict[ir.Value, Grid] = {}
        self._packed: dict[ir.Value, Sequence[ir.Value | None]] = {}
        self._packs: list[ir.Node] = []
        self._identities: list[ir.Value] = []

    def graph(self, graph: ir.Graph) -> None:
        """Rewrite the calls of the graph or block in their order."""
        for node in list(graph):
            for block in blocks_of(node):
                self.graph(block)
            self._node(node)
        for output in graph.outputs:
            if output in self._grids:
                self._report_returned(output)

    def clean_up(self) -> None:
        """Let go what stood for others meanwhile, and what packed weights."""
        drop_identities(self._identities)
        for node in self._packs:
            if not any(output.uses() for output in node.outputs):
                remove_node(node)

    def _node(self, node: ir.Node) -> None:
        name = str(op_name(node))
        if node.domain == "quantized" and node.op_type in PACKS:
            self._packed[node.outputs[0]] = node.inputs
            self._packs.append(node)
            return
        if node.domain == "prim" and node.op_type in ("ListConstruct", "TupleConstruct"):
            return
        if not _is_quantized(node) and not any(value in self._grids for value in _read(node)):
            return
        if node.domain == "aten" and node.op_type in UNTOUCHED:
            return
        call = QuantizedCall(node, self._editor, self._grids, self._packed)
        try:
            if node.domain == "aten" and node.op_type in ON_THE_SAME_GRID:
                _move(call)
                return
            rewrite = REWRITES.get(name)
            if rewrite is None:
                raise Unsupported("it has no form on the integers of quantized tensors")
            result = rewrite(call)
        except Unsupported as refusal:
            self._report(node, refusal.reason)
            return
        self._editor.replace(node, [result])
        self._identities += call.kept

    def _report(self, node: ir.Node, reason: str) -> None:
        location = location_of(node)
        self._diagnostics.report(QUANTIZED_OPERATOR, location=location, op=location.op, reason=reason)

    def _report_returned(self, output: ir.Value) -> None:
        node = output.producer()
        if node is not None:
            self._report(node, "its quantized result leaves the model, or a branch or loop in it")


def _read(node: ir.Node) -> list[ir.Value]:
    """The tensors among the arguments, in lists, too."""
    read: list[ir.Value] = []
    for value in node.inputs:
        holder = None if value is None else value.producer()
        is_list = holder is not None and holder.domain == "prim" and holder.op_type == "ListConstruct"
        found = holder.inputs if holder is not None and is_list else [value]
        read += [item for item in found if item is not None]
    return read


def _move(call: QuantizedCall) -> None:
    """Let the call move integers, which stand for the same as before."""
    grid = call.grid(0)
    for output in call.node.outputs:
        if isinstance(output.type, ListType):
            raise Unsupported("it gives a list of quantized tensors")
        call.on_grid(output, grid)
