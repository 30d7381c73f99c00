"""Operators that no table translates: taken apart one by one, or refused with what they are made of."""

from __future__ import annotations

from collections.abc import Callable

import onnx
import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, UnsupportedOperatorError, VerificationError
from onnx_ir_capture.contracts import Lowering, OpTable, Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.rules import DECOMPOSED
from onnx_torchlib import Op

LIBRARY = torch.library.Library("decomposed", "DEF")  # registered as long as this module
LIBRARY.define("scaled(Tensor x, SymInt times) -> Tensor")
LIBRARY.define("both(Tensor x) -> (Tensor, Tensor)")
LIBRARY.define("written(Tensor x) -> Tensor")
LIBRARY.define("outer(Tensor x) -> Tensor")
LIBRARY.define("inner(Tensor x) -> Tensor")
LIBRARY.define("table(Tensor x) -> Tensor")


def scaled(x: torch.Tensor, times: int) -> torch.Tensor:
    return x.reshape(x.shape[1], x.shape[0]) * times


def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x.relu(), x.sum(0)


def written(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y[0].add_(1)
    return y


def outer(x: torch.Tensor) -> torch.Tensor:
    y: torch.Tensor = torch.ops.decomposed.inner(x)
    return y + 1


def table(x: torch.Tensor) -> torch.Tensor:
    return x + torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])


LIBRARY.impl("scaled", scaled, "CompositeImplicitAutograd")
LIBRARY.impl("both", both, "CompositeImplicitAutograd")
LIBRARY.impl("written", written, "CompositeImplicitAutograd")
LIBRARY.impl("outer", outer, "CompositeImplicitAutograd")
LIBRARY.impl("table", table, "CompositeImplicitAutograd")
LIBRARY.impl("inner", lambda x: x.exp(), "CPU")
LIBRARY.impl("inner", torch.empty_like, "Meta")

OPS = torch.ops.decomposed


HIDDEN = {OpName("aten", name) for name in ("addr", "einsum", "logaddexp")}
"""Operators that the tables are taken not to hold, whatever they come to hold."""


class Without:
    """A table without those operators."""

    def __init__(self, table: OpTable) -> None:
        self._table = table

    @property
    def name(self) -> str:
        return self._table.name

    def find(self, op: OpName, opset: int) -> Lowering | None:
        return None if op in HIDDEN else self._table.find(op, opset)

    def first_opset(self, op: OpName) -> int | None:
        return None if op in HIDDEN else self._table.first_opset(op)

    def context(self, frame: GraphFrame) -> object:
        return self._table.context(frame)


@pytest.fixture(autouse=True)
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tuple(Without(table) for table in onnx_export.DEFAULT_TABLES)
    monkeypatch.setattr("onnx_export._chosen_tables.DEFAULT_TABLES", tables)


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


def exported(function: Callable[..., object], dynamic: bool = True) -> onnx_export.ONNXProgram:
    """The program, verified in ONNX Runtime at several sizes."""
    shapes = {"x": {0: "rows", 1: "columns"}} if dynamic else None
    return onnx_export.export(
        Model(function).eval(), (torch.randn(5, 7),), dynamic_shapes=shapes, verify=True, verbose=False
    )


def failure(function: Callable[..., object]) -> str:
    with pytest.raises(UnsupportedOperatorError) as caught:
        exported(function)
    return str(caught.value)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: torch.addr(x, x[:, 0], x[0]), id="core ATen's table"),
        pytest.param(lambda x: torch.einsum("ij,kj->ik", x, x), id="the operator's own kernel"),
        pytest.param(lambda x: OPS.scaled(x, 3), id="a size as an argument"),
        pytest.param(lambda x: OPS.both(x)[1] + OPS.both(x)[0], id="several results"),
        pytest.param(OPS.written, id="a write in place"),
        pytest.param(lambda x: OPS.scaled(x * 2, x.shape[0] + 1), id="a size computed before"),
        pytest.param(
            lambda x: torch.cond(x.sum() > 0, lambda x: OPS.scaled(x, 2), lambda x: OPS.scaled(x, 3), (x,)),
            id="in the branches of a condition",
        ),
    ],
)
def test_the_parts_give_the_same_numbers_at_every_size(function: Callable[..., object]) -> None:
    program = exported(function)
    assert program.diagnostic_context.of(DECOMPOSED)


def test_a_constant_of_the_decomposition_is_in_the_file() -> None:
    exported(OPS.table, dynamic=False)


def test_the_note_names_operator_and_parts_once() -> None:
    program = exported(lambda x: torch.logaddexp(torch.logaddexp(x, x), x))
    (note,) = program.diagnostic_context.of(DECOMPOSED)
    assert "aten::logaddexp is translated by decomposition into aten::ge.Tensor" in note.message
    assert note.location is not None
    assert note.location.line == test_the_note_names_operator_and_parts_once.__code__.co_firstlineno + 1


def test_every_node_keeps_the_call_it_comes_from() -> None:
    nodes = list(exported(lambda x: torch.logaddexp(x, x)).model.graph)
    assert {node.metadata_props["pkg.torch.op"] for node in nodes} == {"aten::logaddexp"}
    assert {node.metadata_props["pkg.torch.source"].split(":")[0] for node in nodes} == {
        "test_export_decomposition.py"
    }


def test_sizes_keep_their_names() -> None:
    program = exported(lambda x: OPS.scaled(x, 2))
    assert [str(dim) for dim in program.model.graph.outputs[0].shape or ()] == ["columns", "rows"]


def test_the_exported_program_learns_nothing_of_it() -> None:
    def tall(x: torch.Tensor) -> object:
        return torch.einsum("ij,ij->i", x, x)

    shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
    program = torch.export.export(Model(tall), (torch.randn(5, 7),), dynamic_shapes=shapes)
    env = program.graph_module.graph.find_nodes(op="placeholder")[0].meta["val"].fake_mode.shape_env
    before = list(env.guards), dict(env.replacements), dict(env.var_to_range)
    onnx_export.export(program, verbose=False)
    assert before == (list(env.guards), dict(env.replacements), dict(env.var_to_range))


def test_an_operator_that_is_made_of_an_unknown_one_is_refused_with_both_names() -> None:
    text = failure(OPS.outer)
    assert "decomposed::outer has no translation to ONNX opset 20; it decomposes into" in text
    assert "decomposed::inner, which has no translation either" in text


def test_an_operator_without_decomposition_is_refused() -> None:
    text = failure(OPS.inner)
    assert "decomposed::inner has no translation to ONNX opset 20" in text
    assert "custom_translation_table" in text


def test_nothing_is_left_of_a_translation_that_was_given_up() -> None:
    def halved(op: Op, x: Value, times: int) -> Value:
        op.Exp(x)
        op.refuse("it is odd")

    program = onnx_export.export(
        Model(lambda x: OPS.scaled(x, 3)).eval(),
        (torch.randn(5, 7),),
        custom_translation_table={OPS.scaled.default: halved},
        optimize=False,
        verbose=False,
    )
    assert "Exp" not in [node.op_type for node in program.model.graph]
    (note,) = program.diagnostic_context.of(DECOMPOSED)
    assert "its own translation does not serve here, because it is odd" in note.message
    onnx.checker.check_model(program.model_proto, full_check=True)


class Normed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = torch.nn.functional.hardswish(self.norm(x))
        return y


def normed(**options: object) -> list[str]:
    program = onnx_export.export(
        Normed().eval(),
        (torch.randn(5, 7),),
        dynamic_shapes={"x": {0: "rows"}},
        verify=True,
        verbose=False,
        **options,  # type: ignore[arg-type]  # passed on
    )
    assert str((program.model.graph.inputs[0].shape or ["", ""])[0]) == "rows"
    return [node.op_type for node in program.model.graph]


def test_operators_stay_whole_by_default() -> None:
    assert normed() == ["LayerNormalization", "HardSwish"]


def test_a_program_is_taken_apart_into_core_aten_on_request() -> None:
    types = normed(decompose=True)
    assert "HardSwish" not in types
    assert "Clip" in types


def test_a_program_is_taken_apart_by_a_table() -> None:
    table = {torch.ops.aten.hardswish.default: lambda x: x.sigmoid()}
    with pytest.raises(VerificationError):
        normed(decompose=table)
    table = {torch.ops.aten.hardswish.default: lambda x: x * torch.nn.functional.hardsigmoid(x)}
    assert normed(decompose=table) == ["LayerNormalization", "HardSigmoid", "Mul"]


def test_an_exported_program_is_taken_apart_on_request() -> None:
    program = torch.export.export(Normed().eval(), (torch.randn(5, 7),))
    types = [node.op_type for node in onnx_export.export(program, decompose=True, verbose=False).model.graph]
    assert "HardSwish" not in types


def raising(x: torch.Tensor) -> torch.Tensor:
    raise RuntimeError("no such luck")


def test_a_program_that_torch_cannot_take_apart_is_refused_with_the_way_out() -> None:
    with pytest.raises(CaptureError) as caught:
        normed(decompose={torch.ops.aten.hardswish.default: raising})
    text = str(caught.value)
    assert "torch cannot take the captured program apart: no such luck" in text
    assert "leave decompose out" in text
    assert f"test_export_decomposition.py:{raising.__code__.co_firstlineno + 1}" in text
