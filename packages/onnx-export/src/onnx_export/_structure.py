"""Arguments of a call, flattened as the example was."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

__all__ = ["leaves_like"]

_DICTS = (dict, OrderedDict, defaultdict)


_LONG = 1000  # characters; what is longer nobody reads in an error


def leaves_like(tree: pytree.TreeSpec, value: object, path: str) -> Iterator[object]:
    """The leaves of ``value`` in the order of the example's; keys of dicts may stand in any order.

    Args:
        tree: the structure of the example.
        value: what is given in its place.
        path: how messages call it.

    Raises:
        TypeError: it has another structure; the message says where, and what is there.
    """
    if tree.is_leaf():
        if not pytree.tree_structure(value).is_leaf():
            raise TypeError(f"{path} is a {type(value).__qualname__}, and no container in the example")
        yield value
        return
    if tree.type is tuple and isinstance(value, torch.Size):
        value = tuple(value)  # torch.export takes a torch.Size for a tuple
    members, given = pytree.tree_flatten(value, is_leaf=lambda member: member is not value)
    if _class(given) is not _class(tree):
        raise TypeError(f"{path} is a {type(value).__qualname__} instead of a {_class(tree).__qualname__}")
    if isinstance(value, Mapping) and _keys(tree) is not None:
        members = _by_key(tree, value, path)
    elif given.num_children != tree.num_children:
        raise TypeError(
            f"{path} has {given.num_children} instead of {tree.num_children} members, as the example has"
        )
    elif given.context != tree.context:
        forms = [repr(context) for context in (given.context, tree.context)]
        is_readable = all(len(form) < _LONG and " at 0x" not in form for form in forms)
        told = f": {forms[0]}, not {forms[1]}" if is_readable else ""
        raise TypeError(
            f"{path} is a {type(value).__qualname__} of another form than that of the example{told}"
        )
    for (key, child), member in zip(_children(tree), members, strict=True):
        yield from leaves_like(child, member, f"{path}[{key!r}]")


def _class(tree: pytree.TreeSpec) -> type:
    """The class of a container; all named tuples are of one kind to torch."""
    found: type = tree.context if isinstance(tree.context, type) else tree.type
    return found


def _children(tree: pytree.TreeSpec) -> Iterator[tuple[object, pytree.TreeSpec]]:
    keys = _keys(tree)
    return zip(range(tree.num_children) if keys is None else keys, tree.children(), strict=True)


def _keys(tree: pytree.TreeSpec) -> Sequence[object] | None:
    """The keys of a dict, in the order of its leaves; None for other containers."""
    if tree.type not in _DICTS:
        return None
    context: Sequence[object] = tree.context[1] if tree.type is defaultdict else tree.context
    return context


def _by_key(tree: pytree.TreeSpec, value: Mapping[object, object], path: str) -> list[object]:
    """The members of a dict, in the order of the example's."""
    keys = _keys(tree) or ()
    parts = (
        ("lacks", [key for key in keys if key not in value]),
        ("has beside those of the example", [key for key in value if key not in keys]),
    )
    faults = [f"{what} {', '.join(map(repr, some))}" for what, some in parts if some]
    if faults:
        raise TypeError(f"{path} {' and '.join(faults)}")
    return [value[key] for key in keys]
