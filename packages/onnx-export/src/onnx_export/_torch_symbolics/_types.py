"""Types of ONNX values as TorchScript has them, and back."""

from __future__ import annotations

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_ir_capture.torchscript import SCRIPT_DTYPES

__all__ = ["complete_shape", "dtype_in_torch", "number_of_dtype", "script_type", "shape_of_type"]

_CPU = torch.device("cpu")


def dtype_in_torch(dtype: ir.DataType | None) -> torch.dtype | None:
    """Torch's dtype, or None for one that is not known, or that torch has not."""
    if dtype is None or dtype == ir.DataType.UNDEFINED:
        return None
    try:
        return tensor_adapters.to_torch_dtype(dtype)
    except (TypeError, ValueError):
        return None


def number_of_dtype(dtype: ir.DataType) -> int:
    """The number that stands for a dtype in a TorchScript graph."""
    return SCRIPT_DTYPES.index(str(tensor_adapters.to_torch_dtype(dtype)).removeprefix("torch."))


def script_type(dtype: ir.DataType | None, shape: ir.Shape | None) -> torch._C.JitType:
    """A tensor's type; with all sizes known it is a complete one, contiguous and on the CPU."""
    known = dtype_in_torch(dtype)
    sizes = None if shape is None else [size if isinstance(size, int) else None for size in shape]
    whole = complete_shape(sizes)
    if known is not None and whole is not None:
        example = torch.empty(whole, dtype=known, device="meta")
        return _on_cpu(torch._C.TensorType.create_from_tensor(example))
    kind = _on_cpu(torch._C.TensorType.get())
    if known is not None:
        kind = kind.with_dtype(known)
    return kind if sizes is None else kind.with_sizes(sizes)


def complete_shape(sizes: list[int | None] | None) -> list[int] | None:
    """The sizes, if all of them are known."""
    if sizes is None:
        return None
    known = [size for size in sizes if size is not None]
    return known if len(known) == len(sizes) else None


def shape_of_type(kind: torch._C.JitType) -> tuple[ir.DataType | None, ir.Shape | None]:
    """What a tensor's type tells."""
    if not isinstance(kind, torch._C.TensorType):
        return None, None
    dtype, sizes = kind.dtype(), kind.varyingSizes()
    return (
        None if dtype is None else tensor_adapters.from_torch_dtype(dtype),
        None if sizes is None else ir.Shape(sizes),
    )


def _on_cpu(kind: torch._C.TensorType) -> torch._C.JitType:
    move: object = getattr(kind, "with_device", None)
    moved: object = move(_CPU) if callable(move) else kind
    return moved if isinstance(moved, torch._C.TensorType) else kind
