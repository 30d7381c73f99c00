"""The version of the file format that the element types of a model ask for."""

from __future__ import annotations

import onnx_ir as ir

__all__ = ["first_ir_version"]

# Source: the comments on Version in onnx.proto. Others are in every version that is written.
_SINCE = {
    **dict.fromkeys(("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"), 9),
    **dict.fromkeys(("INT4", "UINT4"), 10),
    "FLOAT4E2M1": 11,
    "FLOAT8E8M0": 12,
    **dict.fromkeys(("INT2", "UINT2"), 13),
}


def first_ir_version(model: ir.Model) -> int:
    """The lowest version whose readers know the types of all inputs, weights and results.

    An operator's types come with its opset; those of weights and of other domains' nodes do not.
    """
    graph = model.graph
    values = [*graph.inputs, *graph.initializers.values()]
    values += [output for node in graph.all_nodes() for output in node.outputs]
    dtypes = {value.dtype for value in values if value.dtype is not None}
    return max((_SINCE.get(dtype.name, 1) for dtype in dtypes), default=1)
