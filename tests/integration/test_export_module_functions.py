"""Calls of modules as calls of functions of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import onnx
import onnx_ir as ir
import pytest
import torch
from click.testing import CliRunner

import onnx_export
from onnx_diagnostics import Diagnostic
from onnx_export.cli import main
from onnx_export.rules import MODULE_INLINE

Tensor = torch.Tensor
Wanted = bool | Collection[type[torch.nn.Module]]


class Inner(torch.nn.Module):
    def __init__(self, scale: float = 2.0) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(5, 5)
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        hidden: Tensor = self.linear(x) * self.scale
        batch, length, width = hidden.shape
        return hidden.reshape(batch, length * width).reshape(batch, length, width) + x


class Block(torch.nn.Module):
    def __init__(self, scale: float = 2.0) -> None:
        super().__init__()
        self.inner = Inner(scale)
        self.norm = torch.nn.LayerNorm(5)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.norm(self.inner(x))
        return result.relu()


class Repeated(torch.nn.Module):
    def __init__(self, *scales: float) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList(map(Block, scales))

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x


class Shared(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.alias = self.block

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.alias(self.block(self.block(x)))
        return result


def exported(
    model: torch.nn.Module, wanted: Wanted = True, *, optimize: bool = True, keep_state: bool = False
) -> onnx_export.ONNXProgram:
    """Export, check, and compare with eager PyTorch at several sizes."""
    torch.manual_seed(0)
    return onnx_export.export(
        model.eval(),
        (torch.randn(3, 7, 5),),
        dynamic_shapes=({0: "batch", 1: "length"},),
        export_modules_as_functions=wanted,
        verbose=False,
        verify=not keep_state,  # its outputs are more than the model's
        optimize=optimize,
        keep_state=keep_state,
    )


def calls(program: onnx_export.ONNXProgram) -> Counter[str]:
    """How often each function is called, in the graph and in functions."""
    model = program.model
    nodes = [*model.graph.all_nodes()]
    nodes += [node for function in model.functions.values() for node in function.all_nodes()]
    return Counter(node.op_type for node in nodes if node.op_identifier() in model.functions)


def notes(program: onnx_export.ONNXProgram) -> Sequence[Diagnostic]:
    return program.diagnostic_context.of(MODULE_INLINE)


def test_repeated_blocks_are_one_function_with_nested_ones() -> None:
    program = exported(Repeated(2.0, 2.0, 2.0))
    assert calls(program) == {"Block": 3, "Inner": 1, "Linear": 1, "LayerNorm": 1}
    identifiers = set(program.model.functions)
    assert (__name__, "Block", "") in identifiers
    assert ("torch.nn.modules.linear", "Linear", "") in identifiers
    names = [value.name for value in program.model.functions[__name__, "Block", ""].inputs]
    assert {"inner.linear.weight", "inner.linear.bias", "norm.weight", "norm.bias"} < set(names)
    assert [node.name for node in program.model.graph if node.op_type == "Block"] == [
        f"blocks.{number}/Block" for number in range(3)
    ]
    assert not notes(program)


def test_initializers_keep_their_names_and_constants_go_into_the_functions() -> None:
    model = Repeated(2.0, 2.0)
    program = exported(model)
    rest = dict(program.model.graph.initializers)
    assert all(rest.pop(name) for name in model.state_dict())
    # Sizes alone are computed outside of functions.
    assert {value.dtype for value in rest.values()} == {ir.DataType.INT64}
    constants = [node for function in program.model.functions.values() for node in function]
    assert {node.op_type for node in constants} >= {"Constant", "Mul"}


def test_bodies_that_differ_are_functions_of_their_own() -> None:
    assert calls(exported(Repeated(2.0, 3.0, 2.0), {Block})) == {"Block": 2, "Block_1": 1}


def test_only_the_classes_asked_for_become_functions() -> None:
    program = exported(Repeated(2.0, 2.0), {Inner})
    assert calls(program) == {"Inner": 2}
    assert "LayerNormalization" in {node.op_type for node in program.model.graph}


def test_a_module_called_several_times_is_one_function() -> None:
    assert calls(exported(Shared(), {Block})) == {"Block": 3}


def test_results_that_one_call_alone_needs_are_results_of_the_function() -> None:
    class Two(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(5, 5)

        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            hidden = self.linear(x)
            return hidden.tanh(), hidden

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.third = Two(), Two(), Two()

        def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            x, side = self.first(x)
            x, again = self.second(x)
            return self.third(x)[0], side, again + 1

    program = exported(Model(), {Two}, optimize=False)
    assert calls(program) == {"Two": 3}
    assert len(program.model.graph.node(0).outputs) == 2
    assert next(iter(program.model.functions))[:2] == (f"{__name__}.{Two.__qualname__.split('.')[0]}", "Two")


class Chosen(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(5))

    def forward(self, x: Tensor) -> Tensor:
        def grown(y: Tensor) -> Tensor:
            return y * self.weight + x.mean()

        result: Tensor = torch.cond(x.sum() > 0, grown, torch.sin, (x,))
        return result


class Counted(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        def more(count: Tensor, y: Tensor) -> Tensor:
            return count < 3

        def step(count: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            return count + 1, y * 2 + x

        result: tuple[Tensor, Tensor] = torch._higher_order_ops.while_loop(more, step, (torch.tensor(0), x))
        return result[1]


@pytest.mark.parametrize("kind", [Chosen, Counted])
def test_control_flow_inside_of_functions(kind: type[torch.nn.Module]) -> None:
    program = exported(torch.nn.Sequential(kind(), kind(), torch.nn.ReLU()))
    assert calls(program) == {kind.__name__: 2, "ReLU": 1}


def test_state_of_a_function_is_state_of_the_file() -> None:
    class Sum(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.total = torch.nn.Buffer(torch.zeros(5))

        def forward(self, x: Tensor) -> Tensor:
            self.total.add_(x.sum((0, 1)))
            return x + self.total

    x = torch.randn(2, 3, 5)
    model = torch.nn.Sequential(Sum(), Sum())
    program = exported(model, keep_state=True)
    assert calls(program) == {"Sum": 2}
    assert [variable.output for variable in program.state] == ["0.total_out", "1.total_out"]
    result, *totals = program(x)
    torch.testing.assert_close(result, model(x))
    torch.testing.assert_close(totals, [model[0].total, model[1].total])


@pytest.mark.parametrize("external_data", [True, False])
def test_files_hold_the_functions(tmp_path: Path, external_data: bool) -> None:
    path = tmp_path / "model.onnx"
    program = exported(Repeated(2.0, 2.0))
    program.save(path, external_data=external_data)
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    assert proto.ir_version >= 8
    assert not [info.name for info in proto.graph.value_info if "::" in info.name]
    assert {function.name for function in proto.functions} == set(calls(program))


def test_a_program_with_functions_does_what_others_do() -> None:
    torch.manual_seed(0)
    model, x = Repeated(2.0, 2.0).eval(), torch.randn(2, 3, 5)
    program = exported(model)
    for info in onnx_export.verify_onnx_program(program, (x,), compare_intermediates=True):
        assert info.max_abs_diff < 1e-5
    torch.testing.assert_close(program.call_reference(x)[0], model(x))
    assert {value.name for value in program.value_map.values()} > {"relu", "relu_1"}
    assert "layer_norm" not in {value.name for value in program.value_map.values()}
    program.optimize()
    other = Repeated(2.0, 2.0).eval()
    program.apply_weights(other.state_dict())
    torch.testing.assert_close(program(x)[0], other(x))


def test_a_class_that_is_not_called_is_noted() -> None:
    program = exported(Repeated(2.0), {torch.nn.Conv2d, Block})
    assert calls(program) == {"Block": 1}
    (note,) = notes(program)
    assert note.message.startswith("torch.nn.modules.conv.Conv2d is no function of the file")


@pytest.mark.parametrize("wanted", [[torch.Tensor], "Block", 3])
def test_what_is_no_class_of_modules_is_refused(wanted: object) -> None:
    with pytest.raises(TypeError, match="modules become functions by"):
        onnx_export.Exporter(modules_as_functions=wanted)  # type: ignore[arg-type]  # wrong on purpose


def test_by_default_there_are_no_functions() -> None:
    assert not exported(Repeated(2.0), False).model.functions
    assert isinstance(exported(Repeated(2.0), set()).model, ir.Model)


def test_the_command_line_asks_for_all_modules(tmp_path: Path) -> None:
    source, path = tmp_path / "model.py", tmp_path / "model.onnx"
    source.write_text(
        "import torch\ndef build():\n    return torch.nn.Sequential(torch.nn.ReLU()), (torch.ones(2),)\n"
    )
    done = CliRunner().invoke(main, ["export", f"{source}:build", str(path), "--modules-as-functions"])
    assert done.exit_code == 0, done.output
    assert [function.name for function in onnx.load(path).functions] == ["ReLU"]
