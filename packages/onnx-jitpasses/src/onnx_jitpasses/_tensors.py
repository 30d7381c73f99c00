"""The tensors of a program and their memory, while a pass walks through it in the order of execution."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import onnx_ir as ir

from onnx_jitpasses._views import Step

__all__ = ["Memory", "Snapshot", "Tensor", "Tensors"]


@dataclasses.dataclass(eq=False)
class Memory:
    """What a tensor and its views share. ``current`` holds its numbers, ``version`` counts the writes."""

    origin: ir.Value
    """The value that was there first, which has the shape of the whole memory."""
    current: ir.Value
    version: int = 0
    ties: set[Memory] = dataclasses.field(default_factory=set)
    """Others that may be the same memory; nothing proves it, and nothing disproves it."""
    tie_reason: str = ""
    kept_by: str = ""
    """The call that holds on to the tensor where nobody sees it."""
    writers: list[ir.Node] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(eq=False)
class Tensor:
    """A tensor as the program has it in its hands: some memory, and the views that lead to its elements.

    ``value`` holds its numbers as long as ``version`` is that of the memory.
    """

    memory: Memory
    steps: tuple[Step, ...]
    value: ir.Value
    version: int


class Tensors:
    """Which tensor each value is."""

    def __init__(self) -> None:
        self._by_value: dict[ir.Value, Tensor] = {}
        self._versions = itertools.count(1)

    def of(self, value: ir.Value) -> Tensor:
        """The tensor that a value is; one with memory of its own, if nothing else was said of it."""
        tensor = self._by_value.get(value)
        if tensor is None:
            tensor = self._by_value[value] = Tensor(Memory(value, value), (), value, 0)
        return tensor

    def name(self, value: ir.Value, tensor: Tensor) -> None:
        """Take note that ``value`` is ``tensor``."""
        self._by_value[value] = tensor

    def add_view(self, value: ir.Value, of: Tensor, step: Step) -> None:
        """Take note that ``value`` is a view."""
        self._by_value[value] = Tensor(of.memory, (*of.steps, step), value, of.memory.version)

    def write(self, tensor: Tensor, value: ir.Value, whole: ir.Value, node: ir.Node) -> None:
        """Take note that ``node`` wrote the tensor: it is ``value`` now, and its memory is ``whole``."""
        memory = tensor.memory
        memory.version = next(self._versions)
        memory.current = whole
        memory.writers.append(node)
        tensor.value, tensor.version = value, memory.version
        self._by_value[value] = tensor
        self._by_value.setdefault(whole, Tensor(memory, (), whole, memory.version))

    def tie(self, one: Memory, other: Memory, reason: str) -> None:
        """Take note that two tensors may share memory."""
        if one is not other:
            one.ties.add(other)
            other.ties.add(one)
            one.tie_reason = one.tie_reason or reason
            other.tie_reason = other.tie_reason or reason

    def tied(self, memory: Memory) -> set[Memory]:
        """All that may be the same memory, others first and last."""
        found, work = {memory}, [memory]
        while work:
            fresh = work.pop().ties - found
            found |= fresh
            work += fresh
        return found - {memory}

    def values_of(self, memory: Memory) -> Iterator[ir.Value]:
        """The values that are tensors in the memory."""
        return (value for value, tensor in self._by_value.items() if tensor.memory is memory)

    def memories(self) -> list[Memory]:
        """All memory, in the order in which the program came upon it."""
        return list(dict.fromkeys(tensor.memory for tensor in self._by_value.values()))

    def snapshot(self) -> Snapshot:
        """How things stand."""
        tensors = set(self._by_value.values())
        return Snapshot(
            dict(self._by_value),
            {tensor: (tensor.steps, tensor.value, tensor.version) for tensor in tensors},
            {tensor.memory: (tensor.memory.current, tensor.memory.version) for tensor in tensors},
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to how things stood; ties stay, and so do writers."""
        self._by_value = dict(snapshot.by_value)
        for tensor, state in snapshot.tensors.items():
            tensor.steps, tensor.value, tensor.version = state
        for memory, (current, version) in snapshot.memories.items():
            memory.current, memory.version = current, version


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """What :class:`Tensors` knew at one moment."""

    by_value: dict[ir.Value, Tensor]
    tensors: dict[Tensor, tuple[tuple[Step, ...], ir.Value, int]]
    memories: dict[Memory, tuple[ir.Value, int]]
