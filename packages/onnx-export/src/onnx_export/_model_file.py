"""The `.onnx` file, of which weights need not be in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import onnx
import onnx_ir as ir

from onnx_export._serialized import serialized
from onnx_export._tensor_bytes import ByteSink, in_memory, write_tensor

__all__ = ["ModelFile"]

_LENGTH_DELIMITED = 2
_SEVEN_BITS = 0x7F


@dataclass(frozen=True)
class ModelFile:
    """A model in protobuf's wire format, of which the weights are still to come.

    `SerializeToString` would hold the weights twice: once as `raw_data` in the message, once in its text. The
    wire format lets the weights be the last fields of the graph, so they go straight from their tensors to
    the file (protobuf.dev/programming-guides/encoding: fields may stand in any order).

    Attributes:
        head: everything before the first weight.
        weights: what stands before the bytes of each weight, and its tensor; empty if they are in another
            file.
    """

    head: bytes
    weights: tuple[tuple[bytes, ir.TensorProtocol], ...] = ()

    @classmethod
    def with_weights(cls, model: ir.Model) -> ModelFile:
        """Lay out a model: names, dtypes and shapes are read now, values when they are written."""
        own = [
            (value, value.const_value)
            for value in model.graph.initializers.values()
            if value.const_value is not None and value.const_value.dtype != ir.DataType.STRING
        ]
        weights = tuple((_before_bytes(str(value.name), tensor), tensor) for value, tensor in own)
        empty = ir.tensor([], dtype=ir.DataType.FLOAT)
        proto = serialized(model, [*((value, empty) for value, _ in own), *_of_subgraphs(model)])
        strings = [initializer for initializer in proto.graph.initializer if initializer.string_data]
        del proto.graph.initializer[:]
        proto.graph.initializer.extend(strings)
        graph = proto.graph.SerializeToString()
        proto.ClearField("graph")
        model_fields = proto.SerializeToString()
        size = len(graph) + sum(len(before) + tensor.nbytes for before, tensor in weights)
        opening = _opening(onnx.ModelProto.GRAPH_FIELD_NUMBER, size)
        return cls(model_fields + opening + graph, weights)

    @property
    def nbytes(self) -> int:
        """Size of the whole file in bytes."""
        return len(self.head) + sum(len(before) + tensor.nbytes for before, tensor in self.weights)

    def write(self, sink: ByteSink) -> None:
        """Write the file."""
        sink.write(memoryview(self.head))
        for before, tensor in self.weights:
            sink.write(memoryview(before))
            write_tensor(tensor, sink)


def _of_subgraphs(model: ir.Model) -> Iterator[tuple[ir.Value, ir.TensorProtocol]]:
    """Yield stand-ins for what lies in a file: a reference would be serialized as one."""
    for graph in model.graphs():
        for value in graph.initializers.values():
            if graph is not model.graph and isinstance(value.const_value, ir.ExternalTensor):
                yield value, in_memory(value.const_value)


def _before_bytes(name: str, tensor: ir.TensorProtocol) -> bytes:
    header = onnx.TensorProto(name=name, data_type=tensor.dtype.value, dims=tensor.shape.numpy())
    if tensor.doc_string:
        header.doc_string = tensor.doc_string
    for key, value in tensor.metadata_props.items():
        header.metadata_props.add(key=key, value=value)
    fields: bytes = header.SerializeToString() + _opening(
        onnx.TensorProto.RAW_DATA_FIELD_NUMBER, tensor.nbytes
    )
    return _opening(onnx.GraphProto.INITIALIZER_FIELD_NUMBER, len(fields) + tensor.nbytes) + fields


def _opening(field: int, size: int) -> bytes:
    """Tag and length of a length-delimited field."""
    return _varint(field << 3 | _LENGTH_DELIMITED) + _varint(size)


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > _SEVEN_BITS:
        digits.append(number & _SEVEN_BITS | 0x80)
        number >>= 7
    digits.append(number)
    return bytes(digits)
