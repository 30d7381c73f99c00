"""Traces whose tensors have the sizes of the example in every run."""

from __future__ import annotations

import torch

from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.interpreter import find_operator
from onnx_ir_capture.torchscript._nodes import name_of_schema, schema_of
from onnx_ir_capture.torchscript._numbers import INTEGERS

__all__ = ["has_fixed_sizes"]

# Beside what torch tags as pointwise, operators whose results' sizes follow from the sizes and numbers that
# they are given, never from the values of tensors.
_BY_SIZES = frozenset([
    "_convolution", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d", "linear",
    "matmul", "mm", "bmm", "addmm", "baddbmm", "einsum", "scaled_dot_product_attention",
    "batch_norm", "instance_norm", "layer_norm", "group_norm", "rms_norm",
    "softmax", "log_softmax", "_softmax", "_log_softmax", "dropout", "feature_dropout", "embedding",
    "max_pool1d", "max_pool2d", "max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d",
    "upsample_nearest1d", "upsample_nearest2d", "upsample_bilinear2d", "pixel_shuffle", "pad",
    "constant_pad_nd",
    "mean", "sum", "amax", "amin", "argmax", "argmin", "var", "std", "prod", "cumsum", "norm",
    "view", "reshape", "flatten", "unflatten", "permute", "transpose", "t", "numpy_T", "unsqueeze",
    "squeeze", "expand", "expand_as", "view_as",
    "slice", "select", "narrow", "contiguous", "clone", "detach", "alias", "movedim", "swapaxes", "roll",
    "flip",
    "cat", "stack", "concat", "split", "split_with_sizes", "chunk", "unbind",
    "to", "type_as", "zeros_like", "ones_like", "full_like", "zeros", "ones", "full", "arange", "tril",
    "triu", "masked_fill", "where",
])  # fmt: skip

# They take numbers only where these are not tensors.
_BY_VALUES = frozenset({OpName("aten", "where"), OpName("aten", "narrow", "Tensor")})

_STRUCTURE = frozenset(
    ["prim::Constant", "prim::ListConstruct", "prim::ListUnpack", "prim::TupleConstruct", "prim::TupleUnpack"]
)


def has_fixed_sizes(graph: torch._C.Graph) -> bool:
    """Whether the sizes that a trace recorded hold for every run with inputs of the example's sizes.

    False where it is not known: a size may follow from the values of tensors there.
    """
    sizes: set[str] = set()
    return all(_is_fixed(node, sizes) for node in graph.nodes())


def _is_fixed(node: torch._C.Node, sizes: set[str]) -> bool:
    """Whether a node keeps to sizes; ``sizes`` holds the names of the 0-d tensors that are sizes so far."""
    kind = node.kind()
    if kind in _STRUCTURE or kind == "aten::size":
        return True
    names = [value.debugName() for value in node.inputs() if value.node().kind() != "prim::Constant"]
    if kind == "prim::NumToTensor" or (names and sizes.issuperset(names)):
        sizes.update(output.debugName() for output in node.outputs())
        return True
    return kind not in INTEGERS and _goes_by_sizes(node)


def _goes_by_sizes(node: torch._C.Node) -> bool:
    schema = schema_of(node)
    if schema is None:
        return False
    op = name_of_schema(schema)
    if op.domain != "aten" or op in _BY_VALUES:
        return False
    operator = find_operator(op)
    return op.name in _BY_SIZES or (operator is not None and torch.Tag.pointwise in operator.tags)
