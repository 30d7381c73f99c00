"""The room arithmetic against numpy: promotion, rounding, signs, zeros, overflow."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 11, 13, 18, 20, schemas.NEWEST_OPSET)


def f16(*values: float) -> Array:
    return np.array(values, np.float16)


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


def f64(*values: float) -> Array:
    return np.array(values, np.float64)


def i8(*values: int) -> Array:
    return np.array(values, np.int8)


def u8(*values: int) -> Array:
    return np.array(values, np.uint8)


def i32(*values: int) -> Array:
    return np.array(values, np.int32)


def i64(*values: int) -> Array:
    return np.array(values, np.int64)


def bools(*values: bool) -> Array:
    return np.array(values, np.bool_)


def scalar(array: Array) -> Array:
    """The one element of ``array`` as a 0-d tensor."""
    return array.reshape(())


@dataclasses.dataclass(frozen=True)
class Case:
    call: str
    inputs: tuple[Array, ...]
    expected: Array
    lowest: int = 9

    def __str__(self) -> str:
        return f"{self.call.removeprefix('aten::')} {' '.join(str(array.dtype) for array in self.inputs)}"


INF, NAN = float("inf"), float("nan")
A, B = f32(-7.5, -0.0, 2.0, INF), f32(2.0, 3.0, -0.5, 1.0)

CASES = [
    Case("aten::add.Tensor(%x0, %x1, 1)", (A, B), f32(-5.5, 3.0, 1.5, INF)),
    Case("aten::add.Tensor(%x0, %x1, 2)", (i8(100, 1), i8(100, 2)), i8(44, 5)),
    Case("aten::add.Tensor(%x0, %x1, 1)", (u8(200), u8(100)), u8(44)),
    Case(
        "aten::add.Tensor(%x0, %x1, 1)",
        (bools(True, False, False), bools(True, True, False)),
        bools(True, True, False),
    ),
    Case("aten::add.Tensor(%x0, %x1, 1)", (bools(True, False), i64(2, 3)), i64(3, 3)),
    Case("aten::add.Tensor(%x0, %x1, 1)", (i8(100), u8(200)), np.array([300], np.int16)),
    Case("aten::add.Tensor(%x0, 1.5, 1)", (i64(1, 2),), f32(2.5, 3.5)),
    Case("aten::add.Tensor(%x0, 1.5, 1)", (f16(1, 2),), f16(2.5, 3.5)),
    Case("aten::add.Tensor(%x0, 0.1, 1)", (f64(1, 2),), f64(1.1, 2.1)),
    Case("aten::add.Tensor(%x0, %x1, 1)", (f16(1, 2), scalar(f64(0.5))), f16(1.5, 2.5)),
    Case("aten::add.Tensor(%x0, %x1, 1)", (i32(1, 2), scalar(i64(5))), i32(6, 7)),
    Case("aten::add.Tensor(%x0, %x1, 1)", (i32(1, 2), scalar(f64(0.5))), f64(1.5, 2.5)),
    Case("aten::add.Scalar(%x0, 1, 3)", (i64(1),), i64(4)),
    Case("aten::add.Scalar(%x0, True, 1)", (bools(False, True),), bools(True, True)),
    Case("aten::sub.Tensor(%x0, %x1, 0.5)", (A, B), f32(-8.5, -1.5, 2.25, INF)),
    Case("aten::sub.Tensor(%x0, %x1, 1)", (u8(1), u8(2)), u8(255)),
    Case("aten::rsub.Scalar(%x0, 1.0, 1)", (f32(0.25, 3),), f32(0.75, -2)),
    Case("aten::rsub.Tensor(%x0, %x1, 2)", (i64(1, 2), i64(10, 20)), i64(8, 16)),
    Case("aten::mul.Tensor(%x0, %x1)", (A, B), f32(-15, -0.0, -1, INF)),
    Case("aten::mul.Tensor(%x0, %x1)", (i8(100), i8(3)), i8(44)),
    Case("aten::mul.Tensor(%x0, %x1)", (bools(True, True), bools(True, False)), bools(True, False)),
    Case("aten::mul.Scalar(%x0, 2)", (f16(1.5),), f16(3)),
    Case("aten::mul.Scalar(%x0, 9223372036854775807)", (i64(2),), i64(-2)),
    Case("aten::div.Tensor(%x0, %x1)", (i64(7, -7, 0), i64(2, 2, 5)), f32(3.5, -3.5, 0)),
    Case("aten::div.Tensor(%x0, %x1)", (f32(1, -1, 0), f32(0, 0, 0)), f32(INF, -INF, NAN)),
    Case("aten::div.Scalar(%x0, 3)", (f64(1, 2),), f64(1 / 3, 2 / 3)),
    Case("aten::true_divide.Tensor(%x0, %x1)", (bools(True), i8(4)), f32(0.25)),
    Case(
        'aten::div.Tensor_mode(%x0, %x1, "floor")',
        (i64(7, -7, 7, -7, 6), i64(2, 2, -2, -2, 3)),
        i64(3, -4, -4, 3, 2),
    ),
    Case(
        'aten::div.Tensor_mode(%x0, %x1, "trunc")', (i64(7, -7, 7, -7), i64(2, 2, -2, -2)), i64(3, -3, -3, 3)
    ),
    Case('aten::div.Tensor_mode(%x0, %x1, "trunc")', (i8(-128, 127), i8(-1, 2)), i8(-128, 63)),
    Case('aten::div.Tensor_mode(%x0, %x1, "floor")', (u8(200, 7), u8(3, 8)), u8(66, 0)),
    Case('aten::div.Tensor_mode(%x0, %x1, "trunc")', (f32(-7.5, 7.5, INF), f32(2, 2, 2)), f32(-3, 3, INF)),
    Case("aten::div.Tensor_mode(%x0, %x1, None)", (i32(7), i32(2)), f32(3.5)),
    Case('aten::div.Scalar_mode(%x0, 2, "floor")', (i32(-7, 7),), i32(-4, 3)),
    Case(
        'aten::div.Tensor_mode(%x0, %x1, "floor")',
        (f32(-7.5, 7.5, 1, -1, 0, 6), f32(2, -2, 0, 0, 0, 0.1)),
        f32(-4, -4, INF, -INF, NAN, 59),
        lowest=10,
    ),
    Case("aten::floor_divide(%x0, %x1)", (f64(-1, 1, 5), f64(3, -3, INF)), f64(-1, -1, 0), lowest=10),
    Case("aten::floor_divide(%x0, %x1)", (i32(-1, 1), i64(3, -3)), i64(-1, -1)),
    Case(
        "aten::remainder.Tensor(%x0, %x1)", (i64(7, -7, 7, -7, 6), i64(3, 3, -3, -3, 3)), i64(1, 2, -2, -1, 0)
    ),
    Case("aten::remainder.Tensor(%x0, %x1)", (i8(7, -7), i8(4, 4)), i8(3, 1)),
    Case(
        "aten::remainder.Tensor(%x0, %x1)",
        (f32(7.5, -7.5, 7.5, -7.5, 1), f32(2, 2, -2, -2, 0)),
        f32(1.5, 0.5, -0.5, -1.5, NAN),
        lowest=10,
    ),
    Case("aten::remainder.Scalar(%x0, 3)", (i32(-1, 4),), i32(2, 1)),
    Case("aten::remainder.Scalar_Tensor(7, %x0)", (i64(-3, 5),), i64(-2, 2)),
    Case("aten::fmod.Tensor(%x0, %x1)", (i64(7, -7, 7, -7), i64(3, 3, -3, -3)), i64(1, -1, 1, -1)),
    Case("aten::fmod.Tensor(%x0, %x1)", (f64(-7.5, 7.5), f64(2, -2)), f64(-1.5, 1.5), lowest=10),
    Case("aten::fmod.Scalar(%x0, 2.5)", (f32(-6, 6),), f32(-1, 1), lowest=10),
    Case("aten::addcmul(%x0, %x1, %x2, 2)", (f32(1), f32(2, 3), f32(4, 5)), f32(17, 31)),
    Case("aten::addcmul(%x0, %x1, %x2, 3)", (i64(1), i64(2), i64(4)), i64(25)),
    Case("aten::addcdiv(%x0, %x1, %x2, 0.5)", (f32(1, 1), f32(2, 1), f32(4, 0)), f32(1.25, INF)),
    Case("aten::lerp.Scalar(%x0, %x1, 0.25)", (f32(0, 10), f32(4, 20)), f32(1, 12.5)),
    Case("aten::lerp.Tensor(%x0, %x1, %x2)", (f32(0.1, 10), f32(4.7, 20), f32(1, 0)), f32(4.7, 10)),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_values(case: Case, opset: int, check_call: Check, refused: type[Exception]) -> None:
    if opset >= case.lowest:
        check_call(case.call, case.inputs, case.expected, opset)
        return
    with pytest.raises(refused, match=f"exists from opset {case.lowest}"):
        check_call(case.call, case.inputs, case.expected, opset)


def test_an_unknown_rounding_is_refused(check_call: Check, refused: type[Exception]) -> None:
    with pytest.raises(refused, match="no rounding mode 'up'"):
        check_call('aten::div.Tensor_mode(%x0, %x1, "up")', (A, B), A, 13)


def test_dtypes_that_torch_does_not_promote_are_refused(check_call: Check, refused: type[Exception]) -> None:
    wide = np.array([1], np.uint16)
    with pytest.raises(refused, match="torch does not promote"):
        check_call("aten::add.Tensor(%x0, %x1, 1)", (wide, i32(1)), i32(2), 13)
