"""Example arguments: torch.onnx's conventions, checked against the model's signature."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import torch
from torch.utils import _pytree as pytree

__all__ = ["Arguments", "check_arguments", "normalize_arguments", "separate_tensors"]

Arguments: TypeAlias = tuple[tuple[object, ...], dict[str, object]]
"""Positional and keyword arguments."""


def normalize_arguments(
    signature: inspect.Signature, args: object, kwargs: Mapping[str, object] | None
) -> Arguments:
    """Arguments in their plain form.

    A single tensor may stand for a tuple of one, and a mapping for keyword arguments. A dict at the end of
    ``args``, with no ``kwargs``, holds keyword arguments if the model takes them so, as in torch.onnx.

    Raises:
        TypeError: ``args`` is no sequence of arguments, or ``kwargs`` no mapping of names.
    """
    if kwargs is not None and not isinstance(kwargs, Mapping):
        raise TypeError(f"kwargs is a {type(kwargs).__qualname__}; give a dict of arguments by name")
    keywords = dict(kwargs or {})
    _check_keys("kwargs", keywords)
    if isinstance(args, torch.Tensor):
        return (args,), keywords
    if isinstance(args, Mapping) and not keywords:
        _check_keys("args", args)
        return (), {str(name): value for name, value in args.items()}
    if not isinstance(args, Sequence) or isinstance(args, str):
        raise TypeError(
            f"args is a {type(args).__qualname__}; give a tuple of the model's positional arguments"
        )
    positional = tuple(args)
    last = positional[-1] if positional else None
    if keywords or not isinstance(last, dict) or not _fits(signature, positional[:-1], last):
        return positional, keywords
    return positional[:-1], dict(last)


def _check_keys(argument: str, given: Iterable[object]) -> None:
    for name in given:
        if not isinstance(name, str):
            raise TypeError(
                f"{argument} has the key {name!r} of class {type(name).__qualname__}; give a dict of "
                "arguments by name"
            )


def _fits(signature: inspect.Signature, args: tuple[object, ...], kwargs: Mapping[object, object]) -> bool:
    names = {name: value for name, value in kwargs.items() if isinstance(name, str)}
    if len(names) < len(kwargs):
        return False
    try:
        signature.bind(*args, **names)
    except TypeError:
        return False
    return True


def check_arguments(signature: inspect.Signature, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """What is wrong with the arguments, in one sentence with the parameter's name; empty if nothing is."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        return f"{error}; its parameters are {signature}, given were {_given(args, kwargs)}"
    return ""


def _given(args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    positional = f"{len(args)} positional argument{'' if len(args) == 1 else 's'}"
    return f"{positional} and {', '.join(kwargs)} by name" if kwargs else positional


def separate_tensors(args: tuple[object, ...], kwargs: dict[str, object], *, copy: bool = False) -> Arguments:
    """The same arguments in tensor objects of their own, which share the caller's memory unless copied.

    torch.export writes marks on the tensors that it is given, and takes one object passed twice for one
    input, so a tensor that occurs again is copied.
    """
    seen: set[int] = set()

    def separate(leaf: object) -> object:
        if type(leaf) not in (torch.Tensor, torch.nn.Parameter) or not isinstance(leaf, torch.Tensor):
            return leaf
        fresh = leaf.detach()
        if copy or id(leaf) in seen:
            fresh = fresh.clone()
        seen.add(id(leaf))
        return fresh.requires_grad_(leaf.requires_grad)

    positional, keywords = pytree.tree_map(separate, (args, kwargs))
    return positional, keywords
