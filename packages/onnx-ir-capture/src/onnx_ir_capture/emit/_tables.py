"""Reads the two generated tables, `_schemas.json` and `_ort_kernels.json`."""

from __future__ import annotations

import functools
import importlib.resources
import json
from typing import Literal, TypeAlias, TypedDict

import onnx_ir as ir

__all__ = [
    "RawDefault",
    "RawForm",
    "kernel_table",
    "kernel_types",
    "schema_table",
    "schema_types",
    "tensor_dtypes",
]

_TypeSet: TypeAlias = dict[str, str]
"""Element types by container, each a space-separated list: `{"tensor": "float double", "seq": "float"}`."""

_TYPE_STRINGS = {
    "tensor": "tensor({})",
    "seq": "seq(tensor({}))",
    "optional": "optional(tensor({}))",
    "optional_seq": "optional(seq(tensor({})))",
}

RawDefault: TypeAlias = "int | float | str | list[int | float | str]"


class RawForm(TypedDict):
    """One operator version as the table holds it."""

    inputs: list[str]
    """`X T`, `axes tensor(int64) optional`, `inputs T variadic 1` or `v_initial V heterogeneous 0`."""
    outputs: list[str]
    attributes: dict[str, str]
    """Name to `INT` or `INT required`."""
    defaults: dict[str, RawDefault]
    types: dict[str, str]
    """Name of the type constraint to the name of its set."""
    function: bool


class _SchemaTable(TypedDict):
    newest_opset: int
    types: dict[str, _TypeSet]
    operators: dict[str, dict[str, RawForm | Literal["deprecated"]]]


class _KernelTable(TypedDict):
    onnxruntime: str
    types: dict[str, _TypeSet]
    kernels: dict[str, list[tuple[int, int | None, dict[str, str]]]]


def _read(name: str) -> str:
    return importlib.resources.files(__package__ or "").joinpath(name).read_text(encoding="utf-8")


@functools.cache
def schema_table() -> _SchemaTable:
    """The operators' versions that opsets 7 and newer see."""
    table: _SchemaTable = json.loads(_read("_schemas.json"))
    return table


@functools.cache
def kernel_table() -> _KernelTable:
    """The kernels of ONNX Runtime's CPU provider: first version, last version, types per constraint."""
    table: _KernelTable = json.loads(_read("_ort_kernels.json"))
    return table


@functools.cache
def schema_types(name: str) -> frozenset[str]:
    """The ONNX type strings of a set of the schema table."""
    return _type_strings(schema_table()["types"][name])


@functools.cache
def kernel_types(name: str) -> frozenset[str]:
    """The ONNX type strings of a set of the kernel table."""
    return _type_strings(kernel_table()["types"][name])


def _type_strings(types: _TypeSet) -> frozenset[str]:
    return frozenset(
        _TYPE_STRINGS[container].format(dtype)
        for container, dtypes in types.items()
        for dtype in dtypes.split()
    )


@functools.cache
def tensor_dtypes(type_strings: frozenset[str]) -> frozenset[ir.DataType]:
    """The element types of the plain tensors among ONNX type strings."""
    return frozenset(
        ir.DataType[text.removeprefix("tensor(").removesuffix(")").upper()]
        for text in type_strings
        if text.startswith("tensor(")
    )
