"""Captures of associative scans: any number of rows, and other people's functions as they were afterwards."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
import torch
from torch._higher_order_ops.associative_scan import associative_scan

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.program import CapturedProgram

HOME = importlib.import_module("torch._higher_order_ops.associative_scan")
STEPS, BATCH, FEATURES = 5, 3, 7


def is_torchdynamo_exporting() -> bool:
    """The question as transformers asks it."""
    return torch.compiler.is_exporting()


@pytest.fixture(autouse=True)
def functions_stay() -> Iterator[None]:
    before = HOME.generic_associative_scan, is_torchdynamo_exporting
    yield
    assert (HOME.generic_associative_scan, sys.modules[__name__].is_torchdynamo_exporting) == before


class Sum(torch.nn.Module):
    """Sums of the steps so far; a loop over them where ``use_associative_scan`` is off, or in an export."""

    def __init__(self, use_associative_scan: bool = True) -> None:
        super().__init__()
        self.use_associative_scan = use_associative_scan

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.use_associative_scan and not is_torchdynamo_exporting():
            result: torch.Tensor = associative_scan(torch.add, x, 1, combine_mode="generic")
            return result
        return torch.stack([x[:, : step + 1].sum(1) for step in range(x.shape[1])], dim=1)


class Elsewhere(torch.nn.Module):
    """A layer that asks, and a thread that does so meanwhile."""

    def __init__(self, note: Callable[[bool], object]) -> None:
        super().__init__()
        self.layer, self.note = Sum(), note

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        thread = threading.Thread(target=lambda: self.note(is_torchdynamo_exporting()))
        thread.start()
        thread.join()
        y: torch.Tensor = self.layer(x)
        return y


class Fails(Sum):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        super().forward(x)
        raise ValueError("on purpose")


def captured(model: torch.nn.Module, any_length: bool = True) -> CapturedProgram:
    return capture(
        model.eval(),
        (torch.randn(BATCH, STEPS, FEATURES),),
        dynamic_shapes=({0: "batch", 1: "steps"} if any_length else {0: "batch"},),
        diagnostics=DiagnosticContext("test", "0"),
    )


def kinds(program: CapturedProgram) -> list[str]:
    return [node.op_type for node in program.model.graph]


@pytest.mark.parametrize("model", [Sum(), torch.nn.Sequential(Sum(), torch.nn.ReLU())])
def test_any_number_of_rows(model: torch.nn.Module) -> None:
    program = captured(model)
    assert kinds(program).count("Loop") == 1
    assert str(program.model.graph.outputs[0].shape) == f"[batch,steps,{FEATURES}]"


def test_a_fixed_number_leaves_other_sizes_dynamic() -> None:
    program = captured(Sum(), any_length=False)
    assert str(program.model.graph.outputs[0].shape) == f"[batch,{STEPS},{FEATURES}]"


def test_layers_that_do_not_ask_for_scans_see_an_export() -> None:
    with pytest.raises(CaptureError):
        captured(Sum(use_associative_scan=False))


def test_other_threads_get_the_answer_of_torch() -> None:
    heard: list[bool] = []
    captured(Elsewhere(heard.append))
    assert heard == [True]


def test_functions_are_restored_after_a_failure() -> None:
    with pytest.raises(CaptureError, match="on purpose"):
        captured(Fails())
