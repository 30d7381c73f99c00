"""Matrix products by groups, as mixtures of experts have them: every run of rows with a matrix of its own."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import as_tensor, dimension, dtype_of, rank_of
from onnx_torchlib import Op, translator

__all__ = ["grouped_mm", "grouped_mm_fallback"]


@translator("transformers::grouped_mm_fallback")
def grouped_mm_fallback(op: Op, input: Value, weight: Value, offs: Value) -> Value:
    """transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor

    The operator of transformers in place of ``aten::_grouped_mm``. Rows beyond the last group are 0.
    """
    return _rows_by_group(op, input, weight, offs)


@translator("aten::_grouped_mm")
def grouped_mm(
    op: Op,
    self: Value,
    mat2: Value,
    offs: Value | None = None,
    bias: Value | None = None,
    out_dtype: ir.DataType | None = None,
) -> Value:
    """_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor"""
    if bias is not None or out_dtype not in (None, self.dtype):
        op.refuse("torch itself computes grouped products without bias and in the dtype of the factors only")
    if offs is None:
        return op.MatMul(self, mat2)
    if (rank_of(op, self), rank_of(op, mat2)) != (2, 3):
        op.refuse("only groups of rows are translated, a 2-d tensor with a 3-d one")
    return _rows_by_group(op, self, mat2, offs)


def _rows_by_group(op: Op, rows: Value, matrices: Value, offs: Value) -> Value:
    """One product per group, since a matrix gathered for every row would take the memory of all of them."""
    count = dimension(op, matrices, 0)
    if not isinstance(count, int):
        op.refuse("the number of groups must be known at export: each becomes a product of its own")
    bounds = op.Concat([0], op.cast(offs, ir.DataType.INT64), op.Shape(rows, start=0, end=1), axis=0)
    sizes = op.Sub(op.Slice(bounds, [1], [count + 2], [0]), op.Slice(bounds, [0], [count + 1], [0]))
    *groups, rest = op.Split(rows, sizes, axis=0, outputs=count + 1)
    products = [op.MatMul(group, op.Gather(matrices, index)) for index, group in enumerate(groups)]
    ends = op.Concat(op.Shape(rest, start=0, end=1), op.Shape(matrices, start=2), axis=0)
    return op.Concat(*products, op.Expand(as_tensor(op, 0, dtype_of(op, rows)), ends), axis=0)
