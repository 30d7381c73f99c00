"""Recurrent networks by way of torch.export: time and batch are dynamic."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import torch

import onnx_export

Tensor = torch.Tensor
TIME, BATCH, FEATURES, HIDDEN = 5, 3, 7, 11
KINDS = {"LSTM": torch.nn.LSTM, "GRU": torch.nn.GRU, "RNN": torch.nn.RNN}


class Model(torch.nn.Module):
    def __init__(self, kind: str, options: Mapping[str, object]) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layer = KINDS[kind](FEATURES, HIDDEN, **options)

    def forward(self, x: Tensor, *states: Tensor) -> object:
        if not states:
            return self.layer(x)
        return self.layer(x, states if len(states) > 1 else states[0])


def exported(
    model: Model, args: tuple[Tensor, ...], dynamic: tuple[dict[int, str], ...], decompose: bool = False
) -> onnx_export.ONNXProgram:
    """Export, and compare with eager PyTorch at several sizes."""
    first, *rest = dynamic
    shapes = {"x": first, "states": tuple(rest)}
    return onnx_export.export(
        model.eval(), args, dynamic_shapes=shapes, verbose=False, verify=True, decompose=decompose
    )


def assert_layers(program: onnx_export.ONNXProgram, kind: str, layers: int) -> None:
    names = [node.op_type for node in program.model.graph.all_nodes()]
    assert names.count(kind) == layers
    assert not {"Loop", "Scan", "If"} & set(names)


@pytest.mark.parametrize("kind", KINDS)
def test_time_and_batch(kind: str) -> None:
    program = exported(Model(kind, {}), (torch.randn(TIME, BATCH, FEATURES),), ({0: "time", 1: "batch"},))
    assert_layers(program, kind, 1)
    assert list(map(str, program.model.graph.outputs[0].shape or ())) == ["time", "batch", str(HIDDEN)]
    weights = {f"layer.{part}_{end}_l0" for part in ("weight", "bias") for end in ("ih", "hh")}
    assert weights <= set(program.model.graph.initializers)


@pytest.mark.parametrize("kind", KINDS)
def test_layers_and_directions(kind: str) -> None:
    options = {"num_layers": 2, "bidirectional": True, "batch_first": True, "dropout": 0.5}
    program = exported(
        Model(kind, options), (torch.randn(BATCH, TIME, FEATURES),), ({0: "batch", 1: "time"},)
    )
    assert_layers(program, kind, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_given_states_without_biases(kind: str) -> None:
    states = [torch.randn(1, BATCH, HIDDEN) for _ in range(2 if kind == "LSTM" else 1)]
    dynamic = ({0: "time", 1: "batch"}, *({1: "batch"} for _ in states))
    program = exported(Model(kind, {"bias": False}), (torch.randn(TIME, BATCH, FEATURES), *states), dynamic)
    assert_layers(program, kind, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_no_axis_of_batches(kind: str) -> None:
    assert_layers(exported(Model(kind, {}), (torch.randn(TIME, FEATURES),), ({0: "time"},)), kind, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_taken_apart(kind: str) -> None:
    args = (torch.randn(TIME, BATCH, FEATURES),)
    program = exported(Model(kind, {}), args, ({0: "time", 1: "batch"},), decompose=True)
    assert_layers(program, kind, 1)


class Written(Model):
    """Writes before and after, in a way that only torch's own functionalization may follow."""

    def forward(self, x: Tensor, *states: Tensor) -> object:
        x = x.clone()
        x[1:].mul_(2)
        output, last = self.layer(x)
        output[0].zero_()
        return output, last.add_(1)


def test_writes_around_it() -> None:
    program = exported(Written("GRU", {}), (torch.randn(TIME, BATCH, FEATURES),), ({0: "time", 1: "batch"},))
    assert_layers(program, "GRU", 1)


class Speech(torch.nn.Module):
    """Convolutions before, an attention over time behind."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.front = torch.nn.Conv1d(FEATURES, HIDDEN, 3, stride=2, padding=1)
        self.layer = torch.nn.LSTM(HIDDEN, HIDDEN, 2, batch_first=True, bidirectional=True)
        self.score, self.head = torch.nn.Linear(2 * HIDDEN, 1), torch.nn.Linear(2 * HIDDEN, 4)

    def forward(self, x: Tensor) -> object:
        hidden, (last, _) = self.layer(torch.relu(self.front(x.mT)).mT)
        weights = self.score(hidden).softmax(1)
        return self.head((weights * hidden).sum(1)), last[-2:].mean(0)


def test_inside_a_model() -> None:
    program = onnx_export.export(
        Speech().eval(),
        (torch.randn(BATCH, TIME, FEATURES),),
        dynamic_shapes=({0: "batch", 1: "time"},),
        verbose=False,
        verify=True,
    )
    assert_layers(program, "LSTM", 2)
