"""What the layers above share: the types that lowerings are written in, and the tables that hold them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

import onnx_ir as ir

from onnx_ir_capture.dialect import OpName

if TYPE_CHECKING:
    from onnx_ir_capture.emit import GraphFrame

__all__ = [
    "Decomposer",
    "Decomposition",
    "Lowering",
    "Number",
    "OpTable",
    "Operand",
    "Scalar",
    "SymInt",
    "Target",
    "Unsupported",
    "Value",
]

Value = ir.Value
"""A value of the ONNX graph under construction, with dtype and, where known, shape."""

Number: TypeAlias = int | float | bool | complex
"""A Python number that the program holds as a constant."""

SymInt: TypeAlias = int | ir.Value
"""Schema type SymInt: a constant, or a 0-d INT64 value computed at run time."""

Scalar: TypeAlias = int | float | bool | complex | ir.Value
"""Schema type Scalar: a constant, or a 0-d value that stands for a Python number at run time."""

Operand: TypeAlias = ir.Value | int | float | bool | complex
"""Schema type Tensor where the program may also pass a Python number: a tensor, or a weakly typed number."""


@dataclasses.dataclass(frozen=True)
class Target:
    """What a program is lowered to: an opset of the ai.onnx domain."""

    opset: int


class Unsupported(Exception):
    """Raised by a lowering that cannot be exact for these arguments; the driver adds the source line.

    Args:
        reason: completes the sentence "aten::xyz cannot be exported: …".
        from_opset: the first opset that could hold the call, where one is known.
    """

    def __init__(self, reason: str, from_opset: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.from_opset = from_opset


@dataclasses.dataclass(frozen=True)
class Lowering:
    """A function that emits ONNX for one operator.

    ``function`` takes the table's context, then the schema's arguments in order, converted as its
    annotations say, and returns one value per output of the call.
    """

    op: str
    function: Callable[..., ir.Value | Sequence[ir.Value]]
    since: int
    table: str
    custom: bool = False
    """Whether it is the caller's own: what goes wrong in it is for the caller to mend."""


class OpTable(Protocol):
    """A library of lowerings: onnx-symbolics, onnx-torchlib, a caller's own."""

    @property
    def name(self) -> str:
        """Name in logs and reports."""

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The lowering of ``op`` with the greatest ``since`` that ``opset`` reaches."""

    def first_opset(self, op: OpName) -> int | None:
        """The lowest opset at which :meth:`find` finds one; None when the table does not hold the op."""

    def context(self, frame: GraphFrame) -> object:
        """The first argument of the table's functions, bound to the graph under construction."""


@dataclasses.dataclass(frozen=True)
class Decomposition:
    """A call taken apart: a dialect graph that computes the same.

    Its initializers are constants, which have values at once.
    """

    graph: ir.Graph
    operands: Sequence[ir.Value]
    """The values of the program that the graph's inputs stand for."""
    is_general: bool = True
    """Whether it serves every call of the same operator on the same types, sizes and constants."""


class Decomposer(Protocol):
    """Takes calls apart that no table translates."""

    def decompose(self, node: ir.Node) -> Decomposition | None:
        """``node`` taken apart, or None if there is no decomposition of its operator.

        Raises:
            Unsupported: there is one that cannot be used; the reason completes "its decomposition …".
        """
