"""Exports by way of ``torch.jit.trace``: ``dynamo=False``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, DiagnosticContext


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(4)
        self.head = torch.nn.Linear(4, 5)

    def forward(self, x: torch.Tensor, scale: float = 1.0) -> dict[str, torch.Tensor]:
        features = torch.relu_(self.norm(self.conv(x))) * scale
        pooled = features.flatten(2).mean(-1).view(x.size(0), -1)
        return {"features": features, "scores": self.head(pooled).softmax(-1)}


def test_a_trace_agrees_at_other_sizes(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Block().train()
    axes = {"image": {0: "batch", 2: "height", 3: "width"}}

    program = onnx_export.export(
        model,
        (torch.randn(2, 3, 7, 11), 0.5),
        tmp_path / "trace.onnx",
        dynamo=False,
        input_names=["image"],
        output_names=["features", "scores"],
        dynamic_axes=axes,
        verify=True,
    )

    assert model.training
    session = onnxruntime.InferenceSession(tmp_path / "trace.onnx")
    assert [value.shape for value in session.get_inputs()] == [["batch", 3, "height", "width"]]
    assert session.get_outputs()[0].shape == ["batch", 4, "height", "width"]
    assert "conv.weight" in program.model.graph.initializers
    image = torch.randn(5, 3, 13, 6)
    wanted = model.eval()(image, 0.5)
    for got, name in zip(session.run(None, {"image": image.numpy()}), wanted, strict=True):
        np.testing.assert_allclose(got, wanted[name].detach().numpy(), rtol=1e-4, atol=1e-5)


class Branch(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # the line
            return x + 1
        return x - 1


def test_a_branch_on_values_is_told_with_its_line() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    line = next(
        number
        for number, text in enumerate(Path(__file__).read_text(encoding="utf-8").splitlines(), start=1)
        if text.endswith("# the line")
    )

    with pytest.warns(UserWarning, match="CAP015"):
        onnx_export.export(Branch(), (torch.ones(2),), dynamo=False, diagnostics=diagnostics)

    (found,) = [found for found in diagnostics if found.rule.code == "CAP015"]
    assert found.location is not None
    assert (found.location.file, found.location.line) == (__file__, line)


def test_a_model_that_raises_is_told_with_its_line() -> None:
    class Raises(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise ValueError("no such thing")

    with pytest.raises(CaptureError, match="no such thing"):
        onnx_export.export(Raises(), (torch.ones(2),), dynamo=False)


class Halves(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(2, x.shape[0] // 2, -1).narrow(1, 0, x.shape[0] // 2 - 1)


def test_arithmetic_on_sizes_is_followed() -> None:
    program = onnx_export.export(
        Halves(), (torch.randn(6, 5),), dynamo=False, dynamic_axes={"x": {0: "batch"}}
    )

    x = torch.randn(10, 5)
    (got,) = program(x)
    torch.testing.assert_close(got, Halves()(x))


class Numbers(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        steps, size = torch.arange(4), x.shape[0]
        return (
            2.5 * steps + x,
            (0.5 + steps) * x,
            x - (1.5 - steps),
            (steps - 1.5) // 2.0,
            2.5 / (1 + steps) + 2.5**steps + steps**0.5,
            torch.where(steps > 1, 2.5, steps) + torch.where(steps > 1, steps, 2),
            steps * (size * 2.5) + size / (steps + 1),
            steps.to(torch.int8) * 3 + (steps > 1) * 2,
            steps.to(torch.int32) + 2,
        )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.int32])
def test_numbers_of_the_model_do_not_take_part_in_promotion(dtype: torch.dtype) -> None:
    x = torch.arange(12).reshape(3, 4).to(dtype)
    program = onnx_export.export(Numbers(), (x,), dynamo=False, dynamic_axes={"x": {0: "batch"}})

    other = torch.arange(20).reshape(5, 4).to(dtype)
    for got, wanted in zip(program(other), Numbers()(other), strict=True):
        torch.testing.assert_close(got, wanted)


@pytest.mark.parametrize("kind", [torch.nn.GRUCell, torch.nn.LSTMCell])
def test_cells_write_in_place_to_the_pieces_of_their_gates(
    kind: type[torch.nn.GRUCell | torch.nn.LSTMCell],
) -> None:
    cell = kind(3, 4).eval()
    program = onnx_export.export(
        cell, (torch.randn(2, 3),), dynamo=False, dynamic_axes={"input": {0: "batch"}}
    )

    x = torch.randn(5, 3)
    wanted = cell(x)
    for got, one in zip(program(x), wanted if isinstance(wanted, tuple) else [wanted], strict=True):
        torch.testing.assert_close(got, one.detach())


class Recurrent(torch.nn.Module):
    def __init__(self, network: torch.nn.RNNBase) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = self.network(x)[0]
        return output


@pytest.mark.parametrize("is_scripted", [False, True])
@pytest.mark.parametrize("kind", [torch.nn.GRU, torch.nn.LSTM, torch.nn.RNN])
def test_recurrent_networks_make_their_first_states_for_any_batch(
    kind: type[torch.nn.GRU | torch.nn.LSTM | torch.nn.RNN], is_scripted: bool
) -> None:
    network = Recurrent(kind(5, 4, num_layers=2, bidirectional=True)).eval()
    program = onnx_export.export(
        torch.jit.script(network) if is_scripted else network,
        (torch.randn(3, 2, 5),),
        dynamo=False,
        input_names=["x"],
        dynamic_axes={"x": {0: "time", 1: "batch"}},
    )

    x = torch.randn(7, 6, 5)
    (output,) = program(x)
    torch.testing.assert_close(output, network(x).detach())


class Apart(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(4, 4))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            self.linear(x),
            torch.cat([x, x]).diff(dim=0),
            x.quantile(0.3, dim=1),
            x + torch.fft.fftfreq(4, 0.5),
        )


@pytest.mark.parametrize("opset", [13, 18])
def test_calls_without_translation_are_taken_apart(opset: int) -> None:
    model = Apart().eval()
    program = onnx_export.export(
        *(model, (torch.randn(3, 4),)),
        dynamo=False,
        opset_version=opset,
        dynamic_axes={"x": {0: "batch"}},
    )

    x = torch.randn(5, 4)
    for got, wanted in zip(program(x), model(x), strict=True):
        torch.testing.assert_close(got, wanted.detach())


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count: torch.Tensor
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(1)
        return x.add_(1) + self.count


def test_a_trace_leaves_buffers_and_examples_as_they_were() -> None:
    model, x = Counter().eval(), torch.ones(2)
    with pytest.warns(UserWarning, match="JIT002"):
        program = onnx_export.export(model, (x,), dynamo=False)

    assert model.count.item() == 0
    assert x.tolist() == [1, 1]
    (got,) = program(torch.ones(2))
    assert got.tolist() == [3, 3]
