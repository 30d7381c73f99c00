"""What alias marks cannot say: whether they are exact, and which weights share memory."""

from __future__ import annotations

import onnx_ir as ir

__all__ = ["are_marks_exact", "mark_exact", "memory_group", "share_memory"]

_KEY = "onnx_ir_capture.exact_aliases"


def mark_exact(graph: ir.Graph) -> None:
    """Take note that each view mark in the program says "is a view", and none is missing.

    A schema alone says of ``reshape``, ``to`` and others that they may give a view; who ran the program, or
    ran it on fake tensors, knows.
    """
    graph.metadata_props[_KEY] = "1"


def are_marks_exact(program: ir.Model | ir.Graph) -> bool:
    """Whether :func:`mark_exact` was called for the program."""
    graph = program.graph if isinstance(program, ir.Model) else program
    return graph.metadata_props.get(_KEY) == "1"


_GROUP = "onnx_ir_capture.memory"


def share_memory(one: ir.Value, other: ir.Value) -> None:
    """Take note that two weights are different views of one memory."""
    group = one.metadata_props.setdefault(_GROUP, str(one.name))
    other.metadata_props[_GROUP] = group


def memory_group(weight: ir.Value) -> str | None:
    """Equal for weights of one memory; None for a weight that has its own."""
    return weight.metadata_props.get(_GROUP)
