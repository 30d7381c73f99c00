"""Example arguments of a trace: containers of every kind, and what is no input."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.rules import TRAINING_MODE, UNUSABLE_INPUT
from onnx_ir_capture.torchscript import capture_script


class Box:
    """Two tensors, of which torch does not know."""

    def __init__(self, first: torch.Tensor, second: torch.Tensor) -> None:
        self.first = first
        self.second = second


class Unnamed(Box):
    """Two tensors that torch knows by their positions alone."""


pytree.register_pytree_node(
    Unnamed, lambda box: ([box.first, box.second], None), lambda members, _: Unnamed(*members)
)


class Difference(torch.nn.Module):
    def forward(self, box: Box) -> torch.Tensor:
        return box.first - box.second


def test_members_without_names() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    box = Unnamed(torch.ones(3), torch.zeros(3))
    program = capture_script(Difference().eval(), (box,), diagnostics=diagnostics)
    assert [spec.name for spec in program.inputs] == ["box_0", "box_1"]
    other = Unnamed(torch.arange(3.0), torch.ones(3))
    torch.testing.assert_close(run_program(program, (other,)), torch.arange(3.0) - 1)
    assert not diagnostics.diagnostics


def endless() -> list[object]:
    found: list[object] = [torch.ones(3)]
    found.append(found)
    return found


@pytest.mark.parametrize(
    ("argument", "advice"),
    [
        (Box(torch.ones(3), torch.zeros(3)), "register_pytree_node(Box"),
        (endless(), "one direction"),
        (torch.eye(3).to_sparse(), "to_dense()"),
        (np.ones(3), "torch.tensor(box)"),
    ],
    ids=["class", "endless", "sparse", "numpy"],
)
def test_what_is_no_input_is_refused_at_the_model(argument: object, advice: str) -> None:
    with pytest.raises(CaptureError) as caught:
        capture_script(Difference().eval(), (argument,), diagnostics=DiagnosticContext("tests", "0"))
    (found,) = caught.value.diagnostics
    assert found.rule == UNUSABLE_INPUT
    assert advice in found.advice
    assert found.location is not None
    assert found.location.line == Difference.forward.__code__.co_firstlineno


def test_a_model_in_training_mode_is_told() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    capture_script(torch.nn.Dropout(), (torch.ones(3),), diagnostics=diagnostics)
    assert [found.rule for found in diagnostics.diagnostics] == [TRAINING_MODE]
