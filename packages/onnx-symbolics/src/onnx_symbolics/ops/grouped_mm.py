"""Matrix products by groups, as mixtures of experts have them: every run of rows with a matrix of its own."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of, rows_by_group
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["grouped_mm", "grouped_mm_fallback"]


@symbolic("transformers::grouped_mm_fallback", since=13)
def grouped_mm_fallback(g: SymbolicContext, input: Value, weight: Value, offs: Value) -> Value:
    """transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor

    The operator of transformers in place of ``aten::_grouped_mm``. Rows beyond the last group are 0.
    """
    return rows_by_group(g, input, weight, offs)


@symbolic("aten::_grouped_mm", since=13)
def grouped_mm(
    g: SymbolicContext,
    self: Value,
    mat2: Value,
    offs: Value | None = None,
    bias: Value | None = None,
    out_dtype: ir.DataType | None = None,
) -> Value:
    """_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor"""
    if bias is not None or out_dtype not in (None, self.dtype):
        g.refuse("torch itself computes grouped products without bias and in the dtype of the factors only")
    if offs is None:
        return g.MatMul(self, mat2)
    if (rank_of(g, self), rank_of(g, mat2)) != (2, 3):
        g.refuse("only groups of rows are translated, a 2-d tensor with a 3-d one")
    return rows_by_group(g, self, mat2, offs)
