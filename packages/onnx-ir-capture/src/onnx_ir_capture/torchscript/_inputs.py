"""Names of a model's tensor inputs, and which of their dimensions vary."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence

from torch.utils import _pytree as pytree

__all__ = ["leaf_names"]


def leaf_names(
    signature: inspect.Signature, args: Sequence[object], kwargs: Mapping[str, object]
) -> list[str]:
    """One name per leaf of ``(args, kwargs)``: the parameter's, and the path to a leaf inside of it.

    ``forward(x, cache)`` called with ``cache=[k, {"v": v}]`` has the leaves ``x``, ``cache_0`` and
    ``cache_1_v``.
    """
    positional = _positional_names(signature, len(args))
    flat, _ = pytree.tree_flatten_with_path((tuple(args), dict(kwargs)))
    return [_name(path, positional) for path, _ in flat]


def _positional_names(signature: inspect.Signature, count: int) -> list[str]:
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{index}" for index in range(count - len(names))]
        else:
            names.append(parameter.name)
    return names[:count]


def _name(path: Sequence[object], positional: Sequence[str]) -> str:
    where, first, *rest = (_key(entry) for entry in path)
    head = positional[int(first)] if where == "0" else first
    return "_".join([head, *rest])


def _key(entry: object) -> str:
    for attribute in ("key", "idx", "name"):
        if hasattr(entry, attribute):
            return str(getattr(entry, attribute))
    return str(entry)
