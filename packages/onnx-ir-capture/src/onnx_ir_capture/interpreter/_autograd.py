"""Calls of autograd functions that have a symbolic function of their own, and so stay whole in a program."""

from __future__ import annotations

import dataclasses
import itertools
import weakref
from collections.abc import Callable, Sequence

import torch

from onnx_ir_capture.dialect import OpName

__all__ = ["AutogradCall", "autograd_call", "name_autograd_call"]

_DOMAIN = "autograd"

# Weak, since a model's own class must not live as long as the process: the nodes hold what they call.
_CALLS: weakref.WeakValueDictionary[OpName, AutogradCall] = weakref.WeakValueDictionary()


@dataclasses.dataclass(frozen=True, eq=False)
class AutogradCall:
    """One call of an autograd function: what it is given beside the tensors that are inputs of the node."""

    function: type[torch.autograd.Function]
    arguments: tuple[object, ...]
    """All arguments; in the places of tensors there is anything."""
    places: tuple[int, ...]
    """Where among the arguments the inputs go."""

    @property
    def symbolic(self) -> Callable[..., object]:
        """The function that writes the call as ONNX."""
        found: object = getattr(self.function, "symbolic", None)
        if not callable(found):
            raise LookupError(f"{self.function.__qualname__} has no symbolic function any more")
        return found

    def with_inputs(self, inputs: Sequence[object]) -> list[object]:
        """The arguments, with ``inputs`` in the places of the tensors."""
        arguments = list(self.arguments)
        for place, given in zip(self.places, inputs, strict=True):
            arguments[place] = given
        return arguments

    def run(self, *inputs: object) -> object:
        """What the function computes for these inputs."""
        return self.function.apply(*self.with_inputs(inputs))


def name_autograd_call(call: AutogradCall) -> OpName:
    """A name under which :func:`autograd_call` finds ``call`` as long as somebody holds it."""
    stem = call.function.__name__
    numbers = itertools.chain([""], map(str, itertools.count(1)))
    name = next(found for number in numbers if (found := OpName(_DOMAIN, stem, number)) not in _CALLS)
    _CALLS[name] = call
    return name


def autograd_call(name: OpName) -> AutogradCall | None:
    """What a node of this name calls; None for other operators."""
    return _CALLS.get(name) if name.domain == _DOMAIN else None
