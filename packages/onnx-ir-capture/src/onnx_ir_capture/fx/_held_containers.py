"""The lists, dicts, sets and deques that a module holds, as they were at one time."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeGuard

import torch

__all__ = ["HeldContainers", "own_attributes"]

_Container: TypeAlias = "list[object] | set[object] | dict[object, object] | deque[object]"
"""What can change, and be put back."""

_KINDS = frozenset((list, set, deque, dict, OrderedDict, defaultdict, Counter))
# Whose members torch keeps, and this package with the weights.
_REGISTERED = frozenset(("_parameters", "_buffers", "_modules"))
_EVERY_MODULES = frozenset(vars(torch.nn.Module()))


def own_attributes(module: torch.nn.Module) -> dict[str, object]:
    """The attributes of a module but for those that every module has, such as its hooks."""
    return {name: value for name, value in vars(module).items() if name not in _EVERY_MODULES}


class HeldContainers:
    """The containers among the values of attributes, also those inside one another, and what they held.

    Attributes:
        tensors: the tensors among the values and in the containers.
    """

    def __init__(self, attributes: Mapping[str, object]) -> None:
        """Look at the attributes of a module.

        Args:
            attributes: values by name.
        """
        self.tensors: list[torch.Tensor] = []
        self._held: list[tuple[str, _Container, _Container | None]] = []
        seen: set[int] = set()
        for name, value in attributes.items():
            self._keep(name, value, seen)

    def _keep(self, name: str, first: object, seen: set[int]) -> None:
        waiting = [first]
        while waiting:
            value = waiting.pop()
            if isinstance(value, torch.Tensor):
                self.tensors.append(value)
            elif type(value) is tuple:
                waiting.extend(value)
            elif _is_container(value) and id(value) not in seen:
                seen.add(id(value))
                # Most are the dicts of a module's hooks, and empty: a copy would be memory for nothing.
                self._held.append((name, value, value.copy() if value else None))
                if name not in _REGISTERED:
                    waiting.extend(value.values() if isinstance(value, dict) else value)

    def changed(self) -> Iterator[tuple[str, bool]]:
        """The names of attributes whose containers hold something else now.

        With each, whether all that changed is keys that were not there before, as in a dict that remembers.
        """
        for name, container, before in self._held:
            if not _holds_the_same(container, before):
                yield name, _has_grown(container, before)

    def restore(self) -> None:
        """Put back what they held."""
        for _, container, before in self._held:
            container.clear()
            if not before:
                continue
            if isinstance(container, list | deque):
                container.extend(before)
            elif isinstance(container, set):
                container |= set(before)
            elif isinstance(before, dict):
                container.update(before)


def _is_container(value: object) -> TypeGuard[_Container]:
    """Whether it is of exactly a type that is known; others may have a mind of their own."""
    return type(value) in _KINDS


def _has_grown(container: _Container, before: _Container | None) -> bool:
    if not isinstance(container, dict):
        return False
    known = before if isinstance(before, dict) else {}
    return all(key in container and _is_same(container[key], value) for key, value in known.items())


def _holds_the_same(container: _Container, other: _Container | None) -> bool:
    if not other or len(container) != len(other):
        return not other and not container
    if isinstance(container, set):
        return container == other
    if isinstance(container, dict) and isinstance(other, dict):
        return list(container) == list(other) and all(map(_is_same, container.values(), other.values()))
    return all(map(_is_same, container, other))


def _is_same(value: object, other: object) -> bool:
    """Whether two members are one object, or equal numbers or texts; containers are told of apart."""
    if value is other:
        return True
    return isinstance(value, bool | int | float | str) and type(value) is type(other) and value == other
