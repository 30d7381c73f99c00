"""Which operators of torch the libraries translate at an opset, and which they do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import torch

from onnx_export._torch_lib import TORCH_LIB
from onnx_ir_capture.contracts import OpTable
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.fx import can_decompose
from onnx_ir_capture.interpreter import find_operator
from onnx_symbolics import SYMBOLICS
from onnx_torchlib import TRANSLATORS

__all__ = ["MissingOperator", "TranslatedOperator", "missing_operators", "translated_operators"]

_TABLES = (TRANSLATORS, SYMBOLICS)

# Kernels that torch calls by itself, and derivatives: no model calls them.
_INTERNAL = ("_", "cudnn_", "miopen_", "mkldnn_")


@dataclasses.dataclass(frozen=True)
class TranslatedOperator:
    """An operator that a library translates.

    Attributes:
        name: the overload, such as ``aten::sum.dim_IntList``.
        torchlib: the opset that the translation of onnx-torchlib is written for; None without one.
        symbolics: the same of onnx-symbolics.
    """

    name: str
    torchlib: int | None
    symbolics: int | None


@dataclasses.dataclass(frozen=True)
class MissingOperator:
    """An operator of ATen that neither library translates.

    Attributes:
        name: the overload.
        is_core: whether it is one of core ATen, which torch takes other operators apart into.
        first_opset: the first opset that one of them has a translation for; None if there is none.
        decomposes: whether torch takes it apart into other operators.
        in_torch_lib: whether onnxscript's torch_lib, the last resort, translates it.
    """

    name: str
    is_core: bool
    first_opset: int | None
    decomposes: bool
    in_torch_lib: bool


def translated_operators(opset: int) -> list[TranslatedOperator]:
    """Operators with a translation at ``opset``, by name."""
    names = sorted({OpName.parse(lowering.op) for table in _TABLES for lowering in table})
    rows = (
        TranslatedOperator(str(name), *(_since(table, name, opset) for table in _TABLES)) for name in names
    )
    return [row for row in rows if (row.torchlib, row.symbolics) != (None, None)]


def _since(table: OpTable, name: OpName, opset: int) -> int | None:
    lowering = table.find(name, opset)
    return None if lowering is None else lowering.since


def missing_operators(opset: int) -> list[MissingOperator]:
    """Operators of ATen without a translation at ``opset``: those of core ATen, then others by name.

    Of others than core ATen those are left out that decompose, unless a later opset has them. What writes its
    arguments is left out: the passes put what returns its result in its place.
    """
    found = [_missing(name, opset) for name in _functional_names()]
    return sorted((row for row in found if row is not None), key=lambda row: (not row.is_core, row.name))


def _missing(name: OpName, opset: int) -> MissingOperator | None:
    if any(table.find(name, opset) for table in _TABLES):
        return None
    op = find_operator(name)
    is_core = op is not None and torch.Tag.core in op.tags
    firsts = [first for table in _TABLES if (first := table.first_opset(name)) is not None]
    decomposes = can_decompose(name)
    is_called = not name.name.startswith(_INTERNAL) and not name.name.endswith("_backward")
    if not (is_core or firsts or (is_called and not decomposes)):
        return None
    in_torch_lib = TORCH_LIB.find(name, opset) is not None
    return MissingOperator(str(name), is_core, min(firsts, default=None), decomposes, in_torch_lib)


def _functional_names() -> Iterator[OpName]:
    for text in torch._C._dispatch_get_all_op_names():
        name = OpName.parse(text)
        op = find_operator(name) if name.domain == "aten" else None
        if op is not None and not op._schema.is_mutable:
            yield name
