"""The pass :class:`ComplexToPairs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, ExporterInternalError
from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ListType, blocks_of, is_plain_tensor, op_name
from onnx_ir_capture.lowering import Notes, location_of
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses._pair_arithmetic import ARITHMETIC
from onnx_jitpasses._pair_call import PARTS, PairCall, Rewrite, is_complex, pair_shape, pair_type
from onnx_jitpasses._pair_factories import FACTORIES
from onnx_jitpasses._pair_fourier import FOURIER
from onnx_jitpasses._pair_linear import LINEAR
from onnx_jitpasses._pair_shapes import SHAPES
from onnx_jitpasses._pair_stft import SHORT_TIME
from onnx_jitpasses._rewritten_call import drop_identities
from onnx_jitpasses.rules import COMPLEX_OPERATOR

__all__ = ["ComplexToPairs"]

_REWRITES: Mapping[str, Rewrite] = {**ARITHMETIC, **FACTORIES, **FOURIER, **LINEAR, **SHAPES, **SHORT_TIME}


class ComplexToPairs(DialectPass):
    """Makes complex tensors real ones, with the real and the imaginary part in a last dimension of 2.

    ONNX has complex types, but no operators on them. Inputs, outputs and weights become pairs, too; calls on
    complex numbers become calls on their parts. One that has no such form is reported.
    """

    needs = frozenset([Guarantee.NO_WRITES])

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        super().__init__()
        self._diagnostics = diagnostics or DiagnosticContext("onnx-jitpasses", "0")

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> ComplexToPairs:
        """The pass as the pipeline runs it."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        if not _has_complex(model.graph):
            return ir.passes.PassResult(model, modified=False)
        walk = _Walk(Editor(model.graph), self._diagnostics)
        walk.graph(model.graph)
        drop_identities(walk.identities)
        return ir.passes.PassResult(model, modified=True)


def _has_complex(graph: ir.Graph) -> bool:
    values = [*graph.inputs, *graph.initializers.values()]
    for node in all_nodes(graph):
        if _is_transform(node):
            return True
        values += node.outputs
        for block in blocks_of(node):
            values.extend(block.inputs)
    return any(map(is_complex, values))


def _is_transform(node: ir.Node) -> bool:
    """Whether the call is complex inside, whatever it takes and gives."""
    return node.domain == "aten" and (node.op_type in FOURIER or node.op_type in SHORT_TIME)


class _Walk:
    def __init__(self, editor: Editor, diagnostics: DiagnosticContext) -> None:
        self._editor = editor
        self._diagnostics = diagnostics
        self._pairs: set[ir.Value] = set()
        self._notes = Notes(diagnostics)
        self.identities: list[ir.Value] = []

    def graph(self, graph: ir.Graph) -> None:
        """Turn what the graph or block defines into pairs, in the order of its nodes."""
        for value in graph.inputs:
            self._retype(value)
        for weight in graph.initializers.values():
            if is_complex(weight):
                self._retype(weight)
                weight.const_value = _pair_tensor(weight.const_value)
        for node in list(graph):
            self._node(node)

    def _retype(self, value: ir.Value) -> None:
        if is_complex(value):
            value.shape = pair_shape(value.shape)
            value.type = pair_type(value.type)
            self._pairs.add(value)
        elif isinstance(value.type, ListType) and value.type.elem_type.dtype in PARTS:
            value.type = ListType(pair_type(value.type.elem_type))

    def _node(self, node: ir.Node) -> None:
        blocks = list(blocks_of(node))
        for block in blocks:
            self.graph(block)
        if node.domain == "prim" and node.op_type in _STRUCTURE:
            for output in node.outputs:
                self._retype(output)
            return
        takes = any(self._is_pair(value) for value in node.inputs)
        if takes or any(map(is_complex, node.outputs)) or _is_transform(node):
            self._call(node)

    def _is_pair(self, value: ir.Value | None) -> bool:
        if value in self._pairs:
            return True
        holder = None if value is None else value.producer()
        is_list = holder is not None and holder.domain == "prim" and holder.op_type == "ListConstruct"
        return holder is not None and is_list and any(self._is_pair(item) for item in holder.inputs)

    def _call(self, node: ir.Node) -> None:
        call = PairCall(node, self._editor, self._pairs)
        try:
            results = self._rewritten(call)
        except Unsupported as refusal:
            location = location_of(node)
            self._diagnostics.report(
                COMPLEX_OPERATOR, location=location, op=location.op, reason=refusal.reason
            )
            for output in node.outputs:
                self._retype(output)
            return
        for output, result in zip(node.outputs, results, strict=True):
            _check(node, output, result)
            if is_complex(output):
                self._pairs.add(result)
        self._notes.limits(node, call.limits)
        self._editor.replace(node, results)
        self.identities += call.kept

    def _rewritten(self, call: PairCall) -> Sequence[ir.Value]:
        node = call.node
        rewrite = _REWRITES.get(node.op_type) if node.domain == "aten" else None
        if rewrite is None:
            raise Unsupported("it has no form on pairs of real numbers")
        results = rewrite(call)
        return [results] if isinstance(results, ir.Value) else results


def _check(node: ir.Node, output: ir.Value, result: ir.Value) -> None:
    """Hold what stands for an output against it: a wrong type or rank is how most wrong numbers begin.

    Raises:
        ExporterInternalError: they differ in dtype or number of dimensions.
    """
    if not is_plain_tensor(output.type) or output.dtype is None or output.shape is None:
        return
    dtype = PARTS[output.dtype].onnx if is_complex(output) else output.dtype
    rank = len(output.shape) + is_complex(output)
    if result.dtype == dtype and (result.shape is None or len(result.shape) == rank):
        return
    got = f"{result.dtype.name if result.dtype else 'no'} tensor of shape {result.shape}"
    location = location_of(node)
    place = f" at {location.file}:{location.line}" if location.file else ""
    raise ExporterInternalError(
        f"{op_name(node)}{place}, rewritten for pairs of real numbers, gave a {got} for %{output.name}, "
        f"which has {rank} dimensions of {dtype.name} then"
    )


# What passes values on as they are.
_STRUCTURE = frozenset(["Constant", "Identity", "If", "ListConstruct", "Loop", "TupleConstruct"])


def _pair_tensor(tensor: ir.TensorProtocol | None) -> ir.TensorProtocol | None:
    """The weight as pairs, which is read when it is written."""
    if tensor is None:
        return None

    def read() -> ir.TensorProtocol:
        array = np.ascontiguousarray(tensor.numpy())
        parts = array.reshape(-1).view(array.real.dtype).reshape(*array.shape, 2)
        return ir.Tensor(parts, name=tensor.name)

    shape = pair_shape(ir.Shape(tensor.shape.numpy()))
    dtype = pair_type(ir.TensorType(tensor.dtype)).dtype
    return ir.LazyTensor(read, dtype=dtype, shape=shape or ir.Shape([2]), name=tensor.name)
