"""Constants and weights of the dialect as the objects that ``torch.ops`` takes."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters
from torch._subclasses import FakeTensor, FakeTensorMode

from onnx_ir_capture.dialect import ConstantValue, Device, Layout, MemoryFormat, TorchDType

__all__ = ["adopt", "is_plain_strided", "torch_constant", "torch_dtype", "weight_tensor"]

# numpy knows these only through ml_dtypes, whose arrays torch does not read: the bits go over as integers.
_BY_BITS: dict[ir.DataType, tuple[type[np.generic], torch.dtype]] = {
    ir.DataType.BFLOAT16: (np.uint16, torch.bfloat16),
    ir.DataType.FLOAT8E4M3FN: (np.uint8, torch.float8_e4m3fn),
    ir.DataType.FLOAT8E4M3FNUZ: (np.uint8, torch.float8_e4m3fnuz),
    ir.DataType.FLOAT8E5M2: (np.uint8, torch.float8_e5m2),
    ir.DataType.FLOAT8E5M2FNUZ: (np.uint8, torch.float8_e5m2fnuz),
    ir.DataType.FLOAT8E8M0: (np.uint8, torch.float8_e8m0fnu),
}

# Two or more values share a byte, or there are no numbers at all: no torch tensor holds the same.
_WITHOUT_TENSOR = frozenset(
    {
        ir.DataType.UNDEFINED,
        ir.DataType.STRING,
        ir.DataType.INT4,
        ir.DataType.UINT4,
        ir.DataType.INT2,
        ir.DataType.UINT2,
        ir.DataType.FLOAT4E2M1,
    }
)


def torch_constant(value: ConstantValue) -> object:
    """The object that ``torch.ops`` takes for a constant; numbers, strings and None are themselves.

    Raises:
        ValueError: this torch has no dtype, layout or memory format of that name.
    """
    if isinstance(value, Device):
        return torch.device(value.name)
    if not isinstance(value, TorchDType | Layout | MemoryFormat):
        return value
    found: object = getattr(torch, value.name, None)
    if not isinstance(found, torch.dtype | torch.layout | torch.memory_format):
        raise ValueError(f"torch {torch.__version__} has no {type(value).__name__} {value.name!r}")
    return found


def weight_tensor(weight: ir.TensorProtocol) -> torch.Tensor:
    """The weight as a torch tensor, of the same memory wherever that can be had.

    Raises:
        TypeError: torch has no such element type.
    """
    raw: object = getattr(weight, "raw", None)
    if isinstance(raw, torch.Tensor):
        return raw
    if weight.dtype in _WITHOUT_TENSOR:
        raise TypeError(f"weight {weight.name!r} holds {weight.dtype.name}, which no torch tensor does")
    array = np.asarray(weight.numpy())
    if not array.flags.writeable:
        # A torch tensor cannot be marked read-only, and a write through it would be undefined behaviour.
        array = array.copy()
    if weight.dtype in _BY_BITS:
        bits, dtype = _BY_BITS[weight.dtype]
        return torch.from_numpy(array.view(bits)).view(dtype)
    return torch.from_numpy(array)


def adopt(value: object, mode: FakeTensorMode | None, name: str) -> object:
    """``value`` as a run under ``mode`` needs it: a real tensor becomes a fake one there.

    Raises:
        ValueError: a fake tensor stands among real ones, and has no values to compute with; ``name`` says
            which one.
    """
    if not isinstance(value, torch.Tensor):
        return value
    if mode is None:
        if isinstance(value, FakeTensor):
            raise ValueError(f"{name!r} is a fake tensor without values, and the inputs are real")
        return value
    return value if isinstance(value, FakeTensor) else mode.from_tensor(value, static_shapes=True)


def is_plain_strided(tensor: torch.Tensor) -> bool:
    """Whether the tensor is nothing but a dtype, sizes and strides over a storage."""
    ordinary = type(tensor) in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
    return ordinary and tensor.layout == torch.strided and not tensor.is_quantized


def torch_dtype(dtype: ir.DataType) -> torch.dtype:
    """The torch dtype with the same values as an ONNX element type.

    Raises:
        TypeError: torch has none.
    """
    return tensor_adapters.to_torch_dtype(dtype)
