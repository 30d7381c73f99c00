"""Custom symbolic functions that were written for torch.onnx, by either route."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import onnx
import onnxscript
import pytest
import torch
from onnxscript import FLOAT

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_export.symbolic_helper import GraphContext

LIBRARY = torch.library.Library("symbolics", "DEF")  # registered as long as this module
LIBRARY.define("shrink(Tensor x, float by=0.5, int[] axes=[], str mode='all', Tensor? y=None) -> Tensor")
LIBRARY.define("halves(Tensor x) -> (Tensor, Tensor)")
LIBRARY.define("pieces(Tensor x, int count) -> Tensor[]")
LIBRARY.define("total(Tensor[] parts) -> Tensor")


def shrink_eager(
    x: torch.Tensor,
    by: float = 0.5,
    axes: tuple[int, ...] = (),
    mode: str = "all",
    y: torch.Tensor | None = None,
) -> torch.Tensor:
    shrunk = x * by if y is None else x * by + y
    return shrunk.sum(list(axes), keepdim=True) if axes else shrunk


LIBRARY.impl("shrink", shrink_eager, "CompositeExplicitAutograd")
LIBRARY.impl("halves", lambda x: (x * 0.5, x * 1.5), "CompositeExplicitAutograd")
LIBRARY.impl("pieces", lambda x, count: [x * (n + 1) for n in range(count)], "CompositeExplicitAutograd")
LIBRARY.impl("total", lambda parts: torch.stack(parts).sum(0), "CompositeExplicitAutograd")

OPS = torch.ops.symbolics
X = torch.randn(5, 7)


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


Register = Callable[..., None]


@pytest.fixture
def register() -> Iterator[Register]:
    """Registers until the test ends."""
    done: list[tuple[str, int]] = []

    def registers(name: str, function: Callable[..., object], opset: int = 9) -> None:
        onnx_export.register_custom_op_symbolic(name, function, opset)
        done.append((name, opset))

    yield registers
    for name, opset in dict.fromkeys(done):
        onnx_export.unregister_custom_op_symbolic(name, opset)


def exported(
    function: Callable[..., object], *, dynamo: bool = False, opset: int = 20, verify: bool = True
) -> onnx_export.ONNXProgram:
    """The program, compared with PyTorch at several sizes."""
    return onnx_export.export(
        Model(function).eval(),
        (X,),
        dynamo=dynamo,
        dynamic_axes={"x": {0: "n"}},
        opset_version=opset,
        verify=verify,
        verbose=False,
    )


def types(program: onnx_export.ONNXProgram) -> list[str]:
    return [node.op_type for node in program.model.graph]


@pytest.mark.parametrize("dynamo", [False, True])
@pytest.mark.parametrize("opset", [9, 13, 18, 24])
def test_a_function_serves_on_both_routes(register: Register, opset: int, dynamo: bool) -> None:
    def shrink(
        g: GraphContext, x: torch._C.Value, by: torch._C.Value, *rest: torch._C.Value
    ) -> torch._C.Value:
        return g.op("Mul", x, by)

    register("symbolics::shrink", shrink)
    assert types(exported(lambda x: torch.relu(OPS.shrink(x, 0.25)), opset=opset, dynamo=dynamo)) == [
        "Mul",
        "Relu",
    ]


def test_several_results_lists_and_none(register: Register) -> None:
    def shrink(
        g: GraphContext,
        x: torch._C.Value,
        by: torch._C.Value,
        axes: torch._C.Value,
        mode: torch._C.Value,
        y: torch._C.Value,
    ) -> torch._C.Value:
        assert y.node().mustBeNone()
        assert mode.node().kind() == "onnx::Constant"
        assert axes.node().t("value").tolist() == [1]
        return g.op("ReduceSum", g.op("Mul", x, by), axes, keepdims_i=1)

    def halves(g: GraphContext, x: torch._C.Value) -> object:
        half = g.op("Mul", x, torch.tensor(0.5))
        return half, g.op("Sub", g.op("Add", x, x), half)

    def total(g: GraphContext, parts: torch._C.Value) -> object:
        return g.op("Sum", *parts.node().inputs())

    def pieces(g: GraphContext, x: torch._C.Value, count: torch._C.Value, _outputs: int = 0) -> object:
        return [g.op("Mul", x, torch.tensor(float(n + 1))) for n in range(_outputs)]

    register("symbolics::shrink", shrink, 13)
    register("symbolics::halves", halves)
    register("symbolics::total", total)
    register("symbolics::pieces", pieces)

    def model(x: torch.Tensor) -> torch.Tensor:
        low, high = OPS.halves(x + OPS.shrink(x, 0.25, [1]))
        one, two, three = OPS.pieces(x, 3)
        whole: torch.Tensor = OPS.total([low, high, one, three]) + two
        return whole

    exported(model)


def test_a_whole_list_is_a_list_of_values(register: Register) -> None:
    register("symbolics::halves", lambda g, x: (None, g.op("Mul", x, torch.tensor(1.5))))
    exported(lambda x: OPS.halves(x)[1])


def test_overriding_an_operator_of_torch(register: Register) -> None:
    register("::relu", lambda g, x: g.op("Clip", x, torch.tensor(0.0)), 11)
    assert types(exported(torch.relu)) == ["Clip"]
    assert types(exported(torch.relu, dynamo=True)) == ["Clip"]
    assert types(exported(torch.relu, opset=9)) == ["Relu"], "it is for opset 11 and up"


def test_the_newest_function_that_the_opset_reaches_serves(register: Register) -> None:
    register("symbolics::shrink", lambda g, x, by, *_: g.op("Mul", x, by), 9)
    register("symbolics::shrink", lambda g, x, by, *_: g.op("Div", x, g.op("Reciprocal", by)), 13)
    register("symbolics::shrink", lambda g, x, by, *_: g.op("Neg", g.op("Mul", g.op("Neg", x), by)), 18)
    first = {opset: types(exported(OPS.shrink, opset=opset))[0] for opset in (9, 12, 13, 17, 18, 22)}
    assert first == {9: "Mul", 12: "Mul", 13: "Reciprocal", 17: "Reciprocal", 18: "Neg", 22: "Neg"}
    register("symbolics::shrink", lambda g, x, by, *_: g.op("Mul", by, x), 18)
    assert types(exported(OPS.shrink))[0] == "Mul", "the second registration took the place of the first"


def test_unregistering() -> None:
    onnx_export.register_custom_op_symbolic("aten::relu", lambda g, x: g.op("Abs", x), 9)
    onnx_export.unregister_custom_op_symbolic("::relu", 9)
    assert types(exported(torch.relu)) == ["Relu"]
    with pytest.warns(UserWarning, match="no symbolic function is registered for aten::relu at opset 9"):
        onnx_export.unregister_custom_op_symbolic("aten::relu", 9)


@pytest.mark.parametrize(
    ("name", "function", "opset", "words"),
    [
        ("relu", print, 9, "'relu' is no operator's name"),
        ("aten::relu.out", print, 9, "without the overload"),
        ("aten::9lives", print, 9, "is no operator's name"),
        ("onnx::Relu", print, 9, "onnx::Relu is an operator of ONNX"),
        ("aten::relu", 3, 9, "must be callable, got 3"),
        ("aten::relu", print, "9", "must be an integer, got '9'"),
    ],
)
def test_registrations_that_mean_nothing(name: str, function: object, opset: object, words: str) -> None:
    registering: Callable[..., None] = onnx_export.register_custom_op_symbolic
    with pytest.raises((TypeError, ValueError), match=words):
        registering(name, function, opset)


# Nodes that ONNX does not define


@pytest.mark.parametrize("versions", [None, {"mydomain": 3}])
def test_a_node_of_a_domain_of_its_own(register: Register, versions: dict[str, int] | None) -> None:
    def halves(g: GraphContext, x: torch._C.Value) -> object:
        first, second = g.op(
            "mydomain::Halves",
            x,
            by_f=0.5,
            axes_i=[0, 1],
            mode_s="plain",
            names_s=["a", "b"],
            table_t=torch.arange(3),
            nothing_i=None,
            outputs=2,
        )
        return first.setType(x.type()), second

    register("symbolics::halves", halves)
    program = onnx_export.export(
        Model(lambda x: OPS.halves(OPS.halves(x)[0])),
        (X,),
        dynamo=False,
        verbose=False,
        custom_opsets=versions,
    )
    node = program.model.graph[0]
    assert (node.domain, node.op_type, len(node.outputs)) == ("mydomain", "Halves", 2)
    assert program.model.graph.opset_imports["mydomain"] == (versions or {"mydomain": 1})["mydomain"]
    attributes = node.attributes
    assert list(attributes) == ["axes", "by", "mode", "names", "table"]
    assert list(attributes["axes"].as_ints()) == [0, 1]
    assert attributes["by"].as_float() == 0.5
    assert attributes["mode"].as_string() == "plain"
    assert list(attributes["names"].as_strings()) == ["a", "b"]
    assert attributes["table"].as_tensor().numpy().tolist() == [0, 1, 2]
    assert node.outputs[0].shape == [5, 7]
    onnx.checker.check_model(program.model_proto, full_check=True)


def test_an_aten_operator_as_a_node(register: Register) -> None:
    register("symbolics::shrink", lambda g, x, by, *_: g.at("mul", x, by, overload_name="Scalar"))
    program = exported(OPS.shrink, verify=False)
    (node,) = program.model.graph
    assert (node.domain, node.op_type) == ("org.pytorch.aten", "ATen")
    assert node.attributes["operator"].as_string() == "mul"
    assert node.attributes["overload_name"].as_string() == "Scalar"


class AnyOpset(Protocol):
    """An opset with whatever operators; onnxscript's own types know better."""

    def __getattr__(self, name: str) -> Callable[..., FLOAT]: ...


op18: AnyOpset = onnxscript.opset18


@onnxscript.script(onnxscript.values.Opset("myfunctions", 2))
def Shrink(x: FLOAT, by: float) -> FLOAT:
    return op18.Mul(x, op18.Constant(value_float=by))


@onnxscript.script(onnxscript.values.Opset("myfunctions", 2))
def Halves(x: FLOAT) -> tuple[FLOAT, FLOAT]:
    return op18.Mul(x, 0.5), op18.Mul(x, 1.5)


def test_functions_of_onnxscript(register: Register) -> None:
    register("symbolics::shrink", lambda g, x, *_: g.onnxscript_op(Shrink, x, by_f=0.5).setType(x.type()))
    register("symbolics::halves", lambda g, x: g.onnxscript_op(Halves, x, outputs=2))
    program = exported(lambda x: OPS.halves(OPS.shrink(OPS.shrink(x))))
    assert types(program) == ["Shrink", "Shrink", "Halves"]
    assert program.model.graph.opset_imports["myfunctions"] == 2


# Faults


def raises(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
    raise RuntimeError("no such luck")  # the line


def returns_none(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
    g.op("Relu", x)
    return None


def returns_two(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
    return x, x


def returns_few(g: GraphContext, x: torch._C.Value) -> object:
    return g.op("Relu", x)


def takes_few(g: GraphContext, x: torch._C.Value) -> object:
    return g.op("Relu", x)


def wrong_dtype(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
    return g.op("Cast", x, to_i=7)


FAULTS: list[tuple[str, Callable[..., object], str]] = [
    ("shrink", raises, "RuntimeError: no such luck"),
    ("shrink", returns_none, "it returned None, which is no value of the graph"),
    ("shrink", returns_two, "it returned 2 values, the call has 1 outputs"),
    ("halves", returns_few, "it returned 1 values, the call has 2 outputs"),
    ("shrink", takes_few, "takes 2 positional arguments but 6 were given"),
    ("shrink", wrong_dtype, "came out as INT64, the program has FLOAT"),
    ("shrink", lambda g, x, *_: 3, "it returned 3, which is no value of the graph"),
    ("shrink", lambda g, x, *_: g.op("Relu", 3), "Relu is given 3, a int, for an input"),
    ("shrink", lambda g, x, *_: g.op("Relu", x, alpha=1), "the attribute 'alpha' says no type"),
    ("shrink", lambda g, x, *_: g.op("Relu", x, alpha_f=1), "Relu has no attribute alpha at opset 20"),
    ("shrink", lambda g, x, *_: g.op("Elu", x, alpha_i=1), "of type FLOAT, got INT"),
    ("shrink", lambda g, x, *_: g.op("Elu", x, alpha_f="a"), "'alpha_f' must be a number, got 'a'"),
    ("shrink", lambda g, x, *_: g.op("If", x, then_branch_g=1), "holds a graph or a type"),
    ("shrink", lambda g, x, *_: g.op("Mul", x), "Mul of opset 20 takes A, B, got 1 inputs"),
    ("shrink", lambda g, x, *_: g.op("Concat", x, x), "Concat needs the attribute axis"),
    ("shrink", lambda g, x, *_: g.op("Unsqueeze", x, axes_i=[0]), "Unsqueeze of opset 20 takes data, axes"),
    ("shrink", lambda g, x, *_: g.op("aten::relu", x), "it writes aten::relu, an operator of torch"),
    ("shrink", lambda g, x, by, axes, mode, y: g.op("Relu", y), "Relu"),
    ("shrink", lambda g, x, by, axes, mode, y: g.op("Mul", x, mode), "which is no tensor"),
    ("shrink", lambda g, x, *_: g.nothing(x), "nothing"),
]


@pytest.mark.parametrize(("name", "function", "words"), FAULTS)
def test_a_faulty_function_is_told_with_its_line(
    register: Register, name: str, function: Callable[..., object], words: str
) -> None:
    register(f"symbolics::{name}", function)
    with pytest.raises(ConversionError) as caught:
        exported(lambda x: getattr(OPS, name)(x), verify=False)
    text = str(caught.value)
    (found,) = caught.value.diagnostics
    assert found.rule.code == "LOW004"
    assert words in text
    assert f"your translation of symbolics::{name}, {function.__qualname__} ({__file__}:" in text
    if function is raises:
        assert f"{__file__}:{raises.__code__.co_firstlineno + 1})" in text


def test_faults_come_with_all_others_and_leave_no_file(register: Register, tmp_path: Path) -> None:
    register("symbolics::shrink", raises)
    register("symbolics::halves", returns_few)
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(
            Model(lambda x: (OPS.shrink(x), OPS.halves(x), OPS.total([x, x]))),
            (X,),
            tmp_path / "model.onnx",
            dynamo=False,
            verbose=False,
        )
    assert sorted(found.rule.code for found in caught.value.diagnostics) == ["LOW001", "LOW004", "LOW004"]
    assert not list(tmp_path.iterdir())


def test_below_the_first_opset_the_error_names_it(register: Register) -> None:
    register("symbolics::shrink", raises, 15)
    with pytest.raises(ConversionError) as caught:
        exported(OPS.shrink, opset=13)
    assert "symbolics::shrink has no translation to ONNX opset 13; it has one from opset 15" in str(
        caught.value
    )
