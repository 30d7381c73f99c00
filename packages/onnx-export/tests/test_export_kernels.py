"""Which nodes are without a kernel of ONNX Runtime, compared with ONNX Runtime itself."""

from __future__ import annotations

import onnx_ir as ir
import onnxruntime
import pytest

from onnx_export._kernels import without_kernel
from onnx_ir_capture.emit import schemas

DOUBLE, HALF, SMALL = ir.DataType.DOUBLE, ir.DataType.FLOAT16, ir.DataType.BFLOAT16


def node_of(op_type: str, dtype: ir.DataType, **options: int | float | str) -> ir.Node:
    value = ir.Value(name="x", type=ir.TensorType(dtype), shape=ir.Shape([2, 4]))
    node = ir.node(op_type, [value], options)
    node.outputs[0].name, node.outputs[0].type, node.outputs[0].shape = "y", value.type, value.shape
    return node


def runs(node: ir.Node, opset: int) -> bool:
    inputs = [value for value in node.inputs if value is not None]
    graph = ir.Graph(inputs, node.outputs, nodes=[node], opset_imports={"": opset}, name="g")
    model = ir.to_proto(ir.Model(graph, ir_version=10)).SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        return False
    return True


OPERATORS = (
    *("Abs", "Atan", "Celu", "Elu", "Erf", "Exp", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu"),
    *("LogSoftmax", "Mish", "Relu", "Selu", "Shrink", "Sigmoid", "Sin", "Softmax", "Softplus", "Softsign"),
    *("Sqrt", "ThresholdedRelu"),
)
CASES = [
    (op_type, dtype, opset)
    for op_type in OPERATORS
    for opset in (18, 20, 22)
    for dtype in (ir.DataType.FLOAT, HALF, DOUBLE, SMALL)
    if schemas.exists(op_type, opset) and dtype in schemas.accepted(op_type, opset, 0)
]


@pytest.mark.parametrize(("op_type", "dtype", "opset"), CASES)
def test_as_onnx_runtime_says(op_type: str, dtype: ir.DataType, opset: int) -> None:
    node = node_of(op_type, dtype)
    lacking = without_kernel([node], opset)
    assert lacking == ([] if runs(node, opset) else [node])


def test_calls_alike_in_types_are_told_apart_by_their_attributes() -> None:
    plain, tanh = node_of("Gelu", DOUBLE), node_of("Gelu", DOUBLE, approximate="tanh")
    assert without_kernel([tanh, plain, tanh], 20) == [plain]


def test_a_node_of_unknown_types_is_no_finding() -> None:
    node = node_of("Gelu", DOUBLE)
    assert node.inputs[0] is not None
    node.inputs[0].type = None
    node.outputs[0].type = None
    assert without_kernel([node], 20) == []


def test_what_is_no_operator_is_left_to_the_checker() -> None:
    node = node_of("Relu", DOUBLE)
    surplus = ir.node("Atan", [node.inputs[0], node.inputs[0]])
    assert without_kernel([node_of("Relux", DOUBLE)], 20) == without_kernel([surplus], 20) == []
