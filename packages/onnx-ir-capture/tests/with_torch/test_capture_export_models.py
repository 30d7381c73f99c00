"""What can be captured through torch.export, and with which arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext, Level, LogicalKind
from onnx_ir_capture.dialect import get_source, verify
from onnx_ir_capture.fx import Capturable, capture, plain_arguments
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.lowering import call_stack, location_of
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import DYNAMIC_SHAPES_IGNORED, INVALID_ARGUMENTS, SCRIPTED_MODEL, TRAINING_MODE


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)
        self.scale = torch.nn.Parameter(torch.full((3,), 2.0))
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x: torch.Tensor, times: int = 1) -> torch.Tensor:
        result: torch.Tensor = self.fc(x)
        return result * self.scale * times

    def encode(self, x: torch.Tensor, *, negative: bool = False) -> torch.Tensor:
        result = helper(self.fc(x)) + self.get_buffer("shift")
        return -result if negative else result


def helper(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


class Stack(torch.nn.Module):
    def forward(self, given: Mapping[str, torch.Tensor]) -> torch.Tensor:
        return torch.stack(list(given.values()))


class Holder:
    """A callable that is no module."""

    def __init__(self, net: Net) -> None:
        self.net = net

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.net(x)
        return result


NET = Net().eval()
X = torch.arange(6.0).reshape(2, 3)


def captured(
    model: Capturable, args: object = (), **options: object
) -> tuple[CapturedProgram, DiagnosticContext]:
    diagnostics = DiagnosticContext("test", "1")
    call: Callable[..., CapturedProgram] = capture
    program = call(model, args, diagnostics=diagnostics, **options)
    verify(program.model)
    return program, diagnostics


@pytest.mark.parametrize(
    ("model", "weights"),
    [
        pytest.param(NET, ["scale", "fc.weight", "fc.bias", "shift"], id="module"),
        pytest.param(NET.encode, ["scale", "fc.weight", "fc.bias", "shift"], id="method"),
        pytest.param(
            functools.partial(NET.encode, negative=True),
            ["scale", "fc.weight", "fc.bias", "shift"],
            id="partial-of-method",
        ),
        pytest.param(
            functools.partial(NET, times=3),
            ["scale", "fc.weight", "fc.bias", "shift"],
            id="partial-of-module",
        ),
        pytest.param(
            lambda x: NET(x) + 1, ["NET.scale", "NET.fc.weight", "NET.fc.bias", "NET.shift"], id="lambda"
        ),
        pytest.param(
            Holder(NET), ["net.scale", "net.fc.weight", "net.fc.bias", "net.shift"], id="callable-object"
        ),
        pytest.param(helper, [], id="function"),
        pytest.param(torch.relu, [], id="function-in-c"),
    ],
)
def test_callables_keep_their_weights_names(model: Callable[..., object], weights: list[str]) -> None:
    program, diagnostics = captured(model, (X,))
    assert list(program.weights) == weights
    assert not diagnostics.diagnostics
    torch.testing.assert_close(run_program(program, (X,), {}), model(X))


def test_exported_program_is_imported_as_it_is() -> None:
    exported = torch.export.export(NET, (X,))
    for given in (exported, exported.run_decompositions()):
        program, diagnostics = captured(given, dynamic_shapes={"x": {0: "batch"}})
        assert program.origin is given
        assert [finding.rule for finding in diagnostics] == [DYNAMIC_SHAPES_IGNORED]
        assert [finding.level for finding in diagnostics] == [Level.WARNING]
        torch.testing.assert_close(run_program(program, (X,), {}), NET(X))


def nested(
    x: torch.Tensor, rest: Mapping[str, list[torch.Tensor]], scale: float, how: str, y: object = None
) -> object:
    total = x * scale + rest["a"][0] - rest["a"][1]
    return {"total": total if how == "plain" else -total, "none": y}


def test_nested_arguments_and_python_values() -> None:
    args = (X, {"a": [X + 1, X * 2]}, 0.5, "plain", None)
    program, _ = captured(nested, args)
    assert [spec.name for spec in program.inputs if spec.value is not None] == ["x", "rest_a_0", "rest_a_1"]
    assert [spec.literal for spec in program.inputs if spec.value is None] == [0.5, "plain", None]
    result = run_program(program, args, {})
    assert isinstance(result, dict)
    torch.testing.assert_close(result["total"], X * 0.5 + X + 1 - X * 2)
    assert result["none"] is None


def pair(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x - y


def of_dict(x: torch.Tensor, rest: Mapping[str, torch.Tensor]) -> torch.Tensor:
    return x - rest["y"]


@pytest.mark.parametrize(
    ("model", "args", "names"),
    [
        pytest.param(helper, X, ["x"], id="bare-tensor"),
        pytest.param(pair, (X, {"y": X}), ["x", "y"], id="trailing-dict-holds-keywords"),
        pytest.param(of_dict, (X, {"y": X}), ["x", "rest_y"], id="trailing-dict-is-an-argument"),
        pytest.param(of_dict, (X, {"y": X}, {}), ["x", "rest_y"], id="empty-dict-behind-it"),
        pytest.param(pair, {"x": X, "y": X}, ["x", "y"], id="mapping"),
        pytest.param(pair, [X, X], ["x", "y"], id="list"),
    ],
)
def test_conventions_of_args(model: Callable[..., object], args: object, names: list[str]) -> None:
    program, _ = captured(model, args)
    assert [spec.name for spec in program.inputs] == names


def test_arguments_of_an_exported_program() -> None:
    by_name = torch.export.export(torch.nn.Identity(), (), {"input": X})
    assert plain_arguments(by_name, ({"input": X},), None) == ((), {"input": X})
    by_position = torch.export.export(Stack(), ({"y": X},))
    assert plain_arguments(by_position, ({"y": X},), None) == (({"y": X},), {})


def test_one_tensor_given_twice_is_two_inputs() -> None:
    program, _ = captured(pair, (X, X))
    torch.testing.assert_close(run_program(program, (X, X + 1), {}), torch.full((2, 3), -1.0))
    assert not hasattr(X, "_dynamo_dynamic_indices")


@pytest.mark.parametrize(
    ("args", "kwargs", "expected"),
    [
        pytest.param((X,), None, "missing a required argument: 'y'", id="missing"),
        pytest.param((X, X, X), None, "too many positional arguments", id="surplus"),
        pytest.param((X, X), {"z": X}, "unexpected keyword argument 'z'", id="unknown-name"),
    ],
)
def test_arguments_that_do_not_fit(
    args: tuple[object, ...], kwargs: Mapping[str, object] | None, expected: str
) -> None:
    with pytest.raises(CaptureError, match=expected) as caught:
        captured(pair, args, kwargs=kwargs)
    (finding,) = caught.value.diagnostics
    assert finding.rule == INVALID_ARGUMENTS
    assert finding.location is not None
    assert finding.location.line == pair.__code__.co_firstlineno
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("model", [5, "model.pt", None, Net, X], ids=str)
def test_what_cannot_be_called(model: object) -> None:
    call: Callable[..., object] = capture
    with pytest.raises(TypeError, match=r"nn\.Module, a function, method or functools\.partial"):
        call(model, (X,), diagnostics=DiagnosticContext("test", "1"))


def test_args_that_are_no_arguments() -> None:
    with pytest.raises(TypeError, match="args is a int"):
        captured(helper, 5)


def test_torchscript_is_refused() -> None:
    with pytest.raises(CaptureError) as caught:
        captured(torch.jit.trace(NET, (X,)), (X,))
    assert [finding.rule for finding in caught.value.diagnostics] == [SCRIPTED_MODEL]


def test_training_mode_is_captured_and_reported() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.BatchNorm1d(3), torch.nn.Dropout())
    program, diagnostics = captured(model, (X,))
    assert [finding.rule for finding in diagnostics] == [TRAINING_MODE]
    assert all(module.training for module in model.modules())
    assert program.outputs
    model.eval()
    model[2].train()
    _, diagnostics = captured(model, (X,))
    assert [finding.message for finding in diagnostics] == [
        "submodule '2' is in training mode, and captured so"
    ]


def test_training_mode_is_a_note_where_evaluation_mode_is_captured() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout())
    diagnostics = DiagnosticContext("test", "1")
    capture(model, (X,), diagnostics=diagnostics, eval_mode=True)
    (found,) = diagnostics
    assert (found.rule, found.level) == (TRAINING_MODE, Level.NOTE)
    assert "exported as in evaluation mode" in found.message
    assert found.location is None  # torch's own forward is no line of the user's


def test_models_can_tell_that_they_are_exported() -> None:
    class Telling(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2 if torch.onnx.is_in_onnx_export() else x

    program, _ = captured(Telling(), (X,))
    assert any(node.op_type == "mul" for node in program.model.graph)


def test_a_failure_lists_its_own_findings_alone() -> None:
    diagnostics = DiagnosticContext("test", "1")
    for _ in range(2):
        with pytest.raises(CaptureError) as caught:
            capture(NET, (), diagnostics=diagnostics)
        assert len(caught.value.diagnostics) == 1
    assert len(diagnostics.errors) == 2


def test_place_is_the_models_own_line() -> None:
    program, _ = captured(NET.encode, (X,))
    places = {node.op_type: node for node in program.model.graph}
    first = Net.encode.__code__.co_firstlineno
    assert location_of(places["linear"]).line == first + 1
    assert location_of(places["linear"]).module == "fc"
    assert location_of(places["sin"]).name_of(LogicalKind.TYPE) == f"{__name__}.Net"
    function, _ = captured(helper, (X,))
    assert [location_of(node).name_of(LogicalKind.TYPE) for node in function.model.graph] == [None]
    assert location_of(places["sin"]).line == helper.__code__.co_firstlineno + 1
    assert [place.line for place in call_stack(places["sin"])] == [first + 1]
    source = get_source(places["linear"])
    assert source is not None
    assert source.frames[0].file.endswith("linear.py")
