"""The table: which function serves an opset, and what the errors say."""

from __future__ import annotations

import onnx_ir as ir
import pytest

from onnx_ir_capture.contracts import Unsupported, Value
from onnx_ir_capture.dialect import OpName
from onnx_symbolics import BASE_OPSET, SYMBOLICS, OpsetRegistry, SymbolicContext


def context(opset: int = 13) -> tuple[SymbolicContext, ir.Value]:
    x = ir.Value(name="x", type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([2, 3]))
    return SymbolicContext.of(ir.Graph([x], [], nodes=[], opset_imports={"": opset})), x


def older(g: SymbolicContext, self: Value) -> Value:
    return g.Relu(self)


def newer(g: SymbolicContext, self: Value) -> Value:
    return g.Neg(self)


@pytest.mark.parametrize(("opset", "operator"), [(9, "Relu"), (12, "Relu"), (13, "Neg"), (20, "Neg")])
def test_the_greatest_since_that_the_opset_reaches_serves(opset: int, operator: str) -> None:
    table = OpsetRegistry("mine")
    table.register("mine::op", since=13)(newer)
    table.register("mine::op", since=9)(older)
    g, x = context(opset)
    table.emit(g, "mine::op", x)
    assert [node.op_type for node in g.frame.graph] == [operator]


def test_below_the_first_since_nothing_serves() -> None:
    table = OpsetRegistry("mine")
    table.register("mine::op", since=13)(newer)
    g, x = context(12)
    with pytest.raises(
        LookupError, match="mine has no function for mine::op at opset 12; it has one from opset 13"
    ):
        table.emit(g, "mine::op", x)
    with pytest.raises(LookupError, match=r"no function for mine::other at opset 12$"):
        table.emit(g, "mine::other", x)


def test_two_functions_of_one_since_are_refused() -> None:
    table = OpsetRegistry("mine")
    table.register("mine::op", since=9)(older)
    with pytest.raises(ValueError, match="mine::op since 9 is registered twice in mine"):
        table.register("mine::op", since=9)(newer)


LATER = {
    "class_loss": {11: "CumSum", 12: "NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss"},
    "einsum": {12: "Einsum"},
    "embedding_bag": {16: "ScatterElements that adds"},
    "fourier": {17: "DFT"},
    "gather_scatter": {16: "ScatterElements that adds"},
    "grouped_mm": {13: "Split by computed sizes"},
    "grid_sample": {16: "GridSample", 20: "AffineGrid"},
    "index_put": {16: "ScatterElements that adds"},
    "linalg": {11: "Det"},
    "linear_systems": {11: "CumSum"},
    "quantized": {13: "QuantizeLinear along an axis"},
    "random": {10: "TopK of a computed number"},
    "reorder": {11: "DepthToSpace by columns"},
    "segments": {16: "ScatterElements that adds"},
    "scan": {11: "CumSum"},
    "tile": {16: "ScatterElements that adds"},
    "unique": {11: "Unique and CumSum", 16: "ScatterElements that adds"},
    "upsample": {18: "Resize with antialiasing"},
    "vision": {10: "NonMaxSuppression and RoiAlign", 19: "DeformConv"},
    "windows": {18: "Col2Im"},
}
"""Rooms with functions that begin above the lowest opset: the opsets, and what they bring."""


def test_every_function_serves_from_the_lowest_opset_on() -> None:
    found: dict[str, set[int]] = {}
    for entry in SYMBOLICS:
        first = SYMBOLICS.first_opset(OpName.parse(entry.op))
        if first is not None and first != BASE_OPSET:
            room = entry.function.__module__.rpartition(".")[2]
            found.setdefault(room, set()).add(first)
    assert found == {room: set(opsets) for room, opsets in LATER.items()}


def test_arguments_are_converted_as_annotated() -> None:
    g, x = context()
    with pytest.raises(Unsupported, match="'dim' is computed at run time"):
        SYMBOLICS.emit(g, "aten::softmax.int", x, x, None)


def test_a_graph_without_an_opset_is_refused() -> None:
    with pytest.raises(ValueError, match="imports no opset"):
        SymbolicContext.of(ir.Graph([], [], nodes=[]))
