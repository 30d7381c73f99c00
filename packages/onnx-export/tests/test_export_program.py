"""``ONNXProgram``: running it in other ways, its inner values, its weights, its names."""

from __future__ import annotations

import copy
from pathlib import Path

import onnx
import onnxruntime
import pytest
import torch

import onnx_export


class Net(torch.nn.Module):
    """Has a parameter that it does not need, and an argument that may be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 5)
        self.unused = torch.nn.Parameter(torch.ones(7))

    def forward(self, x: torch.Tensor, y: torch.Tensor | None = None) -> torch.Tensor:
        z: torch.Tensor = self.fc(x + 1) * torch.relu(x + 1).sum()
        return z if y is None else z + y


def exported(model: torch.nn.Module | None = None, *args: torch.Tensor) -> onnx_export.ONNXProgram:
    shapes = None if args else {"x": {0: "batch"}}
    args = args or (torch.ones(2, 3),)
    return onnx_export.export((model or Net()).eval(), args, dynamic_shapes=shapes, verbose=False)


def test_onnx_s_reference_gives_the_same() -> None:
    model, x = Net(), torch.randn(4, 3)
    (output,) = exported(model).call_reference(x)
    torch.testing.assert_close(output, model(x).detach())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.bool, torch.int8])
def test_the_reference_takes_and_gives_every_dtype(dtype: torch.dtype) -> None:
    class Turned(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return x.transpose(0, 1), x[:0]

    x = torch.ones(2, 3).to(dtype)
    turned, empty = exported(Turned(), x).call_reference(x)
    assert torch.equal(turned, x.t())
    assert (empty.dtype, tuple(empty.shape)) == (dtype, (0, 3))


def test_inner_values_inputs_and_weights_can_be_computed() -> None:
    model, x = Net(), torch.randn(4, 3)
    program = exported(model)
    outputs = [value.name for value in program.model.graph.outputs]
    relu = next(node.outputs[0].name for node in program.model.graph if node.op_type == "Relu")
    found = program.compute_values([str(relu), "x", "fc.weight", str(relu)], (), {"x": x})
    torch.testing.assert_close(
        list(found), [torch.relu(x + 1), x, model.fc.weight.detach(), torch.relu(x + 1)]
    )
    assert [value.name for value in program.model.graph.outputs] == outputs
    torch.testing.assert_close(program(x)[0], model(x).detach())


def test_values_that_do_not_exist_are_all_named() -> None:
    with pytest.raises(ValueError, match="'nothing', 'none'"):
        exported().compute_values(["nothing", "x", "none"], (torch.ones(2, 3),))


def test_what_is_computed_twice_is_written_once() -> None:
    class Twice(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(x * 2) - x * 2.0  # one number in ONNX, two in PyTorch

    x = torch.randn(4, 3)
    program = exported(Twice())
    assert [node.op_type for node in program.model.graph].count("Mul") == 2
    program(x)
    program.optimize()
    assert [node.op_type for node in program.model.graph].count("Mul") == 1
    torch.testing.assert_close(program(x)[0], Twice()(x))


def test_equal_weights_stay_apart_when_optimized() -> None:
    class Norms(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.other = torch.nn.LayerNorm(3), torch.nn.LayerNorm(3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = self.other(self.one(x) * 2)
            return y

    model, x = Norms(), torch.randn(2, 3)
    program = exported(model, x)
    program.optimize()
    trained = {name: torch.randn(3) for name in model.state_dict()}
    program.apply_weights(trained)
    model.load_state_dict(trained)
    torch.testing.assert_close(program(x)[0], model(x).detach())


def test_onnxscript_may_optimize_and_folded_weights_are_refused_later() -> None:
    class Scaled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = torch.nn.Parameter(torch.rand(3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.scale.exp()

    model, x = Scaled(), torch.randn(2, 3)
    program = exported(model, x)
    program.optimize(use_onnxscript=True)
    torch.testing.assert_close(program(x)[0], model(x).detach())
    assert [node.op_type for node in program.model.graph] == ["Mul"]
    with pytest.raises(ValueError, match="computed into others by the optimizer: scale"):
        program.apply_weights(model.state_dict())


def test_weights_of_another_checkpoint() -> None:
    model, other, x = Net(), Net(), torch.randn(2, 3)
    program = exported(model)
    program(x)
    program.apply_weights(other.state_dict())
    torch.testing.assert_close(program(x)[0], other(x).detach())
    program.apply_weights({"fc.bias": model.fc.bias}, strict=False)
    other.fc.bias = model.fc.bias
    torch.testing.assert_close(program(x)[0], other(x).detach())


def test_weights_that_do_not_fit_are_listed_and_change_nothing() -> None:
    model, x = Net(), torch.randn(2, 3)
    program = exported(model)
    wrong = {"fc.weight": torch.ones(3, 5), "other": torch.ones(1), "fc.further": torch.ones(1)}
    with pytest.raises(ValueError, match="state_dict does not fit") as caught:
        program.apply_weights(wrong)
    text = str(caught.value)
    assert "missing from state_dict: fc.bias" in text
    assert "unknown to the model: other, fc.further" in text
    assert "fc.weight (shape (3, 5) instead of (5, 3))" in text
    with pytest.raises(ValueError, match=r"fc\.bias \(torch\.float64 instead of torch\.float32\)"):
        program.apply_weights({"fc.bias": torch.ones(5).double(), "fc.weight": torch.ones(5, 3)})
    torch.testing.assert_close(program(x)[0], model(x).detach())


class Tied(torch.nn.Module):
    """Has a weight under two names, and one named like its input."""

    def __init__(self) -> None:
        super().__init__()
        self.one = torch.nn.Linear(3, 3, bias=False)
        self.other = torch.nn.Linear(3, 3, bias=False)
        self.other.weight = self.one.weight
        self.x = torch.nn.Parameter(torch.randn(3))
        self.x_1 = torch.nn.Parameter(torch.randn(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.other(self.one(x)) * self.x + self.x_1
        return y


def test_tied_weights_and_weights_that_had_to_give_way_to_inputs() -> None:
    model, other, x = Tied(), Tied(), torch.randn(2, 3)
    program = exported(model, x)
    program.apply_weights(other.state_dict())
    torch.testing.assert_close(program(x)[0], other(x).detach())
    apart = {**other.state_dict(), "other.weight": torch.zeros(3, 3)}
    with pytest.raises(ValueError, match=r"but different here: one\.weight and other\.weight"):
        program.apply_weights(apart)


def test_the_session_can_be_made_otherwise() -> None:
    models: list[str | bytes] = []

    def initializer(model: str | bytes) -> onnxruntime.InferenceSession:
        models.append(model)
        return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])

    model, x = Net(), torch.randn(2, 3)
    program = exported(model)
    program.initialize_inference_session(initializer=initializer)
    torch.testing.assert_close(program(x)[0], model(x).detach())
    assert [type(given) for given in models] == [bytes]
    program.release()
    torch.testing.assert_close(program(x)[0], model(x).detach())
    assert len(models) == 1


def test_axes_are_renamed_in_expressions_too() -> None:
    class Doubled(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cat([x, x]).relu()

    x = torch.ones(2, 3)
    program = onnx_export.export(
        Doubled(), (x,), dynamic_shapes={"x": {0: "rows", 1: "columns"}}, verbose=False
    )
    program.rename_axes({"rows": "batch"})
    graph = program.model.graph
    assert [str(dim) for dim in graph.inputs[0].shape or ()] == ["batch", "columns"]
    assert [str(dim) for dim in graph.outputs[0].shape or ()] == ["2*batch", "columns"]
    with pytest.raises(ValueError, match="no dimensions rows"):
        program.rename_axes({"rows": "batch"})
    with pytest.raises(ValueError, match="two dimensions would be called batch"):
        program.rename_axes({"columns": "batch"})
    assert graph.inputs[0].shape is not None
    first = graph.inputs[0].shape[0]
    assert not isinstance(first, int)
    program.rename_axes({first: "columns", "columns": "batch"})
    assert [str(dim) for dim in graph.outputs[0].shape or ()] == ["2*columns", "batch"]
    assert program(x)[0].shape == (4, 3)


def test_the_representation_is_one_line() -> None:
    program = exported()
    count = len(program.model.graph)
    signature = "(x: FLOAT[batch, 3]) -> (mul: FLOAT[batch, 5])"
    assert repr(program) == f"ONNXProgram(opset 20, {count} nodes, {signature})"

    class Many(torch.nn.Module):
        def forward(self, *parts: torch.Tensor) -> torch.Tensor:
            return torch.cat(parts)

    assert "and 3 more) -> (" in repr(exported(Many(), *(torch.ones(1) for _ in range(9))))


def test_weights_left_out_of_the_file(tmp_path: Path) -> None:
    program = exported()
    before = copy.copy(list(program.model.graph.inputs))
    program.save(tmp_path / "bare.onnx", include_initializers=False)
    program.save(tmp_path / "both.onnx", keep_initializers_as_inputs=True)
    bare, both = onnx.load(tmp_path / "bare.onnx").graph, onnx.load(tmp_path / "both.onnx").graph
    names = {"fc.weight", "fc.bias"}
    assert not {weight.name for weight in bare.initializer} & names
    assert {weight.name for weight in both.initializer} >= names
    assert {value.name for value in both.input} >= names
    assert list(program.model.graph.inputs) == before


def test_inputs_that_do_not_fit_are_all_named() -> None:
    program = exported(None, torch.ones(2, 3), torch.ones(2, 5))
    with pytest.raises(ValueError, match="does not take these inputs") as caught:
        program(torch.ones(2, 3).double(), torch.ones(5))
    assert "x has dtype torch.float64 instead of torch.float32" in str(caught.value)
    assert "y has 1 dimensions instead of 2" in str(caught.value)
    with pytest.raises(ValueError, match="y has size 4 instead of 5 in dimension 1"):
        program(torch.ones(2, 3), y=torch.ones(2, 4))


def test_one_dimension_has_one_size() -> None:
    class Sum(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return x + y

    shapes = {"x": {0: "n"}, "y": {0: "n"}}
    program = onnx_export.export(
        Sum().eval(), (torch.ones(3), torch.ones(3)), dynamic_shapes=shapes, verbose=False
    )
    with pytest.raises(ValueError, match="y has size 1 in dimension 0, but n is 4 in dimension 0 of x"):
        program(torch.ones(4), torch.ones(1))


def test_arguments_by_the_names_of_forward() -> None:
    model, x, y = Net(), torch.randn(2, 3), torch.randn(2, 5)
    program = exported(model, x, y)
    expected = model(x, y).detach()
    for found in (program(x=x, y=y), program(y=y, x=x), program(x, y=y), program.call_reference(x, y=y)):
        torch.testing.assert_close(found[0], expected)
    with pytest.raises(TypeError, match=r"exported with \(x, y\); missing: y; given twice: x; unknown: z"):
        program(x, x=x, z=y)
    with pytest.raises(TypeError, match="3 arguments by position instead of 2"):
        program(x, y, y)


def test_what_the_example_fixed_may_be_left_out_but_not_be_changed() -> None:
    class Powered(torch.nn.Module):
        def forward(self, x: torch.Tensor, n: int, y: torch.Tensor | None = None) -> torch.Tensor:
            return x**n if y is None else x**n + y

    x = torch.randn(2, 3)
    program = onnx_export.export(Powered().eval(), (x, 3, None), verbose=False)
    for found in (program(x), program(x, 3), program(x, 3, None), program(x=x, y=None)):
        torch.testing.assert_close(found[0], x**3)
    with pytest.raises(ValueError, match="n was fixed to the example's 3, and is 2 now"):
        program(x, 2)
    with pytest.raises(ValueError, match="y was None in the example, and is a Tensor now"):
        program(x, 3, x)
