"""Traces as programs of the torch dialect."""

from __future__ import annotations

import onnx_ir as ir
import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.dialect import get_source, op_name, verify
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.torchscript import _written_weights, capture_script


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)
        self.register_buffer("offset", torch.ones(4))
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor, more: dict[str, list[torch.Tensor]]) -> dict[str, object]:
        hidden = self.norm(self.linear(x)) + self.offset + more["k"][0]
        left, right = hidden.chunk(2, 1)
        product = (left * right).view(x.size(0), -1).relu_()
        # To the tracer a size is a tensor.
        return {"product": product, "pair": (hidden, torch.as_tensor(x.shape[0]), None)}


def captured() -> tuple[CapturedProgram, Model, tuple[object, ...]]:
    torch.manual_seed(0)
    model = Model().train()
    arguments = (torch.randn(5, 3), {"k": [torch.randn(4)]})
    diagnostics = DiagnosticContext("tests", "0")
    program = capture_script(
        model, arguments, diagnostics=diagnostics, eval_mode=True, dynamic_axes={"x": {0: "batch"}}
    )
    assert not diagnostics.has_errors
    return program, model, arguments


def test_a_trace_computes_what_the_model_computes() -> None:
    program, model, arguments = captured()
    verify(program.model)
    assert model.training, "the model's mode is as before"

    result = run_program(program, arguments)

    torch.testing.assert_close(result, model.eval()(*arguments))


def test_a_trace_names_inputs_weights_and_places() -> None:
    program, model, _ = captured()
    graph = program.model.graph

    assert [spec.name for spec in program.inputs] == ["x", "more_k_0"]
    assert set(graph.initializers) == set(model.state_dict()) - {"norm.num_batches_tracked"}
    sources = {str(op_name(node)): get_source(node) for node in graph}
    linear, view = sources["aten::linear"], sources["aten::view"]
    assert linear is not None
    assert linear.module == "linear"
    assert view is not None
    assert view.module == ""
    assert view.frames[0].file == __file__


def test_shapes_hold_for_every_batch() -> None:
    program, _, _ = captured()
    shapes = {str(op_name(node)): [value.shape for value in node.outputs] for node in program.model.graph}

    assert shapes["aten::linear"] == [ir.Shape(["batch", 4])]
    assert shapes["aten::chunk"] == [ir.Shape(["batch", 2]), ir.Shape(["batch", 2])]
    assert shapes["aten::view"] == [ir.Shape(["batch", 2])]


class WritesAside(torch.nn.Module):
    """Writes where autograd does not see it, and reads the tensors themselves."""

    count: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.ones(3))
        self.weight = torch.nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.data.add_(1)
        self.weight.detach()[1:].mul_(3)
        with torch.no_grad():
            self.weight.sub_(0.5)
        x = x * 1
        x[1:].data.mul_(5)
        return x.data * self.count + self.weight


def test_writes_through_data_and_detach_are_in_the_trace() -> None:
    model, x = WritesAside(), torch.arange(3.0)
    diagnostics = DiagnosticContext("tests", "0")
    program = capture_script(model, (x,), diagnostics=diagnostics)

    assert model.count.tolist() == [1, 1, 1], "the buffer is as before"
    assert model.weight.tolist() == [2, 2, 2], "the parameter is as before"
    other = torch.tensor([3.0, 7.0, 11.0])
    torch.testing.assert_close(run_program(program, (other,)), WritesAside()(other).detach())
    assert isinstance(torch.Tensor.data, type(torch._C.TensorBase.data)), "torch is as before"


class Adopts(WritesAside):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.data = self.count + 1
        return x * self.count


def test_an_assignment_to_data_is_refused_at_its_line() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    with pytest.raises(CaptureError) as caught:
        capture_script(Adopts(), (torch.ones(3),), diagnostics=diagnostics)

    (found,) = caught.value.diagnostics
    assert "copy_" in found.message
    assert found.location is not None
    assert found.location.line == Adopts.forward.__code__.co_firstlineno + 1


def test_a_write_into_parameters_too_large_to_copy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_written_weights, "_MAY_COPY", 0)
    with pytest.raises(CaptureError, match="writes into its parameter weight"):
        capture_script(WritesAside(), (torch.ones(3),), diagnostics=DiagnosticContext("tests", "0"))


def forces(positions: torch.Tensor) -> torch.Tensor:
    positions.requires_grad_(True)
    energy = (positions**3).sum()
    return torch.autograd.grad(energy, positions)[0]


def test_gradients_that_the_model_takes_are_in_the_trace() -> None:
    example, other = torch.randn(4, 3), torch.randn(4, 3)

    program = capture_script(forces, (example,), diagnostics=DiagnosticContext("tests", "0"))

    assert not example.requires_grad
    torch.testing.assert_close(run_program(program, (other,)), 3 * other**2)


def rounds(x: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(3)
    for row in range(x.shape[0]):
        total = total + x[row]
    return total


def sized(x: torch.Tensor) -> torch.Tensor:
    count = x.shape[0]
    return x.view(count, -1)[: count // 2] + x[count - 1] + torch.zeros(count, 1)[0]


def test_a_loop_over_a_size_is_told_and_sizes_as_arguments_are_not() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    capture_script(rounds, (torch.ones(4, 3),), diagnostics=diagnostics, dynamic_axes={"x": {0: "b"}})
    (found,) = diagnostics.diagnostics
    assert found.rule.code == "CAP015"
    assert found.location is not None
    assert found.location.line == rounds.__code__.co_firstlineno + 2

    quiet = DiagnosticContext("tests", "0")
    capture_script(sized, (torch.ones(4, 3),), diagnostics=quiet, dynamic_axes={"x": {0: "b"}})
    assert not quiet.diagnostics
