"""The interpreter's error, which names the node and what it was given."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import get_source, op_name
from onnx_ir_capture.lowering import source_location

__all__ = ["InterpreterError", "describe"]

_ITEMS_IN_TEXT = 8


class InterpreterError(RuntimeError):
    """A node of a dialect graph could not be run. The error of torch, if there was one, is its cause.

    Attributes:
        node: the node.
    """

    def __init__(self, node: ir.Node, reason: str, inputs: Sequence[object]) -> None:
        """Build the error.

        Args:
            node: the node that failed.
            reason: why, in one sentence.
            inputs: what its inputs were; the text shows their dtypes and shapes.
        """
        results = ", ".join(f"%{output.name}" for output in node.outputs)
        given = ", ".join(describe(value) for value in inputs)
        call = f"{op_name(node)}({given})"
        lines = [
            f"{op_name(node)} failed: {reason}",
            f"  node: {results} = {call}" if results else f"  node: {call}",
        ]
        super().__init__("\n".join(lines + _origin(node)))
        self.node = node


def _origin(node: ir.Node) -> list[str]:
    """Lines that say where in the model the node came from, as far as its front end knew."""
    source = get_source(node)
    if source is None:
        return []
    place = source_location(source)
    lines = [] if place.file is None else [f"  at: {place.file}:{place.line}"]
    if source.module or source.module_class:
        lines.append(f"  in module: {source.module or '(the model itself)'} {source.module_class}".rstrip())
    return lines


def describe(value: object) -> str:
    """A value in few words: ``float32[2, 3]`` for a tensor, the value itself for a number."""
    if isinstance(value, torch.Tensor):
        sizes = ", ".join(str(size) for size in value.shape)
        return f"{str(value.dtype).removeprefix('torch.')}[{sizes}]"
    if isinstance(value, list | tuple):
        items = [describe(item) for item in value[:_ITEMS_IN_TEXT]]
        if len(value) > _ITEMS_IN_TEXT:
            items.append(f"… {len(value)} in all")
        text = ", ".join(items)
        return f"[{text}]" if isinstance(value, list) else f"({text})"
    return repr(value)
