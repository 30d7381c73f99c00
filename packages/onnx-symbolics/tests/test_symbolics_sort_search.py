"""The room sort_search: order beside NaN and infinity, from both ends, and what old opsets cannot order."""

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

OPSETS = (9, 10, 13, 18)
F = np.float32
HOLED = np.array([np.inf, np.nan, -0.5, 3.4028234e38, -np.inf, np.nan, -3.4028234e38, np.inf], F)
BYTES = np.array([3, 255, 0, 3], np.uint8)
INTS = np.array([[2**31 - 1, -5, 2**31 - 2], [0, -(2**31), 7]], np.int32)
STEPS = np.array([-1, 0, 0, 2.5], F)

SORTED = {
    "float32": (HOLED, [4, 6, 2, 3, 0, 7, 1, 5], [1, 5, 0, 7, 3, 2, 6, 4]),
    "float16": (HOLED[[0, 1, 2, 4]].astype(np.float16), [3, 2, 0, 1], [1, 0, 2, 3]),
    "uint8": (BYTES, [2, 0, 3, 1], [1, 0, 3, 2]),
    "int32": (INTS[0], [1, 2, 0], [0, 2, 1]),
    "bool": (BYTES > 100, [0, 2, 3, 1], [1, 0, 2, 3]),
}


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", SORTED)
def test_sorted_by_value_and_then_by_index(
    dtype: str, descending: bool, opset: int, lower_text: Lower, run_model: Run
) -> None:
    array, rising, falling = SORTED[dtype]
    order = np.array(falling if descending else rising)
    short = {"float32": "f32", "float16": "f16", "uint8": "u8", "int32": "i32", "bool": "b8"}[dtype]
    text = (
        f"torch dialect 1\ngraph g(%x: {short}[{len(array)}]) {{\n"
        f"  %v: {short}[{len(array)}], %i: i64[{len(array)}] = "
        f"aten::sort.stable(%x, True, 0, {descending})\n  return %v, %i\n}}\n"
    )
    values, places = run_model(lower_text(text, opset), (array,))
    np.testing.assert_array_equal(values, array[order])
    np.testing.assert_array_equal(places, order)


CASES = [
    ("aten::argsort(%x0, -1, True)", (INTS,), np.argsort(-INTS.astype(np.int64), -1)),
    ("aten::msort(%x0)", (INTS,), np.sort(INTS, 0)),
    ("aten::nonzero(%x0)", (INTS,), np.argwhere(INTS)),
    ("aten::nonzero(%x0)", (np.array(2.0),), np.empty((1, 0), np.int64)),
    ("aten::searchsorted.Tensor(%x0, %x1)", (STEPS, HOLED), np.array([4, 4, 1, 4, 0, 4, 0, 4])),
    ("aten::bucketize.Tensor(%x0, %x1, True, True)", (STEPS, STEPS), np.array([1, 3, 3, 4], np.int32)),
    ("aten::bucketize.Scalar(0, %x0)", (STEPS,), np.array(1)),
]


@pytest.mark.parametrize("opset", [*OPSETS, schemas.NEWEST_OPSET])
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)


@pytest.mark.parametrize("dtype", ["i64", "f64"])
def test_what_no_wider_dtype_holds_is_sorted_from_opset_11(
    dtype: str, lower_text: Lower, refused: type[Exception]
) -> None:
    text = f"torch dialect 1\ngraph g(%x: {dtype}[3]) {{\n  %y: i64[3] = aten::argsort(%x)\n  return %y\n}}\n"
    lower_text(text, 11)
    with pytest.raises(refused, match="from opset 11"):
        lower_text(text, 10)
