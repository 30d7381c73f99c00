"""A model as protobuf, without the bytes of its weights."""

from __future__ import annotations

from collections.abc import Iterable

import onnx
import onnx_ir as ir

__all__ = ["serialized"]


def serialized(model: ir.Model, stand_ins: Iterable[tuple[ir.Value, ir.TensorProtocol]]) -> onnx.ModelProto:
    """Serialize a model with other tensors in the place of initializers.

    onnx_ir serializes what a value holds, so the values hold the stand-ins meanwhile.

    Args:
        model: the model; unchanged when the call returns or raises.
        stand_ins: values and the tensors to serialize instead of theirs.
    """
    pairs = list(stand_ins)
    tensors = [value.const_value for value, _ in pairs]
    try:
        for value, tensor in pairs:
            value.const_value = tensor
        return ir.to_proto(model)
    finally:
        for (value, _), original in zip(pairs, tensors, strict=True):
            value.const_value = original
