"""Systems of linear equations, inverses and factors: by elimination, one column a step.

Torch solves matrices of float32 and float64. What it raises for, a matrix that is singular or not positive
definite, gives NaN or infinities here.
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loops import counted_loop
from onnx_ir_capture.emit._shapes import dimension, rank_of
from onnx_ir_capture.emit._slicing import transposed

__all__ = [
    "cholesky_factor",
    "cholesky_factor_with_place",
    "determinant_of",
    "eliminated",
    "inverse_by_cholesky_factor",
    "inverse_of",
    "inverse_with_place",
    "sign_and_log_of_determinant",
    "solution_by_cholesky_factor",
    "solution_of",
    "tensor_inverse",
    "triangular_solution",
    "triangular_solution_and_matrices",
]


def eliminated(emitter: Emitter, matrices: Value, sides: Value) -> tuple[Value, Value]:
    """Solutions of ``matrices @ x = sides``, and the pivots of each step with the sign that they count with.

    Each step takes the row with the largest element, as LAPACK does.
    """
    rows = _places(emitter, matrices, -2)
    places = emitter.ReduceSum(
        matrices, [-1], keepdims=0
    )  # of their shape, also where a matrix has no column

    def step(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
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

    table = emitter.Concat(matrices, sides, axis=-1)
    size = dimension(emitter, matrices, -1)
    solved, pivots = counted_loop(emitter, size, [table, places], step)
    begin = emitter.constant([size]) if isinstance(size, int) else emitter.Reshape(size, [1])
    return emitter.Slice(solved, begin, [2**63 - 1], [-1]), pivots


def _turned(emitter: Emitter, matrices: Value) -> Value:
    rank = rank_of(emitter, matrices)
    return transposed(emitter, matrices, [*range(rank - 2), rank - 1, rank - 2])


def _places(emitter: Emitter, matrices: Value, axis: int) -> Value:
    """The indices along ``axis``, -2 or -1, in a shape that goes with the matrices."""
    size = dimension(emitter, matrices, axis)
    places = emitter.Range(0, emitter.constant(size) if isinstance(size, int) else size, 1)
    return emitter.Unsqueeze(places, [1 if axis == -2 else 0])


def _identity(emitter: Emitter, matrices: Value) -> Value:
    """The identity in place of each matrix."""
    equal = emitter.Equal(_places(emitter, matrices, -2), _places(emitter, matrices, -1))
    return emitter.Expand(emitter.cast(equal, dtype_of(emitter, matrices)), emitter.Shape(matrices))


def inverse_of(emitter: Emitter, A: Value) -> Value:
    """The inverse of each matrix."""
    return eliminated(emitter, A, _identity(emitter, A))[0]


def inverse_with_place(emitter: Emitter, A: Value) -> tuple[Value, Value]:
    """The inverse of each matrix, and where a pivot is 0, counted from 1."""
    inverse, pivots = eliminated(emitter, A, _identity(emitter, A))
    return inverse, _first(emitter, emitter.Equal(pivots, 0.0))


def tensor_inverse(emitter: Emitter, value: Value, ind: int) -> Value:
    """The inverse of a tensor whose first ``ind`` axes are rows, and the others columns."""
    front, back = emitter.Shape(value, end=ind), emitter.Shape(value, start=ind)
    count = emitter.ReduceProd(front, keepdims=1)
    inverse = inverse_of(emitter, emitter.Reshape(value, emitter.Concat(count, count, axis=0)))
    return emitter.Reshape(inverse, emitter.Concat(back, front, axis=0))


def solution_of(emitter: Emitter, A: Value, B: Value, left: bool) -> Value:
    """What ``A`` takes to ``B``, from the left or from the right."""
    rank = rank_of(emitter, A)
    if rank_of(emitter, B) == 1 or (rank_of(emitter, B) == rank - 1 and _same_sizes(A, B)):
        sides = emitter.Unsqueeze(B, [-1])
        return emitter.Squeeze(_solved(emitter, A if left else _turned(emitter, A), sides), [-1])
    if left:
        return _solved(emitter, A, B)
    return _turned(emitter, _solved(emitter, _turned(emitter, A), _turned(emitter, B)))


def _same_sizes(matrices: Value, vectors: Value) -> bool:
    """Whether ``vectors`` has one for each matrix, and is no matrix that all of them share."""
    return tuple(matrices.shape or ())[:-1] == tuple(vectors.shape or ())


def _solved(emitter: Emitter, matrices: Value, sides: Value) -> Value:
    return eliminated(emitter, *_of_one_batch(emitter, matrices, sides))[0]


def _of_one_batch(emitter: Emitter, matrices: Value, sides: Value) -> tuple[Value, Value]:
    """Both with the axes that they broadcast to before the last two."""
    if rank_of(emitter, matrices) == rank_of(emitter, sides) == 2:
        return matrices, sides
    # A sum of the corners has the common shape, with 1 and 1 last.
    corners = [emitter.Slice(value, [0, 0], [1, 1], [-2, -1]) for value in (matrices, sides)]
    batch = emitter.Shape(emitter.Add(corners[0], corners[1]), end=-2)
    wide = [
        emitter.Expand(value, emitter.Concat(batch, emitter.Shape(value, start=-2), axis=0))
        for value in (matrices, sides)
    ]
    return wide[0], wide[1]


def determinant_of(emitter: Emitter, matrices: Value) -> Value:
    """The determinant of each matrix."""
    pivots, is_singular = _pivots(emitter, matrices)
    return emitter.Where(is_singular, 0.0, emitter.ReduceProd(pivots, [-1], keepdims=0))


def _pivots(emitter: Emitter, matrices: Value) -> tuple[Value, Value]:
    """The signed pivots of each matrix, and whether one is 0: what comes after it is spoilt."""
    pivots = eliminated(emitter, matrices, emitter.Slice(matrices, [0], [0], [-1]))[1]
    return pivots, emitter.Greater(_first(emitter, emitter.Equal(pivots, 0.0)), 0)


def _first(emitter: Emitter, found: Value) -> Value:
    """The place of the first that is true in each row, counted from 1 in INT32; 0 without any."""
    # Sums, unlike maxima, are defined where a row has no elements.
    numbers = emitter.cast(found, ir.DataType.INT32)
    before = emitter.Equal(emitter.CumSum(numbers, -1), 0)
    place = emitter.Add(emitter.ReduceSum(emitter.cast(before, ir.DataType.INT32), [-1], keepdims=0), 1)
    return emitter.Where(emitter.Greater(emitter.ReduceSum(numbers, [-1], keepdims=0), 0), place, 0)


def sign_and_log_of_determinant(emitter: Emitter, A: Value) -> tuple[Value, Value]:
    """The sign of each determinant, and the logarithm of its magnitude."""
    pivots, is_singular = _pivots(emitter, A)
    sign = emitter.ReduceProd(emitter.Sign(pivots), [-1], keepdims=0)
    size = emitter.ReduceSum(emitter.Log(emitter.Abs(pivots)), [-1], keepdims=0)
    return emitter.Where(is_singular, 0.0, sign), emitter.Where(is_singular, float("-inf"), size)


def triangular_solution(
    emitter: Emitter, value: Value, B: Value, upper: bool, left: bool = True, unitriangular: bool = False
) -> Value:
    """What the triangular ``value`` takes to ``B``."""
    if not left:
        solved = triangular_solution(
            emitter, _turned(emitter, value), _turned(emitter, B), not upper, True, unitriangular
        )
        return _turned(emitter, solved)
    matrices, sides = _of_one_batch(emitter, value, B)
    rows, size = _places(emitter, matrices, -2), dimension(emitter, matrices, -1)

    def step(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        place = inner.Sub(emitter.constant(size - 1) if isinstance(size, int) else inner.Sub(size, 1), index)
        place = place if upper else index
        at = inner.Unsqueeze(place, [0])
        column = inner.Gather(matrices, at, axis=-1)
        row = inner.Gather(state[0], at, axis=-2)
        if not unitriangular:
            row = inner.Div(row, inner.Gather(column, at, axis=-2))
        rest = (inner.Less if upper else inner.Greater)(rows, place)
        reduced = inner.Where(rest, inner.Sub(state[0], inner.Mul(column, row)), state[0])
        return [inner.Where(inner.Equal(rows, place), row, reduced)]

    return counted_loop(emitter, size, [sides], step)[0]


def triangular_solution_and_matrices(
    emitter: Emitter, value: Value, A: Value, upper: bool, transpose: bool, unitriangular: bool
) -> tuple[Value, Value]:
    """What the triangular ``A`` takes to ``data``, and ``A`` for all of them."""
    matrices = _turned(emitter, A) if transpose else A
    solved = triangular_solution(emitter, matrices, value, upper != transpose, True, unitriangular)
    return solved, _of_one_batch(emitter, A, value)[0]


def cholesky_factor(emitter: Emitter, value: Value, upper: bool = False) -> Value:
    """The triangular factor of each matrix."""
    if upper:
        return _turned(emitter, cholesky_factor(emitter, _turned(emitter, value)))
    rows, columns = _places(emitter, value, -2), _places(emitter, value, -1)

    def step(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        rest, factor = state
        at = inner.Unsqueeze(index, [0])
        column = inner.Gather(rest, at, axis=-1)
        scaled = inner.Div(column, inner.Sqrt(inner.Gather(column, at, axis=-2)))
        column = inner.Where(inner.GreaterOrEqual(rows, index), scaled, 0.0)
        across = inner.Reshape(column, inner.Concat(inner.Shape(column, end=-2), [1, -1], axis=0))
        following = inner.Sub(rest, inner.Mul(column, across))
        return [following, inner.Where(inner.Equal(columns, index), column, factor)]

    return counted_loop(emitter, dimension(emitter, value, -1), [value, emitter.Sub(value, value)], step)[1]


def cholesky_factor_with_place(emitter: Emitter, value: Value, upper: bool) -> tuple[Value, Value]:
    """The triangular factor of each matrix, and where it is undefined, counted from 1."""
    factor = cholesky_factor(emitter, value, upper)
    on_diagonal = emitter.Equal(_places(emitter, value, -2), _places(emitter, value, -1))
    diagonal = emitter.ReduceSum(emitter.Where(on_diagonal, factor, 0.0), [-1], keepdims=0)
    return factor, _first(emitter, emitter.IsNaN(diagonal))


def solution_by_cholesky_factor(emitter: Emitter, value: Value, input2: Value, upper: bool) -> Value:
    """What the matrices of the factors ``input2`` take to ``value``."""
    lower = _turned(emitter, input2) if upper else input2
    half = triangular_solution(emitter, lower, value, False)
    return triangular_solution(emitter, _turned(emitter, lower), half, True)


def inverse_by_cholesky_factor(emitter: Emitter, value: Value, upper: bool) -> Value:
    """The inverse of the matrix of each factor."""
    return solution_by_cholesky_factor(emitter, _identity(emitter, value), value, upper)
