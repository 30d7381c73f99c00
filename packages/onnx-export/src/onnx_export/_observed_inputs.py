"""The inputs of several calls, brought into one structure."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx import known_caches

__all__ = ["ObservedInputs", "copied", "tensors_of"]

_T = TypeVar("_T")

Axes = Mapping[int, object]


@known_caches()
def copied(value: _T) -> _T:
    """The value in tensors of its own, since models write on their inputs, and caches grow."""

    def fresh(leaf: object) -> object:
        return leaf.detach().clone() if isinstance(leaf, torch.Tensor) else copy.deepcopy(leaf)

    result: _T = pytree.tree_map(fresh, value)
    return result


@known_caches()
def tensors_of(value: object) -> list[torch.Tensor]:
    """The tensors in a nested value, in its order."""
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


class ObservedInputs:
    """Arguments of several calls of one function, by the names of its parameters.

    Args:
        signature: the function's parameters.
        defaults: what an input is, by name or position, where a call lacks it.
    """

    def __init__(self, signature: inspect.Signature, defaults: Mapping[str | int, object]) -> None:
        self._signature = signature
        parameters = list(signature.parameters.values())
        self._names = [parameter.name for parameter in parameters]
        self._defaults = {
            self._names[key] if isinstance(key, int) else key: value for key, value in defaults.items()
        }
        kinds = {parameter.kind: parameter.name for parameter in parameters}
        self._rest = kinds.get(inspect.Parameter.VAR_POSITIONAL)
        self._extra = kinds.get(inspect.Parameter.VAR_KEYWORD)
        self._calls: list[Mapping[str, object]] = []
        self._positional: int | None = None

    def add(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        """Take the arguments of a call in."""
        self._calls.append(self.named(args, kwargs))
        count = len(args)
        self._positional = count if self._positional is None else min(count, self._positional)

    def named(self, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
        """Arguments by the names of their parameters; members of ``**kwargs`` by their own.

        Raises:
            TypeError: the function does not take them.
        """
        found: dict[str, object] = dict(self._signature.bind_partial(*args, **kwargs).arguments)
        extra = found.pop(self._extra, None) if self._extra else None
        return {**found, **extra} if isinstance(extra, Mapping) else found

    def as_keywords(self, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
        """All arguments by name.

        Raises:
            ValueError: some are members of ``*args``, which have none.
        """
        if self._rest is not None and len(args) > self._names.index(self._rest):
            raise ValueError(f"*{self._rest} cannot be given by name; ask for as_args_kwargs=True")
        return {**dict(zip(self._names, args, strict=False)), **kwargs}

    def call(self, index: int) -> Mapping[str, object]:
        """The arguments of one call.

        Raises:
            IndexError: there are not so many.
        """
        if not -len(self._calls) <= index < len(self._calls):
            raise IndexError(f"call {index} is not recorded; there are {len(self._calls)}")
        return self._calls[index]

    @property
    def fullest(self) -> Mapping[str, object]:
        """The arguments of the call with the most tensors; the first of those."""
        return max(self._calls, key=lambda call: len(tensors_of(dict(call))))

    @known_caches()
    def arguments(self, given: Mapping[str, object]) -> tuple[tuple[object, ...], dict[str, object]]:
        """Arguments by position and by name; tensors that ``given`` lacks and other calls have are empty.

        Raises:
            ValueError: an input has one structure here and another one there.
        """
        values = {name: self._completed(name, given) for name in self._seen()}
        return self._split(values)

    @known_caches()
    def dynamic_shapes(
        self, batched: Collection[str | int] | bool | None
    ) -> tuple[object, ...] | dict[str, object]:
        """The axes that differ among the calls, in the structure of the arguments.

        Args:
            batched: inputs by name or position whose first axis varies, although it was the same in all
                calls; True for all of them.

        Raises:
            ValueError: an input has one structure here and another one there, or there is no such input.
        """
        names = self._batched(batched)
        trees = {name: self._axes_tree(name, name in names) for name in self._seen()}
        args, kwargs = self._split(trees)
        if not kwargs and self._rest is None:
            return args
        by_name = dict(zip(self._names, args, strict=False))
        if self._rest in trees:
            position = self._names.index(str(self._rest))
            by_name[str(self._rest)] = args[position:]
        known = {name: tree for name, tree in kwargs.items() if name in self._names}
        extra = {name: tree for name, tree in kwargs.items() if name not in self._names}
        return {**by_name, **known, **({self._extra: extra} if self._extra and extra else {})}

    def _batched(self, batched: Collection[str | int] | bool | None) -> set[str]:
        seen = self._seen()
        if isinstance(batched, bool) or batched is None:
            return set(seen) if batched else set()
        wrong: list[str | int] = [
            key for key in batched if isinstance(key, int) and not 0 <= key < len(self._names)
        ]
        names = {self._names[key] if isinstance(key, int) else key for key in batched if key not in wrong}
        wrong += [name for name in names if name not in seen]
        if wrong:
            raise ValueError(
                f"no inputs {', '.join(map(repr, wrong))} were observed; those that were: {', '.join(seen)}"
            )
        return names

    def _seen(self) -> list[str]:
        """Names of the inputs that a call has, in the order of the parameters."""
        seen = {name: None for call in self._calls for name, value in call.items() if value is not None}
        order = [name for name in self._names if name in seen]
        return order + [name for name in seen if name not in self._names]

    def _template(self, name: str) -> object:
        values = [call[name] for call in self._calls if call.get(name) is not None]
        return max(values, key=lambda value: len(tensors_of(value)))

    def _aligned(self, name: str, call: Mapping[str, object]) -> list[object] | None:
        """The leaves of an input in the template's structure; None if the call lacks it.

        Raises:
            ValueError: the structure is another one.
        """
        template, value = self._template(name), call.get(name)
        wanted = tensors_of(template)
        if value is None or (wanted and not tensors_of(value)):
            value = self._defaults.get(name)
            if value is None:
                return None
        leaves, tree = pytree.tree_flatten(value)
        expected = pytree.tree_structure(template)
        if tree != expected:
            told = " in one call, and ".join(" ".join(str(spec).split()) for spec in (tree, expected))
            raise ValueError(f"the input {name!r} is {told} in another one")
        return leaves

    def _axes(self, name: str, batched: bool) -> list[Axes | None]:
        """For each leaf of the template the axes that vary; None for what is no tensor."""
        rows = [row for call in self._calls if (row := self._aligned(name, call)) is not None]
        found: list[Axes | None] = []
        for column in zip(*rows, strict=True):
            shapes = [tuple(leaf.shape) for leaf in column if isinstance(leaf, torch.Tensor)]
            found.append(_varying(name, shapes, batched) if len(shapes) == len(column) else None)
        return found

    def _axes_tree(self, name: str, batched: bool) -> object:
        axes = self._axes(name, batched)
        return _tree_of_axes(pytree.tree_structure(self._template(name)), iter(axes))

    def _completed(self, name: str, given: Mapping[str, object]) -> object:
        template = self._template(name)
        leaves = self._aligned(name, given)
        if leaves is None:
            pairs = zip(pytree.tree_leaves(template), self._axes(name, batched=False), strict=True)
            leaves = [
                _emptied(leaf, {axis: self._size(name, index, axis, given) for axis in axes or ()})
                for index, (leaf, axes) in enumerate(pairs)
            ]
        result: object = pytree.tree_unflatten(leaves, pytree.tree_structure(template))
        return result

    def _sizes(self, name: str, index: int, axis: int) -> dict[int, int]:
        """The sizes of an axis by the numbers of the calls that have the leaf."""
        rows = {number: self._aligned(name, call) for number, call in enumerate(self._calls)}
        leaves = {number: row[index] for number, row in rows.items() if row is not None}
        return {number: leaf.shape[axis] for number, leaf in leaves.items() if isinstance(leaf, torch.Tensor)}

    def _size(self, name: str, index: int, axis: int, given: Mapping[str, object]) -> int | None:
        """The size in ``given`` of an axis of a leaf that it lacks: that of one that varies with it."""
        sizes = self._sizes(name, index, axis)
        for other in self._seen():
            leaves = self._aligned(other, given) if other != name else None
            for position, (leaf, axes) in enumerate(
                zip(leaves or (), self._axes(other, batched=False), strict=False)
            ):
                for place in axes or ():
                    others = self._sizes(other, position, place)
                    common = sizes.keys() & others.keys()
                    along = common and all(sizes[number] == others[number] for number in common)
                    if along and isinstance(leaf, torch.Tensor):
                        return leaf.shape[place]
        return None

    def _split(self, values: Mapping[str, object]) -> tuple[tuple[object, ...], dict[str, object]]:
        names = self._names[: self._positional or 0]
        if self._rest in values:
            names = self._names[: self._names.index(str(self._rest))]
        args = [values.get(name) for name in names if name != self._rest]
        rest = values.get(self._rest) if self._rest else None
        by_name = {name: value for name, value in values.items() if name not in (*names, self._rest)}
        return (*args, *_members(rest)), by_name


def _members(rest: object) -> Iterable[object]:
    return rest if isinstance(rest, tuple) else ()


def _varying(name: str, shapes: Sequence[tuple[int, ...]], batched: bool) -> Axes:
    ranks = {len(shape) for shape in shapes}
    if len(ranks) > 1:
        raise ValueError(
            f"the input {name!r} has {' and '.join(map(str, sorted(ranks)))} dimensions by turns"
        )
    varying = [axis for axis, sizes in enumerate(zip(*shapes, strict=True)) if len(set(sizes)) > 1]
    if batched and shapes[0] and 0 not in varying:
        varying.insert(0, 0)
    return dict.fromkeys(varying, torch.export.Dim.DYNAMIC)


def _emptied(leaf: object, sizes: Mapping[int, int | None]) -> object:
    """The leaf with no elements, along the last axis that varies; zeros if none does.

    Args:
        leaf: what is emptied.
        sizes: the axes that vary, with their sizes as far as these are known.
    """
    if not isinstance(leaf, torch.Tensor):
        return leaf
    shape = [leaf.shape[axis] if (size := sizes.get(axis)) is None else size for axis in range(leaf.dim())]
    if sizes:
        shape[max(sizes)] = 0
    return leaf.new_zeros(shape)


def _tree_of_axes(tree: pytree.TreeSpec, axes: Iterator[Axes | None]) -> object:
    """``axes`` nested as torch.export wants them: other containers than Python's own are lists."""
    if tree.is_leaf():
        return next(axes)
    children = [_tree_of_axes(child, axes) for child in tree.children()]
    if tree.type is tuple:
        return tuple(children)
    if isinstance(tree.type, type) and issubclass(tree.type, dict):
        return dict(zip(tree.context, children, strict=True))
    return children
