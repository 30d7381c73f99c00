"""The tables of lowerings that the arguments of an export ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from onnx_export._custom import CustomTranslation, custom_table
from onnx_export._domain_nodes import DomainTable
from onnx_export._exporter import DEFAULT_FALLBACKS, DEFAULT_TABLES, SCRIPT_TABLES
from onnx_export._torch_symbolics import ATEN_NODES, OWN_NODES, AutogradTable, SymbolicTable
from onnx_ir_capture.contracts import OpTable

__all__ = ["ChosenTables", "check_export_type", "chosen_tables"]


class ChosenTables(NamedTuple):
    """Tables in the order they are asked, and those that are asked last."""

    tables: tuple[OpTable, ...]
    fallbacks: tuple[OpTable, ...]


def chosen_tables(
    *,
    translations: Mapping[object, CustomTranslation] | None,
    domains: Mapping[str, int] | None,
    export_type: object,
    use_torch_lib: bool,
    dynamo: bool,
) -> ChosenTables:
    """The caller's own translations first, then the route's tables, then domains and nodes of ATen.

    Args:
        translations: ``custom_translation_table``.
        domains: ``custom_opsets``.
        export_type: ``operator_export_type``, which only TorchScript captures know.
        use_torch_lib: whether onnxscript's torch_lib is the last resort.
        dynamo: whether torch.export captures the model.

    Raises:
        TypeError, ValueError: an argument is wrong; the message names it.
    """
    first: list[OpTable] = [custom_table(translations)] if translations else []
    kind = _kind(export_type) if not dynamo else "ONNX"
    if kind == "ONNX_ATEN":
        first.append(ATEN_NODES)
    default = DEFAULT_TABLES if dynamo else SCRIPT_TABLES
    last = [DomainTable(domains)] if domains else []
    tables = (*first, *(_versioned(table, domains or {}) for table in default), *last)
    nodes = {"ONNX_ATEN_FALLBACK": (ATEN_NODES,), "ONNX_FALLTHROUGH": (OWN_NODES,)}.get(kind, ())
    return ChosenTables(tables, (*(DEFAULT_FALLBACKS if use_torch_lib and not nodes else ()), *nodes))


def _versioned(table: OpTable, domains: Mapping[str, int]) -> OpTable:
    return table.with_versions(domains) if isinstance(table, AutogradTable | SymbolicTable) else table


def check_export_type(export_type: object) -> None:
    """Check ``operator_export_type``, which has no effect on some routes, and must be one on all.

    Raises:
        ValueError: there is no such type.
    """
    _kind(export_type)


_KINDS = ("ONNX", "ONNX_ATEN", "ONNX_ATEN_FALLBACK", "ONNX_FALLTHROUGH")


def _kind(export_type: object) -> str:
    """The name of a member of an enumeration whose class lives in torch.onnx's part of torch."""
    name: object = "ONNX" if export_type is None else getattr(export_type, "name", export_type)
    if not isinstance(name, str) or name not in _KINDS:
        raise ValueError(f"operator_export_type must be one of {', '.join(_KINDS)}, got {export_type!r}")
    return name
