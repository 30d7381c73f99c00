"""Runs of blocks that a run does not enter, to see what kinds of values they would compute."""

from __future__ import annotations

from collections.abc import Iterator

import onnx_ir as ir

from onnx_ir_capture.interpreter._lifetimes import subgraphs_of

__all__ = ["LEAST_ITERATIONS", "copied", "outer_values"]

LEAST_ITERATIONS = 2
"""What a loop is run for where it is only looked at: enough to see what it carries on."""


def outer_values(block: ir.Graph) -> Iterator[ir.Value]:
    """What the nodes of a block, and of the blocks in it, use and the block itself does not define."""
    own = set(block.inputs)
    for node in block:
        for value in node.inputs:
            if value is not None and value not in own:
                yield value
        for inner in subgraphs_of(node):
            yield from (value for value in outer_values(inner) if value not in own)
        own.update(node.outputs)
    yield from (value for value in block.outputs if value not in own)


def copied(value: object) -> object:
    """A value whose lists are copies: what is only looked at must not grow the program's own."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    return tuple(copied(item) for item in value) if isinstance(value, tuple) else value
