"""Nodes that one function cannot hold, on graphs that no capture gives so directly."""

from __future__ import annotations

import onnx
import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_export._module_functions import outline_modules
from onnx_export.rules import MODULE_INLINE
from onnx_ir_capture.dialect import ModuleCall
from onnx_ir_capture.lowering import set_module_calls

FIRST, SECOND = ModuleCall("first", "package.file.First"), ModuleCall("second", "package.file.Second")


def chain(*places: ModuleCall | None) -> ir.Model:
    """One Sin after the other, each in the call of a module or in none."""
    value = ir.Value(name="x", type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([3]))
    graph = ir.Graph([value], [], nodes=[], opset_imports={"": 18}, name="chain")
    for number, place in enumerate(places):
        node = ir.Node("", "Sin", [value], num_outputs=1)
        set_module_calls(node, () if place is None else (place,))
        graph.append(node)
        value = node.outputs[0]
        value.name, value.type, value.shape = f"v{number}", graph.inputs[0].type, ir.Shape([3])
    graph.outputs.append(value)
    return ir.Model(graph, ir_version=8)


def outlined(model: ir.Model) -> DiagnosticContext:
    diagnostics = DiagnosticContext("test", "0")
    outline_modules(model, lambda _: True, {}, diagnostics)
    onnx.checker.check_model(ir.to_proto(model), full_check=True)
    return diagnostics


def test_a_module_between_the_operators_of_another_leaves_that_one_inline() -> None:
    model = chain(FIRST, SECOND, FIRST)
    diagnostics = outlined(model)
    assert [node.op_type for node in model.graph] == ["Sin", "Second", "Sin"]
    (note,) = diagnostics.of(MODULE_INLINE)
    assert note.location is not None
    assert [logical.name for logical in note.location.logical][:1] == ["first"]


def test_what_is_of_no_module_is_taken_in() -> None:
    model = chain(FIRST, None, FIRST, None)
    assert not outlined(model).diagnostics
    assert [node.op_type for node in model.graph] == ["First", "Sin"]
    assert len(model.functions["package.file", "First", ""]) == 3


def test_modules_that_wait_for_each_other_are_not_both_functions() -> None:
    model = chain(FIRST, SECOND)
    x = model.graph.inputs[0]
    for place, reads in ((SECOND, x), (FIRST, None)):
        value = x if reads is not None else model.graph.node(-1).outputs[0]
        node = ir.Node("", "Cos", [value], num_outputs=1)
        node.outputs[0].name = f"{place.path}_late"
        set_module_calls(node, (place,))
        model.graph.append(node)
    model.graph.outputs.append(model.graph.node(-1).outputs[0])
    model.graph.outputs[-1].type, model.graph.outputs[-1].shape = x.type, ir.Shape([3])
    diagnostics = outlined(model)
    assert len(diagnostics.of(MODULE_INLINE)) == 1
    assert set(model.functions) == {("package.file", "First", "")}
