"""Translations of the caller's own that are at fault, and how long they live."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import onnx_ir as ir
import onnxscript
import pytest
import torch
from onnxscript import FLOAT

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_ir_capture.rules import CUSTOM_TRANSLATION_FAULT
from onnx_torchlib import Op


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) + 1


def wrong_type(op: Op, self: ir.Value) -> ir.Value:
    value = op.Relu(self)
    value.type = ir.TensorType(ir.DataType.INT64)
    return op.Cast(value, to=ir.DataType.FLOAT.value)


def wrong_attribute(op: Op, self: ir.Value) -> ir.Value:
    value = op.Relu(self)
    node = value.producer()
    assert node is not None
    node.attributes.add(ir.AttrFloat32("alpha", 1.0))
    return value


def no_operator(op: Op, self: ir.Value) -> ir.Value:
    node = ir.Node("", "Relux", [self], num_outputs=1)
    node.outputs[0].type, node.outputs[0].shape = self.type, self.shape
    op.frame.graph.append(node)
    return node.outputs[0]


class AnyOpset(Protocol):
    """An opset with whatever operators; onnxscript's own types know better."""

    def __getattr__(self, name: str) -> Callable[..., FLOAT]: ...


op18: AnyOpset = onnxscript.opset18
MINE = onnxscript.values.Opset("mine", 1)


@onnxscript.script(MINE)
def Attributed(x: FLOAT) -> FLOAT:
    return op18.Relu(x)


@onnxscript.script(MINE)
def Outer(x: FLOAT) -> FLOAT:
    return Attributed(x)


@onnxscript.script(MINE)
def Types(x: FLOAT) -> FLOAT:
    return op18.Not(x)


# onnxscript lets nobody write this.
next(iter(Attributed.function_ir)).attributes.add(ir.AttrFloat32("alpha", 1.0))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (Attributed, "Unrecognized attribute: alpha"),
        (Outer, "Unrecognized attribute: alpha"),
        (Types, "unsupported type: tensor"),
    ],
)
def test_an_invalid_node_of_a_function_is_the_fault_of_its_translation(
    function: Callable[..., object], words: str
) -> None:
    with pytest.raises(ConversionError, match=words) as caught:
        export_with(function)
    (found,) = caught.value.diagnostics
    assert found.rule == CUSTOM_TRANSLATION_FAULT
    assert found.location is not None
    assert (found.location.op, found.location.file) == ("aten::relu", str(Path(__file__)))


def export_with(translation: Callable[..., object]) -> onnx_export.ONNXProgram:
    table: dict[object, Callable[..., object]] = {torch.ops.aten.relu.default: translation}
    return onnx_export.export(Model(), (torch.ones(3),), verbose=False, custom_translation_table=table)


@pytest.mark.parametrize("translation", [wrong_type, wrong_attribute, no_operator])
def test_an_invalid_node_is_the_fault_of_its_translation(translation: Callable[..., object]) -> None:
    with pytest.raises(ConversionError, match=translation.__name__) as caught:
        export_with(translation)
    (found,) = caught.value.diagnostics
    assert found.rule == CUSTOM_TRANSLATION_FAULT
    assert found.location is not None
    assert (found.location.op, found.location.file) == ("aten::relu", str(Path(__file__)))


def test_a_translation_is_not_kept_alive() -> None:
    def made() -> weakref.ref[Callable[..., object]]:
        def double(op: Op, self: ir.Value) -> ir.Value:
            return op.Mul(self, 2.0)

        assert export_with(double)(torch.ones(3))[0].tolist() == [3.0, 3.0, 3.0]
        return weakref.ref(double)

    reference = made()
    gc.collect()
    assert reference() is None
