"""Single steps of recurrent networks, as loops that a model writes itself take them.

One step of ONNX's LSTM, GRU or RNN would need its gates in another order, and a sequence of length one.
"""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_symbolics import SymbolicContext, symbolic
from onnx_symbolics.ops.matmul import linear

__all__ = ["gru_cell", "lstm_cell", "rnn_relu_cell", "rnn_tanh_cell"]


@symbolic("aten::rnn_tanh_cell")
def rnn_tanh_cell(
    g: SymbolicContext,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    return g.Tanh(g.Add(linear(g, input, w_ih, b_ih), linear(g, hx, w_hh, b_hh)))


@symbolic("aten::rnn_relu_cell")
def rnn_relu_cell(
    g: SymbolicContext,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    return g.Relu(g.Add(linear(g, input, w_ih, b_ih), linear(g, hx, w_hh, b_hh)))


@symbolic("aten::gru_cell")
def gru_cell(
    g: SymbolicContext,
    input: Value,
    hx: Value,
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Value:
    """gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor"""
    reset_i, update_i, new_i = _gates(g, linear(g, input, w_ih, b_ih), 3)
    reset_h, update_h, new_h = _gates(g, linear(g, hx, w_hh, b_hh), 3)
    reset, update = g.Sigmoid(g.Add(reset_i, reset_h)), g.Sigmoid(g.Add(update_i, update_h))
    new = g.Tanh(g.Add(new_i, g.Mul(reset, new_h)))
    return g.Add(g.Mul(g.Sub(hx, new), update), new)


@symbolic("aten::lstm_cell")
def lstm_cell(
    g: SymbolicContext,
    input: Value,
    hx: Sequence[Value],
    w_ih: Value,
    w_hh: Value,
    b_ih: Value | None = None,
    b_hh: Value | None = None,
) -> Sequence[Value]:
    """lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)"""
    hidden, cell = hx
    both = g.Add(linear(g, input, w_ih, b_ih), linear(g, hidden, w_hh, b_hh))
    enter, forget, new, leave = _gates(g, both, 4)
    kept = g.Mul(g.Sigmoid(forget), cell)
    cell = g.Add(kept, g.Mul(g.Sigmoid(enter), g.Tanh(new)))
    return g.Mul(g.Sigmoid(leave), g.Tanh(cell)), cell


def _gates(g: SymbolicContext, values: Value, count: int) -> Sequence[Value]:
    """The equal parts that lie beside each other, one per gate."""
    return g.Split(values, num_outputs=count, axis=1, outputs=count)
