"""Control flow is captured for its own sizes, whatever was captured before."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator

import pytest
import torch
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx import capture

HOME = importlib.import_module("torch._higher_order_ops.utils")


@pytest.fixture(autouse=True)
def function_stays() -> Iterator[None]:
    before = HOME._hop_compile_and_call
    yield
    assert HOME._hop_compile_and_call is before


def over_rows(x: torch.Tensor) -> object:
    return scan(lambda state, row: (state + row, state + 2 * row), x[0], x)[1]


def branches(x: torch.Tensor) -> object:
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))


def while_small(x: torch.Tensor) -> object:
    return while_loop(lambda y: y.sum() < 7, lambda y: (y + 1,), (x,))[0]


@pytest.mark.parametrize("function", [over_rows, branches, while_small])
def test_a_fixed_size_before_does_not_fix_a_dynamic_one(function: Callable[..., object]) -> None:
    for dynamic, shape in (({1: "width"}, "[5,width]"), ({0: "rows", 1: "width"}, "[rows,width]")):
        diagnostics = DiagnosticContext("test", "0")
        program = capture(function, (torch.ones(5, 3),), dynamic_shapes=(dynamic,), diagnostics=diagnostics)
        assert str(program.model.graph.outputs[0].shape) == shape
