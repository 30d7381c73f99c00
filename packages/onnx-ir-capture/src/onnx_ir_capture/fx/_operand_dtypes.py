"""Calls on tensors of dtypes that PyTorch refuses, which a capture's fake tensors do not notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.dialect import is_construct, op_name
from onnx_ir_capture.lowering import call_stack, location_of
from onnx_ir_capture.rules import FORWARD_RAISED

__all__ = ["check_operand_dtypes"]

# Arguments of ATen operators by the schemas' names. These are the calls in which PyTorch raises and its fake
# tensors do not; where both raise, or neither does, there is nothing to find.
_SAME_DTYPE: Mapping[str, Sequence[str]] = {
    "_unsafe_masked_index_put_accumulate": ("self", "values"),
    "addbmm": ("self", "batch1", "batch2"),
    "addmm": ("self", "mat1", "mat2"),
    "binary_cross_entropy": ("self", "target"),
    "cdist": ("x1", "x2"),
    "complex": ("real", "imag"),
    "conv1d": ("input", "weight"),
    "conv2d": ("input", "weight"),
    "conv3d": ("input", "weight"),
    "conv_transpose1d": ("input", "weight", "bias"),
    "conv_transpose2d": ("input", "weight"),
    "conv_transpose3d": ("input", "weight", "bias"),
    "convolution": ("input", "weight"),
    "cross": ("self", "other"),
    "embedding_bag": ("weight", "per_sample_weights"),
    "grid_sampler": ("input", "grid"),
    "grid_sampler_2d": ("input", "grid"),
    "grid_sampler_3d": ("input", "grid"),
    "gru": ("input", "data", "hx", "params"),
    "gru_cell": ("input", "hx", "w_ih", "w_hh", "b_ih", "b_hh"),
    "heaviside": ("self", "values"),
    "index_add": ("self", "source"),
    "index_copy": ("self", "source"),
    "index_put": ("self", "values"),
    "index_reduce": ("self", "source"),
    "linalg_cross": ("self", "other"),
    "linear": ("input", "weight", "bias"),
    "lstm": ("input", "data", "hx", "params"),
    "lstm_cell": ("input", "w_ih", "w_hh", "b_ih", "b_hh"),
    "matmul": ("self", "other"),
    "mm": ("self", "mat2"),
    "mv": ("self", "vec"),
    "nll_loss": ("self", "weight"),
    "nll_loss_nd": ("self", "weight"),
    "polar": ("abs", "angle"),
    "put": ("self", "source"),
    "rnn_relu": ("input", "data", "hx", "params"),
    "rnn_relu_cell": ("input", "hx", "w_ih", "w_hh", "b_ih", "b_hh"),
    "rnn_tanh": ("input", "data", "hx", "params"),
    "rnn_tanh_cell": ("input", "hx", "w_ih", "w_hh", "b_ih", "b_hh"),
}

_STATISTICS = ("input", "weight", "bias", "running_mean", "running_var")

# As above, but an input of half precision goes with weights of single precision, too.
_NORMALISATIONS: Mapping[str, Sequence[str]] = {
    "_native_batch_norm_legit": _STATISTICS,
    "batch_norm": _STATISTICS,
    "group_norm": ("input", "weight", "bias"),
    "instance_norm": ("input", "weight", "bias", "running_var"),
    "layer_norm": ("input", "weight", "bias"),
    "native_batch_norm": _STATISTICS,
    "native_group_norm": ("input", "weight", "bias"),
    "native_layer_norm": ("input", "weight", "bias"),
}
# As above, where PyTorch has no kernel for integers.
_FLOATING = frozenset(
    [
        "cross_entropy_loss",
        "gelu",
        "hardshrink",
        "huber_loss",
        "lerp",
        "logcumsumexp",
        "multi_margin_loss",
        "multilabel_margin_loss",
        "smooth_l1_loss",
        "softplus",
    ]
)
_UNKNOWN = ir.DataType.UNDEFINED
_HALVES = (ir.DataType.FLOAT16, ir.DataType.BFLOAT16)


def check_operand_dtypes(graph: ir.Graph, diagnostics: DiagnosticContext) -> None:
    """Refuse calls on tensors of different dtypes, and of integers, that PyTorch itself refuses.

    Raises:
        CaptureError: there are such calls; it lists all of them, with their lines.
    """
    stage = diagnostics.child()
    for node in graph.all_nodes():
        if node.domain != "aten":
            continue
        operands = list(_mixed(node))
        if operands:
            _report(node, "tensors of one dtype", operands, "y.to(x.dtype)", stage)
        elif node.op_type.rstrip("_") in _FLOATING:
            integers = [operand for operand in list(_operands(node))[:1] if _is_integer(operand[1])]
            if integers:
                _report(node, "tensors of floating point", integers, "x.float()", stage)
    if stage.has_errors:
        raise CaptureError("the model could not be captured", stage.errors)


def _report(
    node: ir.Node,
    wanted: str,
    operands: Sequence[tuple[str, ir.Value]],
    conversion: str,
    diagnostics: DiagnosticContext,
) -> None:
    given = [value for _, value in operands if value.is_graph_input()]
    diagnostics.report(
        FORWARD_RAISED,
        location=location_of(node),
        related=call_stack(node),
        error="RuntimeError",
        reason=f"{node.op_type.rstrip('_')} takes {wanted}, not {_words(operands)}",
        advice=_advice(given, conversion),
    )


def _is_integer(value: ir.Value) -> bool:
    return value.dtype is not None and (value.dtype.is_integer() or value.dtype == ir.DataType.BOOL)


def _mixed(node: ir.Node) -> Iterator[tuple[str, ir.Value]]:
    """The operands that must have one dtype and have not, with their names: the first of each dtype."""
    name = node.op_type.rstrip("_")
    names = _SAME_DTYPE.get(name) or _NORMALISATIONS.get(name)
    if names is None:
        return
    operands = [(name, value) for name, value in _operands(node) if name in names]
    first = operands[0][1].dtype if operands else None
    free = (*_HALVES, ir.DataType.FLOAT) if name in _NORMALISATIONS and first in _HALVES else (first,)
    if all(value.dtype in free for _, value in operands):
        return
    seen: set[ir.DataType | None] = set()
    for operand, value in operands:
        if value.dtype not in seen:
            seen.add(value.dtype)
            yield operand, value


def _operands(node: ir.Node) -> Iterator[tuple[str, ir.Value]]:
    """The tensors that the call takes, those in lists, too, under the schema's names."""
    op = op_name(node)
    packet = getattr(torch.ops.aten, op.name)
    schema = getattr(packet, op.overload or "default")._schema
    for formal, value in zip(schema.arguments, node.inputs, strict=False):
        producer = None if value is None else value.producer()
        items = producer.inputs if producer is not None and is_construct(producer) else [value]
        for item in items:
            if item is not None and isinstance(item.type, ir.TensorType) and item.dtype != _UNKNOWN:
                yield formal.name, item


def _words(operands: Sequence[tuple[str, ir.Value]]) -> str:
    texts = [f"{_torch_name(value)} ({name})" for name, value in operands]
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _torch_name(value: ir.Value) -> str:
    dtype = value.dtype
    return "?" if dtype is None else str(tensor_adapters.to_torch_dtype(dtype)).removeprefix("torch.")


def _advice(examples: Sequence[ir.Value], conversion: str) -> str:
    if not examples:
        return f"convert the tensor in the model, as in {conversion}"
    names = ", ".join(f"{value.name!r} ({_torch_name(value)})" for value in examples)
    return f"give the example input {names} in the dtype that the model takes, or convert it in the model"
