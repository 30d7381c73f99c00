"""What torch.export programs become: names, types, marks, sources, refusals.

That the numbers are right is for the interpreter's tests.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import onnx_ir as ir
import pytest
import torch
from torch import nn

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import OpName, aliases_of, get_source, op_name, type_text, verify
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.fx._numbers import PYTHON_OPERATORS, python_operator
from onnx_ir_capture.program import CapturedProgram, DimensionRange, WeightKind
from onnx_ir_capture.rules import WEIGHT_RENAMED

Importer = Callable[[torch.export.ExportedProgram], CapturedProgram]
D = torch.export.Dim.DYNAMIC


class Function(nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: object) -> object:
        return self.function(*args)


def nodes(program: CapturedProgram, name: str) -> list[ir.Node]:
    return [node for node in program.model.graph if str(op_name(node)) == name]


def exported(
    function: Callable[..., object], *args: object, dynamic: Sequence[object] | None = None
) -> torch.export.ExportedProgram:
    shapes = None if dynamic is None else {"args": tuple(dynamic)}
    return torch.export.export(Function(function), args, dynamic_shapes=shapes)


class Names(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.val_0 = nn.Parameter(torch.ones(3))
        self.x = nn.Parameter(torch.ones(3))
        self.again = self.x
        self.register_buffer("kept", torch.ones(3))
        self.register_buffer("transient", torch.ones(3), persistent=False)
        self.fixed = torch.ones(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert isinstance(self.kept, torch.Tensor)
        assert isinstance(self.transient, torch.Tensor)
        return (x * self.val_0).sum(0) + self.x * self.kept + self.transient + self.fixed + self.again


def test_weights_keep_their_names_kinds_and_memory() -> None:
    model, diagnostics = Names(), DiagnosticContext("test", "1")
    program = import_exported_program(torch.export.export(model, (torch.ones(2, 3),)), diagnostics)
    verify(program.model)
    assert [finding.rule for finding in diagnostics] == [WEIGHT_RENAMED]
    kinds = dict(program.weights)
    assert kinds.pop("val_0") is WeightKind.PARAMETER
    assert kinds.pop("x_1") is WeightKind.PARAMETER
    assert kinds.pop("kept") is WeightKind.BUFFER
    assert kinds.pop("transient") is WeightKind.TRANSIENT_BUFFER
    assert list(kinds.values()) == [WeightKind.CONSTANT]
    initializers = program.model.graph.initializers
    assert set(initializers) == set(program.weights)
    raw: object = getattr(initializers["x_1"].const_value, "raw", None)
    assert isinstance(raw, torch.Tensor)
    assert raw.data_ptr() == model.x.data_ptr()
    assert [spec.name for spec in program.inputs] == ["x"]


def test_range_of_a_number_without_bounds() -> None:
    program = exported(lambda x, i: x * i.item(), torch.ones(3), torch.tensor(3))
    assert program.range_constraints
    ranges = import_exported_program(program, DiagnosticContext("test", "1")).dimensions
    assert list(ranges.values()) == [DimensionRange(-(2**63), None)]


def test_list_of_optional_tensors_is_one_of_tensors(import_program: Importer) -> None:
    program = import_program(exported(lambda x, i: x[:, i], torch.ones(3, 3), torch.tensor([1])))
    (node,) = nodes(program, "aten::index.Tensor")
    indices = node.inputs[1]
    assert indices is not None
    assert type_text(indices.type) == "list<i64>"


def test_every_argument_of_the_schema_is_an_input(import_program: Importer) -> None:
    def function(x: torch.Tensor) -> object:
        return torch.ops.aten.clamp.default(max=2.0, self=x)

    program = import_program(exported(function, torch.ones(3)))
    (node,) = nodes(program, "aten::clamp")
    kinds = [type_text(value.type) for value in node.inputs if value is not None]
    assert kinds == ["f32", "None", "float"]


@pytest.mark.parametrize(
    ("model", "name", "mutates"),
    [
        (nn.BatchNorm1d(3), "aten::batch_norm", (3, 4)),
        (nn.BatchNorm1d(3).eval(), "aten::batch_norm", ()),
        (nn.BatchNorm1d(3, track_running_stats=False), "aten::batch_norm", ()),
        (nn.InstanceNorm1d(3), "aten::instance_norm", ()),
    ],
)
def test_norms_write_the_statistics_that_they_have(
    model: nn.Module, name: str, mutates: tuple[int, ...], import_program: Importer
) -> None:
    program = import_program(torch.export.export(model, (torch.rand(2, 3, 4),)))
    (node,) = nodes(program, name)
    assert aliases_of(node).mutates == mutates


class Square(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ x


class Lines(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Square()

    def forward(self, x: torch.Tensor) -> object:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.inner(x)
        with torch.no_grad():
            return y + 1


def test_calls_in_regions_keep_their_line_and_module(import_program: Importer) -> None:
    program = import_program(torch.export.export(Lines(), (torch.ones(2, 2),)))
    found = {}
    for node in program.model.graph:
        source = get_source(node)
        if source is not None and node.domain == "aten":
            assert source.frames, node
            assert source.frames[0].file == __file__, node
            found[str(op_name(node))] = (source.module, source.frames[0].line)
    first = Lines.forward.__code__.co_firstlineno
    assert found["aten::add.Tensor"] == ("", first + 4)
    assert found["aten::mm"] == ("inner", Square.forward.__code__.co_firstlineno + 1)


def findings(program: torch.export.ExportedProgram) -> list[tuple[str, str | None, int | None]]:
    diagnostics = DiagnosticContext("test", "1")
    import_exported_program(program, diagnostics)
    return [
        (found.message, found.location.file, found.location.line) for found in diagnostics if found.location
    ]


class Branches(nn.Module):
    def forward(self, x: torch.Tensor) -> object:
        return torch.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, (x,))


def test_control_flow_has_the_line_of_the_model_in_its_blocks_too() -> None:
    # Without the exporter's own tracing, torch notes no line of the model inside the bodies.
    program = import_exported_program(
        torch.export.export(Branches(), (torch.ones(2),)), DiagnosticContext("test", "1")
    )
    (branch,) = [node for node in program.model.graph if node.op_type == "If"]
    inside = [node for name in ("then_branch", "else_branch") for node in branch.attributes[name].as_graph()]
    calls = [branch, *(node for node in inside if node.domain == "aten")]
    assert [str(op_name(node)) for node in calls] == ["prim::If", "aten::add.Tensor", "aten::sub.Tensor"]
    for node in calls:
        source = get_source(node)
        assert source is not None
        line = Branches.forward.__code__.co_firstlineno + 1
        assert [(frame.file, frame.line) for frame in source.frames] == [(__file__, line)]


class LayerInBranch(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> object:
        return torch.cond(x.sum() > 0, lambda y: self.layer(y), lambda y: y - 1, (x,))


def test_strict_tracing_tells_the_modules_of_branches() -> None:
    exported = torch.export.export(LayerInBranch(), (torch.ones(3, 2),), strict=True)
    program = import_exported_program(exported, DiagnosticContext("test", "1"))
    modules = {
        str(op_name(node)): source.module
        for node in program.model.graph.all_nodes()
        if (source := get_source(node))
    }
    assert modules["aten::linear"] == "layer"
    assert modules["prim::If"] == modules["aten::sub.Tensor"] == ""


def test_effect_tokens_are_refused() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        torch.ops.aten._print("")
        return x + 1

    messages = [message for message, *_ in findings(exported(function, torch.ones(2)).run_decompositions())]
    assert any(
        "input 'token' of the program is not supported: it orders effects" in text for text in messages
    )


def test_rounding_to_digits_is_refused() -> None:
    program = exported(lambda x: round(x.shape[0] / 3, 1), torch.ones(4), dynamic=[{0: D}])
    ((message, *_),) = findings(program)
    assert message == "round is not supported: there is no operator for it on float, int"


KINDS = [("int", "int"), ("float", "float"), ("int", "float"), ("float", "int"), ("bool", "bool")]


def schemas_of(name: OpName) -> list[torch._C.FunctionSchema]:
    """Overloads of that name that take no tensor."""
    found = torch._C._jit_get_schemas_for_operator(f"{name.domain}::{name.name}")
    return [
        schema for schema in found if schema.overload_name == name.overload and "Tensor" not in str(schema)
    ]


@pytest.mark.parametrize("function", set(PYTHON_OPERATORS) - {torch.sym_ite}, ids=str)
def test_arithmetic_on_sizes_is_torchscript(function: object) -> None:
    (usual,) = schemas_of(PYTHON_OPERATORS[function])
    count = len(usual.arguments)
    names = {kinds[:count]: python_operator(function, kinds[:count]) for kinds in KINDS}
    assert any(names.values())
    for kinds, name in names.items():
        if name is None:
            continue
        (schema,) = schemas_of(name)
        wanted = [str(argument.type) for argument in schema.arguments]
        assert all(want in (kind, "number") for want, kind in zip(wanted, kinds, strict=True)), name


@pytest.mark.parametrize(
    ("function", "kinds", "overload"),
    [
        (operator.mul, ("float", "int"), "float_int"),
        (operator.truediv, ("int", "float"), ""),
        (operator.pow, ("int", "int"), "int_to_int"),
        (operator.pow, ("float", "float"), "float"),
        (operator.and_, ("bool", "bool"), "bool"),
        (operator.and_, ("float", "int"), None),
        (operator.add, ("bool", "int"), None),
        (operator.neg, ("float",), "float"),
        (torch.sym_max, ("int", "float"), "int_float"),
    ],
)
def test_overload_fits_the_operands(function: object, kinds: tuple[str, ...], overload: str | None) -> None:
    name = python_operator(function, kinds)
    assert (None if name is None else name.overload) == overload
