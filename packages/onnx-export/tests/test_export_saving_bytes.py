"""The bytes of every kind of tensor, and what is copied for them."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np
import onnx_ir as ir
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from onnx_ir.tensor_adapters import TorchTensor
from torch._subclasses.fake_tensor import FakeTensorMode

from onnx_diagnostics import ExporterInternalError
from onnx_export._tensor_bytes import UnreadableTensorError, share_key, unreadable, write_tensor


class Pieces:
    """A sink that keeps what it is given, not a copy of it."""

    def __init__(self) -> None:
        self.pieces: list[memoryview] = []

    def write(self, data: memoryview, /) -> None:
        self.pieces.append(data)

    @property
    def joined(self) -> bytes:
        return b"".join(self.pieces)


def written(tensor: ir.TensorProtocol) -> bytes:
    sink = Pieces()
    write_tensor(tensor, sink)
    return sink.joined


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float32,
        torch.float64,
        torch.float16,
        torch.bfloat16,
        torch.float8_e4m3fn,
        torch.float8_e4m3fnuz,
        torch.float8_e5m2,
        torch.float8_e5m2fnuz,
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.uint16,
        torch.int32,
        torch.int64,
        torch.uint64,
        torch.complex64,
        torch.complex128,
    ],
    ids=str,
)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (7,), (2, 3, 5)], ids=str)
def test_every_dtype_as_it_lies_in_memory(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = (torch.arange(int(np.prod(shape))) % 2).reshape(shape).to(dtype)
    storage = bytes(tensor.untyped_storage().tolist())
    assert written(TorchTensor(tensor)) == storage


@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    order=st.randoms(use_true_random=False),
    step=st.integers(1, 2),
    piece_bytes=st.integers(1, 64),
)
def test_any_strides_in_pieces_of_any_size(
    sizes: list[int], order: random.Random, step: int, piece_bytes: int
) -> None:
    axes = list(range(len(sizes)))
    order.shuffle(axes)
    tensor = torch.arange(int(np.prod(sizes)), dtype=torch.int32).reshape(sizes).permute(axes)[::step]
    sink = Pieces()
    write_tensor(TorchTensor(tensor), sink, piece_bytes=piece_bytes)
    assert sink.joined == tensor.contiguous().numpy().tobytes()
    copied = [piece for piece in sink.pieces if not np.shares_memory(np.asarray(piece), tensor.numpy())]
    assert all(piece.nbytes <= max(piece_bytes, tensor.element_size()) for piece in copied)


def test_a_contiguous_tensor_is_not_copied() -> None:
    tensor = torch.nn.Parameter(torch.arange(1000.0))
    sink = Pieces()
    write_tensor(TorchTensor(tensor), sink, piece_bytes=16)
    [piece] = sink.pieces
    assert np.shares_memory(np.asarray(piece), tensor.detach().numpy())


def test_a_contiguous_array_is_not_copied() -> None:
    array = np.arange(1000.0)
    sink = Pieces()
    write_tensor(ir.tensor(array), sink)
    [piece] = sink.pieces
    assert np.shares_memory(np.asarray(piece), array)


def test_expanded_tensor() -> None:
    assert written(TorchTensor(torch.tensor([1.5]).expand(4))) == np.full(4, 1.5, np.float32).tobytes()


def test_lazily_conjugated_and_negated_tensors() -> None:
    tensor = torch.tensor([1 + 2j, 3 - 4j], dtype=torch.complex64)
    assert written(TorchTensor(tensor.conj())) == np.conj(tensor.numpy()).tobytes()
    assert written(TorchTensor(tensor.conj().imag)) == (-tensor.numpy().imag).tobytes()


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.bool_], ids=str)
def test_arrays(dtype: np.dtype[np.generic]) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype).T
    assert written(ir.Tensor(array)) == np.ascontiguousarray(array).tobytes()


def test_four_bit_array_is_packed() -> None:
    tensor = ir.tensor(np.array([1, 2, 3], dtype=ml_dtypes.int4))
    assert written(tensor) == bytes([0x21, 0x03])


def test_lazy_tensor_is_not_kept() -> None:
    made: list[int] = []

    def make() -> ir.TensorProtocol:
        made.append(1)
        return ir.tensor([1.0, 2.0], dtype=ir.DataType.FLOAT)

    lazy = ir.LazyTensor(make, ir.DataType.FLOAT, ir.Shape([2]), cache=True, name="w")
    assert written(lazy) == np.array([1, 2], np.float32).tobytes()
    assert written(lazy) == np.array([1, 2], np.float32).tobytes()
    assert len(made) == 2


def test_lazy_tensor_that_breaks_its_promise() -> None:
    def make() -> ir.TensorProtocol:
        return ir.tensor([1.0, 2.0], dtype=ir.DataType.FLOAT)

    with pytest.raises(ExporterInternalError, match=r"'w' has 8 bytes, not 12"):
        written(ir.LazyTensor(make, ir.DataType.FLOAT, ir.Shape([3]), name="w"))
    with pytest.raises(ExporterInternalError, match=r"'w' is of FLOAT, not INT32"):
        written(ir.LazyTensor(make, ir.DataType.INT32, ir.Shape([2]), name="w"))


def test_lazy_tensor_over_a_meta_tensor() -> None:
    def make() -> ir.TensorProtocol:
        return TorchTensor(torch.empty(2, device="meta"))

    with pytest.raises(UnreadableTensorError, match=r"w \(on the meta device\)"):
        written(ir.LazyTensor(make, ir.DataType.FLOAT, ir.Shape([2]), name="w"))


def test_why_a_tensor_has_no_bytes() -> None:
    with FakeTensorMode():
        fake = torch.empty(2)
    assert unreadable(None) == "no value"
    assert unreadable(TorchTensor(fake)) == "a fake tensor"
    assert unreadable(TorchTensor(torch.empty(2, device="meta"))) == "on the meta device"
    assert unreadable(TorchTensor(torch.nn.Parameter(torch.empty(2)))) is None
    assert unreadable(ir.tensor([1.0])) is None


def test_tied_means_same_memory_seen_the_same_way() -> None:
    tensor = torch.arange(6.0).reshape(2, 3)
    key = share_key(TorchTensor(tensor))
    assert key == share_key(TorchTensor(torch.nn.Parameter(tensor)))
    for other in (tensor.clone(), tensor.reshape(3, 2), tensor[:1], tensor.view(torch.int32)):
        assert key != share_key(TorchTensor(other))
