"""Other examples for a scripted graph: numbers and varying sizes take values of constants in the program.

A branch on a number is often one that the example does not take, and of which the sizes do not fit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import ScalarType, blocks_of, constant_value, is_constant
from onnx_ir_capture.fx import resized

__all__ = ["other_examples"]

_SIZES = range(2, 1 << 16)


def other_examples(graph: ir.Graph, inputs: Sequence[object]) -> list[list[object]]:
    """Examples with one int among the inputs changed, and sizes of one varying dimension."""
    constants = list(dict.fromkeys(_int_constants(graph)))
    found: list[list[object]] = []
    for position, value in enumerate(graph.inputs):
        if not isinstance(value.type, ScalarType) or value.type.kind != "int":
            continue
        for number in constants:
            if number == inputs[position]:
                continue
            changed = [*inputs]
            changed[position] = number
            found.append(changed)
    resized = [
        _resized(graph, example, name, size)
        for example in found
        for name in _names(graph)
        for size in constants
        if size in _SIZES
    ]
    return [*found, *resized]


def _int_constants(graph: ir.Graph) -> Iterator[int]:
    """The ints that stand as constants in the graph, those of comparisons first."""
    nodes = list(_nodes(graph))
    compared = [node for node in nodes if node.op_type in ("eq", "ne")]
    for node in (*compared, *nodes):
        for value in (*node.inputs, *node.outputs):
            number = constant_value(value) if value is not None and is_constant(value) else None
            if type(number) is int:
                yield number


def _nodes(graph: ir.Graph) -> Iterator[ir.Node]:
    for node in graph:
        yield node
        for block in blocks_of(node):
            yield from _nodes(block)


def _names(graph: ir.Graph) -> list[str]:
    shapes = [value.shape for value in graph.inputs if value.shape is not None]
    names = [str(size.value) for shape in shapes for size in shape if isinstance(size, ir.SymbolicDim)]
    return list(dict.fromkeys(names))


def _resized(graph: ir.Graph, example: Sequence[object], name: str, size: int) -> list[object]:
    return [_with_size(value, given, name, size) for value, given in zip(graph.inputs, example, strict=True)]


def _with_size(value: ir.Value, given: object, name: str, size: int) -> object:
    if not isinstance(given, torch.Tensor) or value.shape is None:
        return given
    axes = {
        axis: size
        for axis, found in enumerate(value.shape)
        if isinstance(found, ir.SymbolicDim) and found.value == name and given.shape[axis]
    }
    return resized(given, axes)
