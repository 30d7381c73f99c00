"""The room activation against numpy, in every float dtype and at the edges of the range."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import onnx
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Floats: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 11, 13, 18, 20, schemas.NEWEST_OPSET)
X = np.array([-90.0, -6.0, -3.0, -1.5, -0.5, -0.25, 0.0, 0.5, 1.0, 2.0, 3.0, 6.5, 30.0, 90.0])
NAN = np.array([np.nan])
GRID = np.linspace(-3, 3, 24).reshape(2, 3, 4)


def expm1(x: Floats) -> Floats:
    return np.expm1(np.minimum(x, 0))


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def softplus(x: Floats) -> Floats:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def erf(x: Floats) -> Floats:
    return np.array([math.erf(item) for item in x.ravel()]).reshape(x.shape)


def gelu_tanh(x: Floats) -> Floats:
    result: Floats = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return result


def softmax(x: Floats, axis: int) -> Floats:
    exponential = np.exp(x - x.max(axis, keepdims=True))
    result: Floats = exponential / exponential.sum(axis, keepdims=True)
    return result


def hard_sigmoid(x: Floats) -> Floats:
    return np.clip(x + 3, 0, 6) / 6


def selu(x: Floats) -> Floats:
    return 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * expm1(x))


def shrunk(x: Floats) -> Floats:
    return np.where(x > 1, x - 1, np.where(x < -1, x + 1, 0))


@dataclasses.dataclass(frozen=True)
class Case:
    call: str
    truth: Callable[[Floats], Floats]
    data: Floats = dataclasses.field(default_factory=X.copy)
    dtypes: tuple[str, ...] = ("float16", "float32", "float64")


CASES = [
    Case("aten::relu(%x0)", lambda x: np.maximum(x, 0)),
    Case("aten::relu(%x0)", lambda x: np.maximum(x, 0), X.round(), ("int8", "int16", "int32", "int64")),
    Case("aten::relu6(%x0)", lambda x: np.clip(x, 0, 6)),
    Case("aten::relu6(%x0)", lambda x: np.clip(x, 0, 6), X.round(), ("int8", "int32", "int64")),
    Case("aten::hardtanh(%x0, -2, 2.5)", lambda x: np.clip(x, -2, 2.5)),
    Case("aten::hardtanh(%x0, -2, 2)", lambda x: np.clip(x, -2, 2), X.round(), ("int16", "int64")),
    # ONNX Runtime has no Erf of double.
    Case(
        'aten::gelu(%x0, "none")',
        lambda x: x / 2 * (1 + erf(x / math.sqrt(2))),
        dtypes=("float16", "float32"),
    ),
    Case('aten::gelu(%x0, "tanh")', gelu_tanh, X[1:-1]),
    Case("aten::silu(%x0)", lambda x: x * sigmoid(x), X[1:]),
    Case("aten::mish(%x0)", lambda x: x * np.tanh(softplus(x))),
    Case("aten::leaky_relu(%x0, 0.1)", lambda x: np.where(x > 0, x, 0.1 * x)),
    Case("aten::elu(%x0, 1, 1, 1)", lambda x: np.where(x > 0, x, expm1(x))),
    Case("aten::elu(%x0, 1.5, 2.0, 0.5)", lambda x: 2 * np.where(x > 0, x, 1.5 * expm1(x / 2))),
    Case("aten::celu(%x0, 2.0)", lambda x: np.where(x > 0, x, 2 * expm1(x / 2))),
    Case("aten::selu(%x0)", selu),
    Case("aten::hardsigmoid(%x0)", hard_sigmoid),
    Case("aten::hardswish(%x0)", lambda x: x * hard_sigmoid(x)),
    Case("aten::softplus(%x0, 1, 20)", softplus),
    Case("aten::softplus(%x0, 2, 8)", lambda x: np.where(x > 4, x, softplus(2 * x) / 2)),
    Case("aten::log_sigmoid(%x0)", lambda x: -softplus(-x)),
    Case("aten::threshold(%x0, 1, -7)", lambda x: np.where(x <= 1, -7, x)),
    Case("aten::threshold(%x0, 1, -7)", lambda x: np.where(x <= 1, -7, x), X.round(), ("int32", "int64")),
    Case("aten::hardshrink(%x0, 0.5)", lambda x: np.where(np.abs(x) <= 0.5, 0, x)),
    Case("aten::softshrink(%x0, 1.0)", shrunk),
    Case("aten::glu(%x0, 2)", lambda x: x[..., :2] * sigmoid(x[..., 2:]), GRID),
    Case("aten::glu(%x0, -3)", lambda x: x[:1] * sigmoid(x[1:]), GRID),
    Case("aten::softmax.int(%x0, 1, None)", lambda x: softmax(x, 1), GRID),
    Case("aten::softmax.int(%x0, -1, None)", lambda x: softmax(x, -1), GRID),
    Case("aten::_softmax(%x0, 0, False)", lambda x: softmax(x, 0), GRID),
    Case("aten::log_softmax.int(%x0, -2, None)", lambda x: np.log(softmax(x, -2)), GRID),
    Case("aten::_log_softmax(%x0, 2, False)", lambda x: np.log(softmax(x, 2)), GRID),
    Case("aten::softmax.int(%x0, 0, None)", np.ones_like, np.array(3.0)),
    Case("aten::relu(%x0)", lambda x: np.maximum(x, 0), np.array(-3.0)),
]
ROWS = [
    pytest.param(case, dtype, opset, id=f"{case.call[6:]}-{dtype}-{opset}")
    for case in CASES
    for dtype in case.dtypes
    for opset in (OPSETS if dtype == "float32" else (9, 12, 18, 20))
]


@pytest.mark.parametrize(("case", "dtype", "opset"), ROWS)
def test_values(case: Case, dtype: str, opset: int, check_call: Check) -> None:
    given = case.data.astype(dtype)
    with np.errstate(over="ignore"):
        expected = case.truth(given.astype(np.float64)).astype(dtype)
    check_call(case.call, (given,), expected, opset)


NAN_KEEPING = [
    *("relu(%x0)", "relu6(%x0)", "hardtanh(%x0, -1, 1)", 'gelu(%x0, "tanh")', "silu(%x0)", "mish(%x0)"),
    *("leaky_relu(%x0, 0.1)", "elu(%x0, 1, 1, 1)", "elu(%x0, 1, 2, 1)", "celu(%x0, 2.0)", "selu(%x0)"),
    *("hardswish(%x0)", "softplus(%x0, 2, 20)", "threshold(%x0, 1, 7)", "hardshrink(%x0, 0.5)"),
    *("softshrink(%x0, 0.5)", "log_sigmoid(%x0)"),
]


@pytest.mark.parametrize("opset", [9, 20])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", NAN_KEEPING)
def test_not_a_number_stays(call: str, dtype: str, opset: int, check_call: Check) -> None:
    check_call(f"aten::{call}", (NAN.astype(dtype),), NAN.astype(dtype), opset)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(
    ("shape", "channels"), [((2, 3, 4), 3), ((2, 3), 3), ((2, 3, 4), 1), ((), 1), ((4,), 1)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_prelu_has_a_slope_per_channel(
    shape: tuple[int, ...], channels: int, dtype: str, opset: int, check_call: Check
) -> None:
    data = np.linspace(-2, 1, math.prod(shape)).reshape(shape).astype(dtype)
    weight = np.array([0.5, -1.0, 2.0][:channels], dtype)
    slope = (
        weight.reshape(-1, *[1] * (len(shape) - 2)) if len(shape) > 1 else weight.reshape([1] * len(shape))
    )
    check_call("aten::prelu(%x0, %x1)", (data, weight), np.where(data > 0, data, data * slope), opset)


@pytest.mark.parametrize("opset", OPSETS)
def test_softmax_in_another_dtype(opset: int, check_call: Check) -> None:
    half = GRID.astype(np.float16)
    expected = softmax(half.astype(np.float64), 1).astype(np.float32)
    check_call("aten::softmax.int(%x0, 1, dtype.float32)", (half,), expected, opset)
    check_call("aten::_softmax(%x0, 1, True)", (half,), expected, opset)


@pytest.mark.parametrize(
    ("call", "opset", "operators"),
    [
        ('gelu(%x, "none")', 20, ["Gelu"]),
        ("hardswish(%x)", 14, ["HardSwish"]),
        ("celu(%x, 2.0)", 12, ["Celu"]),
        ("softmax.int(%x, 1, None)", 13, ["Softmax"]),
        ("softmax.int(%x, 1, None)", 12, ["Transpose", "Softmax", "Transpose"]),
        ("relu(%x)", 9, ["Relu"]),
        ("silu(%x)", 9, ["Sigmoid", "Mul"]),
    ],
)
def test_one_operator_where_one_says_it_all(
    call: str, opset: int, operators: list[str], lower_text: Callable[[str, int], onnx.ModelProto]
) -> None:
    text = (
        f"torch dialect 1\ngraph g(%x: f32[2, 3, 4]) {{\n  %y: f32[2, 3, 4] = aten::{call}\n  return %y\n}}\n"
    )
    assert [node.op_type for node in lower_text(text, opset).graph.node] == operators
