"""Arguments of scripted code: bound to its schema, each leaf an input of the graph or a constant."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

__all__ = ["Leaf", "bind_leaves", "misfit", "schema_signature", "value_kind"]

_NUMBERS: Mapping[str, tuple[type, ...]] = {
    "BoolType": (bool,),
    "FloatType": (int, float),
    "IntType": (int,),
    "NumberType": (bool, int, float),
}


@dataclasses.dataclass
class Leaf:
    """One leaf of the example arguments.

    ``kind`` is the type that the schema has for it, without Optional.
    """

    position: int
    value: object
    kind: torch._C.JitType | None = None

    @property
    def scalar(self) -> str:
        """The dialect's kind of a number that the graph takes at run time; empty for anything else."""
        expected = () if self.kind is None else _NUMBERS.get(self.kind.kind(), ())
        if type(self.value) not in expected or self.kind is None:
            return ""
        if self.kind.kind() == "FloatType":
            return "float"
        return type(self.value).__name__


def schema_signature(formals: Sequence[torch._C.Argument]) -> inspect.Signature:
    """What a script can be called with: the arguments of its schema as a signature."""
    parameters = [
        inspect.Parameter(
            formal.name,
            inspect.Parameter.KEYWORD_ONLY if formal.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=formal.default_value if formal.has_default_value() else inspect.Parameter.empty,
        )
        for formal in formals
    ]
    return inspect.Signature(parameters)


def bind_leaves(
    formals: Sequence[torch._C.Argument],
    signature: inspect.Signature,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> tuple[list[Leaf], dict[str, object]]:
    """The leaves of the arguments in pytree's order, and for each parameter what it gets, made of them.

    Parameters that are left out get their defaults, which are no leaves.
    """
    values, tree = pytree.tree_flatten((tuple(args), dict(kwargs)))
    leaves = [Leaf(position, value) for position, value in enumerate(values)]
    given_args, given_kwargs = pytree.tree_unflatten(leaves, tree)
    bound = signature.bind(*given_args, **given_kwargs)
    bound.apply_defaults()
    kinds = {formal.name: formal.type for formal in formals}
    for name, given in bound.arguments.items():
        _note_kinds(given, kinds[name])
    return leaves, dict(bound.arguments)


def _note_kinds(given: object, kind: torch._C.JitType) -> None:
    while isinstance(kind, torch._C.OptionalType):
        kind = kind.getElementType()
    if isinstance(given, Leaf):
        given.kind = kind
    elif isinstance(given, list | tuple):
        kinds = kind.elements() if isinstance(kind, torch._C.TupleType) else [_element(kind)] * len(given)
        for item, inner in zip(given, kinds, strict=False):
            _note_kinds(item, inner)
    elif isinstance(given, dict) and isinstance(kind, torch._C.DictType):
        for item in given.values():
            _note_kinds(item, kind.getValueType())


def value_kind(kind: torch._C.JitType) -> torch._C.JitType:
    """The type of a dict's values; the type itself where it is none of a dict."""
    return kind.getValueType() if isinstance(kind, torch._C.DictType) else kind


def _element(kind: torch._C.JitType) -> torch._C.JitType:
    return kind.getElementType() if isinstance(kind, torch._C.ListType) else kind


def misfit(leaves: Sequence[Leaf], bound: Mapping[str, object], formals: Sequence[torch._C.Argument]) -> str:
    """Which argument is of another kind than the schema has; empty if all fit."""
    names = {
        leaf.position: name
        for name, given in bound.items()
        for leaf in pytree.tree_leaves(given)
        if isinstance(leaf, Leaf)
    }
    kinds = {formal.name: formal.type for formal in formals}
    for leaf in leaves:
        wanted, name = leaf.kind, names[leaf.position]
        if wanted is None:
            return f"{name} takes {_said(kinds[name])}, and has a {type(leaf.value).__name__} in it"
        if leaf.value is None and kinds[name].kind() in ("OptionalType", "NoneType"):
            continue
        if not _fits(leaf, wanted):
            return f"{name} is of type {_said(kinds[name])}, and {_described(leaf.value)} is given"
    return ""


def _fits(leaf: Leaf, wanted: torch._C.JitType) -> bool:
    name = wanted.kind()
    if name == "TensorType":
        return isinstance(leaf.value, torch.Tensor)
    if name in _NUMBERS:
        return type(leaf.value) in _NUMBERS[name]
    if name in ("ListType", "TupleType", "DictType"):
        return False
    return not isinstance(leaf.value, torch.Tensor)


def _said(kind: torch._C.JitType) -> str:
    return kind.annotation_str


def _described(value: object) -> str:
    return "a tensor" if isinstance(value, torch.Tensor) else repr(value)
