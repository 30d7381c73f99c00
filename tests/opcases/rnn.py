"""Recurrent networks."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from opcases._case import SYMBOLICS, TORCHLIB, OpCase, floats

__all__ = ["CASES"]

TIME, BATCH, FEATURES, HIDDEN = 5, 3, 7, 11
LSTM = (torch.lstm, "lstm.input", 4)
GRU = (torch.gru, "gru.input", 3)
TANH = (torch.rnn_tanh, "rnn_tanh.input", 1)
RELU = (torch.rnn_relu, "rnn_relu.input", 1)


def network(
    kind: tuple[object, str, int],
    words: str = "",
    *,
    layers: int = 1,
    both: bool = False,
    batch_first: bool = False,
    biases: bool = True,
    train: bool = False,
    dropout: float = 0.0,
    projection: int = 0,
    dtypes: Sequence[torch.dtype] = (),
    refused: str | None = None,
    only: str | None = None,
) -> OpCase:
    """A row whose batch size and number of steps are dynamic."""
    function, name, gates = kind
    assert callable(function)
    shape = (BATCH, TIME, FEATURES) if batch_first else (TIME, BATCH, FEATURES)
    directions = 2 if both else 1
    out = projection or HIDDEN
    first = [floats(layers * directions, BATCH, out, seed=3)]
    if gates == 4:
        first.append(floats(layers * directions, BATCH, HIDDEN, seed=4))
    params: list[torch.Tensor] = []
    for layer in range(layers):
        features = FEATURES if layer == 0 else out * directions
        for _ in range(directions):
            rows = gates * HIDDEN
            shapes = [(rows, features), (rows, out), *([(rows,), (rows,)] if biases else [])]
            shapes += [(out, HIDDEN)] if projection else []
            params += [floats(*size, seed=len(params) + k) / 3 for k, size in enumerate(shapes)]
    states: object = first if gates == 4 else first[0]
    return OpCase(
        f"{name} {words}".strip(),
        function,
        (floats(*shape), states, params, biases, layers, dropout, train, both, batch_first),
        dynamic=[[0, 1], *([1] for _ in first), *([] for _ in params)],
        resized=[{BATCH: 2, TIME: 13}, {BATCH: 1, TIME: 1}],
        dtypes=dtypes,
        refused=refused,
        only=only,
    )


CASES = [
    network(LSTM),
    network(LSTM, "float64", dtypes=(torch.float64,)).xfail("ONNX Runtime's LSTM does not support double"),
    network(LSTM, "all", layers=3, both=True, batch_first=True, dropout=0.5),
    network(LSTM, "two layers without biases", layers=2, biases=False, train=True),
    network(LSTM, "both ways", both=True),
    network(LSTM, "projection", projection=2, only=TORCHLIB),
    network(LSTM, "projection all", projection=2, layers=2, both=True, batch_first=True, only=TORCHLIB),
    network(LSTM, "projection without biases", projection=2, biases=False, only=TORCHLIB),
    network(LSTM, "projection of old", projection=2, refused="projection", only=SYMBOLICS),
    network(LSTM, "dropout", layers=2, dropout=0.5, train=True, refused="dropout"),
    network(LSTM, "dropout of one layer", dropout=0.5, train=True),
    network(GRU),
    network(GRU, "float64", dtypes=(torch.float64,)).xfail("ONNX Runtime's GRU does not support double"),
    network(GRU, "all", layers=2, both=True, batch_first=True),
    network(GRU, "both ways without biases", both=True, biases=False),
    network(TANH),
    network(TANH, "all", layers=2, both=True, batch_first=True),
    network(RELU, "without biases", biases=False, batch_first=True),
    network(RELU, "all", layers=2, both=True),
]
