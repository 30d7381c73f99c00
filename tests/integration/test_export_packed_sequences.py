"""Recurrent networks over packed sequences, of any lengths, by way of torch.export."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest
import torch
from torch.nn.utils import rnn
from torch.utils import _pytree as pytree

import onnx_export
from onnx_diagnostics import OnnxExporterError

Tensor = torch.Tensor
FEATURES, HIDDEN = 7, 11
KINDS = {"LSTM": torch.nn.LSTM, "GRU": torch.nn.GRU, "RNN": torch.nn.RNN}


@dataclasses.dataclass(frozen=True)
class Case:
    kind: str
    batch_first: bool = False
    is_sorted: bool = False
    total: str | int | None = None
    padding: float = 0.0
    options: Mapping[str, object] = dataclasses.field(default_factory=dict)


class Packed(torch.nn.Module):
    def __init__(self, case: Case) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.case = case
        self.layer = KINDS[case.kind](FEATURES, HIDDEN, batch_first=case.batch_first, **case.options)

    def forward(self, x: Tensor, lengths: Tensor) -> object:
        case = self.case
        packed = rnn.pack_padded_sequence(x, lengths, case.batch_first, enforce_sorted=case.is_sorted)
        x.zero_()  # packing copies
        output, last = self.layer(packed)
        total = x.shape[1 if case.batch_first else 0] if case.total == "time" else case.total
        assert not isinstance(total, str)
        return rnn.pad_packed_sequence(output, case.batch_first, case.padding, total), last


def rows(batch: int, steps: int, batch_first: bool) -> Tensor:
    return torch.randn(batch, steps, FEATURES) if batch_first else torch.randn(steps, batch, FEATURES)


def checked(model: torch.nn.Module, batch_first: bool, is_sorted: bool) -> onnx_export.ONNXProgram:
    """Export, and compare with eager PyTorch at other sizes and lengths, the longest short of the padding."""
    lengths = torch.tensor([5, 4, 2] if is_sorted else [2, 5, 4])
    names = {0: "batch", 1: "time"} if batch_first else {0: "time", 1: "batch"}
    program = onnx_export.export(
        model.eval(),
        (rows(3, 5, batch_first), lengths),
        dynamic_shapes=(names, {0: "batch"}),
        verbose=False,
        fallback=False,
    )
    for other in ([8, 6, 6, 1], [9, 9, 2, 1]):
        given = torch.tensor(other if is_sorted else [other[2], other[0], other[3], other[1]])
        x = rows(4, 9, batch_first)
        expected = pytree.tree_leaves(model(x.clone(), given))
        for result, wanted in zip(program(x, given), expected, strict=True):
            torch.testing.assert_close(result, wanted.detach())
    return program


TWO_LAYERS = {"num_layers": 2, "bidirectional": True}
CASES = {
    "lstm": Case("LSTM", is_sorted=True),
    "lstm-layers": Case("LSTM", batch_first=True, total="time", options=TWO_LAYERS),
    "gru": Case("GRU", batch_first=True, is_sorted=True, padding=-1.5),
    "gru-layers": Case("GRU", options=TWO_LAYERS),
    "rnn-relu": Case("RNN", batch_first=True, total=13, options={"nonlinearity": "relu", "bias": False}),
    "rnn-layers": Case("RNN", is_sorted=True, total="time", options=TWO_LAYERS),
}


@pytest.mark.filterwarnings("ignore:JIT002")
@pytest.mark.parametrize("name", CASES)
def test_lengths_go_into_one_operator_per_layer(name: str) -> None:
    case = CASES[name]
    program = checked(Packed(case), case.batch_first, case.is_sorted)
    names = [node.op_type for node in program.model.graph.all_nodes()]
    assert names.count(case.kind) == case.options.get("num_layers", 1)
    assert not {"Loop", "Scan", "If"} & set(names)


class WithStates(torch.nn.Module):
    """States of its own, two networks after each other, and what was packed alone."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.LSTM(FEATURES, HIDDEN, batch_first=True)
        self.second = torch.nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.start = torch.nn.Linear(FEATURES, HIDDEN)

    def forward(self, x: Tensor, lengths: Tensor) -> object:
        packed = rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        state = self.start(x[:, 0]).unsqueeze(0)
        hidden, (last, cell) = self.first(packed, (state, state * 2))
        deeper, end = self.second(hidden, last)
        middle = rnn.pad_packed_sequence(hidden, batch_first=True)[0].add_(1)
        output = rnn.pad_packed_sequence(deeper, batch_first=True, total_length=x.shape[1])[0]
        return middle, output, rnn.pad_packed_sequence(packed)[0], cell, torch.cat([end[0], x[:, -1]], -1)


def test_given_states_and_networks_after_each_other() -> None:
    checked(WithStates(), batch_first=True, is_sorted=False)


class Elements(torch.nn.Module):
    def __init__(self, use: str) -> None:
        super().__init__()
        self.use = use
        self.linear = torch.nn.Linear(FEATURES, HIDDEN)

    def forward(self, x: Tensor, lengths: Tensor) -> object:
        packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        if self.use == "linear":
            return self.linear(packed.data)
        if self.use == "times":
            return packed.data * 2
        return packed.batch_sizes[0]


@pytest.mark.parametrize("use", ["linear", "times", "sizes"])
def test_elements_by_themselves_are_refused(use: str) -> None:
    args = (rows(3, 5, batch_first=False), torch.tensor([5, 2, 4]))
    with pytest.raises(OnnxExporterError, match="compute with the padded tensor") as caught:
        onnx_export.export(Elements(use), args, verbose=False, fallback=False)
    place = caught.value.diagnostics[0].location
    assert place is not None
    assert place.file == __file__


def test_a_projection_is_refused() -> None:
    model = Packed(Case("LSTM", options={"proj_size": 3}))
    with pytest.raises(OnnxExporterError, match="proj_size"):
        checked(model, batch_first=False, is_sorted=False)
