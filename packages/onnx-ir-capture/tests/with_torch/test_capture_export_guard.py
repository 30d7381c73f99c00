"""The model and torch are as before after a capture, also after one that failed."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import capture, onnx_export_flag


class Restless(torch.nn.Module):
    """Changes whatever a forward can change."""

    def __init__(self, fail: bool) -> None:
        super().__init__()
        self.fail = fail
        self.fc = torch.nn.Linear(3, 3)
        self.norm = torch.nn.BatchNorm1d(3)
        self.count: torch.Tensor
        self.register_buffer("count", torch.zeros(1))
        self.plain = torch.zeros(3)
        self.kept = {"plain": torch.zeros(3)}
        self.calls = 0
        self.seen: list[torch.Tensor] = []
        self.fc.register_forward_hook(self._remember)

    def _remember(self, module: torch.nn.Module, given: object, result: torch.Tensor) -> None:
        self.seen.append(result)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        self.plain.add_(1)
        self.kept["plain"].add_(1)
        self.calls += 1
        self.latest = x * 2
        self.train(not self.training)
        self.fc.weight.requires_grad_(False)
        random.random()
        np.random.rand(1)
        torch.rand(1)
        result: torch.Tensor = self.norm(self.fc(x)) + self.plain
        torch.set_grad_enabled(False)
        if self.fail:
            raise ValueError("enough")
        return result


def state_of(model: Restless) -> dict[str, object]:
    tensors = {name: value.clone() for name, value in model.state_dict().items()}
    return {
        "attributes": sorted(vars(model)),
        "tensors": {name: value.tolist() for name, value in tensors.items()},
        "plain": (model.plain.tolist(), model.kept["plain"].tolist()),
        "calls": (model.calls, len(model.seen)),
        "training": [module.training for module in model.modules()],
        "parameters": [(id(value), value.requires_grad) for value in model.parameters()],
        "buffers": [id(value) for value in model.buffers()],
        "hooks": len(model.fc._forward_hooks),
        "torch": torch.get_rng_state().tolist(),
        "python": random.getstate(),
        "numpy": pickle.dumps(np.random.get_state()),
        "grad": torch.is_grad_enabled(),
    }


@pytest.mark.filterwarnings("ignore:The tensor attribute:UserWarning")
@pytest.mark.parametrize("training", [True, False], ids=["training", "eval"])
@pytest.mark.parametrize("fail", [True, False], ids=["fails", "works"])
@pytest.mark.parametrize("as_method", [True, False], ids=["method", "module"])
def test_model_is_untouched(training: bool, fail: bool, as_method: bool) -> None:
    model = Restless(fail)
    model.train(training)
    before = state_of(model)
    target: Callable[..., object] = model.forward if as_method else model
    error: CaptureError | None = None
    try:
        capture(target, (torch.ones(2, 3),), diagnostics=DiagnosticContext("test", "1"))
    except CaptureError as caught:
        error = caught
    assert state_of(model) == before
    if fail:
        assert error is not None
        assert isinstance(error.__cause__, ValueError)
    else:
        assert error is None


def test_example_arguments_are_untouched() -> None:
    x = torch.ones(1, 3, requires_grad=True)
    capture(
        torch.nn.Linear(3, 3).eval(),
        (x,),
        dynamic_shapes=({0: "batch"},),
        diagnostics=DiagnosticContext("t", "1"),
    )
    assert not [name for name in dir(x) if name.startswith("_dynamo")]
    assert x.requires_grad


def test_modes_of_the_caller_remain() -> None:
    model = torch.nn.Linear(3, 3).eval()
    with torch.inference_mode():
        capture(model, (torch.ones(2, 3),), diagnostics=DiagnosticContext("test", "1"))
        assert torch.is_inference_mode_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def is_exporting() -> bool:
    ask: Callable[[], bool] = torch.onnx.is_in_onnx_export
    return ask()


def test_models_can_tell_an_export() -> None:
    with onnx_export_flag():
        assert is_exporting()
        with onnx_export_flag():
            assert is_exporting()
        assert is_exporting()
    assert not is_exporting()
    with pytest.raises(ValueError, match="enough"), onnx_export_flag():
        raise ValueError("enough")
    assert not is_exporting()
