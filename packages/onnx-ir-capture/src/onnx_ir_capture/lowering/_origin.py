"""Writes on ONNX nodes and values where they came from, and the shapes that the capture knows."""

from __future__ import annotations

import os
from collections.abc import Sequence

import onnx_ir as ir

from onnx_diagnostics import Location
from onnx_ir_capture.dialect import ModuleCall, ScalarType, get_source, op_name, set_source
from onnx_ir_capture.lowering._locations import model_frame, source_location

__all__ = ["module_calls", "origin_of", "set_module_calls", "write_origin", "write_place"]

_CALLS = "torch.module_calls"
_OP = "pkg.torch.op"


def write_origin(node: ir.Node, created: Sequence[ir.Node], results: Sequence[ir.Value]) -> None:
    """Name the outputs of ``created`` after the captured call ``node``, and note its module and line.

    The captured shapes, with the dimensions' names, replace the inferred ones. A result that an earlier
    call made (the translation of a no-op returns its input) is left alone.
    """
    write_place(node, created)
    own = {id(output) for made in created for output in made.outputs}
    for value, result in zip(node.outputs, results, strict=True):
        if id(result) not in own:
            continue
        own.discard(id(result))
        result.meta["torch.name"] = value.name
        if value.shape is not None and not isinstance(result.type, ir.SequenceType):
            result.shape = _shape(value.shape, result.shape)


def _shape(captured: ir.Shape, inferred: ir.Shape | None) -> ir.Shape:
    """The captured shape, with the inferred sizes where the capture knows none."""
    if inferred is None or len(inferred) != len(captured):
        copy: ir.Shape = captured.copy()
        return copy
    pairs = zip(captured, inferred, strict=True)
    return ir.Shape([size if _is_known(size) else found for size, found in pairs])


def _is_known(size: int | ir.SymbolicDim) -> bool:
    return isinstance(size, int) or size.value is not None


def write_place(node: ir.Node, created: Sequence[ir.Node]) -> None:
    """Note on ``created`` the operator, module and line of the captured call ``node``."""
    source = get_source(node)
    calls = () if source is None or _is_size(node) else source.calls
    for made in created:
        set_module_calls(made, calls)
        made.metadata_props[_OP] = str(op_name(node))
        if source is None:
            continue
        set_source(made, source)
        made.metadata_props["namespace"] = source.module
        frame = model_frame(source)
        if frame is not None:
            # The folder stays out: it is the exporting machine's own business.
            made.metadata_props["pkg.torch.source"] = f"{os.path.basename(frame.file)}:{frame.line}"


def origin_of(node: ir.Node) -> Location | None:
    """The place in the model's source of the call that an ONNX node was made for; None if there is none."""
    source = get_source(node)
    return None if source is None else source_location(source, node.metadata_props.get(_OP))


def set_module_calls(node: ir.Node, calls: tuple[ModuleCall, ...]) -> None:
    """Note the calls of submodules, outermost first, that an ONNX node stands in."""
    node.meta[_CALLS] = calls


def module_calls(node: ir.Node) -> tuple[ModuleCall, ...]:
    """The calls of submodules, outermost first, that an ONNX node stands in."""
    calls: tuple[ModuleCall, ...] = node.meta.get(_CALLS, ())
    return calls


def _is_size(node: ir.Node) -> bool:
    """Whether a captured call gives numbers alone.

    Such a call is of no module: a front end computes each number once, in whichever module asks first.
    """
    return bool(node.outputs) and all(isinstance(value.type, ScalarType) for value in node.outputs)
