"""Calls of operators as modules: the samples of PyTorch's own operator tests."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from unittest import mock

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import OpInfo
from torch.utils import _pytree as pytree

__all__ = ["Call", "Sample", "calls_of", "entries"]

_DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64)
_DEVICE = "cpu"
_SEEDS = 4  # a few random bits are the same with two of them now and then


class Call(torch.nn.Module):
    """One call of an operator: tensors are inputs, whatever else it was given is fixed."""

    def __init__(self, entry: OpInfo, arguments: object) -> None:
        super().__init__()
        self._operator = entry.op
        self._leaves, self._tree = pytree.tree_flatten(arguments)

    @property
    def tensors(self) -> tuple[torch.Tensor, ...]:
        """The example inputs."""
        return tuple(leaf for leaf in self._leaves if isinstance(leaf, torch.Tensor))

    def forward(self, *tensors: torch.Tensor) -> object:
        given = iter(tensors)
        leaves = [next(given) if isinstance(leaf, torch.Tensor) else leaf for leaf in self._leaves]
        args, kwargs = pytree.tree_unflatten(leaves, self._tree)
        return self._operator(*args, **kwargs)


@dataclasses.dataclass(frozen=True)
class Sample:
    """A call that eager PyTorch runs, and what it gives."""

    text: str
    call: Call
    expected: tuple[object, ...]
    is_random: bool
    """Runs differ: only dtypes and shapes can be compared."""


def entries(words: str) -> list[str]:
    """Names of the operators that have ``words`` in them, variants after a dot."""
    return [_name(entry) for entry in op_db if words in _name(entry)]


def calls_of(name: str, most: int) -> Iterator[Sample]:
    """At most ``most`` samples of the operator of this name, in the first dtype that it takes."""
    entry = next(entry for entry in op_db if _name(entry) == name)
    dtype = next((dtype for dtype in _DTYPES if dtype in entry.dtypes), None)
    if dtype is None:
        return
    torch.manual_seed(0)
    samples = entry.sample_inputs(_DEVICE, dtype, requires_grad=False)
    for sample in itertools.islice(samples, most):
        call = Call(entry, ((sample.input, *sample.args), dict(sample.kwargs)))
        first, *others = (_run(call, seed) for seed in range(_SEEDS))
        yield Sample(sample.summary(), call, first, not all(_same(first, other) for other in others))


def _name(entry: OpInfo) -> str:
    return f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else str(entry.name)


def _run(call: Call, seed: int) -> tuple[object, ...]:
    seeded = torch.default_generator.manual_seed(seed)
    copies = [tensor.detach().clone() for tensor in call.tensors]
    # Some samples seed the generator themselves, always alike.
    with torch.no_grad(), mock.patch.object(torch, "manual_seed", return_value=seeded):
        return tuple(pytree.tree_leaves(call(*copies)))


def _same(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    pairs = zip(first, second, strict=True)
    return all(
        torch.equal(torch.as_tensor(a).nan_to_num(), torch.as_tensor(b).nan_to_num()) for a, b in pairs
    )
