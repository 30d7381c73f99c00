"""Systems of linear equations, inverses and factors: by elimination, one column a step.

Torch solves matrices of float32 and float64. What it raises for, a matrix that is singular or not positive
definite, gives NaN or infinities here.
"""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    cholesky_factor,
    cholesky_factor_with_place,
    inverse_by_cholesky_factor,
    inverse_of,
    inverse_with_place,
    sign_and_log_of_determinant,
    solution_by_cholesky_factor,
    solution_of,
    tensor_inverse,
    triangular_solution,
    triangular_solution_and_matrices,
)
from onnx_torchlib import Op, translator

__all__ = [
    "cholesky_inverse",
    "cholesky_solve",
    "linalg_cholesky",
    "linalg_cholesky_ex",
    "linalg_inv",
    "linalg_inv_ex",
    "linalg_slogdet",
    "linalg_solve",
    "linalg_solve_triangular",
    "linalg_tensorinv",
    "triangular_solve",
]


@translator("aten::linalg_inv", "aten::inverse")
def linalg_inv(op: Op, A: Value) -> Value:
    """linalg_inv(Tensor A) -> Tensor"""
    return inverse_of(op, A)


@translator("aten::linalg_inv_ex")
def linalg_inv_ex(op: Op, A: Value, check_errors: bool = False) -> tuple[Value, Value]:
    """linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"""
    return inverse_with_place(op, A)


@translator("aten::linalg_tensorinv")
def linalg_tensorinv(op: Op, self: Value, ind: int = 2) -> Value:
    """linalg_tensorinv(Tensor self, int ind=2) -> Tensor"""
    return tensor_inverse(op, self, ind)


@translator("aten::linalg_solve")
def linalg_solve(op: Op, A: Value, B: Value, left: bool = True) -> Value:
    """linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"""
    return solution_of(op, A, B, left)


@translator("aten::linalg_slogdet", "aten::slogdet")
def linalg_slogdet(op: Op, A: Value) -> tuple[Value, Value]:
    """linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)"""
    return sign_and_log_of_determinant(op, A)


@translator("aten::linalg_solve_triangular")
def linalg_solve_triangular(
    op: Op, self: Value, B: Value, upper: bool, left: bool = True, unitriangular: bool = False
) -> Value:
    """linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor"""
    return triangular_solution(op, self, B, upper, left, unitriangular)


@translator("aten::triangular_solve")
def triangular_solve(
    op: Op, self: Value, A: Value, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Value, Value]:
    """triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"""
    return triangular_solution_and_matrices(op, self, A, upper, transpose, unitriangular)


@translator("aten::linalg_cholesky", "aten::cholesky")
def linalg_cholesky(op: Op, self: Value, upper: bool = False) -> Value:
    """linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"""
    return cholesky_factor(op, self, upper)


@translator("aten::linalg_cholesky_ex")
def linalg_cholesky_ex(
    op: Op, self: Value, upper: bool = False, check_errors: bool = False
) -> tuple[Value, Value]:
    """linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"""
    return cholesky_factor_with_place(op, self, upper)


@translator("aten::cholesky_solve")
def cholesky_solve(op: Op, self: Value, input2: Value, upper: bool = False) -> Value:
    """cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"""
    return solution_by_cholesky_factor(op, self, input2, upper)


@translator("aten::cholesky_inverse")
def cholesky_inverse(op: Op, self: Value, upper: bool = False) -> Value:
    """cholesky_inverse(Tensor self, bool upper=False) -> Tensor"""
    return inverse_by_cholesky_factor(op, self, upper)
