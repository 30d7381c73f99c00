"""Single steps of recurrent networks."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

BATCH = [[0], [0], [], [], [], []]
FLOATS = (torch.float32, torch.float64)


def lstm(x: torch.Tensor, h: torch.Tensor, c: torch.Tensor, *weights: torch.Tensor) -> object:
    return torch.lstm_cell(x, [h, c], *weights)


def weights(gates: int) -> tuple[torch.Tensor, ...]:
    size = 5 * gates
    return floats(size, 3), floats(size, 5), floats(size), floats(size)


X, H = floats(7, 3), floats(7, 5)

CASES = [
    OpCase("rnn_tanh_cell", torch.rnn_tanh_cell, (X, H, *weights(1)), dynamic=BATCH),
    OpCase("rnn_relu_cell", torch.rnn_relu_cell, (X, H, *weights(1)), dynamic=BATCH),
    OpCase("gru_cell", torch.gru_cell, (X, H, *weights(3)), dynamic=BATCH, dtypes=FLOATS),
    OpCase("gru_cell without bias", torch.gru_cell, (X, H, *weights(3)[:2]), dynamic=BATCH[:4]),
    OpCase("lstm_cell", lstm, (X, H, floats(7, 5), *weights(4)), dynamic=[[0], *BATCH], dtypes=FLOATS),
    OpCase("lstm_cell without bias", lstm, (X, H, floats(7, 5), *weights(4)[:2]), dynamic=[[0], *BATCH[:4]]),
]
