"""Translators that are wrong on purpose, each found at its place on both routes."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Mapping

import onnx_ir as ir
import pytest
import torch
from torch._higher_order_ops.scan import scan

import onnx_export
from onnx_diagnostics import Diagnostic, DiagnosticError
from onnx_ir_capture.contracts import Lowering, Operand, Value
from onnx_ir_capture.dialect import OpName
from onnx_torchlib import TRANSLATORS, Op

Tensor = torch.Tensor
ATEN = torch.ops.aten
X = torch.randn(5, 7)


def line_of(marker: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        (found,) = [number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"  # {marker}")]
    return found


class Block(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x.sub(2.0)  # sub
        return y.exp() * x


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(7, 7)
        self.first, self.second = Block(), Block()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        y = self.first(self.linear(x)).sigmoid()  # sigmoid
        y = self.second(y).softmax(1)  # softmax
        total = y.cumsum(1)  # cumsum
        turned = total.t()  # t
        largest, place = torch.max(total, 1)  # max
        return turned + 1, largest.tanh(), place


def swapped_operands(op: Op, self: Value, other: Operand, alpha: int = 1) -> object:
    return op.Sub(other, self)


def wrong_axis(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    return op.Softmax(self, axis=0)


def invalid_axis(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    return op.Softmax(self, axis=5)


def wrong_dtype(op: Op, self: Value) -> object:
    return op.cast(op.Sigmoid(self), ir.DataType.FLOAT16)


def off_by_one(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    return op.CumSum(self, dim, exclusive=1)


def not_transposed(op: Op, self: Value) -> object:
    return op.Identity(self)


def wrong_rank(op: Op, self: Value) -> object:
    return op.Unsqueeze(op.Sigmoid(self), [0])


def of_four_rows(op: Op, self: Value) -> object:
    return op.Sigmoid(op.Slice(self, [0], [5], [0]))


def without_single_rows(op: Op, self: Value) -> object:
    return op.Sigmoid(op.Squeeze(self))


def refused_shape(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    return op.Reshape(op.CumSum(self, dim), op.Add(op.Shape(self), [1, 0]))


def refused_index(op: Op, self: Value) -> object:
    row = op.ReduceSum(op.Gather(self, [11], axis=0), [0], keepdims=1)
    return op.Add(op.Sigmoid(self), row)


def refused_at_other_sizes(op: Op, self: Value) -> object:
    return op.Reshape(op.Sigmoid(self), [5, 7])


def wrong_second_output(op: Op, self: Value, dim: int, keepdim: bool = False) -> object:
    return op.ReduceMax(self, [1], keepdims=0), op.ArgMin(self, axis=1, keepdims=0)


def too_few_values(op: Op, self: Value, dim: int, keepdim: bool = False) -> object:
    return op.ReduceMax(self, [1], keepdims=0)


def raises(op: Op, self: Value) -> object:
    raise KeyError("sigmoid")


@dataclasses.dataclass(frozen=True)
class Wrong:
    """A translator, the line of the model that calls it, and the rule that tells of it."""

    op: object
    translator: Callable[..., object]
    code: str
    module: str | None = None

    @property
    def marker(self) -> str:
        return str(self.op).removeprefix("aten.").split(".")[0]


WRONG = [
    Wrong(ATEN.sub.Tensor, swapped_operands, "EXP011", "first"),
    Wrong(ATEN.softmax.int, wrong_axis, "EXP011"),
    Wrong(ATEN.softmax.int, invalid_axis, "LOW004"),
    Wrong(ATEN.sigmoid.default, wrong_dtype, "LOW004"),
    Wrong(ATEN.cumsum.default, off_by_one, "EXP011"),
    Wrong(ATEN.t.default, not_transposed, "EXP011"),
    Wrong(ATEN.sigmoid.default, wrong_rank, "LOW004"),
    Wrong(ATEN.sigmoid.default, of_four_rows, "EXP011"),
    Wrong(ATEN.sigmoid.default, without_single_rows, "EXP011"),
    Wrong(ATEN.cumsum.default, refused_shape, "EXP004"),
    Wrong(ATEN.sigmoid.default, refused_index, "EXP004"),
    Wrong(ATEN.sigmoid.default, refused_at_other_sizes, "EXP004"),
    Wrong(ATEN.max.dim, wrong_second_output, "EXP011"),
    Wrong(ATEN.max.dim, too_few_values, "LOW004"),
    Wrong(ATEN.sigmoid.default, raises, "LOW004"),
]


def failure(
    model: torch.nn.Module,
    table: Mapping[object, Callable[..., object]],
    *,
    dynamo: bool = True,
    functions: bool = False,
    args: tuple[object, ...] = (X,),
    fixed: bool = False,
) -> DiagnosticError:
    rows = None if fixed else {"x": {0: "rows"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a trace is one
        with pytest.raises(DiagnosticError) as caught:
            onnx_export.export(
                model.eval(),
                args,
                input_names=["x"],
                custom_translation_table=table,
                dynamic_shapes=rows if dynamo else None,
                dynamic_axes=None if dynamo else rows,
                dynamo=dynamo,
                verify=True,
                export_modules_as_functions={Block} if functions else False,
            )
    return caught.value


def finding(error: DiagnosticError, code: str) -> Diagnostic:
    return next(found for found in error.diagnostics if found.rule.code == code)


def check_place(found: Diagnostic, op: object, translator: Callable[..., object], line: int) -> None:
    assert str(op).replace(".", "::", 1).removesuffix(".default") in found.message
    assert found.location is not None
    assert (found.location.file, found.location.line) == (__file__, line)
    begin = translator.__code__.co_firstlineno
    places = [place for place in found.related if place.message == "the translation"]
    assert places
    assert all(place.file == __file__ and begin <= (place.line or 0) <= begin + 2 for place in places)
    assert f"{translator.__name__} ({__file__}:" in found.message + found.advice


@pytest.mark.parametrize("dynamo", [True, False], ids=["export", "trace"])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.translator.__name__)
def test_it_is_found(wrong: Wrong, dynamo: bool, capfd: pytest.CaptureFixture[str]) -> None:
    error = failure(Net(), {wrong.op: wrong.translator}, dynamo=dynamo)
    found = finding(error, wrong.code)
    check_place(found, wrong.op, wrong.translator, line_of(wrong.marker))
    assert found.location is not None
    assert found.location.module == wrong.module
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.translator.__name__)
def test_no_advice_calls_it_a_bug(wrong: Wrong) -> None:
    error = failure(Net(), {wrong.op: wrong.translator})
    assert "report this" not in str(error)
    for found in error.diagnostics:
        assert wrong.translator.__name__ in found.advice + found.message


class Branches(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = torch.cond(x.sum() > 1e9, torch.cos, torch.sigmoid, (x,))  # cond
        return result + 1


class Steps(torch.nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        def step(state: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
            return torch.sigmoid(state) + row, state * row

        found: tuple[Tensor, Tensor] = scan(step, torch.ones(7), x)  # scan
        return found


def wrong_sigmoid(op: Op, self: Value) -> object:
    return op.Tanh(self)


def refused_inside(op: Op, self: Value) -> object:
    return op.Sigmoid(op.Reshape(self, op.Add(op.Shape(self), 1)))


@pytest.mark.parametrize("model", [Branches(), Steps()], ids=["cond", "scan"])
@pytest.mark.parametrize(("translator", "code"), [(wrong_sigmoid, "EXP011"), (refused_inside, "EXP004")])
def test_in_a_body(model: torch.nn.Module, translator: Callable[..., object], code: str) -> None:
    error = failure(model, {ATEN.sigmoid.default: translator}, fixed=True)
    marker = "cond" if isinstance(model, Branches) else "scan"
    check_place(finding(error, code), ATEN.sigmoid.default, translator, line_of(marker))


def test_where_another_operator_is_refused_for_it() -> None:
    error = failure(Net(), {ATEN.sigmoid.default: without_single_rows})
    refused = finding(error, "EXP004")
    assert "what the file has for aten::sub.Tensor" not in refused.message
    assert refused.advice.startswith("look at without_single_rows")
    assert refused.advice.endswith("which translates aten::sigmoid")


def test_the_library_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose translation it is does not matter to the search; the advice calls it a bug."""
    right = TRANSLATORS.find

    def exclusive(op: Op, self: Value, dim: int, dtype: int | None = None) -> Value:
        return op.CumSum(self, dim, exclusive=1)

    def find(op: OpName, opset: int) -> Lowering | None:
        lowering = right(op, opset)
        if lowering is None or str(op) != "aten::cumsum":
            return lowering
        return dataclasses.replace(lowering, function=exclusive)

    monkeypatch.setattr(TRANSLATORS, "find", find)
    found = finding(failure(Net(), {}), "EXP011")
    assert found.location is not None
    assert found.location.line == line_of("cumsum")
    assert found.advice.startswith("report this as a bug")
