"""Detours through a wider dtype change no result: against numpy, at the ends of every narrow range."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime
import pytest

from onnx_ir_capture.contracts import Target, Unsupported
from onnx_ir_capture.emit import Emitter, GraphFrame

NARROW = ("int8", "uint8", "int16", "uint16", "int32", "uint32")


def run(
    opset: int, inputs: tuple[np.ndarray, ...], call: Callable[..., ir.Value]
) -> tuple[onnx.ModelProto, np.ndarray]:
    """The model of one call, and what ONNX Runtime makes of it."""
    values = [
        ir.Value(name=f"x{i}", type=ir.TensorType(ir.DataType.from_numpy(x.dtype)), shape=ir.Shape(x.shape))
        for i, x in enumerate(inputs)
    ]
    graph = ir.Graph(values, [], nodes=[], opset_imports={"": opset}, name="case")
    graph.outputs.append(call(Emitter(GraphFrame(graph, Target(opset))), *values))
    version = onnx.helper.find_min_ir_version_for([onnx.helper.make_opsetid("", opset)])
    model = ir.to_proto(ir.Model(graph, ir_version=version))
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {f"x{i}": x for i, x in enumerate(inputs)})
    return model, np.asarray(result)


BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Max": np.maximum,
    "Min": np.minimum,
    "Less": np.less,
    "Greater": np.greater,
    "Equal": np.equal,
    "Mod": np.remainder,
}


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of the numbers at the ends and around zero, the second never 0 and never -1."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    numbers = [low, low + 1, low // 2, 0, 1, 7, high // 2, high - 1, high]
    divisors = [number for number in [low, low // 2, 1, 3, 7, high] if number not in (0, -1)]
    return np.array(numbers, dtype)[:, None], np.array(divisors, dtype)[None, :]


@pytest.mark.parametrize("opset", [9, 13, 18])
@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("op_type", BINARY)
def test_binary_operators(op_type: str, dtype: str, opset: int) -> None:
    inputs = pairs(dtype)
    _, result = run(opset, inputs, lambda op, x, y: getattr(op, op_type)(x, y))
    with np.errstate(over="ignore"):
        expected = BINARY[op_type](*inputs)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("opset", [9, 13, 18])
@pytest.mark.parametrize("dtype", NARROW)
def test_sums_wrap(dtype: str, opset: int) -> None:
    numbers = np.full((2, 5), np.iinfo(dtype).max, dtype)
    _, result = run(opset, (numbers,), lambda op, x: op.ReduceSum(x, [1], keepdims=0))
    assert result.dtype == numbers.dtype
    np.testing.assert_array_equal(result, numbers.sum(axis=1, dtype=dtype))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32"])
def test_the_lowest_integer_is_its_own_opposite(dtype: str) -> None:
    lowest = np.array([np.iinfo(dtype).min], dtype)
    for op_type in ("Neg", "Abs"):
        _, result = run(13, (lowest,), lambda op, x, name=op_type: getattr(op, name)(x))
        np.testing.assert_array_equal(result, lowest)


def test_nothing_is_cast_where_there_is_a_kernel() -> None:
    model, _ = run(14, (np.ones(2, np.int32),), lambda op, x: op.Add(x, x))
    assert [node.op_type for node in model.graph.node] == ["Add"]


def test_half_precision_goes_through_float32_where_the_schema_has_none() -> None:
    model, result = run(10, (np.array([np.inf, 1], np.float16),), lambda op, x: op.IsInf(x))
    assert [node.op_type for node in model.graph.node] == ["Cast", "IsInf"]
    np.testing.assert_array_equal(result, [True, False])


@pytest.mark.parametrize(
    ("call", "dtype", "reason"),
    [
        (lambda op, x: op.ReduceMean(x), ir.DataType.INT8, "does not take INT8"),
        (lambda op, x: op.BitShift(x, x, direction="LEFT"), ir.DataType.INT8, "does not take INT8"),
        (lambda op, x: op.ReduceProd(x), ir.DataType.INT8, "does not take INT8"),
        (lambda op, x: op.Pow(x, x), ir.DataType.INT16, "does not take INT16"),
        (lambda op, x: op.Exp(x), ir.DataType.INT32, "does not take INT32"),
        (lambda op, x: op.CumSum(x, 0), ir.DataType.BOOL, "does not take BOOL"),
    ],
)
def test_what_a_wider_dtype_would_change_is_refused(
    call: Callable[[Emitter, ir.Value], ir.Value], dtype: ir.DataType, reason: str
) -> None:
    x = ir.Value(name="x", type=ir.TensorType(dtype), shape=ir.Shape([2]))
    op = Emitter(GraphFrame(ir.Graph([x], [], nodes=[], opset_imports={"": 13}), Target(13)))
    with pytest.raises(Unsupported, match=reason):
        call(op, x)


def test_the_refusal_of_a_dtype_names_the_opset_that_takes_it() -> None:
    x = ir.Value(name="x", type=ir.TensorType(ir.DataType.BFLOAT16), shape=ir.Shape([2]))
    op = Emitter(GraphFrame(ir.Graph([x], [], nodes=[], opset_imports={"": 9}), Target(9)))
    with pytest.raises(Unsupported, match="does not take BFLOAT16 at opset 9, but from 13 on") as refusal:
        op.Identity(x)
    assert refusal.value.from_opset == 13
