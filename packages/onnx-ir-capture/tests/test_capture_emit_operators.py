"""Operator methods: what they check, pass to the hook and return, and that the stub says the same."""

from __future__ import annotations

import ast
import copy
import importlib.resources
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir
import pytest

from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._operators import OperatorMethods

Call = tuple[str, Sequence[Argument | None], Mapping[str, AttributeValue], int | None]


class Recorder(OperatorMethods):
    """Keeps the calls that reach the hook."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def call_operator(
        self,
        op_type: str,
        inputs: Sequence[Argument | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int | None,
        /,
    ) -> ir.Value | Sequence[ir.Value]:
        self.calls.append((op_type, inputs, attributes, outputs))
        return [ir.Value() for _ in range(outputs)] if outputs else ir.Value()


@pytest.fixture
def op() -> Recorder:
    return Recorder()


@pytest.fixture
def x() -> ir.Value:
    return ir.Value(name="x")


def test_the_call_reaches_the_hook_in_the_newest_form(op: Recorder, x: ir.Value) -> None:
    assert isinstance(op.ReduceSum(x, [1, 2], keepdims=True), ir.Value)
    op.Clip(x, None, 6.0)
    assert op.calls == [
        ("ReduceSum", (x, [1, 2]), {"keepdims": 1}, None),
        ("Clip", (x, None, 6.0), {}, None),
    ]


def test_unset_attributes_are_dropped_and_others_get_the_schema_type(op: Recorder, x: ir.Value) -> None:
    op.LeakyRelu(x, alpha=1)
    op.Transpose(x, perm=None)
    op.Transpose(x, perm=[])
    op.ReduceMax(x, keepdims=False)
    op.Cast(x, to=ir.DataType.FLOAT16)
    attributes = [attributes for _, _, attributes, _ in op.calls]
    assert attributes == [{"alpha": 1.0}, {}, {"perm": ()}, {"keepdims": 0}, {"to": 10}]
    assert isinstance(attributes[0]["alpha"], float), "an int would become an INT attribute"


@pytest.mark.parametrize(
    ("call", "count"),
    [
        (lambda op, x: op.TopK(x, [5]), 2),
        (lambda op, x: op.DynamicQuantizeLinear(x), 3),
        (lambda op, x: op.MaxPool(x, kernel_shape=[2], outputs=2), 2),
        (lambda op, x: op.LayerNormalization(x, x, outputs=3), 3),
        (lambda op, x: op.Split(x, outputs=3), 3),
        (lambda op, x: op.Split(x, outputs=1), 1),
    ],
)
def test_several_or_variable_outputs_are_a_tuple(
    op: Recorder, x: ir.Value, call: Callable[[Recorder, ir.Value], object], count: int
) -> None:
    result = call(op, x)
    assert isinstance(result, tuple)
    assert len(result) == count
    assert op.calls[0][3] == count


def test_optional_outputs_are_left_out_by_default(op: Recorder, x: ir.Value) -> None:
    assert isinstance(op.LayerNormalization(x, x), ir.Value)
    assert isinstance(op.LSTM(x, x, x), ir.Value)
    assert [outputs for _, _, _, outputs in op.calls] == [1, 1]


@pytest.mark.parametrize(
    ("name", "inputs", "keywords", "message"),
    [
        ("Relu", 2, {}, r"op.Relu takes 1 input\(s\) \(X\), 2 given"),
        ("Concat", 0, {"axis": 0}, r"op.Concat takes 1 or more input\(s\)"),
        ("Pad", 5, {}, r"op.Pad takes 2 to 4 input\(s\)"),
        ("Softmax", 1, {"dim": 1}, "op.Softmax has no attribute dim; its attributes: axis"),
        ("Cast", 1, {}, "op.Cast needs the attribute to"),
        ("Cast", 1, {"to": "float"}, "the attribute to is of type INT, not str: 'float'"),
        ("Transpose", 1, {"perm": [1.0]}, "the attribute perm is of type INTS, not list"),
        ("Softmax", 1, {"axis": ir.Value()}, "the attribute axis is of type INT, not Value"),
        ("Split", 1, {}, "op.Split has a variable number of outputs: pass outputs="),
        ("Unique", 1, {"outputs": 5}, "op.Unique has 1 to 4 outputs, not 5"),
        ("TopK", 2, {"outputs": 1}, "op.TopK has 2 outputs, not 1"),
    ],
)
def test_wrong_calls_are_refused(
    op: Recorder, x: ir.Value, name: str, inputs: int, keywords: Mapping[str, object], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        getattr(op, name)(*[x] * inputs, **keywords)
    assert not op.calls


def test_a_required_input_cannot_be_left_out(op: Recorder, x: ir.Value) -> None:
    method: Callable[..., object] = op.Add
    with pytest.raises(TypeError, match=r"op.Add: the input B \(number 1\) cannot be left out"):
        method(x, None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Softmx", "did you mean Softmax"),
        ("Upsample", "it exists in opset 7 to 9"),
        ("frame", "'Recorder' object has no attribute 'frame'"),
    ],
)
def test_unknown_operators_are_attribute_errors(op: Recorder, name: str, message: str) -> None:
    assert not hasattr(op, name)
    with pytest.raises(AttributeError, match=message):
        getattr(op, name)


def test_an_emitter_can_be_copied(op: Recorder) -> None:
    assert copy.copy(op).calls is op.calls


def stub_methods() -> dict[str, list[ast.FunctionDef]]:
    text = importlib.resources.files("onnx_ir_capture.emit").joinpath("_operators.pyi").read_text("utf-8")
    (methods,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in methods.body:
        if isinstance(node, ast.FunctionDef) and node.name != "call_operator":
            found.setdefault(node.name, []).append(node)
    return found


STUB = stub_methods()


def test_the_stub_has_a_method_for_each_operator_of_the_newest_opset() -> None:
    assert sorted(STUB) == [name for name in schemas.names() if schemas.exists(name, schemas.NEWEST_OPSET)]


@pytest.mark.parametrize("name", sorted(STUB))
def test_what_the_stub_allows_the_method_takes(op: Recorder, x: ir.Value, name: str) -> None:
    """Each overload is called with all its inputs, and with the required ones alone."""
    form = schemas.form(name, schemas.NEWEST_OPSET)
    for overload in STUB[name]:
        arguments = overload.args
        positional = [argument.arg for argument in arguments.posonlyargs[1:]]
        extra = [arguments.vararg.arg] if arguments.vararg else []
        assert positional + extra == [parameter.name for parameter in form.inputs]
        keywords = {argument.arg for argument in arguments.kwonlyargs}
        assert keywords - {"outputs"} == set(form.attributes)
        required = {
            argument.arg: example(form, argument)
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is None
        }
        least = len(positional) - len(arguments.defaults)
        for count in (least, len(positional)):
            result = getattr(op, name)(*[x] * count, *[x] * len(extra), **required)
            assert isinstance(result, tuple) == ast.unparse(overload.returns or overload).startswith("tuple")
            assert op.calls[-1][0] == name


def example(form: schemas.OperatorForm, argument: ast.arg) -> object:
    """A value for a required keyword of the stub."""
    annotation = ast.unparse(argument.annotation or argument)
    if annotation.startswith("Literal"):
        return int(annotation.removeprefix("Literal[").removesuffix("]"))
    if argument.arg == "outputs":
        return 2
    return {
        ir.AttributeType.INT: 1,
        ir.AttributeType.FLOAT: 1.0,
        ir.AttributeType.STRING: "text",
        ir.AttributeType.INTS: [1],
        ir.AttributeType.FLOATS: [1.0],
        ir.AttributeType.STRINGS: ["text"],
        ir.AttributeType.TENSOR: ir.tensor([1]),
        ir.AttributeType.GRAPH: ir.Graph([], [], nodes=[]),
    }[form.attributes[argument.arg].type]
