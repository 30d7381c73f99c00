"""Factors of matrices by mirrors, one column a step, and products of mirrors."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loops import counted_loop
from onnx_ir_capture.emit._shapes import dimension, size_vector

__all__ = ["orthogonal_factors", "product_of_mirrors"]


def orthogonal_factors(emitter: Emitter, matrices: Value, mode: str) -> tuple[Value, Value]:
    """Factors Q, whose columns are orthonormal, and R, upper triangular.

    Args:
        emitter: writes to the graph.
        matrices: what is factored.
        mode: "reduced", "complete", or "r" for R alone, with a Q that is empty.
    """
    height, width = dimension(emitter, matrices, -2), dimension(emitter, matrices, -1)
    rows, columns, count = _places(emitter, height), _places(emitter, width), _smaller(emitter, height, width)
    down = emitter.Unsqueeze(rows, [1])
    identity = emitter.cast(emitter.Equal(down, rows), dtype_of(emitter, matrices))
    size = emitter.Shape(emitter.ReduceSum(matrices, [-1], keepdims=1), end=-1)
    start = emitter.Expand(identity, emitter.Concat(size, emitter.Shape(rows), axis=0))

    def step(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        product, table = state
        mirror, scale = _mirror(inner, table, down, index)
        across = inner.MatMul(_transposed(inner, mirror), table)
        table = inner.Sub(table, inner.Mul(inner.Mul(mirror, scale), across))
        along = inner.Mul(inner.MatMul(product, mirror), scale)
        return [inner.Sub(product, inner.MatMul(along, _transposed(inner, mirror))), table]

    factor, triangle = counted_loop(emitter, count, [start, matrices], step)
    triangle = emitter.Where(emitter.LessOrEqual(down, columns), triangle, 0.0)
    if mode == "r":
        none = emitter.Slice(emitter.Reshape(factor, [-1]), [0], [0], [0])
        return none, _cut(emitter, triangle, count, -2)
    if mode == "complete":
        return factor, triangle
    return _cut(emitter, factor, count, -1), _cut(emitter, triangle, count, -2)


def _places(emitter: Emitter, size: SymInt) -> Value:
    return emitter.Range(0, emitter.constant(size) if isinstance(size, int) else size, 1)


def _smaller(emitter: Emitter, left: SymInt, right: SymInt) -> SymInt:
    return min(left, right) if isinstance(left, int) and isinstance(right, int) else emitter.Min(left, right)


def _cut(emitter: Emitter, matrices: Value, count: SymInt, axis: int) -> Value:
    return emitter.Slice(matrices, [0], size_vector(emitter, [count]), [axis])


def _transposed(emitter: Emitter, column: Value) -> Value:
    """Columns as rows."""
    return emitter.Reshape(column, emitter.Concat(emitter.Shape(column, end=-2), [1, -1], axis=0))


def _mirror(emitter: Emitter, table: Value, down: Value, index: Value) -> tuple[Value, Value]:
    """The vector whose mirror turns a column's part from ``index`` on into one number, and 2 by its square.

    Source: LAPACK's larfg, whose signs torch's results have. Nothing is mirrored that is one number already.
    """
    column = emitter.Gather(table, emitter.Unsqueeze(index, [0]), axis=-1)
    part = emitter.Where(emitter.GreaterOrEqual(down, index), column, 0.0)
    largest = emitter.ReduceMax(emitter.Abs(part), [-2], keepdims=1)
    # The squares of what is at most 1 stay in range.
    part = emitter.Div(part, emitter.Where(emitter.Equal(largest, 0.0), 1.0, largest))
    is_first = emitter.Equal(down, index)
    first = emitter.ReduceSum(emitter.Where(is_first, part, 0.0), [-2], keepdims=1)
    rest = emitter.Where(is_first, 0.0, part)
    is_done = emitter.Equal(emitter.ReduceSum(emitter.Abs(rest), [-2], keepdims=1), 0.0)
    length = emitter.Sqrt(emitter.ReduceSum(emitter.Mul(part, part), [-2], keepdims=1))
    moved = emitter.Add(first, emitter.Where(emitter.Less(first, 0.0), emitter.Neg(length), length))
    mirror = emitter.Where(is_first, moved, rest)
    square = emitter.ReduceSum(emitter.Mul(mirror, mirror), [-2], keepdims=1)
    return mirror, emitter.Where(is_done, 0.0, emitter.Div(2.0, square))


def product_of_mirrors(emitter: Emitter, columns: Value, factors: Value) -> Value:
    """The first columns of the product of the mirrors that LAPACK's geqrf leaves below a diagonal.

    Args:
        emitter: writes to the graph.
        columns: their vectors, each with 1 on the diagonal and 0 above.
        factors: what each is multiplied by.
    """
    height, width = dimension(emitter, columns, -2), dimension(emitter, columns, -1)
    rows, count = _places(emitter, height), dimension(emitter, factors, -1)
    down = emitter.Unsqueeze(rows, [1])
    identity = emitter.cast(emitter.Equal(down, _places(emitter, width)), dtype_of(emitter, columns))
    last = emitter.Sub(emitter.constant(count) if isinstance(count, int) else count, 1)

    def step(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        place = inner.Sub(last, index)
        at = inner.Unsqueeze(place, [0])
        below = inner.Where(inner.Greater(down, place), inner.Gather(columns, at, axis=-1), 0.0)
        mirror = inner.Where(inner.Equal(down, place), 1.0, below)
        factor = inner.Unsqueeze(inner.Gather(factors, at, axis=-1), [-1])
        across = inner.MatMul(_transposed(inner, mirror), state[0])
        return [inner.Sub(state[0], inner.Mul(inner.Mul(mirror, factor), across))]

    return counted_loop(emitter, count, [emitter.Expand(identity, emitter.Shape(columns))], step)[0]
