"""Values of a captured program held against those of its file, and the operator at which they part."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, NoReturn

import onnx_ir as ir
import torch

from onnx_export._differences import as_tensor, difference
from onnx_ir_capture.dialect import ScalarType, items_of, op_name
from onnx_ir_capture.interpreter import run_call

__all__ = [
    "BLOCKS",
    "Found",
    "Parting",
    "Refused",
    "ValueComparison",
    "comparable",
    "operands",
    "written_values",
]

BLOCKS = frozenset(["If", "Loop"])
"""Operators of the dialect that have blocks."""

# What these give is whatever was in the memory.
_UNINITIALISED = frozenset(
    ["empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"]
)


class Parting(NamedTuple):
    """Where a file and its captured program part.

    Attributes:
        node: the captured operator.
        value: what holds its result in the file.
        problem: how the results differ.
        inherited: whether the operator computes the same from the same inputs: what differs came with them.
        refused: whether ONNX Runtime does not compute the result; ``problem`` is what it says.
    """

    node: ir.Node
    value: ir.Value
    problem: str
    inherited: bool
    refused: bool = False


def operands(value: ir.Value) -> Iterator[ir.Value]:
    """What the operator that makes ``value`` uses, the items of lists included."""
    node = value.producer()
    open_values = [] if node is None or node.op_type in BLOCKS else list(node.inputs)
    while open_values:
        operand = open_values.pop()
        items = items_of(operand)
        if items is not None:
            open_values.extend(items)
        elif operand is not None:
            yield operand


def written_values(graph: ir.Graph) -> frozenset[ir.Value]:
    """What is written in place: a value that is read later is not the one that was made."""
    return frozenset(
        value
        for node in graph
        if "mutates" in node.attributes
        for position in node.attributes["mutates"].as_ints()
        if position < len(node.inputs) and (value := node.inputs[position]) is not None
    )


class Refused(Exception):
    """A value of the file is asked for, and ONNX Runtime does not compute it."""


class Found(Exception):
    """Ends a run of which no more is wanted."""

    def __init__(self, parting: Parting) -> None:
        super().__init__(parting)
        self.parting = parting


class ValueComparison:
    """Holds each value of a run against the file's, and ends it at the first operator that is wrong.

    Args:
        pairs: for captured values the file's.
        held: what the file has for a captured value.
        written: captured values that are written in place.
        given: inputs and weights of the captured program.
        inside: the first wrong operator in a block; None where the block computes the same from the same.
        tolerances: as for verification.
    """

    def __init__(
        self,
        pairs: Mapping[ir.Value, ir.Value],
        held: Callable[[ir.Value], torch.Tensor],
        written: frozenset[ir.Value],
        given: Callable[[ir.Value], object],
        inside: Callable[[ir.Node], Parting | None],
        tolerances: Mapping[torch.dtype, float],
    ) -> None:
        self._pairs, self._held, self._written, self._tolerances = pairs, held, written, tolerances
        self._given, self._inside = given, inside
        self.inherited: Parting | None = None

    def __call__(self, value: ir.Value, result: object) -> None:
        node = value.producer()
        if value not in self._pairs or node is None or not comparable(result):
            return
        try:
            got = self._held(value)
        except Refused as refused:
            self._raise_refused(
                Parting(node, self._pairs[value], str(refused), inherited=False, refused=True)
            )
        problem = self._problem(value, got, result)
        if not problem:
            return
        if node.op_type in BLOCKS:
            self._look_inside(Parting(node, self._pairs[value], problem, inherited=True))
            return
        inherited = self._is_inherited(node, value, got)
        parting = Parting(node, self._pairs[value], problem, inherited)
        if not inherited:
            raise Found(parting)
        self.inherited = self.inherited or parting

    def _raise_refused(self, parting: Parting) -> NoReturn:
        inner = None
        if parting.node.op_type in BLOCKS:
            # Where nothing inside is refused by itself, or cannot be run so, the whole is what is refused.
            with contextlib.suppress(LookupError):
                inner = self._inside(parting.node)
        raise Found(inner or parting)

    def _look_inside(self, parting: Parting) -> None:
        try:
            inner = self._inside(parting.node)
        except LookupError:  # the file has no such block any more
            inner = parting._replace(inherited=False)
        if inner is not None:
            raise Found(inner)
        self.inherited = self.inherited or parting

    def _problem(self, value: ir.Value, got: torch.Tensor, result: object) -> str:
        want = as_tensor(result)
        if isinstance(value.type, ScalarType):  # a number's width is the translation's own business
            got, want = got.reshape(want.shape).to(want.dtype), want
        node = value.producer()
        if node is not None and op_name(node).name in _UNINITIALISED:
            want = got if (got.dtype, got.shape) == (want.dtype, want.shape) else want
        return difference(got, want, self._tolerances)[1]

    def _is_inherited(self, node: ir.Node, value: ir.Value, got: torch.Tensor) -> bool:
        """Whether the operator gives what the file has when it is given what it is given there."""
        if not self._written.isdisjoint(operands(value)):
            return False
        try:
            results = run_call(node, self._operand)
        except (LookupError, Refused):
            return False  # an input that the file has no value for may itself be what is wrong
        return not self._problem(value, got, results[list(node.outputs).index(value)])

    def _operand(self, value: ir.Value) -> object:
        """What the file has for an input of an operator, as torch takes it."""
        if value.producer() is None:
            return self._given(value)
        return _as_captured(value, self._held(value))


def comparable(result: object) -> bool:
    """Whether a result is one that a file holds as a tensor."""
    if isinstance(result, torch.Tensor):
        return result.layout == torch.strided and not result.is_quantized
    return isinstance(result, bool | int | float)


def _as_captured(value: ir.Value, tensor: torch.Tensor) -> object:
    """What the file has for a captured value, as torch takes it."""
    if isinstance(value.type, ScalarType):
        kinds = {"int": int, "float": float, "bool": bool}
        return kinds[value.type.kind](tensor.item())
    is_complex = value.dtype in (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128)
    return torch.view_as_complex(tensor.contiguous()) if is_complex else tensor
