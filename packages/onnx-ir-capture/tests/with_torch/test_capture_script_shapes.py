"""Shapes of traced programs: those of repeated layers, at sizes that the example does not have."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir
import pytest
import sympy
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.interpreter import Interpreter
from onnx_ir_capture.rules import SIZE_CONDITION
from onnx_ir_capture.torchscript import capture_script


def repeated_layers(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = torch.cat([x, x[:1]]).relu().flatten(1).view(-1, 2, 3)
    return x


def pieces(x: torch.Tensor) -> torch.Tensor:
    first, second = list(x.split(1, 1)), list(x.split(1, 1))
    first.append(x)
    return torch.cat(first, 1) + torch.cat([*second, x], 1)


def reshaped_in_place(x: torch.Tensor) -> torch.Tensor:
    first, second = x + 1, x + 1
    first.unsqueeze_(0)
    return second.transpose_(0, 1) + first.transpose(1, 2)


def written_in_place(x: torch.Tensor) -> torch.Tensor:
    first, second = x * 2, x * 2
    first.add_(1)
    return first.mul_(second[:, :1])


def of_several_dtypes(x: torch.Tensor) -> torch.Tensor:
    return (x + 1).sum(0) + (x + 1.0).sum(0) + (x + True).sum(0)


@pytest.mark.parametrize(
    "function", [repeated_layers, pieces, reshaped_in_place, written_in_place, of_several_dtypes]
)
def test_every_value_has_the_shape_that_is_said_at_other_sizes(
    function: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    diagnostics = DiagnosticContext("tests", "0")
    program = capture_script(
        function, (torch.randn(5, 2, 3),), dynamic_axes={"x": {0: "batch"}}, diagnostics=diagnostics
    )
    assert not diagnostics.diagnostics
    compared = 0

    def compare(value: ir.Value, result: object) -> None:
        nonlocal compared
        if isinstance(result, torch.Tensor) and value.shape is not None:
            sizes = [sympy.sympify(str(size), {"batch": sympy.Integer(7)}) for size in value.shape]
            assert sizes == list(result.shape), value.name
            assert value.dtype is not None
            assert value.dtype.short_name() == _short_name(result.dtype)
            compared += 1

    # A tensor that is reshaped in place is compared as it is at first.
    Interpreter(program.model, observer=compare).run([torch.randn(7, 2, 3)])
    assert compared >= 4


def columns(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    first, second = torch.where(x[:, 0] > 0)[0], torch.where(x[:, 1] > 0)[0]
    return x[first].tanh(), x[second].tanh()


def masks(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    first, second = x[:, 0], x[:, 1]
    return first[first > 0], second[second > 0], first[first > 0]


def experts(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    chosen, result = x.argmax(1), torch.zeros_like(x)
    for expert in range(3):
        rows = torch.where(chosen == expert)[0]
        result.index_add_(0, rows, x[rows] * expert)
    return (result,)


@pytest.mark.parametrize("function", [columns, masks, experts])
def test_sizes_that_depend_on_different_data_have_different_names(
    function: Callable[[torch.Tensor], tuple[torch.Tensor, ...]],
) -> None:
    program = capture_script(
        function,
        (torch.randn(5, 3),),
        dynamic_axes={"x": {0: "u0"}},
        diagnostics=DiagnosticContext("tests", "0"),
    )
    known: dict[sympy.Basic, int] = {}

    def compare(value: ir.Value, result: object) -> None:
        if isinstance(result, torch.Tensor) and value.shape is not None:
            for size, true in zip(value.shape, result.shape, strict=True):
                name = sympy.sympify(str(size))
                assert size == ir.SymbolicDim(None) or known.setdefault(name, true) == true, value.name

    x = torch.tensor([[1.0, -1.0, 2.0], [3.0, -1.0, -2.0], [2.0, 5.0, -1.0], [-1.0, -2.0, -3.0]])
    Interpreter(program.model, observer=compare).run([x])
    assert sympy.Symbol("u0") in known


def _short_name(dtype: torch.dtype) -> str:
    return {torch.float32: "f32", torch.int64: "i64", torch.float64: "f64"}[dtype]


@pytest.mark.parametrize("axis", [None, 0])
def test_a_dimension_that_may_be_1_is_not_squeezed_in_silence(axis: int | None) -> None:
    def squeezed(x: torch.Tensor) -> torch.Tensor:
        return x.squeeze() if axis is None else x.squeeze(axis)

    diagnostics = DiagnosticContext("tests", "0")
    x = torch.randn(5, 1, 10)
    capture_script(squeezed, (x,), dynamic_axes={"x": {0: "batch"}}, diagnostics=diagnostics)

    (finding,) = diagnostics.of(SIZE_CONDITION)
    assert "only where batch != 1" in finding.message
    assert finding.location is not None
    assert finding.location.line == squeezed.__code__.co_firstlineno + 1
