"""The rooms cast and embedding: copies, changes of dtype, and rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)
X = np.array([[0.0, 1.5, -2.5], [3.0, -0.0, 200.0]], np.float32)
ROWS = np.array([[4, 0], [1, 1]], np.int64)
TABLE = np.arange(15, dtype=np.float16).reshape(5, 3)

CASES = [
    ("aten::to.dtype(%x0, dtype.int32)", (X,), X.astype(np.int32)),
    ("aten::to.dtype(%x0, dtype.bool)", (X,), X != 0),
    ("aten::to.dtype(%x0, dtype.float32)", (X,), X),
    ("aten::to.device(%x0, device.cpu, dtype.float64)", (X,), X.astype(np.float64)),
    ("aten::to.other(%x0, %x1)", (X, TABLE), X.astype(np.float16)),
    ("aten::to.prim_dtype(%x0, dtype.int64)", (X,), X.astype(np.int64)),
    ("aten::_to_copy(%x0)", (X,), X),
    ("aten::type_as(%x0, %x1)", (X > 0, X), (X > 0).astype(np.float32)),
    ("aten::copy(%x0, %x1)", (X, ROWS[:, :1]), np.broadcast_to(ROWS[:, :1], (2, 3)).astype(np.float32)),
    ("aten::copy(%x0, %x1)", (X, X + 1), X + 1),
    ("aten::lift_fresh(%x0)", (X,), X),
    ("aten::alias_copy(%x0)", (X,), X),
    ("aten::embedding(%x0, %x1, -1, False, False)", (TABLE, ROWS), TABLE[ROWS]),
    ("aten::embedding(%x0, %x1)", (TABLE, np.array(4, np.int32)), TABLE[4]),
    ("aten::embedding(%x0, %x1)", (TABLE, ROWS[:0]), np.empty((0, 2, 3), np.float16)),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)
