"""torch's own functionalization, for programs that the passes cannot prove."""

from __future__ import annotations

import dataclasses

import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx._aliasing import StorageOracle, operator_calls, storages_of
from onnx_ir_capture.fx._covariance import covariance_of_any_values
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.fx._program import import_exported_program
from onnx_ir_capture.fx._recurrent import any_number_of_steps
from onnx_ir_capture.fx._schemas import may_alias_silently
from onnx_ir_capture.program import CapturedProgram

__all__ = ["functionalized"]


def functionalized(program: CapturedProgram, diagnostics: DiagnosticContext) -> CapturedProgram | None:
    """The program again, through torch's functionalization, which leaves no in-place call but to its state.

    It traces the whole program once more. torch does not know of operators that give back their argument
    without saying so, such as dropout in evaluation mode, and loses writes to what they gave. It hands custom
    operators copies of what they write, and their other arguments see nothing of it; nor do members of a list
    see what a call writes to the others.

    Returns:
        The program, or None where it is none of torch.export, or a write would be lost.

    Raises:
        CaptureError: torch cannot do it; its own exception is the cause.
    """
    exported = program.origin
    if not isinstance(exported, torch.export.ExportedProgram) or _may_lose_writes(exported):
        return None
    with any_number_of_steps(), covariance_of_any_values():
        try:
            functional = exported.run_decompositions({})
        except Exception as error:
            raise CaptureError("torch cannot functionalize the program") from error
    dimensions = program.symbols if isinstance(program.symbols, Dimensions) else None
    return dataclasses.replace(
        import_exported_program(functional, diagnostics, dimensions), origin=program.origin
    )


def _may_lose_writes(exported: torch.export.ExportedProgram) -> bool:
    """Whether something is written that an operator may have given back without saying so."""
    hidden: set[int | None] = set()
    written: set[int | None] = set()
    for node, op in operator_calls(exported.graph_module):
        if may_alias_silently(op):
            hidden |= storages_of([node, *node.all_input_nodes])
        own, others = _written_storages(node, op)
        if op.namespace != "aten" and own & others:
            return True
        if op.overloadpacket is torch.ops.aten.set_:  # torch crashes over it
            return True
        if _writes_twice(node, op):
            return True
        written |= own
    # The storages of a program that was loaded from a file say nothing.
    is_known = StorageOracle(exported.graph_module).is_trusted
    return bool(hidden & written if is_known else hidden and written)


def _writes_twice(node: torch.fx.Node, op: torch._ops.OpOverload[..., object]) -> bool:
    """Whether a call on a list, such as ``_foreach_add_``, may write one storage by several of its members.

    Torch's functionalization computes each of them from what was there before the call.
    """
    for given, formal in zip(node.args, op._schema.arguments, strict=False):
        is_written = formal.alias_info is not None and formal.alias_info.is_write
        if not is_written or not isinstance(given, list | tuple):
            continue
        members = [storages_of([member]) for member in given]
        if len(set().union(*members)) < sum(map(len, members)):
            return True
    return False


def _written_storages(
    node: torch.fx.Node, op: torch._ops.OpOverload[..., object]
) -> tuple[set[int | None], set[int | None]]:
    """The storages of the arguments that the call writes, and of its others."""
    written: set[int | None] = set()
    others: set[int | None] = set()
    for position, formal in enumerate(op._schema.arguments):
        given = node.args[position] if position < len(node.args) else node.kwargs.get(formal.name)
        is_written = formal.alias_info is not None and formal.alias_info.is_write
        group = written if is_written else others
        group |= storages_of([given])
    return written, others
