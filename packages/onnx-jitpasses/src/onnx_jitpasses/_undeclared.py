"""Calls whose results may share memory with their arguments though no mark says so."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, is_literal
from onnx_jitpasses._words import words

__all__ = ["undeclared_views"]

# Operators that may return (a view of) an input although their schemas have no alias annotation: those that
# did when each operator of torch 2.13 ran on sample tensors, and those whose kernels do for other arguments.
_UNDECLARED_VIEWS = words(
    """
    _cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long _cast_Short
    _pack_sequence _remove_batch_dim _saturate_weight_to_fp16 _to_cpu _unsafe_view alpha_dropout atleast_1d
    atleast_2d atleast_3d broadcast_tensors cartesian_prod channel_shuffle conj_physical cumprod_backward data
    dropout einsum feature_alpha_dropout feature_dropout flatten_dense_tensors lift meshgrid
    native_channel_shuffle native_dropout set to_dense to_dense_backward type_as unsafe_chunk unsafe_split
    unsafe_split_with_sizes
    """
)


def undeclared_views(node: ir.Node) -> list[tuple[int, int]]:
    """Pairs of output and input that may share memory without a mark; for an unknown ``prim`` node, all."""
    if node.domain == "prim":
        if blocks_of(node) or is_literal(node):
            return []
    elif node.domain != "aten" or node.op_type not in _UNDECLARED_VIEWS:
        return []
    return [(output, position) for output in range(len(node.outputs)) for position in range(len(node.inputs))]
