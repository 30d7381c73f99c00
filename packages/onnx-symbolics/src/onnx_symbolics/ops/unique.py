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
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::_unique2", since=11)
def unique(
    g: SymbolicContext,
    self: Value,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Value, Value, Value]:
    """_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    return distinct_elements(g, self, return_inverse, return_counts)


@symbolic("aten::unique_dim", since=11)
def unique_dim(
    g: SymbolicContext,
    self: Value,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Value, Value, Value]:
    """unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    return distinct_slices(g, self, dim)


@symbolic("aten::unique_consecutive", since=11)
def unique_consecutive(
    g: SymbolicContext,
    self: Value,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[Value, Value, Value]:
    """unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)"""
    return runs_of_equal(g, self, return_inverse, return_counts, dim)


@symbolic("aten::isin.Tensor_Tensor")
def isin(
    g: SymbolicContext,
    elements: Value,
    test_elements: Value,
    assume_unique: bool = False,
    invert: bool = False,
) -> Value:
    """isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return contained(g, elements, test_elements, invert)


@symbolic("aten::isin.Tensor_Scalar")
def isin_scalar(
    g: SymbolicContext,
    elements: Value,
    test_element: Scalar,
    assume_unique: bool = False,
    invert: bool = False,
) -> Value:
    """isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    equal = g.Equal(*promote(g, elements, test_element))
    return g.Not(equal) if invert else equal


@symbolic("aten::isin.Scalar_Tensor")
def scalar_isin(
    g: SymbolicContext,
    element: Scalar,
    test_elements: Value,
    assume_unique: bool = False,
    invert: bool = False,
) -> Value:
    """isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return contained(g, element, test_elements, invert)


@symbolic("aten::bincount", since=16)
def bincount(g: SymbolicContext, self: Value, weights: Value | None = None, minlength: SymInt = 0) -> Value:
    """bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"""
    return counts_of_integers(g, self, weights, minlength)


@symbolic("aten::histc", since=16)
def histc(g: SymbolicContext, self: Value, bins: int = 100, min: Scalar = 0, max: Scalar = 0) -> Value:
    """histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"""
    return histogram(g, self, bins, min, max)
