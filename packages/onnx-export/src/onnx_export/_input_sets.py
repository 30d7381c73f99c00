"""Inputs to verify a model with: the example, and the example at other dynamic sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_export._feeds import leaves_of
from onnx_ir_capture.fx import breaking_sizes, fitting_sizes, resized
from onnx_ir_capture.program import CapturedProgram

__all__ = ["InputSet", "breaking_sets", "example_sizes", "input_sets", "larger_sets", "sizes_in_words"]

InputSet = tuple[Mapping[str, int], tuple[object, ...], dict[str, object]]
"""Dynamic sizes, where they are not the example's, with arguments of these sizes."""


def input_sets(
    program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[InputSet]:
    """The example, and the example resized along every dynamic dimension, twice."""
    yield {}, tuple(args), dict(kwargs)
    leaves = leaves_of(program, args, kwargs)
    groups, example = _groups(program, leaves), example_sizes(program, leaves)
    for step in (1, 3) if groups else ():
        sizes = {
            symbol: _other_size(program, symbol, step + 2 * position, example.get(symbol))
            for position, group in enumerate(groups)
            for symbol in group
        }
        yield from _at_sizes(program, leaves, fitting_sizes(program, example, sizes))


def larger_sets(
    program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[InputSet]:
    """The example with every dynamic dimension one larger, where the others may be smaller.

    The model may raise there, where a table of it has as many rows as the example.
    """
    leaves = leaves_of(program, args, kwargs)
    groups, example = _groups(program, leaves), example_sizes(program, leaves)
    sizes = {
        symbol: _other_size(program, symbol, example[symbol] + 1, None)
        for group in groups
        for symbol in group
        if symbol in example
    }
    if any(size > example[symbol] > _LARGEST for symbol, size in sizes.items()):
        yield from _at_sizes(program, leaves, fitting_sizes(program, example, sizes))


def breaking_sets(
    program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[InputSet]:
    """The example at sizes that each break a limit which the capture found, within what the user asked for.

    The model may raise there, as it does where the limit is its own.
    """
    leaves = leaves_of(program, args, kwargs)
    groups = _groups(program, leaves)
    symbols = {symbol for group in groups for symbol in group}
    example = {name: size for name, size in example_sizes(program, leaves).items() if name in symbols}
    tried: list[dict[str, int]] = []
    for name, size in breaking_sizes(program, example):
        together = next((group for group in groups if name in group), [name])
        sizes = fitting_sizes(program, example, {**example, **dict.fromkeys(together, size)})
        if sizes not in tried:
            tried.append(sizes)
    for sizes in tried[:_MOST]:
        yield from _at_sizes(program, leaves, sizes)


def _at_sizes(
    program: CapturedProgram, leaves: Sequence[object], sizes: Mapping[str, int]
) -> Iterator[InputSet]:
    """The leaves at these sizes, put together as the example's arguments were, if that is known."""
    tree = program.input_tree
    if isinstance(tree, pytree.TreeSpec):
        pairs = zip(leaves, program.inputs, strict=True)
        args, kwargs = pytree.tree_unflatten(
            [_resized(leaf, spec.value, sizes) for leaf, spec in pairs], tree
        )
        yield sizes, args, kwargs


def sizes_in_words(sizes: Mapping[str, int], otherwise: str = "the example's sizes") -> str:
    """The sizes of a set of inputs; ``otherwise`` where they are its own."""
    return ", ".join(f"{name}={size}" for name, size in sizes.items()) or otherwise


_LARGEST = 2  # what is smaller has larger sizes among the others
_MOST = 6  # each is a run of the model and of the file
# What torch calls a dimension that has no name of the user's.
_UNNAMED = re.compile(r"s\d+")


def _groups(program: CapturedProgram, leaves: Sequence[object]) -> list[list[str]]:
    """The dynamic sizes that are varied together.

    Torch keeps two dimensions apart that the model needs to be equal as long as nothing in it compares
    them. Where the user named neither, equal sizes in the example are taken for one size.
    """
    groups: dict[object, list[str]] = {}
    for leaf, spec in zip(leaves, program.inputs, strict=True):
        for axis, symbol in _symbols(spec.value):
            key: object = symbol
            if isinstance(leaf, torch.Tensor) and _UNNAMED.fullmatch(symbol):
                key = leaf.shape[axis]
            members = groups.setdefault(key, [])
            if not any(symbol in group for group in groups.values()):
                members.append(symbol)
    return [group for group in groups.values() if group]


def example_sizes(program: CapturedProgram, leaves: Sequence[object]) -> dict[str, int]:
    """What the dynamic sizes are in the example, as far as a dimension of an input is just that."""
    return {
        str(dim): leaf.shape[axis]
        for leaf, spec in zip(leaves, program.inputs, strict=True)
        if isinstance(leaf, torch.Tensor) and spec.value is not None and spec.value.shape is not None
        for axis, dim in enumerate(spec.value.shape)
        if isinstance(dim, ir.SymbolicDim)
    }


def _symbols(value: ir.Value | None) -> Iterator[tuple[int, str]]:
    """The symbols in the shape of a graph input, with the axes where they stand."""
    for axis, dim in enumerate(value.shape if value is not None and value.shape is not None else ()):
        if isinstance(dim, ir.SymbolicDim):
            yield from ((axis, symbol) for symbol in sorted(dim.free_symbols()))


def _other_size(program: CapturedProgram, name: str, size: int, example: int | None) -> int:
    """``size``, or the next one if that is the example's, held within the range that the program demands."""
    limits = program.dimensions.get(name)
    if limits is None:
        return size + (size == example)
    size = max(size, limits.lower)
    size += size == example
    return size if limits.upper is None else min(size, limits.upper)


def _resized(leaf: object, value: ir.Value | None, sizes: Mapping[str, int]) -> object:
    """The example tensor cut or repeated along each dynamic dimension, so that its values stay legal."""
    if not isinstance(leaf, torch.Tensor) or value is None or value.shape is None:
        return leaf
    shape = enumerate(value.shape.evaluate(sizes))
    return resized(leaf, {axis: size for axis, size in shape if isinstance(size, int) and leaf.shape[axis]})
