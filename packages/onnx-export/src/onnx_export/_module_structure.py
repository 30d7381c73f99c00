"""What a group of nodes reads and computes, and whether two groups are the same function."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

import onnx_ir as ir

from onnx_ir_capture.emit import constant_tensor

__all__ = ["Structure", "structure_of"]

# A larger constant of the exporter's own is handed to a function like a weight.
_LARGEST_CONSTANT = 1024


class Structure(NamedTuple):
    """A group of nodes as a function."""

    key: Hashable
    """Equal for groups that one function can stand for."""
    operands: Sequence[ir.Value]
    """What the nodes read of their surroundings, in the order of first use."""
    constants: Sequence[ir.Value]
    """What they read of constants that the exporter made; a function has its own."""


def structure_of(nodes: Iterable[ir.Node]) -> Structure:
    """Read a group of nodes of one graph, in their order."""
    reader = _Reader()
    key = reader.nodes(nodes)
    return Structure(key, reader.operands, reader.constants)


class _Reader:
    def __init__(self) -> None:
        self.operands: list[ir.Value] = []
        self.constants: list[ir.Value] = []
        self._keys: dict[ir.Value, Hashable] = {}

    def nodes(self, nodes: Iterable[ir.Node]) -> Hashable:
        return tuple(map(self._node, nodes))

    def _node(self, node: ir.Node) -> Hashable:
        inputs = tuple(map(self._read, node.inputs))
        attributes = tuple((name, self._attribute(node.attributes[name])) for name in sorted(node.attributes))
        self._define(node.outputs)
        return node.op_identifier(), inputs, attributes, len(node.outputs)

    def _define(self, values: Collection[ir.Value]) -> None:
        for value in values:
            self._keys[value] = len(self._keys)

    def _read(self, value: ir.Value | None) -> Hashable:
        if value is None:
            return None
        if value not in self._keys:
            tensor = constant_tensor(value)
            if tensor is not None and tensor.size <= _LARGEST_CONSTANT:
                self.constants.append(value)
                self._keys[value] = _tensor_key(tensor)
            else:
                self.operands.append(value)
                self._keys[value] = (len(self._keys), str(value.type))
        return self._keys[value]

    def _attribute(self, attribute: ir.Attr) -> Hashable:
        if attribute.type == ir.AttributeType.GRAPH:
            return self._block(attribute.as_graph())
        if attribute.type == ir.AttributeType.TENSOR:
            return _tensor_key(attribute.as_tensor())
        return attribute.type, repr(attribute.value)

    def _block(self, block: ir.Graph) -> Hashable:
        self._define(block.inputs)
        types = tuple((str(value.type), _rank(value)) for value in block.inputs)
        return types, self.nodes(block), tuple(map(self._read, block.outputs))


def _rank(value: ir.Value) -> int | None:
    return None if value.shape is None else len(value.shape)


def _tensor_key(tensor: ir.TensorProtocol) -> Hashable:
    return tensor.dtype, tuple(tensor.shape.numpy()), tensor.tobytes()
