"""How a file holds the weights: as initializers, as inputs, or as both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import onnx_ir as ir

from onnx_ir_capture.program import CapturedProgram, WeightKind

__all__ = ["weights_arranged"]


@contextlib.contextmanager
def weights_arranged(
    model: ir.Model, program: CapturedProgram, *, include: bool, as_inputs: bool
) -> Iterator[None]:
    """Meanwhile ``model`` holds its weights as asked for; afterwards it is as before.

    Weights are the parameters and buffers of ``program``. Constants, those of the exporter and those that
    the model's code holds, are initializers in any case: who runs the file cannot know them.

    Args:
        model: the model, changed for the while.
        program: what the model was made from.
        include: False leaves the weights out; they become inputs.
        as_inputs: list them among the inputs, too.
    """
    graph = model.graph
    initializers = list(graph.initializers.items())
    weights = [value for name, value in initializers if _is_weight(program, name)]
    listed = [value for value in weights if not value.is_graph_input()]
    if include and not as_inputs:
        listed = []
    try:
        graph.inputs.extend(listed)
        if not include:
            for value in weights:
                del graph.initializers[str(value.name)]
        yield
    finally:
        for value in listed:
            graph.inputs.remove(value)
        graph.initializers.clear()
        graph.initializers.update(initializers)


def _is_weight(program: CapturedProgram, name: str) -> bool:
    return program.weights.get(name, WeightKind.CONSTANT) is not WeightKind.CONSTANT
