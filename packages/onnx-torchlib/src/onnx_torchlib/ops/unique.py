"""Elements without their repetitions, and how many there are of each."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    contained,
    counts_of_integers,
    distinct_elements,
    distinct_slices,
    histogram,
    promote,
    runs_of_equal,
)
from onnx_torchlib import Op, translator

__all__ = [
    "bincount",
    "histc",
    "isin",
    "isin_scalar",
    "scalar_isin",
    "unique",
    "unique_consecutive",
    "unique_dim",
]


@translator("aten::_unique2")
def unique(
    op: Op, self: Value, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Value, Value, Value]:
    """_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    return distinct_elements(op, self, return_inverse, return_counts)


@translator("aten::unique_dim")
def unique_dim(
    op: Op,
    self: Value,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Value, Value, Value]:
    """unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    return distinct_slices(op, self, dim)


@translator("aten::unique_consecutive")
def unique_consecutive(
    op: Op, self: Value, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Value, Value, Value]:
    """unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)"""
    return runs_of_equal(op, self, return_inverse, return_counts, dim)


@translator("aten::isin.Tensor_Tensor")
def isin(
    op: Op, elements: Value, test_elements: Value, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return contained(op, elements, test_elements, invert)


@translator("aten::isin.Tensor_Scalar")
def isin_scalar(
    op: Op, elements: Value, test_element: Scalar, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    equal = op.Equal(*promote(op, elements, test_element))
    return op.Not(equal) if invert else equal


@translator("aten::isin.Scalar_Tensor")
def scalar_isin(
    op: Op, element: Scalar, test_elements: Value, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return contained(op, element, test_elements, invert)


@translator("aten::bincount")
def bincount(op: Op, self: Value, weights: Value | None = None, minlength: SymInt = 0) -> Value:
    """bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"""
    return counts_of_integers(op, self, weights, minlength)


@translator("aten::histc")
def histc(op: Op, self: Value, bins: int = 100, min: Scalar = 0, max: Scalar = 0) -> Value:
    """histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"""
    return histogram(op, self, bins, min, max)
