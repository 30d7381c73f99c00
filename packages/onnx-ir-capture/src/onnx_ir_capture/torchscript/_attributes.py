"""Attributes of script modules: the paths that chains of ``prim::GetAttr`` spell, and what is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import torch

__all__ = ["AttributePath", "asked", "attribute_at", "path_of", "written_attributes"]

AttributePath: TypeAlias = tuple[str, ...]
"""Names of the attributes that lead from a module to what it holds."""


def path_of(value: torch._C.Value) -> AttributePath | None:
    """Names of the attributes that lead from the module itself to ``value``; None if it is no attribute."""
    names: list[str] = []
    node = value.node()
    while node.kind() == "prim::GetAttr":
        names.append(node.s("name"))
        node = next(iter(node.inputs())).node()
    return tuple(reversed(names)) if node.kind() == "prim::Param" else None


def attribute_at(module: torch._C.ScriptModule, path: AttributePath) -> object:
    """What stands at a path of attributes.

    Raises:
        AttributeError: a module on the way has no such attribute.
    """
    found: object = module
    for name in path:
        found = getattr(found, name)
    return found


def asked(holder: torch._C.Node | torch.ScriptObject, question: str) -> object:
    """What a method gives that torch's type information lacks; the attribute itself if it is no method."""
    found: object = getattr(holder, question)
    answer: object = found() if callable(found) else found
    return answer


def written_attributes(
    block: torch._C.Graph | torch._C.Block,
) -> Iterator[tuple[AttributePath, torch._C.Node]]:
    """The attributes that a graph sets, in its blocks, too, each time with the node that does."""
    for node in block.nodes():
        if node.kind() == "prim::SetAttr":
            owner = path_of(node.inputsAt(0))
            if owner is not None:
                yield (*owner, node.s("name")), node
        for inner in node.blocks():
            yield from written_attributes(inner)
