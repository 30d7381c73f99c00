"""Arguments and sizes of unusual kinds: they work, or one error says what to give instead."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable

import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, ConversionError
from onnx_ir_capture.rules import UNUSABLE_INPUT


class Mode(enum.Enum):
    DOUBLE = 1
    SINGLE = 2


def chosen(x: torch.Tensor, mode: Mode) -> torch.Tensor:
    return x * 2 if mode is Mode.DOUBLE else x


def power_of_size(x: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = x * 2 ** x.shape[0]
    return result


def shift_by_size(x: torch.Tensor) -> torch.Tensor:
    return x * (1 << x.shape[0])


def expanded(x: torch.Tensor, size: torch.Size) -> torch.Tensor:
    return x.expand(size)


def product(x: torch.Tensor) -> torch.Tensor:
    return x @ x.T


X = torch.randn(3, 5)


@pytest.mark.parametrize("model", [power_of_size, shift_by_size])
def test_an_operator_on_sizes_that_is_not_translated_is_refused_at_its_line(
    model: Callable[..., torch.Tensor],
) -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(model, (X,), dynamic_shapes={"x": {0: "rows"}}, verbose=False)
    (found,) = caught.value.diagnostics
    assert found.location is not None
    assert found.location.line == inspect.getsourcelines(model)[1] + 1


def test_a_member_of_an_enumeration_is_to_be_bound() -> None:
    with pytest.raises(CaptureError, match=r"functools\.partial\(model, mode=") as caught:
        onnx_export.export(chosen, (X, Mode.DOUBLE), verbose=False)
    assert [found.rule for found in caught.value.diagnostics] == [UNUSABLE_INPUT]


def test_a_size_of_torch_is_an_argument() -> None:
    program = onnx_export.export(expanded, (X, X.shape), verbose=False, verify=True)
    assert [value.name for value in program.model.graph.inputs] == ["x"]


@pytest.mark.parametrize("axes", [[{0: "rows"}], [[0], [1]]])
def test_nested_axes_are_told_what_to_give(axes: object) -> None:
    with pytest.raises(TypeError, match=r"dynamic_axes has .* for 'x'"):
        onnx_export.export(product, (X,), dynamic_axes={"x": axes}, verbose=False)  # type: ignore[dict-item]  # wrong on purpose


def test_names_may_come_from_a_generator() -> None:
    names, others = (name for name in ["given"]), (name for name in ["result"])
    program = onnx_export.export(product, (X,), input_names=names, output_names=others, verbose=False)  # type: ignore[arg-type]  # no sequence, on purpose
    assert [value.name for value in program.model.graph.inputs] == ["given"]
    assert [value.name for value in program.model.graph.outputs] == ["result"]
