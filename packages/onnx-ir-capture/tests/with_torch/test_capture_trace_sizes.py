"""Traces that compute no values, and sizes that a trace records."""

from __future__ import annotations

import onnx_ir as ir
import pytest
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.interpreter import Interpreter
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.torchscript import capture_script
from onnx_ir_capture.torchscript._recording import recorded

_WIDTH = 2100  # its square of floats is more than a model may have to be run for real


def _captured(model: torch.nn.Module, *args: torch.Tensor, dynamic_axes: object = None) -> CapturedProgram:
    diagnostics = DiagnosticContext("onnx-ir-capture", "0")
    return capture_script(model.eval(), args, diagnostics=diagnostics, dynamic_axes=dynamic_axes)


class _Large(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Conv1d(3, 4, 2)
        self.norm = torch.nn.BatchNorm1d(4)
        self.last = torch.nn.Linear(_WIDTH, _WIDTH)
        self.runs = 0

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """A number of forms whose nodes the tracer records at different depths."""
        self.runs += 1
        table = torch.arange(x.shape[2] - 1, dtype=x.dtype) * torch.tensor(0.5)
        return torch.relu_(self.norm(self.inner(x)) + table)[..., :1]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.last(self.features(x).mean(dim=1).expand(-1, _WIDTH))
        return result


class _AsksForAValue(_Large):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if bool(x.sum() > 0):
            return super().forward(x)
        return super().forward(-x)


class _ReadsAData(_Large):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length: int = torch.Tensor.detach(x).numpy().shape[0]
        return super().forward(x) + length


@pytest.mark.parametrize("model_class", [_Large, _AsksForAValue, _ReadsAData])
def test_a_large_model_is_captured_as_a_small_one(model_class: type[_Large]) -> None:
    torch.manual_seed(1)
    model, x = model_class(), torch.rand(2, 3, 5)
    program = _captured(model, x)
    assert model.runs == 0
    (result,) = Interpreter(program.model).run([x])
    assert isinstance(result, torch.Tensor)
    with torch.no_grad():
        torch.testing.assert_close(result, model(x))


def test_constants_of_a_large_model_have_values() -> None:
    with torch.no_grad():
        graph = recorded(_Large().eval(), (torch.rand(2, 3, 5),)).graph
    kinds = [node.kind() for node in graph.nodes()]
    assert kinds.count("aten::_convolution") == 1
    held = [
        node.t("value")
        for node in graph.nodes()
        if node.kind() == "prim::Constant" and node.hasAttribute("value") and node.kindOf("value") == "t"
    ]
    assert [type(tensor) for tensor in held] == [torch.Tensor] * len(held)
    assert 0.5 in [float(tensor) for tensor in held if tensor.dim() == 0]


class _Views(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.reshape(x.shape[0] * x.shape[1] // 3, -1).softmax(-1)


class _Chosen(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[x > 0] * 2


class _Counted(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.where(torch.ones_like(x))[0]


def test_sizes_of_the_example_are_those_of_every_run() -> None:
    program = _captured(_Views(), torch.rand(2, 3, 5))
    shapes = [value.shape for node in program.model.graph for value in node.outputs]
    assert ir.Shape([2, 15]) in shapes


def test_a_named_dimension_stays_a_name() -> None:
    program = _captured(torch.nn.Softmax(-1), torch.rand(2, 3), dynamic_axes={"input": {0: "n"}})
    (output,) = program.model.graph.outputs
    assert output.shape == ir.Shape(["n", 3])


@pytest.mark.parametrize("model", [_Chosen(), _Counted()], ids=["mask", "indices"])
def test_sizes_that_depend_on_data_are_not_those_of_the_example(model: torch.nn.Module) -> None:
    program = _captured(model, torch.tensor([1.0, -1.0, 2.0]))
    (output,) = program.model.graph.outputs
    assert output.shape is None or not output.shape.is_static()
