"""What a user reads when a model cannot be captured, and at which line."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from onnx_diagnostics import CaptureError, Diagnostic, DiagnosticContext
from onnx_ir_capture.fx import Capturable, capture
from onnx_ir_capture.rules import CAPTURE_FAILED, DATA_DEPENDENT, FORWARD_RAISED, UNUSABLE_INPUT

X = torch.ones(2, 3)


def failure(model: Capturable, *args: object) -> tuple[CaptureError, Diagnostic]:
    with pytest.raises(CaptureError) as caught:
        capture(model, args, diagnostics=DiagnosticContext("test", "1"))
    (finding,) = caught.value.diagnostics
    return caught.value, finding


def line_of(finding: Diagnostic) -> int | None:
    assert finding.location is not None
    assert finding.location.file == __file__
    return finding.location.line


class Outer(torch.nn.Module):
    def __init__(self, inner: torch.nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.inner(x)
        return result + 1


class Raising(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise KeyError("no such thing")


class Branching(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            return x
        return -x


class Indexing(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(int(x.sum().item()))


def test_exception_of_the_model() -> None:
    error, finding = failure(Outer(Raising()).eval(), X)
    assert finding.rule == FORWARD_RAISED
    assert "KeyError" in finding.message
    assert "no such thing" in finding.message
    assert isinstance(error.__cause__, KeyError)
    assert line_of(finding) == Raising.forward.__code__.co_firstlineno + 1
    assert [place.line for place in finding.related] == [Outer.forward.__code__.co_firstlineno + 1]


@pytest.mark.parametrize("inner", [Branching, Indexing])
def test_data_dependent_control_flow(inner: type[torch.nn.Module]) -> None:
    _, finding = failure(Outer(inner()).eval(), X)
    assert finding.rule == DATA_DEPENDENT
    assert finding.message.count("\n") == 0
    assert "TORCH_LOGS" not in finding.message
    assert "torch.where" in finding.advice
    assert line_of(finding) == inner.forward.__code__.co_firstlineno + 1


@pytest.mark.parametrize("strict", [False, True])
def test_torch_does_not_print_the_program_beside_the_finding(
    strict: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TORCH_LOGS", raising=False)
    with pytest.raises(CaptureError):
        capture(Outer(Branching()).eval(), (X,), diagnostics=DiagnosticContext("test", "1"), strict=strict)
    assert capfd.readouterr() == ("", "")
    assert "print" not in vars(torch.export._trace)


def test_operands_that_do_not_fit_in_a_layer_of_torch(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TORCH_LOGS", raising=False)
    _, finding = failure(torch.nn.Linear(4, 4).eval(), X)
    assert capfd.readouterr() == ("", "")
    assert finding.rule == FORWARD_RAISED
    assert finding.location is not None
    assert str(finding.location.file).endswith("linear.py")


class Plain:
    def __init__(self, ids: torch.Tensor, size: int = 3) -> None:
        self.ids, self.size = ids, size


@dataclasses.dataclass
class Record:
    ids: torch.Tensor


def cyclic() -> list[object]:
    endless: list[object] = [X]
    endless.append({"again": (endless,)})
    return endless


@pytest.mark.parametrize(
    ("value", "reason", "advice"),
    [
        (cyclic(), "x[1]['again'][0] is x again", "in one direction"),
        (object(), "x is of class object", "functools.partial(model, x=...)"),
        ([torch.float32], "x[0] is of class dtype", "functools.partial(model, x=...)"),
        (np.ones(2), "x is of numpy's class ndarray", "torch.tensor(x)"),
        (torch.nn.ReLU(), "x is a module, of class ReLU", "submodule"),
        ({"k": [Record(X)]}, "x['k'][0] is of class Record", "torch.export.register_dataclass(Record)"),
        (
            Plain(X),
            "x is of class Plain",
            "register_pytree_node(Plain, lambda o: ((o.ids, o.size), None), lambda members, _: Plain(",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("by_name", [False, True])
def test_input_that_torch_does_not_take(value: object, reason: str, advice: str, by_name: bool) -> None:
    with pytest.raises(CaptureError) as caught:
        capture(
            lambda x: X * 2,
            () if by_name else (value,),
            {"x": value} if by_name else {},
            dynamic_shapes={"x": None},
            diagnostics=DiagnosticContext("test", "1"),
        )
    (finding,) = caught.value.diagnostics
    assert finding.rule == UNUSABLE_INPUT
    assert finding.message.startswith(reason)
    assert advice in finding.advice
    assert line_of(finding)


def returns_plain(x: torch.Tensor) -> tuple[object, ...]:
    return x, Plain(x)


def returns_cycle(x: torch.Tensor) -> list[object]:
    endless: list[object] = [x * 2]
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    ("model", "reason", "advice"),
    [
        (returns_plain, "it returns an object of class", "register_pytree_node(Plain"),
        (returns_cycle, "it returns a container that holds itself", "in one direction"),
    ],
)
def test_output_that_torch_does_not_take(model: Capturable, reason: str, advice: str) -> None:
    _, finding = failure(model, X)
    assert finding.rule == CAPTURE_FAILED
    assert reason in finding.message
    assert advice in finding.advice
    assert line_of(finding)


def test_a_size_where_python_needs_an_int() -> None:
    with pytest.raises(CaptureError) as caught:
        capture(
            lambda x: x * divmod(x.shape[0], 2)[0],
            (X,),
            dynamic_shapes={"x": {0: "p"}},
            diagnostics=DiagnosticContext("test", "1"),
        )
    (finding,) = caught.value.diagnostics
    assert "a dynamic size is no int of Python" in finding.advice
