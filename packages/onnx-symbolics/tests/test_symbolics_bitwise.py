"""The room bitwise: bits of integers of every width, and truth values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)
LONGS = np.array([[0], [5], [-1], [-(2**63)], [2**63 - 1], [2**53 + 1]])
OTHERS = np.array([3, -2, -(2**63), 2**62 + 7])
BYTES = np.array([0, 1, 0x5A, 255], np.uint8)
SMALL = np.array([-128, -1, 0, 77], np.int8)
TRUTH = np.array([True, False, True, True])
ZERO_D = np.array(6, np.int32)

CASES = [
    ("aten::bitwise_and.Tensor(%x0, %x1)", (LONGS, OTHERS), LONGS & OTHERS),
    ("aten::bitwise_or.Tensor(%x0, %x1)", (LONGS, OTHERS), LONGS | OTHERS),
    ("aten::bitwise_xor.Tensor(%x0, %x1)", (LONGS, OTHERS), LONGS ^ OTHERS),
    ("aten::bitwise_and.Scalar(%x0, 11)", (BYTES,), BYTES & 11),
    ("aten::bitwise_or.Scalar(%x0, 3)", (SMALL,), SMALL | 3),
    ("aten::bitwise_xor.Tensor(%x0, %x1)", (TRUTH, BYTES), TRUTH ^ BYTES),
    ("aten::bitwise_and.Tensor(%x0, %x1)", (ZERO_D, np.array(11, np.int32)), ZERO_D & np.int32(11)),
    ("aten::__and__.Tensor(%x0, %x1)", (TRUTH, ~TRUTH), np.zeros(4, bool)),
    ("aten::bitwise_not(%x0)", (SMALL,), ~SMALL),
    ("aten::bitwise_not(%x0)", (BYTES,), ~BYTES),
    ("aten::bitwise_not(%x0)", (TRUTH,), ~TRUTH),
    ("aten::bitwise_left_shift.Tensor_Scalar(%x0, 3)", (SMALL,), SMALL << 3),
    ("aten::bitwise_left_shift.Tensor_Scalar(%x0, 63)", (LONGS,), LONGS << 63),
    ("aten::bitwise_right_shift.Tensor_Scalar(%x0, 2)", (LONGS,), LONGS >> 2),
    ("aten::bitwise_right_shift.Tensor_Scalar(%x0, 9)", (SMALL,), np.where(SMALL < 0, -1, 0).astype(np.int8)),
    ("aten::__rshift__.Scalar(%x0, 1)", (BYTES,), BYTES >> 1),
    ("aten::logical_and(%x0, %x1)", (BYTES, SMALL), (BYTES != 0) & (SMALL != 0)),
    ("aten::logical_or(%x0, %x1)", (TRUTH, SMALL), TRUTH | (SMALL != 0)),
    ("aten::logical_xor(%x0, %x1)", (BYTES, TRUTH), (BYTES != 0) ^ TRUTH),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)
