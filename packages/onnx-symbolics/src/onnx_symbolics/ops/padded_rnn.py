"""Recurrent networks over rows of several lengths, padded to the longest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import elman_network, gru_network, lstm_network, recurrent_network
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["padded_gru", "padded_lstm", "padded_rnn_relu", "padded_rnn_tanh"]

_Probability: TypeAlias = float


@symbolic("onnx_ir_capture::padded_lstm")
def padded_lstm(
    g: SymbolicContext,
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
        g, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, False, lengths
    )


@symbolic("onnx_ir_capture::padded_gru")
def padded_gru(
    g: SymbolicContext,
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
        g, input, hx[0], params, has_biases, num_layers, dropout, train, bidirectional, False, lengths
    )


@symbolic("onnx_ir_capture::padded_rnn_tanh")
def padded_rnn_tanh(
    g: SymbolicContext,
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
    network = recurrent_network(g, params, has_biases, num_layers, dropout, train, bidirectional, False)
    return elman_network(g, network, input, hx[0], "Tanh", lengths)


@symbolic("onnx_ir_capture::padded_rnn_relu")
def padded_rnn_relu(
    g: SymbolicContext,
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
    network = recurrent_network(g, params, has_biases, num_layers, dropout, train, bidirectional, False)
    return elman_network(g, network, input, hx[0], "Relu", lengths)
