"""Checks of the names that are asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from onnx_ir_capture.dialect import free_name

__all__ = ["check_names", "graph_names"]


def graph_names(
    weights: Collection[str],
    inputs: Sequence[str],
    outputs: Sequence[str],
    input_names: Sequence[str] | None,
    output_names: Sequence[str] | None,
) -> tuple[list[str], list[str]]:
    """The names of a graph's inputs and outputs: those asked for, and the defaults for the rest.

    Args:
        weights: names of the weights, which stay as they are.
        inputs: default names of the inputs.
        outputs: default names of the outputs; one that is taken gets a number.
        input_names: names asked for the first inputs.
        output_names: names asked for the first outputs.

    Raises:
        ValueError: a name is asked for twice, for an input and an output, for something that does not
            exist, or is the name of a weight.
    """
    check_names("input", input_names, len(inputs))
    check_names("output", output_names, len(outputs))
    asked_inputs, asked_outputs = list(input_names or ()), list(output_names or ())
    all_inputs = [*asked_inputs, *inputs[len(asked_inputs) :]]
    for kind, names in (("input", asked_inputs), ("output", asked_outputs)):
        for name in names:
            if name in weights:
                raise ValueError(f"{kind}_names has {name!r}, which is the name of a weight; choose another")
    for name in asked_outputs:
        if name in all_inputs:
            raise ValueError(f"output_names has {name!r}, which is the name of an input; choose another")
    twice = sorted({name for name in all_inputs if all_inputs.count(name) > 1})
    if twice:
        raise ValueError(f"input_names has {twice[0]!r}, which another input has already; choose another")
    all_outputs = asked_outputs
    for name in outputs[len(asked_outputs) :]:
        all_outputs.append(free_name(name, {*all_inputs, *all_outputs, *weights}))
    return all_inputs, all_outputs


def check_names(kind: str, names: Sequence[object] | None, count: int) -> None:
    """Check ``input_names`` or ``output_names`` against the ``count`` of inputs or outputs.

    Raises:
        ValueError: a name is there twice, empty or no string, or there are more names than values.
    """
    if names is None:
        return
    if isinstance(names, str) or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"{kind}_names must be a list of names, got {names!r}")
    twice = sorted({str(name) for name in names if list(names).count(name) > 1})
    if twice:
        raise ValueError(f"{kind}_names has {', '.join(map(repr, twice))} more than once; names must differ")
    if len(names) > count:
        raise ValueError(f"{kind}_names has {len(names)} names, but the model has {count} {kind}s")
