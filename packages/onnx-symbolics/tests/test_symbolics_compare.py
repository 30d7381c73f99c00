"""The rooms compare, where and clamp: order, choices and bounds, beside NaN and between dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)
X = np.array([1.0, -0.0, np.nan, np.inf, -2.5, np.nan], np.float32)
Y = np.array([1.0, 0.0, 3.0, np.inf, np.nan, np.nan], np.float32)
BYTES = np.array([0, 7, 255], np.uint8)
LONGS = np.array([[2**62 + 1], [7]])
BOUNDS = np.array([2**62, 7])
TRUTH = np.array([True, False, True])

CASES = [
    ("aten::eq.Tensor(%x0, %x1)", (X, Y), X == Y),
    ("aten::ne.Tensor(%x0, %x1)", (X, Y), X != Y),
    ("aten::lt.Tensor(%x0, %x1)", (X, Y), X < Y),
    ("aten::le.Tensor(%x0, %x1)", (X, Y), X <= Y),
    ("aten::gt.Tensor(%x0, %x1)", (X, Y), X > Y),
    ("aten::ge.Tensor(%x0, %x1)", (X, Y), X >= Y),
    ("aten::eq.Scalar(%x0, 7)", (BYTES,), BYTES == 7),
    ("aten::ge.Scalar(%x0, 0.5)", (BYTES,), BYTES >= 0.5),
    ("aten::lt.Tensor(%x0, %x1)", (TRUTH, ~TRUTH), ~TRUTH),
    ("aten::eq.Tensor(%x0, %x1)", (TRUTH, TRUTH[:1]), TRUTH),
    ("aten::gt.Tensor(%x0, %x1)", (LONGS, BOUNDS), LONGS > BOUNDS),
    ("aten::maximum(%x0, %x1)", (X, Y), np.maximum(X, Y)),
    ("aten::minimum(%x0, %x1)", (X[2:], Y[2:]), np.minimum(X[2:], Y[2:])),
    ("aten::maximum(%x0, %x1)", (BYTES, BYTES[::-1].copy()), np.array([255, 7, 255], np.uint8)),
    ("aten::minimum(%x0, %x1)", (TRUTH, ~TRUTH), np.zeros(3, bool)),
    ("aten::fmax(%x0, %x1)", (X, Y), np.fmax(X, Y)),
    ("aten::fmin(%x0, %x1)", (X[2:], Y[2:]), np.fmin(X[2:], Y[2:])),
    ("aten::isclose(%x0, %x1, 1e-05, 1e-08, True)", (X, Y), np.isclose(X, Y, equal_nan=True)),
    ("aten::where.self(%x0, %x1, %x2)", (TRUTH, BYTES, LONGS), np.where(TRUTH, BYTES, LONGS)),
    ("aten::where.ScalarOther(%x0, %x1, -1.5)", (TRUTH, X[:3]), np.where(TRUTH, X[:3], np.float32(-1.5))),
    ("aten::where.ScalarOther(%x0, %x1, False)", (TRUTH, ~TRUTH), np.zeros(3, bool)),
    ("aten::masked_fill.Scalar(%x0, %x1, 2.9)", (BYTES, TRUTH), np.array([2, 7, 2], np.uint8)),
    ("aten::masked_fill.Scalar(%x0, %x1, -inf)", (Y[:3], TRUTH), np.array([-np.inf, 0, -np.inf], np.float32)),
    ("aten::masked_fill.Tensor(%x0, %x1, %x2)", (Y[:3], TRUTH, np.array(4)), np.array([4, 0, 4], np.float32)),
    ("aten::clamp(%x0, -1, 1)", (X,), np.clip(X, -1, 1)),
    ("aten::clamp(%x0, 1, -1)", (X,), np.where(np.isnan(X), X, np.float32(-1))),
    ("aten::clamp(%x0, None, 1)", (X,), np.minimum(X, np.float32(1))),
    ("aten::clamp(%x0, 1, 7)", (BYTES,), np.clip(BYTES, 1, 7)),
    ("aten::clamp(%x0, 0.5, None)", (BYTES,), np.array([0.5, 7, 255], np.float32)),
    ("aten::clamp_min(%x0, 2)", (X.astype(np.float64),), np.maximum(X.astype(np.float64), 2)),
    (
        "aten::clamp.Tensor(%x0, %x1, %x2)",
        (LONGS, BOUNDS, BOUNDS - 1),
        np.minimum(LONGS, BOUNDS) * 0 + BOUNDS - 1,
    ),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)
