"""Matrix products by groups, as mixtures of experts have them: every run of rows with a matrix of its own."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of, rows_by_group
from onnx_torchlib import Op, translator

__all__ = ["grouped_mm", "grouped_mm_fallback"]


@translator("transformers::grouped_mm_fallback")
def grouped_mm_fallback(op: Op, input: Value, weight: Value, offs: Value) -> Value:
    """transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor

    The operator of transformers in place of ``aten::_grouped_mm``. Rows beyond the last group are 0.
    """
    return rows_by_group(op, input, weight, offs)


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
    return rows_by_group(op, self, mat2, offs)
