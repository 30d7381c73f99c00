"""Calls of emit's operator methods as a lowering writes them, and wrong ones that it must not write."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
from typing_extensions import assert_type

from onnx_ir_capture.emit import Emitter


def layer_norm(op: Emitter, x: ir.Value, axes: Sequence[int], eps: float) -> ir.Value:
    """A lowering with numbers and lists in place of constants, and an input left out."""
    mean = op.ReduceMean(x, axes, keepdims=1)
    centred = op.Sub(x, mean)
    variance = op.ReduceMean(op.Mul(centred, centred), axes)
    scaled = op.Div(centred, op.Sqrt(op.Add(variance, eps)))
    return op.Clip(op.Cast(scaled, to=ir.DataType.FLOAT), None, 6.0)


def outputs(op: Emitter, x: ir.Value, body: ir.Graph, count: int) -> None:
    assert_type(op.Relu(x), ir.Value)
    assert_type(op.Concat(x, x, x, axis=0), ir.Value)
    assert_type(op.TopK(x, [5], axis=1), tuple[ir.Value, ir.Value])
    assert_type(op.Split(x, [1, 2], outputs=2), tuple[ir.Value, ...])
    assert_type(op.Loop(None, True, x, x, body=body, outputs=count), tuple[ir.Value, ...])
    assert_type(op.MaxPool(x, kernel_shape=[2, 2]), ir.Value)
    assert_type(op.MaxPool(x, kernel_shape=[2, 2], outputs=2), tuple[ir.Value, ir.Value])
    assert_type(op.LayerNormalization(x, x, outputs=3), tuple[ir.Value, ir.Value, ir.Value])
    assert_type(op.Constant(value=ir.tensor([1])), ir.Value)
    values, indices = op.TopK(x, [5])
    op.Add(values, indices)


def wrong(op: Emitter, x: ir.Value, body: ir.Graph, count: int) -> None:
    op.Relux(x)  # expect-error: attr-defined
    op.Upsample(x)  # expect-error: attr-defined
    op.Relu()  # expect-error: call-arg
    op.Relu(x, x)  # expect-error: call-arg
    op.Relu(None)  # expect-error: arg-type
    op.Relu("x")  # expect-error: arg-type
    op.Relu(X=x)  # expect-error: call-arg
    op.Softmax(x, 1)  # expect-error: call-arg
    op.Softmax(x, dim=1)  # expect-error: call-arg
    op.Softmax(x, axis=x)  # expect-error: arg-type
    op.Cast(x)  # expect-error: call-arg
    op.Cast(x, to="float")  # expect-error: arg-type
    op.Transpose(x, perm=[1.0, 0.0])  # expect-error: list-item, list-item
    op.Unsqueeze(x, axes=[0])  # expect-error: call-arg
    op.Split(x)  # expect-error: call-arg
    op.TopK(x, [5], outputs=2)  # expect-error: call-arg
    op.MaxPool(x, kernel_shape=[2, 2], outputs=3)  # expect-error: call-overload
    op.MaxPool(x, kernel_shape=[2, 2], outputs=count)  # expect-error: call-overload
    op.Loop(None, True, x, body=x, outputs=1)  # expect-error: arg-type
    op.SequenceLength([1, 2])  # expect-error: arg-type
    op.Add(op.TopK(x, [5]), x)  # expect-error: arg-type
