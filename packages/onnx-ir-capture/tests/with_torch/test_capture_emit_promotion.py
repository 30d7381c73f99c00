"""Type promotion against torch, for every pair of dtypes and every kind of operand."""

from __future__ import annotations

import itertools

import onnx_ir as ir
import pytest
import torch

from onnx_ir_capture.contracts import Target, Unsupported
from onnx_ir_capture.emit import Emitter, GraphFrame, promote, promote_dtypes, promoted_dtype, to_float_dtype

DTYPES = {
    torch.bool: ir.DataType.BOOL,
    torch.uint8: ir.DataType.UINT8,
    torch.uint16: ir.DataType.UINT16,
    torch.uint32: ir.DataType.UINT32,
    torch.uint64: ir.DataType.UINT64,
    torch.int8: ir.DataType.INT8,
    torch.int16: ir.DataType.INT16,
    torch.int32: ir.DataType.INT32,
    torch.int64: ir.DataType.INT64,
    torch.float16: ir.DataType.FLOAT16,
    torch.bfloat16: ir.DataType.BFLOAT16,
    torch.float32: ir.DataType.FLOAT,
    torch.float64: ir.DataType.DOUBLE,
    torch.complex64: ir.DataType.COMPLEX64,
    torch.complex128: ir.DataType.COMPLEX128,
}
WITHOUT_SQRT = (torch.uint16, torch.uint32, torch.uint64)
NUMBERS = (True, 3, 2.5, 1j)
SHAPES: tuple[tuple[int, ...], ...] = ((2,), ())
PAIRS = list(itertools.product(DTYPES, DTYPES))


def value(dtype: torch.dtype, shape: tuple[int, ...]) -> ir.Value:
    return ir.Value(name="x", type=ir.TensorType(DTYPES[dtype]), shape=ir.Shape(shape))


def tensor(dtype: torch.dtype, shape: tuple[int, ...]) -> torch.Tensor:
    return torch.zeros(shape, dtype=dtype)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_pairs_of_dtypes(first: torch.dtype, second: torch.dtype) -> None:
    try:
        expected = torch.promote_types(first, second)
    except RuntimeError:
        with pytest.raises(Unsupported, match="torch does not promote"):
            promote_dtypes([DTYPES[first], DTYPES[second]])
        return
    assert promote_dtypes([DTYPES[first], DTYPES[second]]) == DTYPES[expected]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_tensors_go_before_0d_tensors(first: torch.dtype, second: torch.dtype) -> None:
    for shapes in itertools.product(SHAPES, SHAPES):
        operands = value(first, shapes[0]), value(second, shapes[1])
        try:
            expected = torch.result_type(tensor(first, shapes[0]), tensor(second, shapes[1]))
        except RuntimeError:
            with pytest.raises(Unsupported, match="torch does not promote"):
                promoted_dtype(operands)
            continue
        if expected == torch.complex32:
            with pytest.raises(Unsupported, match="half precision"):
                promoted_dtype(operands)
            continue
        assert promoted_dtype(operands) == DTYPES[expected], shapes


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_change_the_kind_only(dtype: torch.dtype, number: complex) -> None:
    for shape in SHAPES:
        expected = torch.result_type(tensor(dtype, shape), number)
        if expected == torch.complex32:
            with pytest.raises(Unsupported, match="half precision"):
                promoted_dtype([value(dtype, shape), number])
            continue
        assert promoted_dtype([value(dtype, shape), number]) == DTYPES[expected], shape
        assert promoted_dtype([number, value(dtype, shape)]) == DTYPES[expected], shape


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype not in WITHOUT_SQRT])
def test_float_functions_of_integers_give_the_default_float(dtype: torch.dtype) -> None:
    assert to_float_dtype(DTYPES[dtype]) == DTYPES[torch.ones(1, dtype=dtype).sqrt().dtype]


@pytest.mark.parametrize(("dtype", "number"), [(torch.int8, 300), (torch.uint8, -1), (torch.int64, -(2**63))])
def test_a_python_int_wraps_as_in_torch(dtype: torch.dtype, number: int) -> None:
    op = Emitter(GraphFrame(ir.Graph([], [], nodes=[]), Target(20)))
    _, constant = promote(op, value(dtype, (2,)), number)
    assert constant.const_value is not None
    assert constant.const_value.numpy().item() == (torch.zeros((), dtype=dtype) + number).item()
