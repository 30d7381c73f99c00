"""Recurrent networks of several layers and directions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeAlias

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import rank_of

__all__ = [
    "LSTM_GATES",
    "RecurrentNetwork",
    "biases_of",
    "elman_network",
    "gru_network",
    "hidden_size",
    "lstm_network",
    "recurrent_network",
    "reordered",
    "run_layers",
]


_Probability: TypeAlias = float


LSTM_GATES = (0, 3, 1, 2)
"""The gates of an LSTM, i, f, g, o in torch, in the order of ONNX: i, o, f, c."""

# Those of a GRU are r, z, n in torch and z, r, h in ONNX.
_GRU_GATES = (1, 0, 2)

_ONE_GATE = (0,)


@dataclasses.dataclass(frozen=True)
class RecurrentNetwork:
    """The arguments that all recurrent networks of torch share."""

    params: Sequence[Value]
    has_biases: bool
    num_layers: int
    bidirectional: bool
    batch_first: bool

    @property
    def is_projected(self) -> bool:
        """Whether the hidden state is a projection of an LSTM's output: one more weight per direction."""
        return len(self.params) == self.num_layers * self.directions * (5 if self.has_biases else 3)

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


def recurrent_network(
    emitter: Emitter,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> RecurrentNetwork:
    """The arguments of a network, checked.

    Raises:
        Unsupported: dropout in training.
    """
    if train and dropout and num_layers > 1:
        emitter.refuse("dropout between the layers is random; call eval() on the model")
    return RecurrentNetwork(params, has_biases, num_layers, bidirectional, batch_first)


_Operator = Callable[[Value, Value, Value, "Value | None", Sequence[Value]], Sequence[Value]]
"""From the input, the weights, the biases and the first states to the outputs of an ONNX operator."""


_Layer = Callable[[Value, "Sequence[Sequence[Value]]", Sequence[Value]], Sequence[Value]]
"""From the input, the parameters of each direction and the first states to the output and the last states."""


def _run(
    emitter: Emitter,
    network: RecurrentNetwork,
    input: Value,
    states: Sequence[Value],
    gates: Sequence[int],
    run: _Operator,
) -> list[Value]:
    """The output of the last layer, and the last states of all layers."""

    def layer(value: Value, groups: Sequence[Sequence[Value]], first: Sequence[Value]) -> Sequence[Value]:
        weights = [
            _joined(emitter, [reordered(emitter, group[k], gates) for group in groups]) for k in (0, 1)
        ]
        bias = (
            _joined(emitter, [biases_of(emitter, group, gates) for group in groups])
            if network.has_biases
            else None
        )
        output, *final = run(value, weights[0], weights[1], bias, first)
        return _side_by_side(emitter, output, network.directions), *final

    return run_layers(emitter, network, input, states, layer)


def run_layers(
    emitter: Emitter, network: RecurrentNetwork, input: Value, states: Sequence[Value], layer: _Layer
) -> list[Value]:
    """The output of the last layer, and the last states of all layers, each of which is ``layer``'s."""
    if rank_of(emitter, input) != 3:
        emitter.refuse("the input has no axis for batches")
    value = emitter.Transpose(input, perm=[1, 0, 2]) if network.batch_first else input
    last: list[Sequence[Value]] = []
    for index in range(network.num_layers):
        value, *final = layer(value, network.layer(index), _of_layer(emitter, states, network, index))
        last.append(final)
    ends = [
        parts[0] if len(parts) == 1 else emitter.Concat(*parts, axis=0) for parts in zip(*last, strict=True)
    ]
    return [emitter.Transpose(value, perm=[1, 0, 2]) if network.batch_first else value, *ends]


def reordered(emitter: Emitter, weight: Value, gates: Sequence[int]) -> Value:
    """The gates along the first axis in ONNX's order."""
    if len(gates) == 1:
        return weight
    parts = emitter.Split(weight, num_outputs=len(gates), outputs=len(gates))
    return emitter.Concat(*(parts[gate] for gate in gates), axis=0)


def biases_of(emitter: Emitter, group: Sequence[Value], gates: Sequence[int]) -> Value:
    return emitter.Concat(reordered(emitter, group[2], gates), reordered(emitter, group[3], gates), axis=0)


def _joined(emitter: Emitter, directions: Sequence[Value]) -> Value:
    parts = [emitter.Unsqueeze(part, [0]) for part in directions]
    return parts[0] if len(parts) == 1 else emitter.Concat(*parts, axis=0)


def _of_layer(
    emitter: Emitter, states: Sequence[Value], network: RecurrentNetwork, index: int
) -> list[Value]:
    if network.num_layers == 1:
        return list(states)
    start = index * network.directions
    return [emitter.Slice(state, [start], [start + network.directions], [0]) for state in states]


def _side_by_side(emitter: Emitter, output: Value, directions: int) -> Value:
    """ONNX's output, whose second axis is the direction, in torch's form: features of both in one axis."""
    if directions == 1:
        return emitter.Squeeze(output, [1])
    parts = emitter.Split(output, axis=1, num_outputs=2, outputs=2)
    return emitter.Concat(*(emitter.Squeeze(part, [1]) for part in parts), axis=-1)


def hidden_size(emitter: Emitter, network: RecurrentNetwork, gates: Sequence[int]) -> int:
    """The rows of a gate in the first weight: states may be computed, and then their shape is not known."""
    weight = network.params[0]
    rows = None if weight.shape is None else weight.shape[0]
    if not isinstance(rows, int):
        emitter.refuse("the hidden size is unknown, as the shape of the first weight is")
    return rows // len(gates)


def _sequence_lens(emitter: Emitter, lengths: Value | None) -> Value | None:
    return None if lengths is None else emitter.cast(lengths, ir.DataType.INT32)


def lstm_network(
    emitter: Emitter,
    input: Value,
    hx: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
    lengths: Value | None = None,
) -> Sequence[Value]:
    """The output of the last layer, the last hidden states, and the last cells.

    With ``lengths``, a row ends after so many steps: its last states are of the last of them, and what its
    output has behind them is 0. The same holds for the other networks.
    """
    network = recurrent_network(
        emitter, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
    if network.is_projected:
        emitter.refuse("ONNX's LSTM has no projection (proj_size)")
    size, lens = hidden_size(emitter, network, LSTM_GATES), _sequence_lens(emitter, lengths)

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        hidden, cell = states
        return emitter.LSTM(
            x, w, r, b, lens, hidden, cell, hidden_size=size, direction=network.direction, outputs=3
        )

    return _run(emitter, network, input, hx, LSTM_GATES, run)


def gru_network(
    emitter: Emitter,
    input: Value,
    hx: Value,
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: _Probability,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
    lengths: Value | None = None,
) -> Sequence[Value]:
    """The output of the last layer, and the last hidden states."""
    network = recurrent_network(
        emitter, params, has_biases, num_layers, dropout, train, bidirectional, batch_first
    )
    size, lens = hidden_size(emitter, network, _GRU_GATES), _sequence_lens(emitter, lengths)

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        # Torch multiplies with the reset gate after the hidden product and its bias.
        return emitter.GRU(
            *(x, w, r, b, lens, states[0]),
            hidden_size=size,
            direction=network.direction,
            linear_before_reset=1,
            outputs=2,
        )

    return _run(emitter, network, input, [hx], _GRU_GATES, run)


def elman_network(
    emitter: Emitter,
    network: RecurrentNetwork,
    input: Value,
    hx: Value,
    activation: str,
    lengths: Value | None = None,
) -> Sequence[Value]:
    """The output of the last layer of a plain recurrent network, and the last states."""
    size, lens = hidden_size(emitter, network, _ONE_GATE), _sequence_lens(emitter, lengths)

    def run(x: Value, w: Value, r: Value, b: Value | None, states: Sequence[Value]) -> Sequence[Value]:
        return emitter.RNN(
            *(x, w, r, b, lens, states[0]),
            hidden_size=size,
            direction=network.direction,
            activations=[activation] * network.directions,
            outputs=2,
        )

    return _run(emitter, network, input, [hx], _ONE_GATE, run)
