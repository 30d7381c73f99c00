"""Systems of linear equations, inverses and factors: by elimination, one column a step.

Torch solves matrices of float32 and float64. What it raises for, a matrix that is singular or not positive
definite, gives NaN or infinities here.
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, dtype_of, rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._loops import counted_loop
from onnx_torchlib.ops.permute import mt

__all__ = [
    "cholesky_inverse",
    "cholesky_solve",
    "determinant",
    "eliminated",
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


def eliminated(op: Op, matrices: Value, sides: Value) -> tuple[Value, Value]:
    """Solutions of ``matrices @ x = sides``, and the pivots of each step with the sign that they count with.

    Each step takes the row with the largest element, as LAPACK does.
    """
    rows = _places(op, matrices, -2)
    places = op.ReduceSum(matrices, [-1], keepdims=0)  # of their shape, also where a matrix has no column

    def step(inner: Op, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        table, pivots = state
        column = inner.Gather(table, inner.Unsqueeze(index, [0]), axis=-1)
        left = inner.Where(inner.GreaterOrEqual(rows, index), inner.Abs(column), -1.0)
        place = inner.ArgMax(left, axis=-2, keepdims=1)
        current, chosen = inner.Equal(rows, index), inner.Equal(rows, place)
        row = inner.ReduceSum(inner.Where(chosen, table, 0.0), [-2], keepdims=1)
        pivot = inner.Gather(row, inner.Unsqueeze(index, [0]), axis=-1)
        swapped = inner.Where(chosen, inner.Gather(table, inner.Unsqueeze(index, [0]), axis=-2), table)
        unit = inner.Div(row, pivot)
        factor = inner.Gather(swapped, inner.Unsqueeze(index, [0]), axis=-1)
        following = inner.Where(current, unit, inner.Sub(swapped, inner.Mul(factor, unit)))
        signed = inner.Where(inner.Equal(place, index), pivot, inner.Neg(pivot))
        noted = inner.Where(inner.Squeeze(current, [1]), inner.Squeeze(signed, [-1]), pivots)
        return [following, noted]

    table = op.Concat(matrices, sides, axis=-1)
    size = dimension(op, matrices, -1)
    solved, pivots = counted_loop(op, size, [table, places], step)
    begin = op.constant([size]) if isinstance(size, int) else op.Reshape(size, [1])
    return op.Slice(solved, begin, [2**63 - 1], [-1]), pivots


def _places(op: Op, matrices: Value, axis: int) -> Value:
    """The indices along ``axis``, -2 or -1, in a shape that goes with the matrices."""
    size = dimension(op, matrices, axis)
    places = op.Range(0, op.constant(size) if isinstance(size, int) else size, 1)
    return op.Unsqueeze(places, [1 if axis == -2 else 0])


def _identity(op: Op, matrices: Value) -> Value:
    """The identity in place of each matrix."""
    equal = op.Equal(_places(op, matrices, -2), _places(op, matrices, -1))
    return op.Expand(op.cast(equal, dtype_of(op, matrices)), op.Shape(matrices))


@translator("aten::linalg_inv", "aten::inverse")
def linalg_inv(op: Op, A: Value) -> Value:
    """linalg_inv(Tensor A) -> Tensor"""
    return eliminated(op, A, _identity(op, A))[0]


@translator("aten::linalg_inv_ex")
def linalg_inv_ex(op: Op, A: Value, check_errors: bool = False) -> tuple[Value, Value]:
    """linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"""
    inverse, pivots = eliminated(op, A, _identity(op, A))
    return inverse, _first(op, op.Equal(pivots, 0.0))


@translator("aten::linalg_tensorinv")
def linalg_tensorinv(op: Op, self: Value, ind: int = 2) -> Value:
    """linalg_tensorinv(Tensor self, int ind=2) -> Tensor"""
    front, back = op.Shape(self, end=ind), op.Shape(self, start=ind)
    count = op.ReduceProd(front, keepdims=1)
    inverse = linalg_inv(op, op.Reshape(self, op.Concat(count, count, axis=0)))
    return op.Reshape(inverse, op.Concat(back, front, axis=0))


@translator("aten::linalg_solve")
def linalg_solve(op: Op, A: Value, B: Value, left: bool = True) -> Value:
    """linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor"""
    rank = rank_of(op, A)
    if rank_of(op, B) == 1 or (rank_of(op, B) == rank - 1 and _same_sizes(A, B)):
        sides = op.Unsqueeze(B, [-1])
        return op.Squeeze(_solved(op, A if left else mt(op, A), sides), [-1])
    if left:
        return _solved(op, A, B)
    return mt(op, _solved(op, mt(op, A), mt(op, B)))


def _same_sizes(matrices: Value, vectors: Value) -> bool:
    """Whether ``vectors`` has one for each matrix, and is no matrix that all of them share."""
    return tuple(matrices.shape or ())[:-1] == tuple(vectors.shape or ())


def _solved(op: Op, matrices: Value, sides: Value) -> Value:
    return eliminated(op, *_of_one_batch(op, matrices, sides))[0]


def _of_one_batch(op: Op, matrices: Value, sides: Value) -> tuple[Value, Value]:
    """Both with the axes that they broadcast to before the last two."""
    if rank_of(op, matrices) == rank_of(op, sides) == 2:
        return matrices, sides
    # A sum of the corners has the common shape, with 1 and 1 last.
    corners = [op.Slice(value, [0, 0], [1, 1], [-2, -1]) for value in (matrices, sides)]
    batch = op.Shape(op.Add(corners[0], corners[1]), end=-2)
    wide = [
        op.Expand(value, op.Concat(batch, op.Shape(value, start=-2), axis=0)) for value in (matrices, sides)
    ]
    return wide[0], wide[1]


def determinant(op: Op, matrices: Value) -> Value:
    """The determinant of each matrix."""
    pivots, is_singular = _pivots(op, matrices)
    return op.Where(is_singular, 0.0, op.ReduceProd(pivots, [-1], keepdims=0))


def _pivots(op: Op, matrices: Value) -> tuple[Value, Value]:
    """The signed pivots of each matrix, and whether one is 0: what comes after it is spoilt."""
    pivots = eliminated(op, matrices, op.Slice(matrices, [0], [0], [-1]))[1]
    return pivots, op.Greater(_first(op, op.Equal(pivots, 0.0)), 0)


def _first(op: Op, found: Value) -> Value:
    """The place of the first that is true in each row, counted from 1 in INT32; 0 without any."""
    # Sums, unlike maxima, are defined where a row has no elements.
    numbers = op.cast(found, ir.DataType.INT32)
    before = op.Equal(op.CumSum(numbers, -1), 0)
    place = op.Add(op.ReduceSum(op.cast(before, ir.DataType.INT32), [-1], keepdims=0), 1)
    return op.Where(op.Greater(op.ReduceSum(numbers, [-1], keepdims=0), 0), place, 0)


@translator("aten::linalg_slogdet", "aten::slogdet")
def linalg_slogdet(op: Op, A: Value) -> tuple[Value, Value]:
    """linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)"""
    pivots, is_singular = _pivots(op, A)
    sign = op.ReduceProd(op.Sign(pivots), [-1], keepdims=0)
    size = op.ReduceSum(op.Log(op.Abs(pivots)), [-1], keepdims=0)
    return op.Where(is_singular, 0.0, sign), op.Where(is_singular, float("-inf"), size)


@translator("aten::linalg_solve_triangular")
def linalg_solve_triangular(
    op: Op, self: Value, B: Value, upper: bool, left: bool = True, unitriangular: bool = False
) -> Value:
    """linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor"""
    if not left:
        solved = linalg_solve_triangular(op, mt(op, self), mt(op, B), not upper, True, unitriangular)
        return mt(op, solved)
    matrices, sides = _of_one_batch(op, self, B)
    rows, size = _places(op, matrices, -2), dimension(op, matrices, -1)

    def step(inner: Op, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        place = inner.Sub(op.constant(size - 1) if isinstance(size, int) else inner.Sub(size, 1), index)
        place = place if upper else index
        at = inner.Unsqueeze(place, [0])
        column = inner.Gather(matrices, at, axis=-1)
        row = inner.Gather(state[0], at, axis=-2)
        if not unitriangular:
            row = inner.Div(row, inner.Gather(column, at, axis=-2))
        rest = (inner.Less if upper else inner.Greater)(rows, place)
        reduced = inner.Where(rest, inner.Sub(state[0], inner.Mul(column, row)), state[0])
        return [inner.Where(inner.Equal(rows, place), row, reduced)]

    return counted_loop(op, size, [sides], step)[0]


@translator("aten::triangular_solve")
def triangular_solve(
    op: Op, self: Value, A: Value, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Value, Value]:
    """triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"""
    matrices = mt(op, A) if transpose else A
    solved = linalg_solve_triangular(op, matrices, self, upper != transpose, True, unitriangular)
    return solved, _of_one_batch(op, A, self)[0]


@translator("aten::linalg_cholesky", "aten::cholesky")
def linalg_cholesky(op: Op, self: Value, upper: bool = False) -> Value:
    """linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor"""
    if upper:
        return mt(op, linalg_cholesky(op, mt(op, self)))
    rows, columns = _places(op, self, -2), _places(op, self, -1)

    def step(inner: Op, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        rest, factor = state
        at = inner.Unsqueeze(index, [0])
        column = inner.Gather(rest, at, axis=-1)
        scaled = inner.Div(column, inner.Sqrt(inner.Gather(column, at, axis=-2)))
        column = inner.Where(inner.GreaterOrEqual(rows, index), scaled, 0.0)
        across = inner.Reshape(column, inner.Concat(inner.Shape(column, end=-2), [1, -1], axis=0))
        following = inner.Sub(rest, inner.Mul(column, across))
        return [following, inner.Where(inner.Equal(columns, index), column, factor)]

    return counted_loop(op, dimension(op, self, -1), [self, op.Sub(self, self)], step)[1]


@translator("aten::linalg_cholesky_ex")
def linalg_cholesky_ex(
    op: Op, self: Value, upper: bool = False, check_errors: bool = False
) -> tuple[Value, Value]:
    """linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)"""
    factor = linalg_cholesky(op, self, upper)
    on_diagonal = op.Equal(_places(op, self, -2), _places(op, self, -1))
    diagonal = op.ReduceSum(op.Where(on_diagonal, factor, 0.0), [-1], keepdims=0)
    return factor, _first(op, op.IsNaN(diagonal))


@translator("aten::cholesky_solve")
def cholesky_solve(op: Op, self: Value, input2: Value, upper: bool = False) -> Value:
    """cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"""
    lower = mt(op, input2) if upper else input2
    half = linalg_solve_triangular(op, lower, self, False)
    return linalg_solve_triangular(op, mt(op, lower), half, True)


@translator("aten::cholesky_inverse")
def cholesky_inverse(op: Op, self: Value, upper: bool = False) -> Value:
    """cholesky_inverse(Tensor self, bool upper=False) -> Tensor"""
    return cholesky_solve(op, _identity(op, self), self, upper)
