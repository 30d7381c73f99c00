"""Verification to the node: wrong translators, found at the line of the model that calls them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence

import onnx_ir as ir
import pytest
import torch

import onnx_export
from onnx_diagnostics import Diagnostic, DiagnosticContext, VerificationError
from onnx_export._localise import find_parting
from onnx_export._runtime import CPU
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

Tensor = torch.Tensor
ATEN = torch.ops.aten
Table = Mapping[object, Callable[..., object]]


class Inner(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        weights = torch.softmax(x, dim=1)  # softmax
        return weights.cumsum(1)  # cumsum


class Outer(torch.nn.Module):
    """Both operators of its submodule are used; ``abs`` is another output, which stays right."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(7, 7)
        self.inner = Inner()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        active = torch.nn.functional.leaky_relu(self.linear(x), 0.25)  # leaky_relu
        return self.inner(active) * 3 + 1, x.abs()


def wrong_axis(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    return op.Softmax(self, axis=0)


def wrong_constant(op: Op, self: Value, negative_slope: float = 0.01) -> object:
    return op.LeakyRelu(self, alpha=0.5)


def wrong_dtype(op: Op, self: Value, dim: int, dtype: int | None = None) -> object:
    whole = op.CumSum(op.cast(self, ir.DataType.INT32), dim)
    return op.cast(whole, ir.DataType.FLOAT)


def line_of(marker: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        (found,) = [number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"  # {marker}")]
    return found


X = torch.randn(5, 7)
POWERS = X.exp()


class Calling(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> object:
        return self.function(x)


def exported(
    model: Callable[..., object],
    table: Table,
    dynamo: bool = True,
    *,
    verify: bool = False,
    functions: Collection[type[torch.nn.Module]] = (),
) -> onnx_export.ONNXProgram:
    rows = {"x": {0: "rows"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a trace is one
        return onnx_export.export(
            model if isinstance(model, torch.nn.Module) else Calling(model),
            (X,),
            input_names=["x"],
            custom_translation_table=table,
            dynamic_shapes=rows if dynamo else None,
            dynamic_axes=None if dynamo else rows,
            dynamo=dynamo,
            verify=verify,
            verbose=False,
            export_modules_as_functions=functions,
        )


def found(verify: Callable[[], object], code: str = "EXP011") -> Diagnostic:
    with pytest.raises(VerificationError) as caught:
        verify()
    (finding,) = [finding for finding in caught.value.diagnostics if finding.rule.code == code]
    return finding


def place(finding: Diagnostic) -> tuple[str | None, int | None]:
    location = finding.location
    assert location is not None
    assert location.file == __file__
    return location.module, location.line


@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.parametrize(
    ("op", "translator", "marker", "module"),
    [
        (ATEN.softmax.int, wrong_axis, "softmax", "inner"),
        (ATEN.leaky_relu.default, wrong_constant, "leaky_relu", None),
        (ATEN.cumsum.default, wrong_dtype, "cumsum", "inner"),
    ],
    ids=["axis", "constant", "dtype"],
)
def test_a_wrong_translator_is_found_at_the_line(
    op: object, translator: Callable[..., object], marker: str, module: str | None, dynamo: bool
) -> None:
    program = exported(Outer().eval(), {op: translator}, dynamo)
    finding = found(lambda: onnx_export.verify(program, (X,)))
    assert place(finding) == (module, line_of(marker))
    code = translator.__code__
    assert finding.advice == f"look at {code.co_name} ({__file__}:{code.co_firstlineno}), which translates it"
    assert (finding.related[0].file, finding.related[0].line) == (__file__, code.co_firstlineno)
    assert "the example's sizes" in finding.message


def test_through_another_route_than_a_table_of_the_caller_s() -> None:
    """Which translation is wrong does not matter: here the file itself is changed."""
    program = exported(Outer().eval(), {})
    (softmax,) = [node for node in program.model.graph if node.op_type == "Softmax"]
    softmax.attributes["axis"] = ir.AttrInt64("axis", 0)
    finding = found(lambda: onnx_export.verify(program))
    assert place(finding) == ("inner", line_of("softmax"))
    assert finding.advice.startswith("report this as a bug")


def test_the_first_of_several_is_named() -> None:
    table: Table = {ATEN.softmax.int: wrong_axis, ATEN.cumsum.default: wrong_dtype}
    program = exported(Outer().eval(), table)
    assert place(found(lambda: onnx_export.verify(program)))[1] == line_of("softmax")


def test_export_names_it_too() -> None:
    model = Outer().eval()
    finding = found(lambda: exported(model, {ATEN.softmax.int: wrong_axis}, verify=True))
    assert place(finding) == ("inner", line_of("softmax"))


def test_an_operator_that_is_right_for_the_example_alone() -> None:
    def of_five(op: Op, self: Value, dim: object, keepdim: bool, dtype: object) -> object:
        return op.Div(op.ReduceSum(self, [0], keepdims=0), 5.0)

    program = exported(lambda x: x.exp().mean(0).sin(), {ATEN.mean.dim: of_five})
    finding = found(lambda: onnx_export.verify(program))
    assert "aten::mean.dim is the first operator" in finding.message
    assert "at rows=1:" in finding.message


def test_an_operator_that_onnx_runtime_refuses_at_other_sizes() -> None:
    def frozen(op: Op, self: Value, shape: object) -> object:
        return op.Reshape(op.Neg(op.Neg(self)), [35])

    def model(x: Tensor) -> Tensor:
        return x.exp().reshape(x.shape[0] * x.shape[1]).sin()  # reshape

    program = exported(model, {ATEN.reshape.default: frozen})
    finding = found(lambda: onnx_export.verify(program), "EXP004")
    assert place(finding)[1] == line_of("reshape")


def test_further_inputs() -> None:
    def positive(op: Op, self: Value) -> object:
        return op.Relu(self)

    program = exported(lambda x: x.abs() * 2, {ATEN.abs.default: positive})
    example = (X.abs(),)
    assert all(not comparison.problem for comparison in onnx_export.verify(program, example))
    more: Sequence[tuple[Sequence[object], Mapping[str, object]]] = [((X.abs() + 1,), {}), ((-X.abs(),), {})]
    finding = found(lambda: onnx_export.verify(program, example, more_inputs=more))
    assert "aten::abs" in finding.message
    assert "at its own sizes (input set 2)" in finding.message


def test_tolerances() -> None:
    def rough(op: Op, self: Value) -> object:
        return op.Mul(op.Exp(self), 1.001)

    program = exported(lambda x: x.exp() * 2, {ATEN.exp.default: rough})
    found(lambda: onnx_export.verify(program))
    onnx_export.verify(program, tolerances={torch.float32: 1e-2})


def wrong_sine(op: Op, self: Value) -> object:
    return op.Cos(self)


def branches(x: Tensor) -> Tensor:
    y: Tensor = torch.cond(x.sum() > -1e9, torch.sin, torch.cos, (x + 1,))  # cond
    return y * 2


def in_place(x: Tensor) -> Tensor:
    y = x * 2
    y[1:].sin_()  # sin_
    y.add_(1)
    return y.exp()


def complex_numbers(x: Tensor) -> Tensor:
    z = torch.fft.rfft(x) * 2j
    return torch.view_as_real(z.conj() * 3).sin()  # sin of parts


def packs(x: Tensor) -> Tensor:
    first, second = (x * 2).split([3, 4], 1)
    return torch.cat([first.sin(), second], 1) + x.shape[0]  # sin of a part


@pytest.mark.parametrize(
    ("model", "marker"),
    [
        (branches, "cond"),
        (in_place, "sin_"),
        (complex_numbers, "sin of parts"),
        (packs, "sin of a part"),
    ],
)
def test_forms_of_programs(model: Callable[..., object], marker: str) -> None:
    program = exported(model, {ATEN.sin.default: wrong_sine})
    assert place(found(lambda: onnx_export.verify(program)))[1] == line_of(marker)


@pytest.mark.parametrize("limit", [1, 300, 2**20])
def test_slices_give_the_same(limit: int) -> None:
    program = exported(Outer().eval(), {ATEN.cumsum.default: wrong_dtype})
    names = [str(value.name) for value in program.model.graph.outputs]
    parting = find_parting(program, names, (X,), {}, onnx_export.TOLERANCES, CPU, slice_bytes=limit)
    assert parting is not None
    assert (parting.node.op_type, parting.inherited) == ("cumsum", False)


def test_what_an_operator_only_inherits_is_not_its_own() -> None:
    """The comparison is the first to differ by rounding, and not the one that is wrong."""

    def rounded(op: Op, self: Value) -> object:
        return op.Add(op.Exp(self), 1e-6)

    def model(x: Tensor) -> tuple[Tensor, Tensor]:
        y = x.exp()
        return (y > POWERS[: x.shape[0]]).float() * x.sin(), y  # sin behind a comparison

    program = exported(model, {ATEN.exp.default: rounded, ATEN.sin.default: wrong_sine})
    assert place(found(lambda: onnx_export.verify(program)))[1] == line_of("sin behind a comparison")


def test_rounding_that_grows_is_no_operator_s_fault() -> None:
    def chaotic(x: Tensor) -> Tensor:
        y = x.sigmoid() * 0.9 + 0.05
        for _ in range(60):
            y = y * (1 - y) * 4
        return y

    def rounded(op: Op, self: Value) -> object:
        return op.Add(op.Sigmoid(self), 1e-7)

    program = exported(chaotic, {ATEN.sigmoid.default: rounded})
    finding = found(lambda: onnx_export.verify(program), "EXP012")
    assert "rounding alone grows until it is above the tolerance at aten::" in finding.message


def test_what_a_capture_did_not_see() -> None:
    program = exported(lambda x: x * 2, {})
    context = DiagnosticContext("test", "1")
    verify = functools.partial(
        onnx_export.verify_program, program, lambda x: x * 3, (X,), {}, context, localise=True
    )
    finding = found(verify, "EXP012")
    assert "the model itself computes something else" in finding.message


def test_a_graph_that_was_changed_afterwards() -> None:
    program = exported(lambda x: x * 2, {})
    graph = program.model.graph
    graph.append(ir.Node("", "Neg", [graph.outputs[0]], num_outputs=1))
    graph[-1].outputs[0].name = "negative"
    graph.outputs[0] = graph[-1].outputs[0]
    finding = found(lambda: onnx_export.verify(program), "EXP012")
    assert "something has changed its graph" in finding.advice


def test_random_numbers() -> None:
    program = exported(lambda x: x.exp() + torch.rand_like(x), {})
    finding = found(lambda: onnx_export.verify(program))
    assert "aten::rand_like" in finding.message
    assert "draws random numbers" in finding.advice


def test_a_module_that_is_a_function_of_the_file() -> None:
    program = exported(Outer().eval(), {ATEN.softmax.int: wrong_axis}, functions={Inner})
    assert place(found(lambda: onnx_export.verify(program)))[0] == "inner"


def test_inputs_that_are_missing() -> None:
    program = exported(lambda x: x * 2, {}, dynamo=False)
    with pytest.raises(ValueError, match="give args or kwargs"):
        onnx_export.verify(program)
    assert onnx_export.verify(program, (X,))
