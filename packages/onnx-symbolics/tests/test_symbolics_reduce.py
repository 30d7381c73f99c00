"""The rooms reduce and variance: over some axes and all, beside NaN, of bools and of nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)
F = np.float32
X = np.array([[1.0, -2.5, 4.0], [0.5, 4.0, -1.0]], F)
HOLED = np.array([[1.0, np.nan, 4.0], [0.5, 4.0, -1.0]], F)
INTS = np.array([[3, -1, 7], [7, 0, 2]], np.int32)
TRUTH = np.array([[True, False, True], [False, False, False]])
NOTHING = np.empty((2, 0), F)

CASES = [
    ("aten::sum(%x0)", (INTS,), np.array(18)),
    ("aten::sum(%x0)", (TRUTH,), np.array(2)),
    ("aten::sum.dim_IntList(%x0, [-1], True)", (X,), X.sum(-1, keepdims=True)),
    ("aten::sum.dim_IntList(%x0, None, False)", (X,), X.sum()),
    ("aten::sum.dim_IntList(%x0, [1], False)", (NOTHING,), np.zeros(2, F)),
    ("aten::mean(%x0)", (X,), X.mean()),
    ("aten::mean.dim(%x0, [0], True)", (X,), X.mean(0, keepdims=True)),
    ("aten::mean.dim(%x0, [1], False)", (NOTHING,), np.full(2, np.nan, F)),
    ("aten::prod.dim_int(%x0, 0)", (X,), X.prod(0)),
    ("aten::prod(%x0)", (INTS[:1],), np.array(-21)),
    ("aten::amax(%x0, [1], False)", (HOLED,), HOLED.max(1)),
    ("aten::amin(%x0)", (X.astype(np.float16),), X.astype(np.float16).min()),
    ("aten::max(%x0)", (TRUTH,), np.array(True)),
    ("aten::min(%x0)", (INTS,), np.array(-1, np.int32)),
    ("aten::argmax(%x0, 1, False)", (HOLED,), np.array([1, 1])),
    ("aten::argmax(%x0)", (X,), np.array(2)),
    ("aten::argmin(%x0, -1, True)", (INTS.astype(np.int64),), np.array([[1], [1]])),
    ("aten::argmin(%x0, 0, False)", (TRUTH,), np.array([1, 0, 1])),
    ("aten::any(%x0)", (TRUTH,), np.array(True)),
    ("aten::any.dim(%x0, 1, False)", (X - 1,), np.array([True, True])),
    ("aten::all.dim(%x0, 1, False)", (INTS,), np.array([True, False])),
    ("aten::all(%x0)", (NOTHING,), np.array(True)),
    ("aten::all(%x0)", (INTS.astype(np.uint8),), np.array(0, np.uint8)),
    ("aten::count_nonzero(%x0)", (INTS,), np.array(5)),
    ("aten::logsumexp(%x0, [1], False)", (X,), np.log(np.exp(X.astype(np.float64)).sum(1)).astype(F)),
    ("aten::var(%x0)", (X,), X.var(ddof=1)),
    ("aten::var.correction(%x0, [1], 0, True)", (X,), X.var(1, keepdims=True)),
    ("aten::std.dim(%x0, [0], False, False)", (X,), X.std(0)),
    ("aten::std(%x0)", (X[:1, :1],), np.array(np.nan, F)),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)
