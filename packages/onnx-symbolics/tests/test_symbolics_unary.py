"""The rooms unary, power and trigonometry: functions of each element, at the edges of their range."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from onnx_ir_capture.emit import schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

OPSETS = (9, 13, 18, schemas.NEWEST_OPSET)
F = np.float32
X = np.array([0.0, 0.25, 1.5, 2.5, -0.75, -3.5, np.nan, np.inf, -np.inf], F)
POSITIVE = np.array([1e-6, 0.3, 1, 7.5], F)
TINY = np.array([1e-9, -1e-5, 0.5, -0.5], F)
SMALL = np.array([-0.9, -0.25, 0.5, 0.99], F)
INTS = np.array([-7, 0, 1, 3])
TRUTH = np.array([True, False])
Y = np.array([0.0, -0.0, 1, -1, np.inf, -2], F)
Z = np.array([-0.0, 2, -1, -3, -np.inf, 0], F)

CASES = [
    ("aten::abs(%x0)", (X,), np.abs(X)),
    ("aten::neg(%x0)", (INTS,), -INTS),
    ("aten::exp(%x0)", (INTS,), np.exp(INTS.astype(F))),
    ("aten::exp2(%x0)", (SMALL,), np.exp2(SMALL)),
    ("aten::expm1(%x0)", (TINY,), np.expm1(TINY)),
    ("aten::log(%x0)", (POSITIVE,), np.log(POSITIVE)),
    ("aten::log2(%x0)", (POSITIVE,), np.log2(POSITIVE)),
    ("aten::log10(%x0)", (POSITIVE,), np.log10(POSITIVE)),
    ("aten::log1p(%x0)", (TINY,), np.log1p(TINY)),
    ("aten::sqrt(%x0)", (POSITIVE,), np.sqrt(POSITIVE)),
    ("aten::rsqrt(%x0)", (POSITIVE,), 1 / np.sqrt(POSITIVE)),
    ("aten::reciprocal(%x0)", (INTS[2:],), (1 / INTS[2:]).astype(F)),
    ("aten::square(%x0)", (TRUTH,), np.array([1, 0])),
    ("aten::deg2rad(%x0)", (X,), np.deg2rad(X)),
    ("aten::sigmoid(%x0)", (INTS,), (1 / (1 + np.exp(-INTS))).astype(F)),
    ("aten::erf(%x0)", (X[:6],), np.array([math.erf(x) for x in X[:6]], F)),
    ("aten::floor(%x0)", (X,), np.floor(X)),
    ("aten::ceil(%x0)", (INTS,), INTS),
    ("aten::trunc(%x0)", (X,), np.trunc(X)),
    ("aten::frac(%x0)", (X[:6],), X[:6] - np.trunc(X[:6])),
    ("aten::round(%x0)", (X,), np.round(X)),
    ("aten::round.decimals(%x0, 1)", (X,), np.round(X * F(10)) / F(10)),
    ("aten::sign(%x0)", (X,), np.where(np.isnan(X), F(0), np.sign(X))),
    ("aten::sign(%x0)", (INTS,), np.sign(INTS)),
    ("aten::isnan(%x0)", (X,), np.isnan(X)),
    ("aten::isinf(%x0)", (X.astype(np.float64),), np.isinf(X)),
    ("aten::isinf(%x0)", (X.astype(np.float16),), np.isinf(X)),
    ("aten::isfinite(%x0)", (X,), np.isfinite(X)),
    ("aten::isfinite(%x0)", (INTS,), np.ones(4, bool)),
    ("aten::nan_to_num(%x0, 1.0, None, -2.0)", (X,), np.nan_to_num(X, nan=1, neginf=-2)),
    ("aten::logical_not(%x0)", (X,), X == 0),
    ("aten::pow.Tensor_Scalar(%x0, 2)", (X,), X**2),
    ("aten::pow.Tensor_Scalar(%x0, 3)", (INTS,), INTS**3),
    ("aten::pow.Tensor_Scalar(%x0, 0)", (INTS,), np.ones_like(INTS)),
    ("aten::pow.Tensor_Scalar(%x0, 0.5)", (INTS[1:],), np.sqrt(INTS[1:].astype(F))),
    ("aten::pow.Tensor_Scalar(%x0, -1)", (POSITIVE,), 1 / POSITIVE),
    ("aten::pow.Tensor_Tensor(%x0, %x1)", (INTS, np.array([3, 0, 63, 13])), INTS ** np.array([3, 0, 63, 13])),
    ("aten::pow.Scalar(2, %x0)", (SMALL,), np.exp2(SMALL)),
    ("aten::float_power.Tensor_Scalar(%x0, 2)", (INTS,), INTS.astype(np.float64) ** 2),
    ("aten::sin(%x0)", (X[:6],), np.sin(X[:6])),
    ("aten::cos(%x0)", (INTS,), np.cos(INTS.astype(F))),
    ("aten::tan(%x0)", (SMALL.astype(np.float64),), np.tan(SMALL.astype(np.float64))),
    ("aten::asin(%x0)", (SMALL,), np.arcsin(SMALL)),
    ("aten::acos(%x0)", (SMALL,), np.arccos(SMALL)),
    ("aten::atan(%x0)", (X[:6],), np.arctan(X[:6])),
    ("aten::sinh(%x0)", (SMALL,), np.sinh(SMALL)),
    ("aten::cosh(%x0)", (SMALL,), np.cosh(SMALL)),
    ("aten::tanh(%x0)", (X,), np.tanh(X)),
    ("aten::asinh(%x0)", (SMALL,), np.arcsinh(SMALL)),
    ("aten::acosh(%x0)", (SMALL + 2,), np.arccosh(SMALL + 2)),
    ("aten::atanh(%x0)", (SMALL,), np.arctanh(SMALL)),
    ("aten::atan2(%x0, %x1)", (Y, Z), np.arctan2(Y, Z)),
]


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("call", "inputs", "expected"), CASES, ids=[case[0][6:] for case in CASES])
def test_values(call: str, inputs: tuple[Array, ...], expected: Array, opset: int, check_call: Check) -> None:
    check_call(call, inputs, np.asarray(expected), opset)
