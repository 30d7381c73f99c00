"""Runs of a PyTorch model to compare with, which leave it as it was."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import torch
from torch.utils import _pytree as pytree

from onnx_export._complex import as_pairs
from onnx_export._feeds import leaves_of
from onnx_export._program import ONNXProgram
from onnx_ir_capture.fx import (
    as_module,
    attention_in_parts,
    known_caches,
    model_untouched,
    owner_of,
    values_kept,
)
from onnx_jitpasses.rules import DROPPED_STATE

__all__ = ["EagerRun", "copies", "reference", "run_eager", "untouched"]


class EagerRun(NamedTuple):
    """What a model returned, and what it left in the state that its file has as outputs."""

    result: object
    state: list[torch.Tensor]


@contextlib.contextmanager
def reference(
    model: torch.nn.Module | torch.export.ExportedProgram | Callable[..., object], eval_mode: bool
) -> Iterator[torch.nn.Module]:
    """What an exported model is compared with: the model itself, in the mode that it was exported in.

    The training flag of every submodule, and torch's switch for the fast path of attention, are as before
    when the block ends.
    """
    if isinstance(model, torch.export.ExportedProgram):
        module, roots = as_module(model.module()), []
    else:
        module = as_module(model)
        roots = [module, owner_of(model)] if eval_mode else []
    modules = [submodule for root in roots if root is not None for submodule in root.modules()]
    flags = [submodule.training for submodule in modules]
    try:
        for submodule in modules:
            submodule.training = False
        with attention_in_parts():
            yield module
    finally:
        for submodule, flag in zip(modules, flags, strict=True):
            submodule.training = flag


@known_caches()
def run_eager(
    program: ONNXProgram, model: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
) -> EagerRun:
    """Run ``model`` on copies of the inputs; its attributes, buffers and the random state are as before.

    Args:
        program: what the model was exported to; says what of the state is compared.
        model: the model.
        args: inputs by position.
        kwargs: inputs by name.
    """
    module = as_module(model)
    copied_args, copied_kwargs = copies(args, kwargs)
    leaves = leaves_of(program.program, copied_args, copied_kwargs)  # a model may put others in, as caches do
    with untouched(program, module, owner_of(model)), torch.no_grad():
        result = module(*copied_args, **copied_kwargs)
        found = [_state(variable.input, program, module, leaves) for variable in program.state]
        state = [as_pairs(tensor.detach()).cpu().clone() for tensor in found]
        # What was returned may be the very state that is put back.
        return EagerRun(pytree.tree_map_only(torch.Tensor, torch.clone, result), state)


@contextlib.contextmanager
def untouched(program: ONNXProgram, *models: torch.nn.Module | None) -> Iterator[None]:
    """Put back afterwards what running the models changes: attributes, numbers, random states.

    Parameters are looked after where the export found that the model writes something.
    """
    writes = program.state or any(found.rule == DROPPED_STATE for found in program.diagnostics)
    modules = [model for model in models if model is not None]
    tensors = [tensor for module in modules for tensor in module.buffers()]
    tensors += [tensor for module in modules for tensor in module.parameters()] if writes else []
    with model_untouched(*modules), values_kept(tensors):
        yield


def _state(
    name: str, program: ONNXProgram, module: torch.nn.Module, leaves: Sequence[object]
) -> torch.Tensor:
    """What an input of the file holds now that stands for state: an argument, or a tensor of the module."""
    own = [leaf for spec, leaf in zip(program.program.inputs, leaves, strict=True) if spec.value is not None]
    places = {str(value.name): leaf for value, leaf in zip(program.model.graph.inputs, own, strict=False)}
    owner, _, attribute = name.rpartition(".")
    found = places[name] if name in places else getattr(module.get_submodule(owner), attribute)
    if not isinstance(found, torch.Tensor):
        raise TypeError(f"the state {name!r} is a {type(found).__qualname__} in PyTorch, no tensor")
    return found


@known_caches()
def copies(
    args: Sequence[object], kwargs: Mapping[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """A copy of the inputs, so that a model that writes on them changes only that."""
    leaves, tree = pytree.tree_flatten((tuple(args), dict(kwargs)))
    copied = [leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
    copied_args, copied_kwargs = pytree.tree_unflatten(copied, tree)
    return copied_args, copied_kwargs
