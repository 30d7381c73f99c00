"""Exported models through the pipeline: as the model itself computes, in evaluation mode too."""

from __future__ import annotations

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import print_program, verify
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.interpreter import Interpreter, run_program
from onnx_jitpasses.pipeline import PassedProgram, run_pipeline


class Residual(torch.nn.Module):
    """What convolutional models write in place, and what training mode would do beside."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(3)
        self.relu = torch.nn.ReLU(inplace=True)
        self.drop = torch.nn.Dropout(0.5, inplace=True)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = self.relu(self.norm(self.conv(x)))
        y += x
        self.relu(y)
        z = self.drop(y.mean((2, 3)))
        mask = torch.zeros_like(z)
        mask[:, :] = 2
        z.mul_(mask)
        return y, z.detach().contiguous().view(-1)


class FunctionalNorm(torch.nn.Module):
    """Calls in training mode whatever the module's mode is."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.randn(3))
        self.register_buffer("variance", torch.rand(3) + 1)

    def forward(self, x: torch.Tensor, training: bool = True) -> torch.Tensor:
        y = torch.nn.functional.batch_norm(
            x, self.get_buffer("mean"), self.get_buffer("variance"), training=training
        )
        return torch.nn.functional.dropout(y, 0.5, training=training)


def passed(model: torch.nn.Module, x: torch.Tensor, eval_mode: bool = True) -> PassedProgram:
    exported = torch.export.export(model, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    diagnostics = DiagnosticContext("test", "1")
    captured = import_exported_program(exported, diagnostics)
    before = print_program(captured.model, sources=True)
    result = run_pipeline(captured, diagnostics, eval_mode=eval_mode)
    assert print_program(captured.model, sources=True) == before
    verify(result.program.model)
    return result


def test_writes_of_fresh_tensors_are_gone_and_the_numbers_stay() -> None:
    model = Residual().eval()
    result = passed(model, torch.randn(2, 3, 5, 7))
    text = print_program(result.program.model)
    assert "mutates" not in text
    for gone in ("dropout", "detach", "contiguous", "slice", "view("):
        assert f"aten::{gone}" not in text
    x = torch.randn(4, 3, 5, 7)
    found = run_program(result.program, (x,))
    torch.testing.assert_close(found, model(x), rtol=0, atol=0)


def test_training_calls_compute_as_in_evaluation_mode() -> None:
    model = FunctionalNorm()
    x = torch.randn(5, 3)
    found = run_program(passed(model, x).program, (x,))
    torch.testing.assert_close(found, model(x, training=False), rtol=0, atol=0)


def test_statistics_of_the_batch_are_used_and_kept_in_training_mode() -> None:
    model = torch.nn.BatchNorm1d(3)
    x = torch.randn(5, 3)
    exported = torch.export.export(model, (x,))
    captured = import_exported_program(exported, DiagnosticContext("test", "1"))
    result = run_pipeline(captured, DiagnosticContext("test", "1"), eval_mode=False, keep_state=True)
    names = [update.name for update in result.state]
    y, *state = Interpreter(result.program.model).run([x])
    torch.testing.assert_close(y, model(x))
    assert dict(zip(names, state, strict=True)).keys() == set(model.state_dict()) - {"weight", "bias"}
    torch.testing.assert_close(
        dict(zip(names, state, strict=True)), {name: model.state_dict()[name] for name in names}
    )


def test_values_correspond_node_by_node() -> None:
    """Each captured value, seen when it is made, has the numbers of the value that it is mapped to."""
    model = Residual().eval()
    x = torch.randn(2, 3, 5, 7)
    exported = torch.export.export(model, (x,))
    diagnostics = DiagnosticContext("test", "1")
    captured = import_exported_program(exported, diagnostics)
    result = run_pipeline(captured, diagnostics)
    seen: dict[object, object] = {}

    def keep(value: object, computed: object) -> None:
        seen[value] = computed.clone() if isinstance(computed, torch.Tensor) else computed

    run_program(captured, (x,), observer=keep)
    run_program(result.program, (x,), observer=keep)
    compared = 0
    for old, new in result.value_map.items():
        if old in seen and new in seen:
            torch.testing.assert_close(seen[new], seen[old], rtol=0, atol=0)
            compared += 1
    assert compared > 20
