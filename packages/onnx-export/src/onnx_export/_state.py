"""State that a model changes, as inputs and outputs of the file."""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_ir_capture.dialect import take_name
from onnx_ir_capture.program import CapturedProgram
from onnx_jitpasses.pipeline import StateUpdate

__all__ = ["STATE_KEY", "StateVariable", "expose_state", "name_state", "read_state"]

STATE_KEY = "onnx_export.state"
"""Key of the file's metadata that lists the state, as JSON: ``input``, ``output`` and ``initial`` of each."""


@dataclasses.dataclass(frozen=True)
class StateVariable:
    """A buffer, parameter or input that the model changes.

    ``input`` and ``output`` are its names in the file, before and after a run. ``initial`` is what a buffer
    or parameter held when the model was exported; None for an input of the model itself.
    """

    input: str
    output: str
    initial: torch.Tensor | None


def expose_state(model: ir.Model, program: CapturedProgram, updates: Sequence[StateUpdate]) -> list[str]:
    """Turn the weights among what is updated into inputs, and note their initial values in the metadata.

    Args:
        model: the lowered model, changed in place; its last outputs are the updates.
        program: the captured program, which has the initial values.
        updates: what the program changes.

    Returns:
        What the captured program calls each, in the order of ``updates``.
    """
    graph = model.graph
    notes: list[dict[str, object]] = []
    for update in updates:
        weight = program.model.graph.initializers.get(update.name)
        notes.append({"input": update.name, "output": "", "initial": None})
        if weight is None:
            continue
        # One that is overwritten before it is read is no initializer any more.
        value = graph.initializers.pop(update.name, None) or ir.Value(
            name=update.name, type=weight.type, shape=weight.shape
        )
        value.const_value = None
        graph.inputs.append(value)
        if weight.const_value is not None:
            notes[-1]["initial"] = _encoded(weight.const_value)
    if notes:
        model.metadata_props[STATE_KEY] = json.dumps(notes)
    return [update.name for update in updates]


def name_state(
    model: ir.Model, state: Sequence[str], inputs: Mapping[str, str], taken: Collection[str]
) -> list[str]:
    """Note the names that the state has in the file.

    Args:
        model: the model, whose metadata lists the state.
        state: what the captured program calls each.
        inputs: names in the file of the captured program's inputs.
        taken: names that no output may have any more.

    Returns:
        Names of the outputs.
    """
    used = set(taken)
    outputs = [take_name(f"{inputs.get(name, name)}_out", used) for name in state]
    notes = json.loads(model.metadata_props.get(STATE_KEY, "[]"))
    for note, name, output in zip(notes, state, outputs, strict=True):
        note["input"], note["output"] = inputs.get(name, name), output
    if notes:
        model.metadata_props[STATE_KEY] = json.dumps(notes)
    return outputs


def read_state(model: ir.Model) -> tuple[StateVariable, ...]:
    """The state of an exported model, from its metadata."""
    notes = json.loads(model.metadata_props.get(STATE_KEY, "[]"))
    return tuple(StateVariable(note["input"], note["output"], _decoded(note["initial"])) for note in notes)


def _encoded(tensor: ir.TensorProtocol) -> dict[str, object]:
    """dtype, shape, and the bytes in base64; of equal elements, such as zeros, the bytes of one."""
    content, size = tensor.tobytes(), max(tensor.dtype.itemsize, 1)
    first = content[: int(size)]
    is_uniform = bool(first) and content == first * (len(content) // len(first))
    return {
        "dtype": tensor.dtype.name,
        "shape": list(tensor.shape.numpy()),
        "fill" if is_uniform else "data": base64.b64encode(first if is_uniform else content).decode("ascii"),
    }


def _decoded(note: dict[str, object] | None) -> torch.Tensor | None:
    if note is None:
        return None
    dtype = tensor_adapters.to_torch_dtype(ir.DataType[str(note["dtype"])])
    shape = note["shape"]
    sizes = [int(size) for size in shape] if isinstance(shape, list) else []
    content = bytearray(base64.b64decode(str(note.get("fill", note.get("data")))))
    if not content:
        return torch.empty(sizes, dtype=dtype)
    flat = torch.frombuffer(content, dtype=dtype)
    return flat.reshape(()).expand(sizes).clone() if "fill" in note else flat.reshape(sizes)
