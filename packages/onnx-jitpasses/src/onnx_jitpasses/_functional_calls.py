"""An in-place call becomes the functional one that computes the same."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import Aliases, get_source, is_plain_tensor, set_source
from onnx_ir_capture.emit import promoted_dtype
from onnx_jitpasses._dtypes import TORCH_DTYPES
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._functional_forms import FunctionalForm, ResultType
from onnx_jitpasses._graphs import set_aliases

__all__ = ["cast_obstacle", "make_functional"]


def make_functional(node: ir.Node, form: FunctionalForm, editor: Editor) -> None:
    """Let the call give a new tensor; its output stays the same value, of the dtype of what was written."""
    dtype = _self_dtype(node)
    computed = _result_dtype(node, form)
    if computed != dtype:
        _cast_back(node, form, computed, editor)
        return
    node.op_type, node.overload = form.op.name, form.op.overload
    set_aliases(node, Aliases((), ((0, 0),)) if form.is_view else Aliases())
    _add_nones(node, form.nones, editor)


def cast_obstacle(node: ir.Node, form: FunctionalForm) -> str | None:
    """Why the functional call cannot give the dtype of what was written; None if it can."""
    if _result_dtype(node, form) == _self_dtype(node) or _self_dtype(node) in TORCH_DTYPES:
        return None
    return "it would have to be followed by a cast to a dtype that is not known"


def _add_nones(node: ir.Node, count: int, editor: Editor) -> None:
    if count:
        none, size = editor.constant_before(node, None), len(node.inputs)
        node.resize_inputs(size + count)
        for position in range(size, size + count):
            node.replace_input_with(position, none)


def _cast_back(node: ir.Node, form: FunctionalForm, computed: ir.DataType | None, editor: Editor) -> None:
    """Compute in a node of its own, and turn ``node`` into the cast of that to the dtype it had."""
    old = node.outputs[0]
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
    dtype = editor.constant_before(node, TORCH_DTYPES[_self_dtype(node)])
    no, none = editor.constant_before(node, False), editor.constant_before(node, None)
    node.op_type, node.overload = "to", "dtype"
    node.resize_inputs(5)
    for position, given in enumerate((value, dtype, no, no, none)):
        node.replace_input_with(position, given)
    # The marks of `to`, whose result may be its argument.
    set_aliases(node, Aliases((), ((0, 0),)))


def _self_dtype(node: ir.Node) -> ir.DataType:
    written = node.inputs[0]
    dtype = None if written is None else written.dtype
    return ir.DataType.UNDEFINED if dtype is None else dtype


def _result_dtype(node: ir.Node, form: FunctionalForm) -> ir.DataType | None:
    """The dtype of the functional form's result; None if it is not known.

    Numbers do not count: torch refuses to write in place what one of a higher kind makes of the tensor.
    """
    dtype = _self_dtype(node)
    if form.result is ResultType.BOOL:
        return ir.DataType.BOOL
    if form.result is ResultType.SUM:
        return dtype if dtype.is_floating_point() else ir.DataType.INT64
    tensors = [value for value in node.inputs if value is not None and is_plain_tensor(value.type)]
    if form.result is ResultType.SELF or all(value.dtype == dtype for value in tensors):
        return dtype
    if any(value.dtype == ir.DataType.UNDEFINED or value.shape is None for value in tensors):
        return None
    try:
        return promoted_dtype(tensors)
    except Unsupported:
        return None
