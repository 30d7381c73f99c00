"""Choices that a model makes by sizes, which the captured graph makes as for the example."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import DIMENSION_FIXED, SIZE_CONDITION


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


def test_squeeze_of_a_dimension_that_is_one_in_the_example() -> None:
    """The graph keeps it, so it would not hold for the example itself."""
    with pytest.raises(CaptureError) as caught:
        capture(
            by_squeeze,
            (torch.ones(1, 6),),
            dynamic_shapes=({0: "tall"},),
            diagnostics=DiagnosticContext("test", "1"),
        )
    (finding,) = caught.value.diagnostics
    assert finding.rule == DIMENSION_FIXED
    assert finding.message.startswith("the squeezed dimension 'tall'")
    assert "another size" in finding.advice
    assert finding.location is not None
    assert finding.location.line == by_squeeze.__code__.co_firstlineno + 1


def halved(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(x.shape[0] // 2, 2, -1).sum(1)


def quartered(x: torch.Tensor) -> torch.Tensor:
    return x.reshape(x.shape[0], x.shape[1] // 4, -1).mean(-1)


@pytest.mark.parametrize("function", [halved, quartered])
@pytest.mark.parametrize("wish", ["tall", torch.export.Dim.AUTO], ids=["named", "auto"])
def test_sizes_by_which_nothing_can_be_divided(
    function: Callable[[torch.Tensor], torch.Tensor], wish: object
) -> None:
    diagnostics = DiagnosticContext("test", "1")
    program = capture(
        function, (torch.ones(4, 8),), dynamic_shapes=({0: wish, 1: "wide"},), diagnostics=diagnostics
    )
    assert len(program.dimensions) == 2
    assert not diagnostics.has_errors
