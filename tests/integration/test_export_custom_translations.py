"""The caller's own translations: functions that take op, functions of onnxscript, and faults in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import onnx
import onnx_ir as ir
import onnxscript
import pytest
import torch
from onnxscript import FLOAT

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op


class CompiledOpset(Protocol):
    """An opset in a compiled function; onnxscript's own types do not take the numbers that it takes."""

    def __getattr__(self, name: str) -> Callable[..., FLOAT]: ...


class TracedOpset(Protocol):
    """An opset in a function that is traced, where values are those of the graph."""

    def __getattr__(self, name: str) -> Callable[..., ir.Value]: ...


op13: CompiledOpset = onnxscript.opset13
op18: CompiledOpset = onnxscript.opset18
traced18: TracedOpset = onnxscript.opset18

LIBRARY = torch.library.Library("customs", "DEF")  # registered as long as this module
LIBRARY.define("shrink(Tensor x, float by=0.5, *, bool twice=False) -> Tensor")
LIBRARY.define("halves(Tensor x) -> (Tensor, Tensor)")
LIBRARY.define("gather(Tensor[] parts, int dim=0) -> Tensor")
LIBRARY.define("over(Tensor x) -> Tensor")
LIBRARY.define("over.scaled(Tensor x, float by) -> Tensor")
LIBRARY.define("sized(Tensor x, SymInt[] sizes) -> Tensor")


def shrink_eager(x: torch.Tensor, by: float = 0.5, *, twice: bool = False) -> torch.Tensor:
    return x * by * (by if twice else 1.0)


LIBRARY.impl("shrink", shrink_eager, "CompositeExplicitAutograd")
LIBRARY.impl("halves", lambda x: (x * 0.5, x * 1.5), "CompositeExplicitAutograd")
LIBRARY.impl("gather", lambda parts, dim=0: torch.cat(parts, dim), "CompositeExplicitAutograd")
LIBRARY.impl("over", lambda x: x + 1, "CompositeExplicitAutograd")
LIBRARY.impl("over.scaled", lambda x, by: x + by, "CompositeExplicitAutograd")
LIBRARY.impl("sized", lambda x, sizes: x.reshape(sizes).clone(), "CompositeExplicitAutograd")

OPS = torch.ops.customs
X = torch.randn(5, 7)
Table = Mapping[object, object]


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


def exported(function: Callable[..., object], table: Table, **options: object) -> onnx_export.ONNXProgram:
    """The program, verified in ONNX Runtime at several sizes."""
    program = onnx_export.export(
        Model(function).eval(),
        (X,),
        dynamic_shapes={"x": {0: "n"}},
        custom_translation_table=table,  # type: ignore[arg-type]  # some are wrong on purpose
        verify=True,
        verbose=False,
        **options,  # type: ignore[arg-type]  # passed on
    )
    onnx.checker.check_model(program.model_proto, full_check=True)
    return program


def failure(function: Callable[..., object], table: Table) -> str:
    with pytest.raises(ConversionError) as caught:
        exported(function, table)
    return str(caught.value)


def types(program: onnx_export.ONNXProgram) -> list[str]:
    return [node.op_type for node in program.model.graph]


@onnxscript.script(onnxscript.values.Opset("customs.functions", 2))
def shrink_script(x: FLOAT, by: float = 0.5) -> FLOAT:
    """A function of the model."""
    return op18.Mul(x, op18.Constant(value_float=by))


@onnxscript.script()
def halves_script(x: FLOAT) -> tuple[FLOAT, FLOAT]:
    """Two results."""
    half = op18.Mul(x, 0.5)
    return half, op18.Sub(op18.Mul(x, 2.0), half)


def shrink_traced(x: ir.Value, by: float = 0.5, twice: bool = False) -> ir.Value:
    result: ir.Value = x * by
    return traced18.Mul(result, by) if twice else result


def gather_traced(parts: Sequence[ir.Value], dim: int = 0) -> ir.Value:
    return traced18.Concat(*parts, axis=dim)


def sized_traced(x: ir.Value, sizes: ir.Value) -> ir.Value:
    return traced18.Reshape(x, sizes)


def test_a_compiled_function_becomes_a_function_of_the_model() -> None:
    program = exported(
        lambda x: OPS.shrink(OPS.shrink(x, 0.25)) + 1, {OPS.shrink.default: shrink_script}, opset_version=21
    )
    assert types(program) == ["shrink_script", "shrink_script", "Add"]
    ((domain, name, _),) = program.model.functions
    assert (domain, name) == ("customs.functions", "shrink_script")
    assert program.model.graph.opset_imports == {"": 21, "customs.functions": 2}
    first, second, _ = program.model.graph
    assert first.attributes["by"].as_float() == 0.25
    assert "by" not in second.attributes, "its own default serves"


def test_a_compiled_function_with_several_results() -> None:
    program = exported(lambda x: OPS.halves(x)[0] + OPS.halves(x)[1], {OPS.halves: halves_script})
    assert types(program)[0] == "halves_script"


@pytest.mark.parametrize(
    ("function", "table"),
    [
        pytest.param(lambda x: OPS.shrink(x, 0.2), {OPS.shrink.default: shrink_traced}, id="arithmetic"),
        pytest.param(
            lambda x: OPS.shrink(x, 0.2, twice=True), {OPS.shrink.default: shrink_traced}, id="by name"
        ),
        pytest.param(lambda x: OPS.gather([x, x + 1], 1), {OPS.gather: gather_traced}, id="a list"),
        pytest.param(lambda x: OPS.sized(x, [7, x.shape[0]]), {OPS.sized: sized_traced}, id="sizes"),
    ],
)
def test_plain_functions_of_onnxscript_are_traced(function: Callable[..., object], table: Table) -> None:
    assert not exported(function, table).model.functions


def test_a_name_without_overload_means_all_that_are_not_named() -> None:
    def one(op: Op, x: Value) -> object:
        return op.Add(x, 1.0)

    def any_of_them(op: Op, x: Value, by: float = 1.0) -> object:
        return op.Sub(x, -by)

    def both(x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = OPS.over(x)
        z: torch.Tensor = OPS.over(y, 2.0)
        return z

    assert types(exported(both, {OPS.over: any_of_them})) == ["Sub", "Sub"]
    assert types(exported(both, {OPS.over: any_of_them, OPS.over.default: one})) == ["Add", "Sub"]


def test_functions_on_sizes_are_keys() -> None:
    def largest(op: Op, a: Value, b: Value) -> object:
        return op.Max(a, b)

    program = exported(lambda x: x.new_zeros(torch.sym_max(x.shape[0], 3)) + 1, {torch.sym_max: largest})
    assert "Max" in types(program)


def test_the_next_of_several_is_tried_where_one_refuses() -> None:
    def only_twice(op: Op, x: Value, by: float, twice: bool) -> object:
        made = op.Identity(x)
        if not twice:
            op.refuse("it is done once")
        return op.Mul(op.Mul(made, by), by)

    table: Table = {OPS.shrink.default: [only_twice, shrink_script]}
    assert types(exported(lambda x: OPS.shrink(x, 0.5), table)) == ["shrink_script"]
    assert types(exported(lambda x: OPS.shrink(x, 0.5, twice=True), table)) == ["Mul", "Mul"]


def test_a_call_that_it_refuses_goes_on_to_the_exporter_s_own_translation() -> None:
    def never(op: Op, x: Value) -> object:
        op.Exp(x)
        op.refuse("it never does")

    assert types(exported(torch.relu, {torch.ops.aten.relu.default: never}, optimize=False)) == ["Relu"]


def test_all_of_several_refuse() -> None:
    def never(op: Op, x: Value, by: float, twice: bool) -> object:
        op.refuse("it never does")

    text = failure(lambda x: OPS.shrink(x, 0.5, twice=True), {OPS.shrink.default: [never, shrink_script]})
    assert "it never does" in text
    assert "shrink_script has no parameter 'twice', which is True here" in text


def test_a_function_for_another_form_of_an_operator_is_refused() -> None:
    @onnxscript.script()
    def summed(x: FLOAT) -> FLOAT:
        return op13.ReduceMax(x, axes=[1])

    text = failure(OPS.over.default, {OPS.over.default: summed})
    assert "summed uses ReduceMax of opset 13, and opset 20 has another form of it" in text


def raises(op: Op, x: Value) -> object:
    raise RuntimeError("no such luck")  # the line


def returns_one(op: Op, x: Value) -> object:
    return op.Identity(x)


def returns_two(op: Op, x: Value) -> object:
    return op.Identity(x), x


def returns_none(op: Op, x: Value) -> object:
    return None


def takes_less(op: Op) -> object:
    return op.Constant(value_float=1.0)


def wrong_dtype(op: Op, x: Value) -> object:
    return op.Cast(x, to=onnx.TensorProto.DOUBLE)


@pytest.mark.parametrize(
    ("function", "translation", "words"),
    [
        (OPS.over.default, raises, "RuntimeError: no such luck"),
        (OPS.halves.default, returns_one, "it returned 1 values, the call has 2 outputs"),
        (OPS.over.default, returns_two, "it returned 2 values, the call has 1 outputs"),
        (OPS.over.default, lambda x: (traced18.Relu(x), x), "it returned 2 values, the call has 1 outputs"),
        (OPS.over.default, takes_less, "takes_less takes 0 arguments, the call has 1"),
        (OPS.over.default, returns_none, "it returned None, which is no value of the graph"),
        (OPS.over.default, wrong_dtype, "came out as DOUBLE, the program has FLOAT"),
        (OPS.over.default, lambda x: 3, "it returned 3 as result 0"),
        (OPS.over.default, lambda x: traced18.Relu(x, x), "Relu"),
    ],
)
def test_a_faulty_translation_is_named_with_its_line(
    function: Callable[..., object], translation: Callable[..., object], words: str
) -> None:
    text = failure(lambda x: function(x), {function: translation})
    assert "LOW004" in text
    assert words in text
    assert f"{translation.__qualname__} ({__file__}:" in text
    if translation is raises:
        assert f"{__file__}:{raises.__code__.co_firstlineno + 1})" in text


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"aten::relu": raises}, "a key is an operator such as torch.ops.aten.add.Tensor"),
        ({torch.relu: raises}, "a key is an operator such as"),
        ({OPS.over.default: 3}, "must be a function, or a list of functions, got 3 of class int"),
        ({OPS.over.default: []}, "is empty"),
        ({OPS.over.default: [raises, None]}, "got None of class NoneType"),
    ],
)
def test_a_table_that_is_none_is_refused(table: Table, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        exported(OPS.over.default, table)
