"""The pass :class:`InplaceToFunctional`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import (
    Aliases,
    ScalarType,
    TorchDType,
    get_source,
    set_source,
)
from onnx_ir_capture.emit import promoted_dtype
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._functional_forms import FunctionalForm, ResultType, functional_form
from onnx_jitpasses._graphs import all_nodes, mutated, set_aliases, viewed
from onnx_jitpasses._memory import Memory

__all__ = ["InplaceToFunctional", "in_place_reason"]

_REASON = "onnx_jitpasses.in_place_reason"

# Torch's name of the dtypes that a written tensor may have to be cast back to.
_DTYPE_NAMES = {
    TorchDType(name).onnx: name
    for name in (
        *("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"),
        *("complex64", "complex128"),
    )
}


class InplaceToFunctional(DialectPass):
    """Replaces in-place calls by functional ones where nothing else sees the written memory.

    ``aten::add_.Tensor`` becomes ``aten::add.Tensor``, and later uses of the written value use the result.
    The in-place form keeps the dtype of what it writes; where the functional one does not, a cast follows
    it. A call stays in place unless it is certain that no value in the same memory is read later but through
    its result: no input, weight, view, list, output, or value of another block.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        writers = [node for node in all_nodes(model.graph) if mutated(node)]
        if not writers:
            return ir.passes.PassResult(model, modified=False)
        rewrite = _Rewrite(model.graph)
        done = [rewrite.attempt(node) for node in writers]
        return ir.passes.PassResult(model, modified=any(done))


def in_place_reason(node: ir.Node) -> str:
    """Why the pass left this in-place call as it was."""
    reason = node.meta.get(_REASON)
    return reason if isinstance(reason, str) else "it was not looked at"


class _Rewrite:
    def __init__(self, graph: ir.Graph) -> None:
        self._memory = Memory(graph)
        self._editor = Editor(graph)

    def attempt(self, node: ir.Node) -> bool:
        """Make the call functional, or note why it stays."""
        form = functional_form(node)
        if form is None or not _is_plain_write(node):
            node.meta[_REASON] = "it has no functional form that is known to do the same"
            return False
        obstacle = self._memory.obstacle(node, form.is_elementwise) or _cast_obstacle(node, form)
        if obstacle is not None:
            node.meta[_REASON] = obstacle
            return False
        node.meta.pop(_REASON, None)
        self._rewire(node)
        self._replace(node, form)
        return True

    def _rewire(self, node: ir.Node) -> None:
        """Let what reads the written value after the call read its result."""
        order, written, result = self._memory.order, node.inputs[0], node.outputs[0]
        if written is None:
            raise ValueError(f"{node.op_type} writes nothing")
        for use in written.uses():
            if order[use.node] > order[node]:
                use.node.replace_input_with(use.idx, result)
        if written.is_graph_output() and isinstance(node.graph, ir.Graph):
            # It reads at the very end, so that a later write of the same tensor shows in it, too.
            order[self._editor.exchange_output(node.graph, written, result)] = len(order)

    def _replace(self, node: ir.Node, form: FunctionalForm) -> None:
        dtype = _self_dtype(node)
        computed = _result_dtype(node, form)
        if not form.is_view:
            self._memory.forget_before(node)
        if computed == dtype:
            _rename(node, form)
            set_aliases(node, Aliases((), ((0, 0),)) if form.is_view else Aliases())
            self._add_nones(node, form.nones)
            return
        self._cast_back(node, form, computed)

    def _add_nones(self, node: ir.Node, count: int) -> None:
        if count:
            none, size = self._editor.constant_before(node, None), len(node.inputs)
            node.resize_inputs(size + count)
            for position in range(size, size + count):
                node.replace_input_with(position, none)

    def _cast_back(self, node: ir.Node, form: FunctionalForm, computed: ir.DataType | None) -> None:
        """Compute in a node of its own, and turn ``node`` into the cast of that to the dtype it had."""
        editor, old = self._editor, node.outputs[0]
        value = ir.Value(
            name=editor.fresh_name(f"{old.name}_promoted"),
            type=ir.TensorType(computed or ir.DataType.UNDEFINED),
            shape=None if old.shape is None else old.shape.copy(),
        )
        functional = ir.Node("aten", form.op.name, node.inputs, outputs=[value], overload=form.op.overload)
        set_aliases(functional, Aliases())
        source = get_source(node)
        if source is not None:
            set_source(functional, source)
        editor.insert_before(node, functional)
        self._memory.order[functional] = self._memory.order[node]
        dtype = editor.constant_before(node, TorchDType(_DTYPE_NAMES[_self_dtype(node)]))
        no, none = editor.constant_before(node, False), editor.constant_before(node, None)
        node.op_type, node.overload = "to", "dtype"
        node.resize_inputs(5)
        for position, given in enumerate((value, dtype, no, no, none)):
            node.replace_input_with(position, given)
        # The marks of `to`, whose result may be its argument.
        set_aliases(node, Aliases((), ((0, 0),)))


def _rename(node: ir.Node, form: FunctionalForm) -> None:
    node.op_type, node.overload = form.op.name, form.op.overload


def _is_plain_write(node: ir.Node) -> bool:
    """Whether the call writes its first argument, a tensor, and returns just that."""
    written = node.inputs[0] if node.inputs else None
    is_tensor = written is not None and _is_tensor(written)
    return is_tensor and mutated(node) == (0,) and viewed(node) == [(0, 0)] and len(node.outputs) == 1


def _is_tensor(value: ir.Value) -> bool:
    return isinstance(value.type, ir.TensorType) and not isinstance(value.type, ScalarType)


def _self_dtype(node: ir.Node) -> ir.DataType:
    written = node.inputs[0]
    dtype = None if written is None else written.dtype
    return ir.DataType.UNDEFINED if dtype is None else dtype


def _cast_obstacle(node: ir.Node, form: FunctionalForm) -> str | None:
    if _result_dtype(node, form) == _self_dtype(node) or _self_dtype(node) in _DTYPE_NAMES:
        return None
    return "it would have to be followed by a cast to a dtype that is not known"


def _result_dtype(node: ir.Node, form: FunctionalForm) -> ir.DataType | None:
    """The dtype of the functional form's result; None if it is not known.

    Numbers do not count: torch refuses to write in place what one of a higher kind makes of the tensor.
    """
    dtype = _self_dtype(node)
    if form.result is ResultType.BOOL:
        return ir.DataType.BOOL
    if form.result is ResultType.SUM:
        return dtype if dtype.is_floating_point() else ir.DataType.INT64
    tensors = [value for value in node.inputs if value is not None and _is_tensor(value)]
    if form.result is ResultType.SELF or all(value.dtype == dtype for value in tensors):
        return dtype
    if any(value.dtype == ir.DataType.UNDEFINED or value.shape is None for value in tensors):
        return None
    try:
        return promoted_dtype(tensors)
    except Unsupported:
        return None
