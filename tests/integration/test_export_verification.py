"""``verify=True`` and its functions: state, what stays untouched, tolerances and execution providers."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence

import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, DiagnosticContext, VerificationError
from onnx_export._compared_runs import compare_outputs
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

Tensor = torch.Tensor


class Stateful(torch.nn.Module):
    """Writes a buffer in place, sets another anew, writes a parameter and its input, and draws a number."""

    calls: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.total = torch.nn.Buffer(torch.zeros(3))
        self.register_buffer("calls", torch.tensor(5))
        self.scale = torch.nn.Parameter(torch.ones(3))
        self.drop = torch.nn.Dropout(0.5)
        self.note = 0

    def forward(self, data: Tensor) -> Tensor:
        self.note += 1
        self.total[1:] += data.sum(0)[1:]
        self.calls = self.calls + 1
        with torch.no_grad():
            self.scale.mul_(2)
        data.add_(1)
        dropped: Tensor = self.drop(data)
        return dropped * self.scale + self.total


class OnlyState(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.total = torch.nn.Buffer(torch.zeros(3))

    def forward(self, data: Tensor) -> Tensor | None:
        self.total.add_(data.sum(0))
        return None


X = torch.randn(5, 3)


def exported(
    model: torch.nn.Module | Callable[..., object], keep_state: bool = True, **options: object
) -> onnx_export.ONNXProgram:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that state is dropped
        return onnx_export.export(
            model,
            (X.clone(),),
            dynamic_shapes=({0: "rows"},),
            keep_state=keep_state,
            **options,  # type: ignore[arg-type]  # passed on
        )


@pytest.mark.parametrize("keep_state", [False, True])
def test_verification_leaves_no_trace(keep_state: bool) -> None:
    model = Stateful().train()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    tensors = dict(model.state_dict(keep_vars=True))
    random_state, python_state = torch.get_rng_state(), random.getstate()
    program = exported(model, keep_state, verify=True)
    onnx_export.verify_onnx_program(program)
    onnx_export.assert_onnx_program(program)
    assert model.training
    assert model.note == 0
    for name, tensor in model.state_dict(keep_vars=True).items():
        assert tensor is tensors[name]
        assert torch.equal(tensor, before[name])
    assert torch.equal(torch.get_rng_state(), random_state)
    assert random.getstate() == python_state


def test_an_exported_program_keeps_its_state() -> None:
    model = torch.export.export(OnlyState(), (X,))
    onnx_export.export(model, keep_state=True, verify=True)
    assert model.state_dict["total"].tolist() == [0.0, 0.0, 0.0]


def test_state_that_is_returned_is_compared_as_it_was_then() -> None:
    class Returning(OnlyState):
        def forward(self, data: Tensor) -> Tensor:
            super().forward(data)
            return self.total

    exported(Returning(), verify=True)
    exported(Returning(), keep_state=False, verify=True)


def test_state_is_compared() -> None:
    model = Stateful()
    program = exported(model)
    outputs = [value.name for value in program.model.graph.outputs]
    assert [variable.output for variable in program.state] == outputs[1:]
    assert [info.name for info in onnx_export.verify_onnx_program(program)] == outputs
    adds = next(node for node in program.model.graph if node.outputs[0].name == "calls_out")
    adds.replace_input_with(1, adds.inputs[0])
    with pytest.raises(VerificationError, match="output calls_out differs"):
        onnx_export.verify_program(program, model.eval(), (X,), {}, DiagnosticContext("test", "1"))
    with pytest.raises(AssertionError, match="output calls_out"):
        onnx_export.assert_onnx_program(program)


def test_a_model_may_have_nothing_but_state() -> None:
    program = exported(OnlyState(), verify=True)
    assert [value.name for value in program.model.graph.outputs] == ["total_out"]
    with pytest.raises(ConversionError, match="keep_state=True"):
        exported(OnlyState(), keep_state=False)
    with pytest.raises(ConversionError, match="no outputs"):
        exported(lambda x: None)


def test_state_has_the_names_of_the_file() -> None:
    class Writer(torch.nn.Module):
        def forward(self, data: Tensor) -> Tensor:
            data.mul_(2)
            return data + 1

    program = exported(Writer(), verify=True, input_names=["given"], output_names=["given_out"])
    (variable,) = program.state
    assert (variable.input, variable.output) == ("given", "given_out_1")
    assert [value.name for value in program.model.graph.inputs] == ["given"]
    assert [value.name for value in program.model.graph.outputs] == ["given_out", "given_out_1"]


def test_a_function_is_compared_in_the_mode_of_its_export() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5)).train()

    def run(data: Tensor) -> Tensor:
        result: Tensor = model(data) * 2
        return result

    exported(run, verify=True)
    assert model[1].training


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_rounding_to_zero_is_no_difference(dtype: torch.dtype) -> None:
    zeros, noise = torch.zeros(3, dtype=dtype), torch.full((3,), torch.finfo(dtype).eps / 2, dtype=dtype)
    assert not compare_outputs(["y"], [noise], [zeros], {})[0].problem
    assert "allowed" in compare_outputs(["y"], [noise * 8], [zeros], {})[0].problem


def test_execution_providers() -> None:
    program = exported(torch.nn.Linear(3, 4))
    for run in (onnx_export.verify_onnx_program, onnx_export.assert_onnx_program):
        run(program, providers=["CPUExecutionProvider"])
        with pytest.raises(ValueError, match=r"has .*CPUExecutionProvider.* to choose a list from"):
            run(program, providers=["NoneExecutionProvider"])
    with pytest.raises(ValueError, match="to choose a list from"):
        onnx_export.verify_onnx_program(program, compare_intermediates=True, providers="CPUExecutionProvider")


def test_sizes_that_the_model_does_not_take_are_reported() -> None:
    def rows(x: Tensor, index: Tensor) -> Tensor:
        return x[index]

    args = (X.clone(), torch.tensor([4, 1]))
    shapes = {"x": {0: "rows"}, "index": {0: "count"}}
    with pytest.warns(UserWarning, match="EXP008"):
        program = onnx_export.export(rows, args, dynamic_shapes=shapes, verify=True)
    found = [finding.message for finding in program.diagnostics if finding.rule.code == "EXP008"]
    assert any("IndexError" in message for message in found)

    def failing(x: Tensor, index: Tensor) -> Tensor:
        raise ValueError("at the example itself")

    with pytest.raises(ValueError, match="at the example itself"):
        onnx_export.verify_program(program, failing, args, {}, DiagnosticContext("test", "1"))


class Total(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum(0)


def first_rows(op: Op, self: Value, dim: Sequence[int], keepdim: bool, dtype: None) -> Value:
    """Adds up what the example has, and no more."""
    return op.ReduceSum(op.Slice(self, [0], [4], [0]), list(dim), keepdims=int(keepdim))


def test_a_size_above_the_examples_is_compared() -> None:
    with pytest.raises(VerificationError, match="at n=5"):
        onnx_export.export(
            Total(),
            (torch.randn(4, 3),),
            dynamic_shapes={"x": {0: "n"}},
            custom_translation_table={torch.ops.aten.sum.dim_IntList: first_rows},
            verify=True,
        )
