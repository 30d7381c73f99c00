"""Torch's dtypes by those of ONNX."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir

from onnx_ir_capture.dialect import TorchDType
from onnx_jitpasses._words import words

__all__ = ["TORCH_DTYPES"]

TORCH_DTYPES: Mapping[ir.DataType, TorchDType] = {
    TorchDType(name).onnx: TorchDType(name)
    for name in words(
        """
        bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128
        """
    )
}
"""The dtypes that tensors are computed in."""
