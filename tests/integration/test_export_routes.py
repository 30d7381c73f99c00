"""Models that torch.export does not capture at once: which other route the export takes, and which not."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Callable

import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError
from onnx_export.rules import OTHER_ROUTE, ROUTE_FAILED
from onnx_ir_capture.rules import DATA_DEPENDENT, FORWARD_RAISED


def branching(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 1
    return x - 1


def only_traced(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        raise RuntimeError("not for compilers")
    return x.flatten() * 2


def only_traced_and_wrong(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        raise RuntimeError("not for compilers")
    return x.flatten() * next(CALLS)


CALLS = itertools.count()


def raising(x: torch.Tensor) -> torch.Tensor:
    return x @ torch.ones(7, 7)


def exported(function: Callable[..., torch.Tensor], **options: object) -> onnx_export.ONNXProgram:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return onnx_export.export(
            function,
            (torch.randn(3, 5),),
            dynamic_shapes={"x": {0: "rows"}},
            verbose=False,
            **options,  # type: ignore[arg-type]  # passed on
        )


def test_a_trace_stands_in_where_it_computes_the_same() -> None:
    program = exported(only_traced, verify=True)
    (found,) = [found for found in program.diagnostics if found.rule == OTHER_ROUTE]
    assert "torch.jit.trace" in found.message
    assert "not for compilers" in found.message
    assert found.location is not None
    assert found.location.line == inspect.getsourcelines(only_traced)[1] + 2
    x = torch.randn(11, 5)
    (result,) = program(x)
    torch.testing.assert_close(result, only_traced(x))


def test_a_branch_on_values_is_refused_by_every_route() -> None:
    with pytest.raises(CaptureError) as caught:
        exported(branching)
    first, *others = caught.value.diagnostics
    assert first.rule == DATA_DEPENDENT
    assert first.location is not None
    assert first.location.line == inspect.getsourcelines(branching)[1] + 1
    assert [other.rule for other in others] == [ROUTE_FAILED, ROUTE_FAILED]
    assert str(caught.value).index("CAP006") < str(caught.value).index("torch.jit.trace")


def test_a_trace_that_computes_something_else_is_refused() -> None:
    with pytest.raises(CaptureError) as caught:
        exported(only_traced_and_wrong)
    assert "differs" in caught.value.diagnostics[-1].message


@pytest.mark.parametrize("function", [branching, only_traced])
def test_a_pinned_route_is_the_only_one(function: Callable[..., torch.Tensor]) -> None:
    with pytest.raises(CaptureError) as caught:
        exported(function, fallback=False)
    assert len(caught.value.diagnostics) == 1


def test_a_model_that_raises_by_itself_is_not_tried_again() -> None:
    with pytest.raises(CaptureError) as caught:
        exported(raising)
    assert [found.rule for found in caught.value.diagnostics] == [FORWARD_RAISED]


def with_three(x: torch.Tensor) -> torch.Tensor:
    return x + torch.ones(3, 1)


def test_a_dimension_that_is_broadcast_to_a_fixed_one_is_refused_on_every_route() -> None:
    with pytest.raises(CaptureError) as caught:
        onnx_export.export(with_three, (torch.ones(3, 4),), dynamic_shapes=({0: "n"},), verbose=False)
    assert caught.value.diagnostics[0].rule.code == "CAP008"


def total(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


def test_dimensions_are_not_tied_against_the_example() -> None:
    x, y = torch.ones(1, 4), torch.ones(3, 4)
    with pytest.raises(CaptureError, match="leave the one of size 1 as it is"):
        onnx_export.export(total, (x, y), dynamic_shapes=({0: "n"}, {0: "m"}), verbose=False)
