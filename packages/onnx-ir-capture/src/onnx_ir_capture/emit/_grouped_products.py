"""Matrix products by groups of rows."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["rows_by_group"]


def rows_by_group(emitter: Emitter, rows: Value, matrices: Value, offs: Value) -> Value:
    """One product per group, since a matrix gathered for every row would take the memory of all of them."""
    count = dimension(emitter, matrices, 0)
    if not isinstance(count, int):
        emitter.refuse("the number of groups must be known at export: each becomes a product of its own")
    bounds = emitter.Concat(
        [0], emitter.cast(offs, ir.DataType.INT64), emitter.Shape(rows, start=0, end=1), axis=0
    )
    sizes = emitter.Sub(
        emitter.Slice(bounds, [1], [count + 2], [0]), emitter.Slice(bounds, [0], [count + 1], [0])
    )
    *groups, rest = emitter.Split(rows, sizes, axis=0, outputs=count + 1)
    products = [emitter.MatMul(group, emitter.Gather(matrices, index)) for index, group in enumerate(groups)]
    ends = emitter.Concat(emitter.Shape(rest, start=0, end=1), emitter.Shape(matrices, start=2), axis=0)
    return emitter.Concat(
        *products, emitter.Expand(as_tensor(emitter, 0, dtype_of(emitter, rows)), ends), axis=0
    )
