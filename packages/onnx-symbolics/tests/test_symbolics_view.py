"""The room view: known, dynamic and empty shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import onnx
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"
Lower: TypeAlias = "Callable[[str, int], onnx.ModelProto]"
Run: TypeAlias = "Callable[[onnx.ModelProto, tuple[Array, ...]], list[Array]]"

OPSETS = (9, 11, 13, 18, 20, schemas.NEWEST_OPSET)
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
ONES = np.arange(3, dtype=np.int64).reshape(1, 3, 1)

CASES = [
    ("aten::view(%x0, [4, -1])", (X,), X.reshape(4, 6)),
    ("aten::view(%x0, []: list<int>)", (X[:1, :1, :1],), np.float32(0)),
    ("aten::view(%x0, [3, 0])", (X[:0],), np.empty((3, 0), np.float32)),
    ("aten::reshape(%x0, [-1])", (X > 3,), (X > 3).ravel()),
    ("aten::_unsafe_view(%x0, [6, 4])", (X,), X.reshape(6, 4)),
    ("aten::view_as(%x0, %x1)", (X, X.reshape(6, 4)), X.reshape(6, 4)),
    ("aten::reshape_as(%x0, %x1)", (X, X.reshape(24, 1)), X.reshape(24, 1)),
    ("aten::ravel(%x0)", (X,), X.ravel()),
    ("aten::unsqueeze(%x0, -1)", (X,), X[..., None]),
    ("aten::unsqueeze(%x0, 0)", (np.array(3),), np.array([3])),
    ("aten::squeeze(%x0)", (ONES,), ONES.ravel()),
    ("aten::squeeze.dim(%x0, -1)", (ONES,), ONES[..., 0]),
    ("aten::squeeze.dim(%x0, 1)", (ONES,), ONES),
    ("aten::squeeze.dim(%x0, 0)", (np.array(3),), np.array(3)),
    ("aten::squeeze.dims(%x0, [0, 1])", (ONES,), ONES[0]),
    ("aten::flatten.using_ints(%x0, 0, -1)", (X,), X.ravel()),
    ("aten::flatten.using_ints(%x0, 1, -1)", (X,), X.reshape(2, 12)),
    ("aten::flatten.using_ints(%x0, 0, 1)", (X,), X.reshape(6, 4)),
    ("aten::flatten.using_ints(%x0, 1, 1)", (X,), X),
    ("aten::flatten.using_ints(%x0, 0, 1)", (X[:0],), np.empty((0, 4), np.float32)),
    ("aten::flatten.using_ints(%x0, 0, -1)", (np.array(3),), np.array([3])),
    ("aten::unflatten.int(%x0, -1, [2, -1])", (X,), X.reshape(2, 3, 2, 2)),
    ("aten::unflatten.int(%x0, 0, [1, 2])", (X,), X[None]),
    ("aten::expand(%x0, [2, -1, 5], False)", (ONES,), np.broadcast_to(ONES, (2, 3, 5))),
    ("aten::expand(%x0, [0, 3, 1], False)", (ONES,), np.empty((0, 3, 1), np.int64)),
    ("aten::expand_as(%x0, %x1)", (ONES, X), np.broadcast_to(ONES, (2, 3, 4))),
    ("aten::contiguous(%x0, memory_format.contiguous_format)", (X,), X),
    ("aten::clone(%x0, None)", (X,), X),
    ("aten::detach(%x0)", (X,), X),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)


DYNAMIC = {
    "view(%x, [%n, -1])": ("f32[n, 12]", (-1, 12)),
    "view(%x, [-1, 4])": ("f32[3*n, 4]", (-1, 4)),
    "flatten.using_ints(%x, 1, -1)": ("f32[n, 12]", (-1, 12)),
    "flatten.using_ints(%x, 0, 1)": ("f32[3*n, 4]", (-1, 4)),
    "unflatten.int(%x, 2, [2, 2])": ("f32[n, 3, 2, 2]", (-1, 3, 2, 2)),
    "unflatten.int(%x, 0, [%n, 1])": ("f32[n, 1, 3, 4]", (-1, 1, 3, 4)),
    "squeeze.dim(%x, 0)": ("f32[n, 3, 4]", (-1, 3, 4)),
    "squeeze(%x)": ("f32[n, 3, 4]", (-1, 3, 4)),
}


@pytest.mark.parametrize("opset", [9, 13, 20])
@pytest.mark.parametrize("call", DYNAMIC)
def test_a_dynamic_dimension_stays_dynamic(call: str, opset: int, lower_text: Lower, run_model: Run) -> None:
    result, shape = DYNAMIC[call]
    text = (
        "torch dialect 1\ngraph g(%x: f32[n, 3, 4]) {\n"
        f"  %n: int = aten::sym_size.int(%x, 0)\n  %y: {result} = aten::{call}\n  return %y\n}}\n"
    )
    model = lower_text(text, opset)
    for size in (2, 5, 1):
        data = np.arange(12 * size, dtype=np.float32).reshape(size, 3, 4)
        (found,) = run_model(model, (data,))
        np.testing.assert_array_equal(found, data.reshape(shape))


@pytest.mark.parametrize("opset", OPSETS)
def test_sizes_are_numbers(opset: int, lower_text: Lower, run_model: Run) -> None:
    text = (
        "torch dialect 1\ngraph g(%x: f32[n, 3]) {\n"
        "  %n: int = aten::sym_size.int(%x, -2)\n  %three: int = aten::sym_size.int(%x, 1)\n"
        "  %all: int = aten::sym_numel(%x)\n"
        "  %y: f32[n, 3] = aten::add.Tensor(%x, %n, 1)\n  %z: f32[n, 3] = aten::mul.Tensor(%y, %three)\n"
        "  %w: f32[n, 3] = aten::sub.Tensor(%z, %all, 1)\n  return %w\n}\n"
    )
    data = np.ones((5, 3), np.float32)
    (found,) = run_model(lower_text(text, opset), (data,))
    np.testing.assert_array_equal(found, np.full((5, 3), 3.0))


def test_squeezing_an_axis_of_unknown_size_goes_by_the_captured_shape(
    lower_text: Lower, refused: type[Exception]
) -> None:
    text = "torch dialect 1\ngraph g(%x: f32[n, 1]) {{\n  %y: {} = aten::squeeze(%x)\n  return %y\n}}\n"
    model = lower_text(text.format("f32[n]"), 13)
    assert [node.op_type for node in model.graph.node] == ["Squeeze"]
    with pytest.raises(refused, match="known only at run time"):
        lower_text(text.format("f32[...]"), 13)
