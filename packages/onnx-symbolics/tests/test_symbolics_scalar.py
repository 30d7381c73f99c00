"""The room scalar: Python numbers computed from sizes and from tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import onnx
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Lower: TypeAlias = "Callable[[str, int], onnx.ModelProto]"
Run: TypeAlias = "Callable[[onnx.ModelProto, tuple[Array, ...]], list[Array]]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)

CASES = {
    "aten::add.int(%n, 1)": ("int", 6),
    "aten::floordiv.int(%m, 2)": ("int", -3),
    "aten::remainder.int(%m, 3)": ("int", 1),
    "aten::div.int(%n, 2)": ("float", 2.5),
    "aten::pow.int_to_int(%n, 3)": ("int", 125),
    "aten::neg.int(%n)": ("int", -5),
    "aten::eq.int(%n, 5)": ("bool", True),
    "aten::ne.int(%n, %m)": ("bool", True),
    "aten::lt.int(%n, %m)": ("bool", False),
    "aten::le.int_float(%n, 5.5)": ("bool", True),
    "aten::gt.int(%n, %m)": ("bool", True),
    "aten::ge.int(%m, %n)": ("bool", False),
    "prim::max.int(%n, 7)": ("int", 7),
    "prim::min.int(%n, %m)": ("int", -5),
    "prim::abs.int(%m)": ("int", 5),
    "aten::Float.Scalar(%n)": ("float", 5.0),
    "aten::sqrt.int(%n)": ("float", np.sqrt(5.0)),
    "aten::Bool.int(%m)": ("bool", True),
    "aten::Bool.int(0)": ("bool", False),
    "aten::len.Tensor(%x)": ("int", 5),
}


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("call", CASES)
def test_numbers(call: str, opset: int, lower_text: Lower, run_model: Run) -> None:
    kind, expected = CASES[call]
    text = (
        "torch dialect 1\ngraph g(%x: f32[n]) {\n"
        "  %n: int = aten::sym_size.int(%x, 0)\n  %m: int = aten::sub.int(0, %n)\n"
        f"  %y: {kind} = {call}\n  return %y\n}}\n"
    )
    (found,) = run_model(lower_text(text, opset), (np.ones(5, np.float32),))
    assert found.shape == ()
    assert found == expected


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([7], np.int32), "int"),
        (np.array(0.5, np.float32), "float"),
        (np.array([[True]]), "bool"),
    ],
    ids=str,
)
def test_the_element_of_a_tensor(
    array: Array, kind: str, opset: int, lower_text: Lower, run_model: Run
) -> None:
    short = {"int": "i32", "float": "f32", "bool": "b8"}[kind]
    shape = ", ".join("1" * array.ndim)
    text = (
        f"torch dialect 1\ngraph g(%x: {short}[{shape}]) {{\n  %y: {kind} = aten::item(%x)\n  return %y\n}}\n"
    )
    (found,) = run_model(lower_text(text, opset), (array,))
    assert found.shape == ()
    assert found.dtype == {"int": np.int64, "float": np.float64, "bool": np.bool_}[kind]
    assert found == array.ravel()[0]
