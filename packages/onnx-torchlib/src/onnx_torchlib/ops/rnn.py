"""Recurrent networks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeAlias

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of
from onnx_torchlib import Op, translator

__all__ = ["gru", "lstm", "rnn_relu", "rnn_tanh"]

_Probability: TypeAlias = float

# The gates of an LSTM are i, f, g, o in torch and i, o, f, g in ONNX; those of a GRU r, z, n and z, r, n.
_LSTM_GATES = (0, 3, 1, 2)
_GRU_GATES = (1, 0, 2)


@dataclasses.dataclass(frozen=True)
class _Network:
    """The arguments that all recurrent networks of torch share."""

    params: Sequence[Value]
    has_biases: bool
    num_layers: int
    bidirectional: bool
    batch_first: bool

    @property
    def directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def direction(self) -> str:
        """ONNX's word for it."""
        return "bidirectional" if self.bidirectional else "forward"

    def layer(self, index: int) -> list[Sequence[Value]]:
        """The parameters of a layer, one group for each direction: input, hidden, and the two biases."""
        size = len(self.params) // (self.num_layers * self.directions)
        groups = [self.params[start : start + size] for start in range(0, len(self.params), size)]
        return groups[index * self.directions : (index + 1) * self.directions]


def _network(
    op: Op,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> _Network:
    if train and dropout and num_layers > 1:
        op.refuse("dropout between the layers is random; call eval() on the model")
    network = _Network(params, has_biases, num_layers, bidirectional, batch_first)
    if len(params) != num_layers * network.directions * (4 if has_biases else 2):
        op.refuse("ONNX's LSTM has no projection (proj_size)")
    return network


_Layer = Callable[[Value, Value, Value, "Value | None", Sequence[Value]], Sequence[Value]]
"""From the input, the weights, the biases and the first states to the outputs of an ONNX operator."""


def _run(
    op: Op, network: _Network, input: Value, states: Sequence[Value], gates: Sequence[int], run: _Layer
) -> list[Value]:
    """The output of the last layer, and the last states of all layers."""
    if rank_of(op, input) != 3:
        op.refuse("the input has no axis for batches")
    value = op.Transpose(input, perm=[1, 0, 2]) if network.batch_first else input
    last: list[Sequence[Value]] = []
    for index in range(network.num_layers):
        groups = network.layer(index)
        weights = [_joined(op, [_reordered(op, group[k], gates) for group in groups]) for k in (0, 1)]
        bias = _joined(op, [_biases(op, group, gates) for group in groups]) if network.has_biases else None
        output, *final = run(value, weights[0], weights[1], bias, _of_layer(op, states, network, index))
        last.append(final)
        value = _side_by_side(op, output, network.directions)
    ends = [parts[0] if len(parts) == 1 else op.Concat(*parts, axis=0) for parts in zip(*last, strict=True)]
    return [op.Transpose(value, perm=[1, 0, 2]) if network.batch_first else value, *ends]


def _reordered(op: Op, weight: Value, gates: Sequence[int]) -> Value:
    """The gates along the first axis in ONNX's order."""
    if len(gates) == 1:
        return weight
    parts = op.Split(weight, num_outputs=len(gates), outputs=len(gates))
    return op.Concat(*(parts[gate] for gate in gates), axis=0)


def _biases(op: Op, group: Sequence[Value], gates: Sequence[int]) -> Value:
    return op.Concat(_reordered(op, group[2], gates), _reordered(op, group[3], gates), axis=0)


def _joined(op: Op, directions: Sequence[Value]) -> Value:
    parts = [op.Unsqueeze(part, [0]) for part in directions]
    return parts[0] if len(parts) == 1 else op.Concat(*parts, axis=0)


def _of_layer(op: Op, states: Sequence[Value], network: _Network, index: int) -> list[Value]:
    if network.num_layers == 1:
        return list(states)
    start = index * network.directions
    return [op.Slice(state, [start], [start + network.directions], [0]) for state in states]


def _side_by_side(op: Op, output: Value, directions: int) -> Value:
    """ONNX's output, whose second axis is the direction, in torch's form: features of both in one axis."""
    if directions == 1:
        return op.Squeeze(output, [1])
    parts = op.Split(output, axis=1, num_outputs=2, outputs=2)
    return op.Concat(*(op.Squeeze(part, [1]) for part in parts), axis=-1)


def _hidden_size(op: Op, state: Value) -> int:
    size = None if state.shape is None else state.shape[-1]
    if not isinstance(size, int):
        op.refuse("the hidden size is unknown")
    return size


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
    network = _network(op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    size = _hidden_size(op, hx[0])

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        hidden, cell = states
        return op.LSTM(
            x, w, r, b, None, hidden, cell, hidden_size=size, direction=network.direction, outputs=3
        )

    return _run(op, network, input, hx, _LSTM_GATES, run)


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
    network = _network(op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    size = _hidden_size(op, hx)

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        # Torch multiplies with the reset gate after the hidden product and its bias.
        return op.GRU(
            *(x, w, r, b, None, states[0]),
            hidden_size=size,
            direction=network.direction,
            linear_before_reset=1,
            outputs=2,
        )

    return _run(op, network, input, [hx], _GRU_GATES, run)


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
    network = _network(op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    return _elman(op, network, input, hx, "Tanh")


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
    network = _network(op, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    return _elman(op, network, input, hx, "Relu")


def _elman(op: Op, network: _Network, input: Value, hx: Value, activation: str) -> Sequence[Value]:
    size = _hidden_size(op, hx)

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        return op.RNN(
            *(x, w, r, b, None, states[0]),
            hidden_size=size,
            direction=network.direction,
            activations=[activation] * network.directions,
            outputs=2,
        )

    return _run(op, network, input, [hx], (0,), run)
