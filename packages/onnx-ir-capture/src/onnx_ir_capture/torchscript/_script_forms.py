"""Nodes that only scripted code has: raised errors, prints, casts of optionals, dicts, written attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    OpName,
    ScalarType,
    TorchDType,
    is_constant,
    items_of,
    known_constant,
    scalar_type,
)
from onnx_ir_capture.lowering import source_location
from onnx_ir_capture.rules import OUTPUT_DROPPED
from onnx_ir_capture.torchscript._attributes import path_of
from onnx_ir_capture.torchscript._autograd import import_call, symbolic_call
from onnx_ir_capture.torchscript._numbers import number_as_tensor, tensor_as_number
from onnx_ir_capture.torchscript._strided import import_strided
from onnx_ir_capture.torchscript._values import dtype_of_number

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["SCRIPT_FORMS"]

_RAISE = OpName("prim", "RaiseException")
_UNINITIALIZED = OpName("prim", "Uninitialized")

_Form = Callable[["ScriptImporter", torch._C.Node], bool]


def _raise(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """What is raised, with the text as far as it is known: the graph has no use for the rest of it."""
    importer.emit(_RAISE, [importer.builder.constant(_text(node.inputsAt(0)))], [], node)
    return True


def _text(value: torch._C.Value) -> str:
    node = value.node()
    if node.kind() == "aten::format":
        return _text(node.inputsAt(0))
    found: object = value.toIValue() if node.kind() == "prim::Constant" else None
    return found if isinstance(found, str) else ""


def _print(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """What a model prints or warns of is no part of a graph."""
    source = importer.source(node)
    importer.diagnostics.report(
        OUTPUT_DROPPED, location=source_location(source, node.kind()), construct=node.kind()
    )
    return True


def _uninitialized(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """Stands for a value on a way that never reads it."""
    importer.emit(_UNINITIALIZED, [], importer.outputs(node), node)
    return True


def _same(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """The argument, of which only the type is told."""
    importer.bind(node.outputsAt(0), importer.value(node.inputsAt(0)))
    return True


def _function(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """An autograd function in a trace: its forward goes in its place, unless it says what stands for it."""
    call = symbolic_call(node)
    if call is not None:
        import_call(importer, node, call)
        return True
    if not node.hasAttribute("Subgraph"):
        return False
    graph, inner = node.g("Subgraph"), importer.inlined()
    for parameter, given in zip(graph.inputs(), node.inputs(), strict=True):
        inner.bind(parameter, importer.value(given))
    for output, result in zip(node.outputs(), inner.run(graph), strict=True):
        importer.bind(output, result)
    return True


def _set_attribute(importer: ScriptImporter, node: torch._C.Node) -> bool:
    owner = path_of(node.inputsAt(0))
    path = None if owner is None else (*owner, node.s("name"))
    if path is None or path not in importer.cells:
        return True  # what nothing reads, or what has been reported
    importer.cells[path] = importer.value(node.inputsAt(1))
    return True


def _dtype(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """A dtype: in TorchScript it is a number, in the dialect a kind of its own."""
    output = importer.output(node.outputsAt(0))
    output.type = scalar_type("dtype")
    importer.emit(OpName("prim", "dtype"), [importer.value(node.inputsAt(0))], [output], node)
    return True


def _compare_dtypes(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """``x.dtype == torch.float16``, where the number of the dtype becomes the dtype."""
    given = [importer.value(value) for value in node.inputs()]
    if not any(isinstance(value.type, ScalarType) and value.type.kind == "dtype" for value in given):
        return False
    for position, value in enumerate(given):
        number = known_constant(value)
        if isinstance(number, int) and not isinstance(number, bool):
            dtype = TorchDType(str(dtype_of_number(number)).removeprefix("torch."))
            given[position] = importer.builder.constant(dtype)
    op = OpName.parse(f"{node.kind()}.int")
    importer.emit(op, given, importer.outputs(node), node)
    return True


def _tuple_index(importer: ScriptImporter, node: torch._C.Node) -> bool:
    whole, position = (importer.value(value) for value in node.inputs())
    items, index = items_of(whole), known_constant(position)
    if items is not None and isinstance(index, int):
        item = items[index]
        if item is not None:
            importer.bind(node.outputsAt(0), item)
            return True
    importer.emit(
        OpName("prim", "TupleIndex"),
        [whole, position],
        importer.outputs(node),
        node,
        Aliases(views=((0, 0),)),
    )
    return True


# Dicts: their items are known by constant keys where they are made, and never in a block that may not run.


def _dict(importer: ScriptImporter, node: torch._C.Node) -> bool:
    given = [importer.value(value) for value in node.inputs()]
    keys = given[::2]
    if not all(map(is_constant, keys)):
        importer.refuse(node, "a key of the dict is computed at run time")
        return True
    items: dict[object, ir.Value] = {
        known_constant(key): value for key, value in zip(keys, given[1::2], strict=True)
    }
    importer.dicts[node.outputsAt(0).debugName()] = items
    return True


def _dict_item(importer: ScriptImporter, node: torch._C.Node) -> bool:
    items = importer.dicts.get(node.inputsAt(0).debugName())
    if items is None:
        return False
    key = _key(importer, node)
    if key not in items:
        importer.refuse(node, f"the dict has no item {key!r} that is known when it is read")
        return True
    importer.bind(node.outputsAt(0), items[key])
    return True


def _dict_has(importer: ScriptImporter, node: torch._C.Node) -> bool:
    items = importer.dicts.get(node.inputsAt(0).debugName())
    if items is None:
        return False
    importer.bind(node.outputsAt(0), importer.builder.constant(_key(importer, node) in items))
    return True


def _dict_set(importer: ScriptImporter, node: torch._C.Node) -> bool:
    name = node.inputsAt(0).debugName()
    items = importer.dicts.get(name)
    if items is None:
        return False
    if node.owningBlock() != node.inputsAt(0).node().owningBlock():
        importer.refuse(node, "a dict is changed where the program may not pass")
        return True
    items[_key(importer, node)] = importer.value(node.inputsAt(2))
    return True


def _dict_list(of_keys: bool) -> _Form:
    def form(importer: ScriptImporter, node: torch._C.Node) -> bool:
        items = importer.dicts.get(node.inputsAt(0).debugName())
        if items is None or not items:
            return False
        constants = [importer.plain(key, node.outputsAt(0).type()) for key in items] if of_keys else []
        importer.bind(node.outputsAt(0), importer.builder.list(constants or list(items.values())))
        return True

    return form


def _length(importer: ScriptImporter, node: torch._C.Node) -> bool:
    items = importer.dicts.get(node.inputsAt(0).debugName())
    if items is None:
        return False
    importer.bind(node.outputsAt(0), importer.builder.constant(len(items)))
    return True


def _key(importer: ScriptImporter, node: torch._C.Node) -> ConstantValue:
    return known_constant(importer.value(node.inputsAt(1)))


SCRIPT_FORMS: Mapping[str, _Form] = {
    **dict.fromkeys(
        ["aten::Float", "aten::FloatImplicit", "aten::Int", "aten::IntImplicit", "aten::ScalarImplicit"],
        tensor_as_number,
    ),
    "aten::__contains__": _dict_has,
    "aten::__getitem__": _dict_item,
    "aten::_set_item": _dict_set,
    "aten::as_strided": import_strided,
    "aten::eq": _compare_dtypes,
    "aten::keys": _dict_list(of_keys=True),
    "aten::len": _length,
    "aten::ne": _compare_dtypes,
    "aten::values": _dict_list(of_keys=False),
    "aten::warn": _print,
    "prim::DictConstruct": _dict,
    "prim::NumToTensor": number_as_tensor,
    "prim::Print": _print,
    "prim::PythonOp": _function,
    "prim::RaiseException": _raise,
    "prim::SetAttr": _set_attribute,
    "prim::TupleIndex": _tuple_index,
    "prim::Uninitialized": _uninitialized,
    "prim::dtype": _dtype,
    "prim::unchecked_cast": _same,
    "prim::unchecked_unwrap_optional": _same,
}
"""Imports a node and returns True, or returns False where it is a call like others; by the node's kind."""
