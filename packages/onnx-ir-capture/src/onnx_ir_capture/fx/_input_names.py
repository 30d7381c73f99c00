"""Names of the inputs of a program that had to give way to those of other inputs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import torch
from torch.utils import _pytree as pytree

__all__ = ["wanted_names"]


def wanted_names(exported: torch.export.ExportedProgram) -> list[str | None]:
    """For each leaf of the arguments the name that several of them would have, None for all others.

    ``forward(x, x_0)`` called with a list for ``x`` has two inputs ``x_0`` by the rule that an input is
    called after its parameter and its place in that; torch gives the second a number.
    """
    signature = exported.module_call_graph[0].signature
    if signature is None:
        return []
    names = list(_leaf_names(signature.in_spec, signature.forward_arg_names or ()))
    counts = Counter(names)
    return [name if name is not None and counts[name] > 1 else None for name in names]


def _leaf_names(spec: pytree.TreeSpec, parameters: Sequence[str]) -> Iterator[str | None]:
    if spec.is_leaf() or spec.num_children != 2:
        return
    positional, by_name = spec.children()
    for number, child in enumerate(positional.children()):
        yield from _below(child, parameters[number] if number < len(parameters) else None)
    for name, child in zip(by_name.context, by_name.children(), strict=True):
        yield from _below(child, str(name))


def _below(spec: pytree.TreeSpec, name: str | None) -> Iterator[str | None]:
    if spec.is_leaf():
        yield None if name is None else re.sub(r"[^0-9a-zA-Z_]+", "_", name)
        return
    keys: Sequence[object] = ()
    if spec.type is dict:
        keys = list(spec.context)
    elif spec.type in (list, tuple):
        keys = range(spec.num_children)
    if name is None or len(keys) != spec.num_children:
        yield from [None] * spec.num_leaves  # a class of the user's own, which torch names as it likes
        return
    for key, child in zip(keys, spec.children(), strict=True):
        yield from _below(child, f"{name}_{key}")
