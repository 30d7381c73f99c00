"""What an export that fails says, in the exception, in its diagnostics and in the log."""

from __future__ import annotations

import inspect
import io
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch._higher_order_ops.hints_wrap import hints_wrapper

import onnx_export
from onnx_diagnostics import (
    ConversionError,
    DiagnosticContext,
    Level,
    UnsupportedOperatorError,
    VerificationError,
)
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import TRAINING_MODE


@pytest.fixture(scope="module", autouse=True)
def operators() -> Iterator[None]:
    """Operators that nothing translates."""
    library = torch.library.Library("failing", "DEF")
    for name in ("whatever", "window"):
        library.define(f"{name}(Tensor x) -> Tensor")
        library.impl(name, torch.clone, "CompositeExplicitAutograd")
        torch.library.register_fake(f"failing::{name}", torch.empty_like, lib=library)
    yield
    library._destroy()


class Inner(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        r: torch.Tensor = torch.ops.failing.whatever(x)  # line of whatever
        return r


class Outer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.ops.failing.window(self.fc(x))  # line of window
        z: torch.Tensor = self.inner(y) + torch.ops.failing.window(x)  # second line of window
        return z


def line_of(function: object, text: str) -> int:
    lines, start = inspect.getsourcelines(function)  # type: ignore[arg-type]  # a function, as object
    return start + next(i for i, line in enumerate(lines) if line.rstrip().endswith(text))


def failed_export(**options: object) -> UnsupportedOperatorError:
    with pytest.raises(UnsupportedOperatorError) as caught:
        onnx_export.export(Outer(), (torch.randn(3, 3),), **options)  # type: ignore[arg-type]  # passed on
    return caught.value


def test_every_unsupported_call_is_listed_with_module_file_and_line() -> None:
    places = {
        (d.location.op, d.location.module, d.location.file, d.location.line)
        for d in failed_export().diagnostics
        if d.location is not None
    }
    file = str(Path(__file__))
    assert places == {
        ("failing::window", None, file, line_of(Outer.forward, "# line of window")),
        ("failing::window", None, file, line_of(Outer.forward, "# second line of window")),
        ("failing::whatever", "inner", file, line_of(Inner.forward, "# line of whatever")),
    }


def test_the_message_names_ops_and_places() -> None:
    text = str(failed_export())
    assert "failing::window" in text
    assert "failing::whatever" in text
    assert f"test_export_failures.py:{line_of(Inner.forward, '# line of whatever')}" in text
    assert "custom_translation_table" in text


def test_the_log_has_a_result_per_place(tmp_path: Path) -> None:
    error = failed_export(report=True, artifacts_dir=tmp_path)
    assert error.log_path is not None
    log = json.loads(Path(error.log_path).read_text(encoding="utf-8"))
    (run,) = log["runs"]
    lines = sorted(
        result["locations"][0]["physicalLocation"]["region"]["startLine"]
        for result in run["results"]
        if result["ruleId"] == "LOW001"
    )
    wanted = [
        line_of(Inner.forward, "# line of whatever"),
        line_of(Outer.forward, "# line of window"),
        line_of(Outer.forward, "# second line of window"),
    ]
    assert lines == sorted(wanted)
    assert run["invocations"][0]["executionSuccessful"] is False


def test_nothing_is_written_when_the_export_fails(tmp_path: Path) -> None:
    old = tmp_path / "model.onnx"
    old.write_bytes(b"an older file")
    failed_export(f=old)
    assert [path.name for path in tmp_path.iterdir()] == ["model.onnx"]
    assert old.read_bytes() == b"an older file"


def test_diagnostics_reach_the_context_that_is_passed() -> None:
    context = DiagnosticContext("my-tool", "1")
    error = failed_export(diagnostics=context)
    assert error.diagnostics == context.errors


@pytest.mark.parametrize("opset", [0, 6, 1000, True, "20", 20.0])
def test_an_opset_out_of_range_is_refused(opset: object) -> None:
    with pytest.raises(ValueError, match="opset_version"):
        onnx_export.export(torch.nn.ReLU(), (torch.randn(2),), opset_version=opset)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"input_names": ["a", "a"]}, "input_names has 'a' more than once"),
        ({"output_names": ["y", "y"]}, "output_names has 'y' more than once"),
        ({"output_names": ["y", "z"]}, "2 names, but the model has 1 output"),
        ({"input_names": ["x", "y", "z"]}, "3 names, but the model has 2 inputs"),
        ({"output_names": "y"}, "must be a list of names"),
    ],
)
def test_names_that_do_not_fit_are_refused(options: dict[str, object], message: str) -> None:
    class Add(torch.nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return a + b

    with pytest.raises(ValueError, match=message):
        onnx_export.export(Add(), (torch.ones(2), torch.ones(2)), **options)  # type: ignore[arg-type]  # passed on


@pytest.mark.parametrize(
    ("argument", "value"), [("dynamic_shapes", {"input": {0: "n"}}), ("decompose", True)]
)
def test_what_a_trace_cannot_be_given_is_refused_by_name(argument: str, value: object) -> None:
    options: dict[str, object] = {argument: value}
    with pytest.raises(ValueError, match=argument):
        onnx_export.export(torch.nn.ReLU(), (torch.randn(2),), dynamo=False, **options)  # type: ignore[arg-type]  # passed on


def test_a_second_failure_in_one_context_counts_its_own_calls() -> None:
    context = DiagnosticContext("my-tool", "1")
    first = failed_export(diagnostics=context)
    second = failed_export(diagnostics=context)
    assert len(first.diagnostics) == len(second.diagnostics) == 3
    assert "3 calls" in str(second)
    assert len(context.errors) == 6
    program = onnx_export.export(torch.nn.ReLU(), (torch.ones(2),), diagnostics=context)
    assert not any(found.level is Level.ERROR for found in program.diagnostics)


def test_a_warning_is_shown_by_its_own_export_alone() -> None:
    context = DiagnosticContext("my-tool", "1")
    context.report(TRAINING_MODE, module="another", effect="and captured so", advice="none")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        onnx_export.export(torch.nn.ReLU().eval(), (torch.ones(2),), diagnostics=context)


def test_a_buffer_is_taken_with_a_warning() -> None:
    buffer = io.BytesIO()
    with pytest.warns(DeprecationWarning, match="BytesIO"):
        onnx_export.export(torch.nn.ReLU(), (torch.randn(2),), buffer)
    assert buffer.getvalue()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("do_constant_folding", False),
        ("autograd_inlining", False),
    ],
)
def test_arguments_without_effect_warn_by_name(option: str, value: object) -> None:
    with pytest.warns(DeprecationWarning, match=option):
        program = onnx_export.export(torch.nn.ReLU(), (torch.randn(2),), **{option: value})  # type: ignore[arg-type]  # passed on
    assert any(option in found.message for found in program.diagnostics)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"input_names": ["q"], "output_names": ["q"]}, "'q', which is the name of an input"),
        ({"output_names": ["input"]}, "'input', which is the name of an input"),
        ({"input_names": ["weight"]}, "'weight', which is the name of a weight"),
        ({"output_names": ["weight"]}, "'weight', which is the name of a weight"),
    ],
)
def test_names_that_are_taken_are_refused(options: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        onnx_export.export(torch.nn.Linear(3, 5), (torch.ones(2, 3),), **options)  # type: ignore[arg-type]  # passed on


def test_a_model_that_the_runtime_refuses_is_not_verified() -> None:
    model = torch.nn.Linear(3, 3).bfloat16()
    with pytest.raises(VerificationError, match="EXP004"):
        onnx_export.export(model, (torch.ones(2, 3).bfloat16(),), verify=True)


class Hinted(torch.nn.Module):
    """Calls what cannot be captured, for nothing."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hints_wrapper(lambda y: y + 1, (x,), {}, hints={})
        return x * 2


def test_what_is_not_captured_whole_is_not_exported() -> None:
    with pytest.raises(ConversionError, match="CAP002 unsupported-construct: hints_wrapper"):
        onnx_export.export(Hinted(), (torch.ones(2),))
    captured = capture(Hinted(), (torch.ones(2),), diagnostics=DiagnosticContext("test", "1"))
    with pytest.raises(ConversionError, match="not whole"):
        onnx_export.Exporter().convert(captured)


def test_a_verification_that_fails_lists_its_own_findings() -> None:
    context = DiagnosticContext("my-tool", "1")
    model, x = torch.nn.Linear(3, 3).bfloat16(), torch.ones(2, 3).bfloat16()
    program = onnx_export.export(model, (x,))
    for _ in range(2):
        with pytest.raises(VerificationError) as caught:
            onnx_export.verify_program(program, model, (x,), {}, context)
        assert len(caught.value.diagnostics) == 1
