"""Recurrent networks over rows of several lengths, padded to the longest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import elman_network, gru_network, lstm_network, recurrent_network
from onnx_torchlib import Op, translator

__all__ = ["padded_gru", "padded_lstm", "padded_rnn_relu", "padded_rnn_tanh"]

_Probability: TypeAlias = float


@translator("onnx_ir_capture::padded_lstm")
def padded_lstm(
    op: Op,
    input: Value,
    lengths: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
) -> Sequence[Value]:
    """onnx_ir_capture::padded_lstm(Tensor input, Tensor lengths, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)"""
    return lstm_network(
        op, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, False, lengths
    )


@translator("onnx_ir_capture::padded_gru")
def padded_gru(
    op: Op,
    input: Value,
    lengths: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
) -> Sequence[Value]:
    """onnx_ir_capture::padded_gru(Tensor input, Tensor lengths, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"""
    return gru_network(
        op, input, hx[0], params, has_biases, num_layers, dropout, train, bidirectional, False, lengths
    )


@translator("onnx_ir_capture::padded_rnn_tanh")
def padded_rnn_tanh(
    op: Op,
    input: Value,
    lengths: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
) -> Sequence[Value]:
    """onnx_ir_capture::padded_rnn_tanh(Tensor input, Tensor lengths, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"""
    network = recurrent_network(op, params, has_biases, num_layers, dropout, train, bidirectional, False)
    return elman_network(op, network, input, hx[0], "Tanh", lengths)


@translator("onnx_ir_capture::padded_rnn_relu")
def padded_rnn_relu(
    op: Op,
    input: Value,
    lengths: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
) -> Sequence[Value]:
    """onnx_ir_capture::padded_rnn_relu(Tensor input, Tensor lengths, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)"""
    network = recurrent_network(op, params, has_biases, num_layers, dropout, train, bidirectional, False)
    return elman_network(op, network, input, hx[0], "Relu", lengths)
