"""Recurrent networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    elman_network,
    gru_network,
    lstm_network,
    projected_lstm_network,
    recurrent_network,
)
from onnx_torchlib import Op, translator

__all__ = ["gru", "lstm", "rnn_relu", "rnn_tanh"]


_Probability: TypeAlias = float


@translator("aten::lstm.input")
def lstm(
    op: Op,
    input: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Sequence[Value]:
    """lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)"""
    network = recurrent_network(
        op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
    if network.is_projected:
        return projected_lstm_network(op, network, input, hx)
    return lstm_network(
        op, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


@translator("aten::gru.input")
def gru(
    op: Op,
    input: Value,
    hx: Value,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Sequence[Value]:
    """gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"""
    return gru_network(
        op, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )


@translator("aten::rnn_tanh.input")
def rnn_tanh(
    op: Op,
    input: Value,
    hx: Value,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Sequence[Value]:
    """rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"""
    network = recurrent_network(
        op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
    return elman_network(op, network, input, hx, "Tanh")


@translator("aten::rnn_relu.input")
def rnn_relu(
    op: Op,
    input: Value,
    hx: Value,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> Sequence[Value]:
    """rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)"""
    network = recurrent_network(
        op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
    return elman_network(op, network, input, hx, "Relu")
