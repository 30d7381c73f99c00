"""Models on the meta device and of fake tensors, which get their weights after the export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnxruntime
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import onnx_export
from onnx_diagnostics import OnnxExporterError


class Net(torch.nn.Module):
    """Has tied weights, a buffer, and makes a tensor of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(11, 3)
        self.fc = torch.nn.Linear(3, 3)
        self.norm = torch.nn.BatchNorm1d(3)
        self.head = torch.nn.Linear(3, 11, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.norm(self.fc(self.embedding(ids))) + torch.arange(3)
        scores: torch.Tensor = self.head(y)
        return scores


IDS = torch.tensor([3, 1, 7])


def on_meta() -> Net:
    with torch.device("meta"):
        return Net().eval()


def of_fakes() -> Net:
    with FakeTensorMode():
        return Net().eval()


def trained() -> Net:
    model = Net()
    with torch.no_grad():
        for value in model.state_dict().values():
            if value.is_floating_point():
                value.uniform_(0.5, 1.5)
    return model.eval()


@pytest.mark.parametrize("make", [on_meta, of_fakes])
def test_weights_come_after_the_export(make: Callable[[], Net], tmp_path: Path) -> None:
    model = make()
    weight = model.fc.weight
    program = onnx_export.export(model, (IDS,), dynamic_shapes={"ids": {0: "n"}}, verbose=False)
    assert model.fc.weight is weight
    assert model.head.weight is model.embedding.weight
    place = tmp_path / "model.onnx"
    for act in (
        lambda: program.save(place),
        lambda: program(IDS),
        lambda: program.call_reference(IDS),
        lambda: program.model_proto,
    ):
        with pytest.raises(
            OnnxExporterError, match=r"weights have no values that can be written: embedding\.weight"
        ):
            act()
    assert not place.exists()
    other = trained()
    program.apply_weights(other.state_dict())
    program.save(place)
    expected = other(IDS[:2]).detach()
    torch.testing.assert_close(program(IDS[:2])[0], expected)
    session = onnxruntime.InferenceSession(place, providers=["CPUExecutionProvider"])
    (output,) = session.run(None, {"ids": IDS[:2].numpy()})
    torch.testing.assert_close(torch.from_numpy(output), expected)


@pytest.mark.parametrize("make", [on_meta, of_fakes])
def test_what_is_still_missing_is_named(make: Callable[[], Net], tmp_path: Path) -> None:
    program = onnx_export.export(make(), (IDS,), verbose=False)
    weights = {name: value for name, value in trained().state_dict().items() if not name.startswith("norm")}
    with pytest.raises(
        ValueError, match=r"missing from state_dict: norm\.weight, norm\.bias, norm\.running_mean"
    ):
        program.apply_weights(weights)
    program.apply_weights(weights, strict=False)
    with pytest.raises(OnnxExporterError, match=r"4 weights have no values .*: norm\.weight"):
        program.save(tmp_path / "model.onnx")


def test_example_inputs_on_the_meta_device() -> None:
    program = onnx_export.export(on_meta(), (IDS.to("meta"),), verbose=False)
    other = trained()
    program.apply_weights(other.state_dict())
    torch.testing.assert_close(program(IDS)[0], other(IDS).detach())


def test_without_values_nothing_is_verified(tmp_path: Path) -> None:
    place = tmp_path / "model.onnx"
    with pytest.raises(OnnxExporterError, match="weights have no values"):
        onnx_export.export(on_meta(), (IDS,), place, verify=True, verbose=False)
    with pytest.raises(OnnxExporterError, match="weights have no values"):
        onnx_export.export(on_meta(), (IDS,), place, verbose=False)
    assert not place.exists()
    onnx_export.export(on_meta(), (IDS,), place, export_params=False, verbose=False)
    assert place.exists()
