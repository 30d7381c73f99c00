"""The bytes of a tensor, in pieces that need no copy of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt
import onnx_ir as ir
import torch
from onnx_ir.tensor_adapters import TorchTensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from onnx_diagnostics import ExporterInternalError

__all__ = [
    "ByteSink",
    "SeekableSink",
    "UnreadableTensorError",
    "in_memory",
    "share_key",
    "unreadable",
    "write_tensor",
]

_PIECE_BYTES = 4 * 2**20
_BITS_PER_BYTE = 8


class ByteSink(Protocol):
    """What can be written to: a binary file, a buffer."""

    def write(self, data: memoryview, /) -> object:
        """Take the bytes, all of them."""
        ...


class SeekableSink(ByteSink, Protocol):
    """What can be written to at any place: a binary file."""

    def seek(self, offset: int, /) -> int:
        """Go to an offset from the start."""
        ...


class UnreadableTensorError(Exception):
    """A tensor has no bytes to write; the text names it and says why."""


def write_tensor(tensor: ir.TensorProtocol, sink: ByteSink, *, piece_bytes: int = _PIECE_BYTES) -> None:
    """Write the bytes of a tensor as `raw_data` of an ONNX TensorProto holds them.

    A contiguous torch or NumPy tensor is written from its own memory. Of one that is not contiguous, or not
    on the CPU, no more than a piece is copied at a time; a lazy tensor lives only as long as it is written.
    (onnx_ir's own `tofile` copies a tensor that is not contiguous whole, and reads an address that a tensor
    subclass reports.)

    Args:
        tensor: any tensor but one of strings.
        sink: where to.
        piece_bytes: up to how many bytes are copied at a time.

    Raises:
        UnreadableTensorError: a lazy tensor turned out to have no bytes.
        ExporterInternalError: a lazy tensor is not what it promised to be.
    """
    if tensor.size == 0:
        return
    written = 0
    for piece in _pieces(tensor, piece_bytes):
        sink.write(piece)
        written += piece.nbytes
    if written != tensor.nbytes:
        raise ExporterInternalError(f"initializer {tensor.name!r} has {written} bytes, not {tensor.nbytes}")


def in_memory(tensor: ir.TensorProtocol) -> ir.TensorProtocol:
    """Return a tensor of the same content that serializes as its bytes, wherever they lie now."""
    return ir.Tensor(tensor.numpy(), dtype=tensor.dtype, name=tensor.name, doc_string=tensor.doc_string)


def unreadable(tensor: ir.TensorProtocol | None) -> str | None:
    """Say why a tensor has no bytes to write; None if it has.

    Lazy tensors are not evaluated for it.
    """
    if tensor is None:
        return "no value"
    if not isinstance(tensor, TorchTensor):
        return None
    raw = _raw(tensor)
    if isinstance(raw, FakeTensor):
        return "a fake tensor"
    if raw.is_meta:
        return "on the meta device"
    if raw.layout is not torch.strided:
        return f"of layout {raw.layout}"
    is_wrapper: bool = is_traceable_wrapper_subclass(raw)
    return f"a {type(raw).__name__}" if is_wrapper else None


def share_key(tensor: ir.TensorProtocol) -> tuple[object, ...]:
    """Return a key that two tensors have in common only if their bytes are the same memory."""
    if not isinstance(tensor, TorchTensor):
        return (id(tensor),)
    raw = _raw(tensor)
    return raw.device, raw.dtype, raw.data_ptr(), tuple(raw.shape), raw.stride(), raw.is_conj(), raw.is_neg()


def _raw(tensor: TorchTensor) -> torch.Tensor:
    raw: object = tensor.raw
    if isinstance(raw, torch.Tensor):
        return raw
    raise TypeError(f"TorchTensor {tensor.name!r} holds a {type(raw).__name__}")


def _evaluated(lazy: ir.LazyTensor) -> ir.TensorProtocol:
    tensor = lazy.raw()
    fault = unreadable(tensor)
    if fault is not None:
        raise UnreadableTensorError(f"{lazy.name} ({fault})")
    if tensor.dtype != lazy.dtype:
        raise ExporterInternalError(f"initializer {lazy.name!r} is of {tensor.dtype}, not {lazy.dtype}")
    return tensor


def _pieces(tensor: ir.TensorProtocol, limit: int) -> Iterator[memoryview]:
    if isinstance(tensor, ir.LazyTensor):
        # Not through tobytes(): a lazy tensor that caches would stay in memory until the model dies.
        yield from _pieces(_evaluated(tensor), limit)
    elif isinstance(tensor, TorchTensor):
        yield from _torch_pieces(_raw(tensor).detach(), limit)
    elif isinstance(tensor, ir.Tensor) and tensor.dtype.bitwidth >= _BITS_PER_BYTE:
        yield _memory(np.ascontiguousarray(tensor.numpy()))
    elif isinstance(tensor, ir.ExternalTensor) and tensor.dtype.bitwidth >= _BITS_PER_BYTE:
        # Mapped, so that only the pages being written are in memory.
        yield _memory(tensor.numpy())
    else:
        yield memoryview(tensor.tobytes())


def _torch_pieces(tensor: torch.Tensor, limit: int) -> Iterator[memoryview]:
    in_place = (
        tensor.device.type == "cpu" and tensor.is_contiguous() and not (tensor.is_conj() or tensor.is_neg())
    )
    if in_place or tensor.nbytes <= limit or tensor.dim() == 0:
        plain = tensor.resolve_conj().resolve_neg().cpu().contiguous()
        # Not reshape(-1): a dimension of size 1 may have any stride, with which view(dtype) refuses to work.
        yield _memory(plain.as_strided((plain.numel(),), (1,)).view(torch.uint8).numpy())
    elif tensor.shape[0] == 1:
        yield from _torch_pieces(tensor[0], limit)
    else:
        rows = max(1, limit * tensor.shape[0] // tensor.nbytes)
        for part in tensor.split(rows):
            yield from _torch_pieces(part, limit)


def _memory(array: npt.NDArray[np.generic]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
