"""Attributes of script modules: the paths that chains of ``prim::GetAttr`` spell, and what is there."""

from __future__ import annotations

import torch

__all__ = ["attribute_at", "path_of"]


def path_of(value: torch._C.Value) -> tuple[str, ...] | None:
    """Names of the attributes that lead from the module itself to ``value``; None if it is no attribute."""
    names: list[str] = []
    node = value.node()
    while node.kind() == "prim::GetAttr":
        names.append(node.s("name"))
        node = next(iter(node.inputs())).node()
    return tuple(reversed(names)) if node.kind() == "prim::Param" else None


def attribute_at(module: torch._C.ScriptModule, path: tuple[str, ...]) -> object:
    """What stands at a path of attributes.

    Raises:
        AttributeError: a module on the way has no such attribute.
    """
    found: object = module
    for name in path:
        found = getattr(found, name)
    return found
