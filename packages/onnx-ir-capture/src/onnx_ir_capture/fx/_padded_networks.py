"""Operators for recurrent networks over rows of several lengths, which ONNX has and torch has not.

Torch takes such rows packed: without what pads them, by steps. The operators take them padded, steps first,
and return the output padded with zeros, and each row's states after its last step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

__all__ = ["NETWORKS"]

_Network = Callable[..., tuple[torch.Tensor, ...]]

_PACKED: dict[str, Callable[..., tuple[torch.Tensor, ...]]] = {
    "LSTM": torch.ops.aten.lstm.data,
    "GRU": torch.ops.aten.gru.data,
    "RNN_TANH": torch.ops.aten.rnn_tanh.data,
    "RNN_RELU": torch.ops.aten.rnn_relu.data,
}

# Torch keeps what a library defines as long as the library itself.
_LIBRARY = torch.library.Library("onnx_ir_capture", "FRAGMENT")

NETWORKS: dict[str, _Network] = {}
"""The operators by the mode of torch's layers, such as ``"RNN_TANH"``."""


def _define(mode: str) -> None:
    name = f"padded_{mode.lower()}"
    results = ", ".join(["Tensor"] * (3 if mode == "LSTM" else 2))
    _LIBRARY.define(
        f"{name}(Tensor input, Tensor lengths, Tensor[] hx, Tensor[] params, bool has_biases, "
        f"int num_layers, float dropout, bool train, bool bidirectional) -> ({results})"
    )
    _LIBRARY.impl(name, _computed_by(_PACKED[mode]), "CompositeExplicitAutograd")
    torch.library.register_fake(f"onnx_ir_capture::{name}", _results, lib=_LIBRARY)
    NETWORKS[mode] = getattr(torch.ops.onnx_ir_capture, name).default


def _computed_by(packed: _Network) -> _Network:
    def run(
        input: torch.Tensor,
        lengths: torch.Tensor,
        hx: Sequence[torch.Tensor],
        params: Sequence[torch.Tensor],
        *options: object,
    ) -> tuple[torch.Tensor, ...]:
        lengths, order = lengths.sort(descending=True)
        back = order.argsort()
        rows = pack_padded_sequence(input.index_select(1, order), lengths)
        given = [state.index_select(1, order) for state in hx]
        states = given if packed is _PACKED["LSTM"] else given[0]
        output, *last = packed(rows.data, rows.batch_sizes, states, params, *options)
        whole = PackedSequence(output, rows.batch_sizes)
        padded, _ = pad_packed_sequence(whole, total_length=input.shape[0])
        return tuple(result.index_select(1, back) for result in (padded, *last))

    return run


def _results(
    input: torch.Tensor,
    lengths: torch.Tensor,
    hx: Sequence[torch.Tensor],
    params: Sequence[torch.Tensor],
    *options: object,
) -> tuple[torch.Tensor, ...]:
    is_bidirectional = bool(options[-1])
    features = hx[0].shape[2] * (2 if is_bidirectional else 1)
    output = input.new_empty([input.shape[0], input.shape[1], features])
    return (output, *(torch.empty_like(state) for state in hx))


for _mode in _PACKED:
    _define(_mode)
