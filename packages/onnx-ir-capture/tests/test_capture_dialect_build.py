"""Types, constants, names and marks: the parts that programs are built of."""

from __future__ import annotations

import onnx_ir as ir
import pytest

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    GraphBuilder,
    ListType,
    OpName,
    TorchDType,
    TupleType,
    aliases_of,
    constant_kind,
    constant_node,
    constant_value,
    is_constant,
    op_name,
    restore_type,
    scalar_type,
    type_text,
    verify,
)

F32 = ir.TensorType(ir.DataType.FLOAT)
INT = scalar_type("int")


def builder() -> GraphBuilder:
    return GraphBuilder(ir.Graph([], [], nodes=[]))


@pytest.mark.parametrize(
    "name", [OpName("aten", "add", "Tensor"), OpName("aten", "relu_"), OpName("a.b", "__is__")]
)
def test_an_operator_name_reads_back(name: OpName) -> None:
    assert OpName.parse(str(name)) == name
    assert op_name(ir.Node(*name[:2], [], overload=name.overload, num_outputs=0)) == name


@pytest.mark.parametrize("text", ["add", "::add", "aten::", "aten.add"])
def test_what_is_no_operator_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no operator name"):
        OpName.parse(text)


def test_marks_read_back_and_are_demanded() -> None:
    value = builder().constant(1)
    marks = Aliases((0,), ((0, 0), (1, 0)))
    outputs = [ir.Value(name="a"), ir.Value(name="b")]
    assert aliases_of(builder().call(OpName("aten", "f"), [value], outputs, marks)) == marks
    with pytest.raises(ValueError, match=r"\(aten::f\) has no alias marks"):
        aliases_of(ir.Node("aten", "f", [], num_outputs=1))


def test_a_scalar_type_is_no_tensor_type_and_cannot_be_changed() -> None:
    assert scalar_type("int") is scalar_type("int")
    assert scalar_type("int") != ir.TensorType(ir.DataType.INT64)
    assert ir.TensorType(ir.DataType.INT64) != scalar_type("int")
    assert len({scalar_type("dtype"), scalar_type("device"), scalar_type("dtype")}) == 2
    value = ir.Value(name="n", type=INT, shape=ir.Shape(()))
    with pytest.raises(TypeError, match="the dtype of a int is fixed"):
        value.dtype = ir.DataType.FLOAT
    with pytest.raises(ValueError, match="no scalar kind 'number'; the kinds are int, float"):
        scalar_type("number")


def test_list_and_tuple_types_compare_by_all_their_elements() -> None:
    assert ListType(INT) == ListType(scalar_type("int"))
    assert ListType(INT) != ListType(ir.TensorType(ir.DataType.INT64))
    assert TupleType([INT, F32]) != TupleType([INT, INT])
    assert TupleType([INT, F32]) == TupleType([INT, F32])
    assert hash(TupleType([INT, F32])) == hash(TupleType([INT, F32]))
    assert TupleType([]) != TupleType([scalar_type("None")])


@pytest.mark.parametrize(
    "type_", [INT, F32, ListType(INT), TupleType([ListType(F32), INT]), ListType(TupleType([]))]
)
def test_a_type_is_restored_from_what_a_file_keeps(type_: ir.TypeProtocol) -> None:
    restored = restore_type(kept(type_))
    assert type(restored) is type(type_)
    assert restored == type_


def kept(type_: ir.TypeProtocol) -> ir.TypeProtocol:
    """The type as onnx_ir reads it from a file: its own classes, with the denotations."""
    if isinstance(type_, ir.SequenceType):
        return ir.SequenceType(kept(type_.elem_type), denotation=type_.denotation)
    return ir.TensorType(type_.dtype, denotation=type_.denotation)


def test_foreign_types_are_left_alone() -> None:
    image = ir.TensorType(ir.DataType.FLOAT, denotation="IMAGE")
    assert restore_type(image) is image
    assert restore_type(None) is None
    with pytest.raises(TypeError, match="is no type of the torch dialect"):
        type_text(ir.OptionalType(F32))


def test_constants_are_shared_by_kind_and_value() -> None:
    build = builder()
    one, yes, real = build.constant(1), build.constant(True), build.constant(1.0)
    assert build.constant(1) is one
    assert len({one, yes, real}) == 3
    assert [constant_value(value) for value in (one, yes, real)] == [1, True, 1.0]
    assert [value.type for value in (one, yes, real)] == [
        scalar_type(kind) for kind in ("int", "bool", "float")
    ]
    assert is_constant(one)
    with pytest.raises(ValueError, match="%x is no constant"):
        constant_value(ir.Value(name="x"))


def test_the_type_of_a_list_follows_from_its_items() -> None:
    build = builder()
    half = ir.Value(name="h", type=ir.TensorType(ir.DataType.FLOAT16), shape=ir.Shape([2]))
    single = ir.Value(name="f", type=F32, shape=ir.Shape([2]))
    none, one = build.constant(None), build.constant(1)
    assert type_text(build.list([none, half]).type) == "list<f16>"
    assert type_text(build.list([one, one]).type) == "list<int>"
    assert type_text(build.list([single, half, none]).type) == "list<?>"
    for items in ([], [none], [one, single], [one, build.constant(1.5)]):
        with pytest.raises(ValueError, match="do not tell the type of their list"):
            build.list(items)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "int"),
        (True, "bool"),
        (1.5, "float"),
        (1j, "complex"),
        ("s", "str"),
        (None, "None"),
        (TorchDType("half"), "dtype"),
    ],
)
def test_kinds(value: ConstantValue, kind: str) -> None:
    assert constant_kind(value) == kind
    assert constant_node(value).attributes.get_string("kind") == kind


def test_dtypes_name_their_onnx_type() -> None:
    assert TorchDType("float32").onnx == ir.DataType.FLOAT
    with pytest.raises(ValueError, match=r"no element type for torch\.complex32"):
        _ = TorchDType("complex32").onnx


def test_blocks_are_built_as_the_verifier_wants_them() -> None:
    graph = ir.Graph([x := ir.Value(name="x", type=F32, shape=ir.Shape([2]))], [], nodes=[], name="main")
    build = GraphBuilder(graph)

    def branch(name: str) -> ir.Graph:
        block = ir.Graph([], [], nodes=[], name=name)
        block.outputs.append(GraphBuilder(block).identity(x, name))
        return block

    chosen = ir.Value(name="chosen", type=F32, shape=ir.Shape([2]))
    build.branch(build.constant(True), branch("a"), branch("b"), [chosen])
    body_inputs = [
        ir.Value(name="i", type=INT, shape=ir.Shape(())),
        ir.Value(name="state", type=F32, shape=ir.Shape([2])),
        ir.Value(name="outer", type=F32, shape=ir.Shape([2])),
    ]
    body = ir.Graph(body_inputs, [], nodes=[], name="body")
    inner = GraphBuilder(body)
    goes_on = constant_node(True, "goes_on")
    body.append(goes_on)
    body.outputs.extend(
        [goes_on.outputs[0], inner.identity(body_inputs[1], "next"), inner.identity(body_inputs[2], "row")]
    )
    last = ir.Value(name="last", type=F32, shape=ir.Shape([2]))
    rows = ir.Value(name="rows", type=F32, shape=ir.Shape([3, 2]))
    loop = build.loop(build.constant(3), build.constant(True), [chosen], [x], body, [last, rows])
    graph.outputs.extend([last, build.tuple([rows, build.constant(1)])])
    assert loop.attributes["carried"].as_int() == 1
    verify(graph)
