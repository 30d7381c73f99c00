"""Printed graphs become checked ONNX models where torch is not installed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import onnx
import onnx.reference
import onnx_ir as ir
import pytest

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Target
from onnx_ir_capture.dialect import OpName, parse_program
from onnx_ir_capture.emit.schemas import NEWEST_OPSET
from onnx_ir_capture.lowering import LoweredProgram, lower
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import LOWERING_FAULT, UNSUPPORTED_ARGUMENTS, UNSUPPORTED_OPERATOR
from onnx_torchlib import BASE_OPSET, TRANSLATORS, Op, TranslatorTable

Array = npt.NDArray[np.generic]

ATTENTION = """
torch dialect 1
graph main(%q: f32[batch, 2, n, 4], %k: f32[batch, 2, m, 4], %v: f32[batch, 2, m, 4], %mask: b8[n, m]) {
  %y: f32[batch, 2, n, 4] = aten::scaled_dot_product_attention(%q, %k, %v, %mask, 0.0, False, None, False)
  return %y
}
"""
HEADS = """
torch dialect 1
graph main(%x: f32[batch, n, 6]) {
  %b: int = aten::sym_size.int(%x, 0)
  %n: int = aten::sym_size.int(%x, 1)
  %heads: f32[batch, n, 2, 3] = aten::view(%x, [%b, %n, 2, 3])
  %turned: f32[batch, 2, n, 3] = aten::transpose.int(%heads, 1, 2)
  %y: f32[batch, 2, 3] = aten::mean.dim(%turned, [2], False, None)
  return %y
}
"""
NORM = """
torch dialect 1
graph main(%x: f32[batch, 5], %w: f32[5], %b: f32[5]) {
  %y: f32[batch, 5] = aten::layer_norm(%x, [5], %w, %b, 1e-05, False)
  return %y
}
"""


def lowered(
    text: str, opset: int, table: TranslatorTable = TRANSLATORS
) -> tuple[LoweredProgram, DiagnosticContext]:
    diagnostics = DiagnosticContext("test", "1")
    program = CapturedProgram(parse_program(text), (), (), {}, {}, "text")
    return lower(program, [table], Target(opset), diagnostics), diagnostics


def run(text: str, opset: int, **feeds: Array) -> npt.NDArray[np.float32]:
    result, diagnostics = lowered(text, opset)
    assert not result.failed, list(diagnostics)
    proto = ir.to_proto(result.model)
    onnx.checker.check_model(proto, full_check=True)
    (output,) = onnx.reference.ReferenceEvaluator(proto).run(None, feeds)
    assert isinstance(output, np.ndarray)
    assert output.dtype == np.float32
    return np.asarray(output, dtype=np.float32)


def normal(*shape: int) -> npt.NDArray[np.float32]:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("opset", [BASE_OPSET, 20, NEWEST_OPSET])
def test_attention_masks_and_normalizes(opset: int) -> None:
    q, k, v = normal(3, 2, 5, 4), normal(3, 2, 7, 4), normal(3, 2, 7, 4)
    mask = np.random.default_rng(1).random((5, 7)) > 0.3
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / 2.0, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = weights / weights.sum(-1, keepdims=True) @ v
    np.testing.assert_allclose(run(ATTENTION, opset, q=q, k=k, v=v, mask=mask), wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("opset", [BASE_OPSET, NEWEST_OPSET])
def test_sizes_are_those_of_the_run(opset: int) -> None:
    for batch, length in ((2, 5), (1, 1), (7, 3)):
        x = normal(batch, length, 6)
        wanted = x.reshape(batch, length, 2, 3).swapaxes(1, 2).mean(2)
        np.testing.assert_allclose(run(HEADS, opset, x=x), wanted, rtol=1e-5, atol=1e-6)


def test_reshape_of_attention_needs_no_arithmetic() -> None:
    result, _ = lowered(HEADS, 20)
    (node,) = [node for node in result.model.graph if node.op_type == "Reshape"]
    shape = node.inputs[1]
    assert shape is not None
    assert shape.const_value is not None
    assert shape.const_value.numpy().tolist() == [0, 0, 2, 3]


@pytest.mark.parametrize("opset", [BASE_OPSET, NEWEST_OPSET])
def test_layer_norm_is_one_operator(opset: int) -> None:
    x, w, b = normal(3, 5), normal(5), normal(5)
    wanted = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w + b
    np.testing.assert_allclose(run(NORM, opset, x=x, w=w, b=b), wanted, rtol=1e-4, atol=1e-5)
    result, _ = lowered(NORM, opset)
    assert [node.op_type for node in result.model.graph] == ["LayerNormalization"]


def test_every_call_that_cannot_be_lowered_is_named() -> None:
    text = """
torch dialect 1
graph main(%x: f32[2, 3], %n: int) {
  %a: f32[2, 3] = mine::first(%x)
  %b: f32[2, 3] = aten::gelu(%a, "other")
  %c: f32[2, 3] = mine::second(%b)
  %d: f32[3, 2] = aten::transpose.int(%c, %n, 1)
  return %d
}
"""
    result, diagnostics = lowered(text, 20)
    assert result.failed
    assert [found.location.op for found in diagnostics.of(UNSUPPORTED_OPERATOR) if found.location] == [
        "mine::first",
        "mine::second",
    ]
    (refused,) = [d for d in diagnostics.of(UNSUPPORTED_ARGUMENTS) if "dim0" in d.message]
    assert "computed at run time" in refused.message


def test_the_opset_that_could_hold_a_refused_call_is_advised() -> None:
    table = TranslatorTable("mine")

    @table.register("mine::late", since=18)
    def late(op: Op, self: ir.Value) -> ir.Value:
        op.refuse("ONNX says it from opset 21", 21)

    @table.register("mine::never", since=18)
    def never(op: Op, self: ir.Value) -> ir.Value:
        op.refuse("ONNX cannot say it")

    text = """
torch dialect 1
graph main(%x: f32[2]) {
  %a: f32[2] = mine::late(%x)
  %b: f32[2] = mine::never(%a)
  return %b
}
"""
    _, diagnostics = lowered(text, 20, table)
    first, second = diagnostics.of(UNSUPPORTED_ARGUMENTS)
    assert first.advice == "raise opset_version to 21 or more, or change the call"
    assert second.advice == "change the call"


def test_a_result_of_another_dtype_is_the_translation_s_fault() -> None:
    table = TranslatorTable("mine")

    @table.register("mine::half", since=18)
    def half(op: object, self: ir.Value) -> ir.Value:
        return self

    text = """
torch dialect 1
graph main(%x: f32[2]) {
  %y: f16[2] = mine::half(%x)
  return %y
}
"""
    _, diagnostics = lowered(text, 20, table)
    (found,) = diagnostics.of(LOWERING_FAULT)
    assert "FLOAT16" in found.message


def test_a_translator_is_registered_once() -> None:
    table = TranslatorTable("mine")

    def one(op: object, self: ir.Value) -> ir.Value:
        return self

    table.register("mine::op", since=18)(one)
    table.register("mine::op", since=20)(one)
    with pytest.raises(ValueError, match="registered twice"):
        table.register("mine::op", since=18)(one)
    name = OpName("mine", "op")
    found = [table.find(name, opset) for opset in (17, 18, 19, 20)]
    assert [entry and entry.since for entry in found] == [None, 18, 18, 20]


TWO_RELUS = """
torch dialect 1
graph main(%x: f32[3]) {
  %a: f32[3] = aten::relu(%x)
  %b: f32[3] = aten::relu(%a)
  %y: f32[3] = test::unknown(%b)
  return %y
}
"""


def test_it_says_which_table_served_which_calls() -> None:
    result, _ = lowered(TWO_RELUS, 20)
    assert result.failed
    assert result.translated == {OpName.parse("aten::relu"): {"onnx-torchlib": 2}}
