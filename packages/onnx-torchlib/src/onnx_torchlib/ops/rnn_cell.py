"""Single steps of recurrent networks, as loops that a model writes itself take them.

One step of ONNX's LSTM, GRU or RNN would need its gates in another order, and a sequence of length one.
"""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.matmul import linear

__all__ = ["gru_cell", "lstm_cell", "rnn_relu_cell", "rnn_tanh_cell"]


@translator("aten::rnn_tanh_cell")
def rnn_tanh_cell(
    op: Op,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    return op.Tanh(op.Add(linear(op, input, w_ih, b_ih), linear(op, hx, w_hh, b_hh)))


@translator("aten::rnn_relu_cell")
def rnn_relu_cell(
    op: Op,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    return op.Relu(op.Add(linear(op, input, w_ih, b_ih), linear(op, hx, w_hh, b_hh)))


@translator("aten::gru_cell")
def gru_cell(
    op: Op,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    reset_i, update_i, new_i = _gates(op, linear(op, input, w_ih, b_ih), 3)
    reset_h, update_h, new_h = _gates(op, linear(op, hx, w_hh, b_hh), 3)
    reset, update = op.Sigmoid(op.Add(reset_i, reset_h)), op.Sigmoid(op.Add(update_i, update_h))
    new = op.Tanh(op.Add(new_i, op.Mul(reset, new_h)))
    return op.Add(op.Mul(op.Sub(hx, new), update), new)


@translator("aten::lstm_cell")
def lstm_cell(
    op: Op,
    input: Value,
    hx: Sequence[Value],
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Sequence[Value]:
    """lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)"""
    hidden, cell = hx
    both = op.Add(linear(op, input, w_ih, b_ih), linear(op, hidden, w_hh, b_hh))
    enter, forget, new, leave = _gates(op, both, 4)
    kept = op.Mul(op.Sigmoid(forget), cell)
    cell = op.Add(kept, op.Mul(op.Sigmoid(enter), op.Tanh(new)))
    return op.Mul(op.Sigmoid(leave), op.Tanh(cell)), cell


def _gates(op: Op, values: Value, count: int) -> Sequence[Value]:
    """The equal parts that lie beside each other, one per gate."""
    return op.Split(values, num_outputs=count, axis=1, outputs=count)
