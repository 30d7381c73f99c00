"""Choices that a model makes by sizes, which the captured graph makes as for the example."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import SIZE_CONDITION


def by_two_sizes(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if x.shape[1] > x.shape[0] else x


def by_a_root(x: torch.Tensor) -> torch.Tensor:
    return x * int(x.shape[1] ** 0.5)


def always(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(x.shape[0] * x.shape[1]).reshape(x.shape[0], -1)


def in_graph(x: torch.Tensor) -> torch.Tensor:
    return x * (x.shape[1] // 2)


def by_squeeze(x: torch.Tensor) -> torch.Tensor:
    return x.squeeze(0) * 2


def by_squeeze_of_all(x: torch.Tensor) -> torch.Tensor:
    return x.unsqueeze(0).squeeze((0, -1))


@pytest.mark.parametrize(
    ("function", "condition"),
    [
        (by_squeeze, "tall != 1"),
        (by_squeeze_of_all, "wide != 1"),
        (by_two_sizes, "wide > tall"),
        (by_a_root, "wide"),
        (always, None),
        (in_graph, None),
    ],
)
def test_condition_is_reported_with_its_line(
    function: Callable[[torch.Tensor], torch.Tensor], condition: str | None
) -> None:
    diagnostics = DiagnosticContext("test", "1")
    shapes = ({0: "tall", 1: "wide"},)
    capture(function, (torch.ones(4, 6),), dynamic_shapes=shapes, diagnostics=diagnostics)
    found = diagnostics.of(SIZE_CONDITION)
    if condition is None:
        assert not found
        return
    (diagnostic,) = found
    assert condition in diagnostic.message
    assert diagnostic.location is not None
    assert diagnostic.location.line == function.__code__.co_firstlineno + 1
