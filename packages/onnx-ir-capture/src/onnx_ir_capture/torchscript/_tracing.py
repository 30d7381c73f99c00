"""Tracing a module: one tensor per leaf of its arguments, one per leaf of its result."""

from __future__ import annotations

import dataclasses
import linecache
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx import attention_in_parts
from onnx_ir_capture.fx._data_attribute import data_followed
from onnx_ir_capture.fx._replaced import changed_while_capturing, is_captured_here
from onnx_ir_capture.torchscript._recording import Recorded, recorded

__all__ = ["TRACING_FILE", "WRAPPER", "Trace", "trace"]

TRACING_FILE = __file__
"""The file whose frames call the model."""

_RANGE = re.compile(r"\brange\(")

WRAPPER = "model"
"""Name under which the traced module holds the model."""


@dataclasses.dataclass(frozen=True)
class Trace:
    """The graph of a run.

    ``leaves`` are all leaves of the arguments, of which the tensors are the graph's first inputs, in order;
    ``results`` those of the result, of which the tensors are its outputs. ``fixed`` is what the tracer said
    of values that it could not follow.
    """

    recorded: Recorded
    leaves: tuple[object, ...]
    results: tuple[object, ...]
    input_tree: pytree.TreeSpec
    output_tree: pytree.TreeSpec
    fixed: tuple[warnings.WarningMessage, ...]


class _Flat(torch.nn.Module):
    """Calls a model with tensors in place of its arguments', and returns the tensors of its result."""

    def __init__(self, model: torch.nn.Module, leaves: Sequence[object], tree: pytree.TreeSpec) -> None:
        super().__init__()
        self.training = model.training
        self.add_module(WRAPPER, model)
        self._leaves = tuple(leaves)
        self._tree = tree
        self.results: tuple[object, ...] = ()
        self.output_tree: pytree.TreeSpec | None = None

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = iter(tensors)
        leaves = [next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in self._leaves]
        args, kwargs = pytree.tree_unflatten(leaves, self._tree)
        result = getattr(self, WRAPPER)(*args, **kwargs)
        flat, self.output_tree = pytree.tree_flatten(result)
        self.results = tuple(flat)
        return tuple(leaf for leaf in flat if isinstance(leaf, torch.Tensor))


def trace(model: torch.nn.Module, args: Sequence[object], kwargs: Mapping[str, object]) -> Trace:
    """Run ``model`` once and record what it does.

    Raises:
        Exception: whatever the model's forward raises, or the tracer.
    """
    leaves, tree = pytree.tree_flatten((tuple(args), dict(kwargs)))
    flat = _Flat(model, leaves, tree)
    tensors = tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))
    with (
        attention_in_parts(),
        data_followed(),
        _indices_told(),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", torch.jit.TracerWarning)
        record = _recorded(flat, tensors)
    if flat.output_tree is None:
        raise RuntimeError("torch's tracer did not run the model")
    return Trace(record, tuple(leaves), flat.results, tree, flat.output_tree, tuple(_tracer_warnings(caught)))


def _indices_told() -> AbstractContextManager[None]:
    """Meanwhile the number of rounds of a loop over ``range(x.shape[0])``, which a trace fixes, is warned of.

    Torch's tracer warns of ``int()``, ``len()`` and a choice, and not of that. Its own operators ask for the
    same int, and record the size beside it: only the line tells the two apart.
    """
    return changed_while_capturing((torch.Tensor, "__index__"), _watch_indices)


def _watch_indices() -> Callable[[], None]:
    name = "__index__"
    original: Callable[[torch.Tensor], int] = torch.Tensor.__index__

    def index(tensor: torch.Tensor) -> int:
        if is_captured_here():
            caller = sys._getframe(1)
            if _RANGE.search(linecache.getline(caller.f_code.co_filename, caller.f_lineno)):
                message = "A range() over a size has as many rounds as in the example"
                warnings.warn(message, torch.jit.TracerWarning, stacklevel=2)
        return original(tensor)

    setattr(torch.Tensor, name, index)
    return lambda: setattr(torch.Tensor, name, original)


def _recorded(model: _Flat, inputs: tuple[torch.Tensor, ...]) -> Recorded:
    """A trace without gradients, which keep every value of the run; with them if the model takes some."""
    try:
        with torch.no_grad():
            return recorded(model, inputs)
    except RuntimeError as error:
        if "does not require grad" not in str(error) or not torch.is_grad_enabled():
            raise
    return recorded(model, inputs)


def _tracer_warnings(caught: Sequence[warnings.WarningMessage]) -> Iterator[warnings.WarningMessage]:
    """The tracer's own warnings; those of the model are given again."""
    for warning in caught:
        if issubclass(warning.category, torch.jit.TracerWarning):
            yield warning
        # Tracing is deprecated, which is no news for who asked for it.
        elif not str(warning.message).startswith("`torch.jit.trace"):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
