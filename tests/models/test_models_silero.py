"""The voice detector of the package silero-vad: an archive of TorchScript without its source."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import onnx_export

PAGE = Path(__file__).parent.parent.parent / "docs" / "silero.md"
RATES = {16000: ("_model", 512, 64), 8000: ("_model_8k", 256, 32)}


def archive() -> Path:
    """The archive's path; the package itself would import torchaudio."""
    spec = importlib.util.find_spec("silero_vad")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("silero-vad is not installed")
    return Path(spec.origin).parent / "data" / "silero_vad.jit"


def speech(rate: int, seconds: float) -> torch.Tensor:
    """A voiced sound with a gliding pitch that comes and goes, over noise."""
    torch.manual_seed(0)
    time = torch.arange(int(rate * seconds)) / rate
    pitch = 140 + 40 * torch.sin(2 * torch.pi * 0.7 * time)
    phase = 2 * torch.pi * torch.cumsum(pitch / rate, 0)
    voice = sum((torch.sin(harmonic * phase) / harmonic for harmonic in range(1, 15)), torch.zeros_like(time))
    envelope = torch.clamp(torch.sin(2 * torch.pi * 0.8 * time), min=0)
    return 0.2 * voice * envelope + 0.005 * torch.randn(len(time))


@pytest.mark.parametrize("opset", [13, 16, 18, 20])
@pytest.mark.parametrize("rate", RATES)
def test_an_inner_model_follows_a_signal(rate: int, opset: int, tmp_path: Path) -> None:
    name, size, context = RATES[rate]
    model = getattr(torch.jit.load(archive()), name)
    state = torch.zeros(2, 1, 128)
    onnx_export.export(
        model,
        (torch.randn(1, size + context), state),
        tmp_path / "vad.onnx",
        opset_version=opset,
        verbose=False,
    )
    session = onnxruntime.InferenceSession(tmp_path / "vad.onnx")
    signal = speech(rate, 2.0)
    wanted, found, left = [], [], state.numpy()
    for chunk in signal.unfold(0, size + context, size):
        probability, state = model(chunk[None], state)
        got, left = session.run(None, {"x": chunk[None].numpy(), "state": left})
        wanted.append(probability.item())
        found.append(got.item())
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    assert max(wanted) - min(wanted) > 0.2, "the signal moves the model"


@pytest.mark.parametrize("opset", [13, 16, 18, 20])
def test_the_whole_archive_keeps_its_state_at_both_rates(opset: int, tmp_path: Path) -> None:
    program = onnx_export.export(
        archive(),
        (torch.randn(1, 512), 16000),
        tmp_path / "vad.onnx",
        opset_version=opset,
        keep_state=True,
        dynamic_axes={"x": {1: "samples"}},
        verbose=False,
    )
    assert [variable.input for variable in program.state] == [
        "_state",
        "_context",
        "_last_sr",
        "_last_batch_size",
    ]
    session = onnxruntime.InferenceSession(tmp_path / "vad.onnx")
    model = torch.jit.load(archive())
    for rate in (16000, 8000, 16000):
        size = RATES[rate][1]
        model.reset_states()
        state = {variable.input: variable.initial for variable in program.state}
        feeds = {name: tensor.numpy() for name, tensor in state.items() if tensor is not None}
        wanted, found = [], []
        for chunk in speech(rate, 2.0).split(size)[:-1]:
            wanted.append(model(chunk[None], rate).item())
            probability, *left = session.run(None, {"x": chunk[None].numpy(), "sr": np.array(rate), **feeds})
            found.append(probability.item())
            feeds = {variable.input: value for variable, value in zip(program.state, left, strict=True)}
        np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_blocks_of_the_page_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "vad.onnx").is_file()
    assert (tmp_path / "vad_16k.onnx").is_file()
