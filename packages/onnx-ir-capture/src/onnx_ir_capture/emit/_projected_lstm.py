"""LSTMs whose hidden state is a projection, by ONNX's LSTM, which has none.

The recurrent weight R meets the projected state P h, so that R P is a recurrent weight on the state h before
the projection. Only the first state, which is given as projected, has no h: the input of the first step has
it as features of its own, whose weight is R, and that of later steps has zeros there.
"""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._padding import padded
from onnx_ir_capture.emit._recurrent import (
    LSTM_GATES,
    RecurrentNetwork,
    biases_of,
    hidden_size,
    reordered,
    run_layers,
)
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["projected_lstm_network"]


def projected_lstm_network(
    emitter: Emitter, network: RecurrentNetwork, input: Value, hx: Sequence[Value]
) -> Sequence[Value]:
    """The output of the last layer, the last hidden states, and the last cells.

    Args:
        emitter: where the nodes go.
        network: an LSTM with projections.
        input: of shape (steps, batch, features), or with the first two swapped.
        hx: the first hidden states, of the projected size, and the first cells.

    Raises:
        Unsupported: the input has no batch axis.
    """
    size = hidden_size(emitter, network, LSTM_GATES)

    def layer(value: Value, groups: Sequence[Sequence[Value]], states: Sequence[Value]) -> Sequence[Value]:
        hidden, cells = (_apart(emitter, state, len(groups)) for state in states)
        ends = [
            _direction(emitter, value, group, hidden[place], cells[place], size, backwards=place == 1)
            for place, group in enumerate(groups)
        ]
        outputs, lasts, last_cells = zip(*ends, strict=True)
        return _beside(emitter, outputs, -1), _beside(emitter, lasts, 0), _beside(emitter, last_cells, 0)

    return run_layers(emitter, network, input, hx, layer)


def _direction(
    emitter: Emitter,
    value: Value,
    group: Sequence[Value],
    hidden: Value,
    cell: Value,
    size: int,
    *,
    backwards: bool,
) -> tuple[Value, Value, Value]:
    """Output, last hidden state and last cell of one direction of a layer; states have an axis for it."""
    weight, recurrent = (reordered(emitter, group[k], LSTM_GATES) for k in (0, 1))
    projection = group[-1]
    bias = emitter.Unsqueeze(biases_of(emitter, group, LSTM_GATES), [0]) if len(group) == 5 else None
    steps = dimension(emitter, value, 0)
    later: SymInt = steps - 1 if isinstance(steps, int) else emitter.Sub(steps, 1)
    side: list[SymInt] = [later, 0] if backwards else [0, later]
    first = padded(emitter, hidden, [0, 0, 0, 0, *side], 0.0)
    output, last, last_cell = emitter.LSTM(
        emitter.Concat(value, first, axis=2),
        emitter.Unsqueeze(emitter.Concat(weight, recurrent, axis=1), [0]),
        emitter.Unsqueeze(emitter.MatMul(recurrent, projection), [0]),
        *(bias, None, None, cell),
        hidden_size=size,
        direction="reverse" if backwards else "forward",
        outputs=3,
    )
    projected = emitter.Transpose(projection, perm=[1, 0])
    return (
        emitter.MatMul(emitter.Squeeze(output, [1]), projected),
        emitter.MatMul(last, projected),
        last_cell,
    )


def _apart(emitter: Emitter, state: Value, directions: int) -> Sequence[Value]:
    """The states of each direction, each with its axis."""
    return [state] if directions == 1 else emitter.Split(state, num_outputs=2, outputs=2)


def _beside(emitter: Emitter, parts: Sequence[Value], axis: int) -> Value:
    return parts[0] if len(parts) == 1 else emitter.Concat(*parts, axis=axis)
