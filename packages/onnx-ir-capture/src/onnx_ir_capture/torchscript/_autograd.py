"""Autograd functions in traces: what they are, and what they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from onnx_ir_capture.interpreter import AutogradCall, name_autograd_call
from onnx_ir_capture.torchscript._attributes import asked
from onnx_ir_capture.torchscript._values import value_of_type

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["import_call", "symbolic_call"]


def symbolic_call(node: torch._C.Node) -> AutogradCall | None:
    """The call of a ``prim::PythonOp``, if its function has a ``symbolic`` of its own; else None."""
    function: object = getattr(asked(node, "pyobj"), "__self__", None)
    if not isinstance(function, type) or not issubclass(function, torch.autograd.Function):
        return None
    if not callable(getattr(function, "symbolic", None)):
        return None
    # "c" for what Python passes as it is, "d" for a tensor, which is an input.
    kinds, plain = asked(node, "cconv"), asked(node, "scalar_args")
    if not isinstance(kinds, str) or not isinstance(plain, list):
        return None
    values = iter(plain)
    arguments = tuple(next(values) if kind == "c" else None for kind in kinds)
    places = tuple(place for place, kind in enumerate(kinds) if kind == "d")
    return AutogradCall(function, arguments, places)


def import_call(importer: ScriptImporter, node: torch._C.Node, call: AutogradCall) -> None:
    """A call of its own for the node, with one output per result."""
    inputs = [importer.value(value) for value in node.inputs()]
    whole = node.outputsAt(0)
    kind = whole.type()
    is_tuple = isinstance(kind, torch._C.TupleType)
    elements = kind.elements() if isinstance(kind, torch._C.TupleType) else [kind]
    outputs = [value_of_type(element, importer.unique_name(whole.debugName())) for element in elements]
    importer.emit(name_autograd_call(call), inputs, outputs, node)
    importer.builder.graph[-1].meta["autograd"] = call  # names hold no calls, nodes do
    importer.bind(whole, importer.builder.tuple(outputs) if is_tuple else outputs[0])
