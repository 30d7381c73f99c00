"""What is read by strides: only tensors whose elements lie in memory one after the other, on both routes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from onnx_diagnostics import DiagnosticContext, render_text
from onnx_ir_capture import fx, torchscript
from onnx_ir_capture.dialect import op_name
from onnx_ir_capture.fx._memory_order import memory_order
from onnx_ir_capture.interpreter import Interpreter
from onnx_ir_capture.program import CapturedProgram

X = torch.arange(35.0).reshape(5, 7)

Function = Callable[[torch.Tensor], torch.Tensor]


class Model(torch.nn.Module):
    def __init__(self, function: Function) -> None:
        super().__init__()
        self._function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._function(x)


def windows(x: torch.Tensor) -> torch.Tensor:
    return x.as_strided((5, 5, 3), (7, 1, 1))


def transposed(x: torch.Tensor) -> torch.Tensor:
    return x.t().as_strided((2, 3), (3, 1))


def row(x: torch.Tensor) -> torch.Tensor:
    return x[1].as_strided((2, 3), (2, 1))


def from_offset(x: torch.Tensor) -> torch.Tensor:
    return (x * 2).as_strided((2, 5), (7, 1), 3)


def columns(x: torch.Tensor) -> torch.Tensor:
    return x[:, 1:3].as_strided((2, 3), (3, 1))


def expanded(x: torch.Tensor) -> torch.Tensor:
    return x[:1].expand(5, 7).as_strided((2, 3), (3, 1))


def part_from_offset(x: torch.Tensor) -> torch.Tensor:
    return x[1:].as_strided((2, 3), (3, 1), 0)


CAPTURES = pytest.mark.parametrize("capture", [fx.capture, torchscript.capture_script])
Capture = Callable[..., CapturedProgram]


@CAPTURES
@pytest.mark.parametrize("function", [windows, transposed, row, from_offset])
def test_a_dense_tensor_is_read_in_any_order_of_axes(capture: Capture, function: Function) -> None:
    program = capture(Model(function), (X,), diagnostics=DiagnosticContext("memory", "0"))
    assert "aten::as_strided" in [str(op_name(node)) for node in program.model.graph]
    (result,) = Interpreter(program.model).run([X])
    torch.testing.assert_close(result, function(X))


@CAPTURES
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (columns, "call contiguous() on it before"),
        (expanded, "call contiguous() on it before"),
        (part_from_offset, "leave the offset out"),
    ],
)
def test_any_other_is_told_with_its_line(capture: Capture, function: Function, words: str) -> None:
    diagnostics = DiagnosticContext("memory", "0")
    program = capture(Model(function), (X,), diagnostics=diagnostics)
    text = render_text(list(diagnostics))
    assert not program.is_whole
    assert words in text
    line = inspect.getsourcelines(function)[1] + 1
    assert f"{Path(__file__).name}:{line}" in text


@pytest.mark.parametrize(
    ("sizes", "strides", "order"),
    [
        ((2, 3, 5), (15, 5, 1), [0, 1, 2]),
        ((2, 3, 5), (15, 1, 3), [0, 2, 1]),
        ((2, 1, 5), (5, 99, 1), [0, 1, 2]),
        ((2, 3), (4, 1), None),
        ((2, 3), (0, 1), None),
        ((), (), []),
    ],
)
def test_order_of_axes(sizes: tuple[int, ...], strides: tuple[int, ...], order: list[int] | None) -> None:
    assert memory_order(sizes, strides) == order
