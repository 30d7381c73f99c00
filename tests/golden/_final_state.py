"""What a run leaves in inputs and weights, whether the program writes them or returns their last values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

__all__ = ["final_state"]


def final_state(
    model: ir.Model, outputs: Sequence[object], count: int, held: Mapping[str, object]
) -> list[object]:
    """The outputs, then the state of ``held`` after the run.

    Args:
        model: the program.
        outputs: what it gave.
        count: how many of the outputs are its own; the others are last values, named ``<name>_out``.
        held: inputs and weights by name, as they are after the run.
    """
    names = [str(value.name) for value in model.graph.outputs][count:]
    last = {name.removesuffix("_out"): value for name, value in zip(names, outputs[count:], strict=True)}
    return [*outputs[:count], *(last.get(name, value) for name, value in held.items())]
