"""Random programs: what is printed reads back as the same text, what is saved loads as the same program."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
import onnx_ir as ir
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx_ir.passes.common import NameFixPass

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    Device,
    Frame,
    GraphBuilder,
    Layout,
    ListType,
    MemoryFormat,
    OpName,
    Source,
    TorchDType,
    TupleType,
    constant_kind,
    findings,
    get_source,
    load_program,
    parse_program,
    parse_type,
    print_program,
    save_program,
    scalar_type,
    type_text,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAME = st.one_of(st.from_regex(r"[a-z][a-z0-9_.]{0,5}", fullmatch=True), TEXT.filter(bool))
DTYPES = st.sampled_from(
    [ir.DataType.FLOAT, ir.DataType.INT64, ir.DataType.BOOL, ir.DataType.BFLOAT16, ir.DataType.UNDEFINED]
)
DIMS = st.one_of(
    st.integers(0, 9),
    st.none(),
    st.sampled_from(
        ["batch", "2*s0", "s77//2", "Max(1, s0)", "(s0 + 1)//2", "a,b", "?", "...", "12", "a]", "x "]
    ),
    NAME,
)
SHAPES = st.lists(DIMS, max_size=3).map(ir.Shape)
SCALARS = st.sampled_from(["int", "float", "bool", "complex", "str", "None", "dtype", "device", "object"])
TYPES: st.SearchStrategy[ir.TypeProtocol] = st.recursive(
    st.one_of(DTYPES.map(ir.TensorType), SCALARS.map(scalar_type)),
    lambda inner: st.one_of(inner.map(ListType), st.lists(inner, max_size=3).map(TupleType)),
    max_leaves=4,
)
CONSTANTS: st.SearchStrategy[ConstantValue] = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.booleans(),
    st.complex_numbers(),
    TEXT,
    st.none(),
    st.builds(TorchDType, st.sampled_from(["float32", "complex32"])),
    st.builds(Device, st.one_of(st.sampled_from(["cpu", "cuda:0", "my device"]), TEXT)),
    st.builds(Layout, st.just("strided")),
    st.builds(MemoryFormat, st.just("channels_last")),
)
SOURCES = st.builds(
    Source,
    frames=st.lists(st.builds(Frame, NAME, st.integers(1, 99), NAME), max_size=2).map(tuple),
    module=TEXT,
    module_class=TEXT,
    name=TEXT,
)
LEAF_OPS = st.sampled_from(
    [
        OpName("aten", "add", "Tensor"),
        OpName("my-lib.v2", "op"),
        OpName("torchvision", "nms"),
        OpName("aten", "__is__"),
    ]
)


@dataclasses.dataclass
class Block:
    """A block under construction: what it can use, and what it defines itself."""

    builder: GraphBuilder
    visible: list[ir.Value]
    own: list[ir.Value]

    def add(self, value: ir.Value) -> ir.Value:
        self.visible.append(value)
        self.own.append(value)
        return value


def new_value(draw: st.DrawFn, type_: ir.TypeProtocol | None = None, *, ranked: bool = False) -> ir.Value:
    type_ = type_ or draw(TYPES)
    shape: ir.Shape | None = None
    if type_text(type_) in KINDS:
        shape = ir.Shape(())
    elif isinstance(type_, ir.TensorType):
        shape = draw(SHAPES if ranked else st.one_of(SHAPES, st.none()))
    return ir.Value(name=draw(NAME), type=type_, shape=shape)


KINDS = {
    "int",
    "float",
    "bool",
    "complex",
    "str",
    "None",
    "dtype",
    "device",
    "layout",
    "memory_format",
    "object",
}


def operand(draw: st.DrawFn, block: Block) -> ir.Value:
    if draw(st.booleans()) and block.visible:
        return draw(st.sampled_from(block.visible))
    return block.builder.constant(draw(CONSTANTS))


def add_call(draw: st.DrawFn, block: Block, outputs: Sequence[ir.Value] | None = None) -> None:
    inputs = [operand(draw, block) for _ in range(draw(st.integers(0, 3)))]
    if outputs is None:
        outputs = [new_value(draw) for _ in range(draw(st.integers(0 if inputs else 1, 2)))]
    mutates = tuple(sorted(draw(st.sets(st.integers(0, len(inputs) - 1))))) if inputs else ()
    pairs = st.tuples(st.integers(0, max(len(outputs) - 1, 0)), st.integers(0, max(len(inputs) - 1, 0)))
    views = tuple(draw(st.lists(pairs, max_size=2))) if inputs and outputs else ()
    source = draw(st.one_of(st.none(), SOURCES))
    block.builder.call(draw(LEAF_OPS), inputs, outputs, Aliases(mutates, views), source)
    for output in outputs:
        block.add(output)


def add_list(draw: st.DrawFn, block: Block) -> None:
    items: list[ir.Value] = [operand(draw, block)] if draw(st.booleans()) else []
    element = items[0].type if items and items[0].type is not None else draw(TYPES)
    items += [value for value in block.visible if type_text(value.type) == type_text(element)][:2]
    if draw(st.booleans()):
        items.append(block.builder.constant(None))
    block.add(block.builder.list(items, element))


def add_tuple(draw: st.DrawFn, block: Block) -> None:
    block.add(block.builder.tuple([operand(draw, block) for _ in range(draw(st.integers(0, 3)))]))


def add_identity(draw: st.DrawFn, block: Block) -> None:
    block.add(block.builder.identity(operand(draw, block), draw(NAME)))


def like(draw: st.DrawFn, value: ir.Value) -> ir.Value:
    return ir.Value(name=draw(NAME), type=value.type, shape=value.shape)


def fill(draw: st.DrawFn, block: Block, depth: int) -> None:
    kinds: list[Callable[[st.DrawFn, Block], None]] = [add_call, add_call, add_list, add_tuple, add_identity]
    if depth:
        kinds += [lambda d, b: add_if(d, b, depth), lambda d, b: add_loop(d, b, depth)]
    for _ in range(draw(st.integers(0, 4))):
        draw(st.sampled_from(kinds))(draw, block)


def nested(
    draw: st.DrawFn, outer: Block, inputs: list[ir.Value], wanted: list[ir.Value], depth: int
) -> ir.Graph:
    """A block that returns fresh values like ``wanted``."""
    graph = ir.Graph(inputs, [], nodes=[], name=draw(st.sampled_from([None, "block"])))
    block = Block(GraphBuilder(graph), [*outer.visible, *inputs], list(inputs))
    fill(draw, block, depth - 1)
    results = [like(draw, value) for value in wanted]
    for result in results:
        add_call(draw, block, [result])
    graph.outputs.extend(results)
    return graph


def add_if(draw: st.DrawFn, block: Block, depth: int) -> None:
    outputs = [new_value(draw) for _ in range(draw(st.integers(0, 2)))]
    condition = block.builder.constant(draw(st.booleans()))
    then_block, else_block = (nested(draw, block, [], outputs, depth) for _ in range(2))
    block.builder.branch(condition, then_block, else_block, outputs, draw(st.one_of(st.none(), SOURCES)))
    for output in outputs:
        block.add(output)


def add_loop(draw: st.DrawFn, block: Block, depth: int) -> None:
    builder = block.builder
    carried = [operand(draw, block) for _ in range(draw(st.integers(0, 2)))]
    captured = [operand(draw, block) for _ in range(draw(st.integers(0, 1)))]
    stacked = [
        new_value(draw, ir.TensorType(draw(DTYPES)), ranked=True) for _ in range(draw(st.integers(0, 1)))
    ]
    counter = new_value(draw, scalar_type("int"))
    condition = new_value(draw, scalar_type("bool"))
    inputs = [counter, *(like(draw, value) for value in (*carried, *captured))]
    body = nested(draw, block, inputs, [condition, *carried, *stacked], depth)
    outputs = [like(draw, value) for value in carried]
    for value in stacked:
        outputs.append(
            ir.Value(name=draw(NAME), type=value.type, shape=ir.Shape([None, *(value.shape or ())]))
        )
    trips = builder.constant(draw(st.one_of(st.none(), st.integers(0, 2**63 - 1))))
    builder.loop(trips, builder.constant(True), carried, captured, body, outputs)
    for output in outputs:
        block.add(output)


def new_weight(draw: st.DrawFn) -> ir.Value:
    dtype = draw(DTYPES.filter(lambda d: d != ir.DataType.UNDEFINED))
    sizes = draw(st.lists(st.integers(0, 3), max_size=2))
    count = math.prod(sizes)
    elements: st.SearchStrategy[float] = {
        ir.DataType.FLOAT: st.floats(width=32),
        ir.DataType.BFLOAT16: st.floats(width=16),
        ir.DataType.INT64: st.integers(-(2**63), 2**63 - 1),
        ir.DataType.BOOL: st.booleans(),
    }[dtype]
    array = np.array(draw(st.lists(elements, min_size=count, max_size=count)), dtype=dtype.numpy()).reshape(
        sizes
    )
    tensor = ir.Tensor(array, dtype=dtype)
    return ir.Value(name=draw(NAME), type=ir.TensorType(dtype), shape=ir.Shape(sizes), const_value=tensor)


@st.composite
def programs(draw: st.DrawFn) -> ir.Model:
    """A program that verifies and that the ONNX checker accepts (its inputs and outputs have ranks)."""
    inputs = [new_value(draw, ranked=True) for _ in range(draw(st.integers(0, 3)))]
    weights = list(
        {value.name: value for value in (new_weight(draw) for _ in range(draw(st.integers(0, 2))))}.values()
    )
    graph = ir.Graph(
        inputs, [], nodes=[], name=draw(st.sampled_from(["main", "a graph"])), initializers=weights
    )
    block = Block(GraphBuilder(graph), [*inputs, *weights], list(inputs))
    fill(draw, block, 2)
    ranked = [v for v in block.own if not isinstance(v.type, ir.TensorType) or v.shape is not None]
    graph.outputs.extend(draw(st.lists(st.sampled_from(ranked), unique=True, max_size=3)) if ranked else [])
    model = ir.Model(graph, ir_version=10)
    # Two blocks know nothing of each other's names.
    NameFixPass()(model)
    return model


def texts(model: ir.Model) -> str:
    return print_program(model, sources=True, max_elements=9)


@given(programs())
def test_the_parse_of_a_print_prints_the_same(model: ir.Model) -> None:
    assert findings(model) == []
    text = texts(model)
    parsed = parse_program(text)
    assert texts(parsed) == text
    assert findings(parsed) == []


@given(programs())
def test_a_print_tells_constants_as_they_are(model: ir.Model) -> None:
    """Every constant that is used comes back with its kind, and every bit of a double."""
    assert used_constants(parse_program(print_program(model))) == used_constants(model)


def used_constants(model: ir.Model) -> set[str]:
    nodes = list(model.graph.all_nodes())
    constants = [
        n
        for n in nodes
        if n.op_type == "Constant" and (n.outputs[0].uses() or n.outputs[0].is_graph_output())
    ]
    lone = {"ListConstruct", "TupleConstruct"}
    return {
        f"{constant_kind(n.meta['value'])} {n.meta['value']!r}"
        for n in constants
        if any(use.node.op_type not in lone for use in n.outputs[0].uses())
    }


@settings(max_examples=60)
@given(programs())
def test_a_saved_program_loads_as_it_was(tmp_path_factory: pytest.TempPathFactory, model: ir.Model) -> None:
    path = tmp_path_factory.mktemp("saved") / "program.onnx"
    before = texts(model)
    save_program(model, path)
    assert texts(model) == before
    loaded = load_program(path)
    assert texts(loaded) == before
    assert sources(loaded) == sources(model)
    assert types(loaded) == types(model)
    onnx.checker.check_model(str(path), full_check=True)
    again = path.with_name("again.onnx")
    save_program(loaded, again)
    assert again.read_bytes() == path.read_bytes()


def sources(model: ir.Model) -> list[Source | None]:
    return [get_source(node) for node in model.graph.all_nodes()]


def types(model: ir.Model) -> list[tuple[str | None, type, ir.TypeProtocol | None]]:
    values = [*model.graph.inputs, *(value for node in model.graph.all_nodes() for value in node.outputs)]
    return [(value.name, type(value.type), value.type) for value in values]


@given(TYPES)
def test_a_type_reads_back(type_: ir.TypeProtocol) -> None:
    assert type_text(parse_type(type_text(type_))) == type_text(type_)
    assert parse_type(type_text(type_)) == type_


@pytest.mark.parametrize(
    "text", ["", "f33", "list", "list<>", "list<int int>", "list<int", "int>", "tuple<int;f32>"]
)
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no type of the torch dialect"):
        parse_type(text)


def test_large_weights_go_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnx_ir_capture.dialect._storage._INLINE_BYTES", 1000)
    data = np.arange(1000, dtype=np.float32)
    big = ir.Value(
        name="big", const_value=ir.Tensor(data), type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([1000])
    )
    small = ir.Value(
        name="small",
        const_value=ir.Tensor(data[:2]),
        type=ir.TensorType(ir.DataType.FLOAT),
        shape=ir.Shape([2]),
    )
    model = ir.Model(ir.Graph([], [], nodes=[], initializers=[big, small], name="main"), ir_version=10)
    save_program(model, tmp_path / "a.onnx")
    assert (tmp_path / "a.onnx.data").stat().st_size == data.nbytes
    assert isinstance(big.const_value, ir.Tensor)
    loaded = load_program(tmp_path / "a.onnx")
    # Once external, it stays so wherever it is saved, and over itself too.
    (tmp_path / "deep").mkdir()
    monkeypatch.undo()
    save_program(loaded, tmp_path / "deep" / "b.onnx")
    save_program(load_program(tmp_path / "a.onnx"), tmp_path / "a.onnx")
    for path in (tmp_path / "deep" / "b.onnx", tmp_path / "a.onnx"):
        weights = {tensor.name: tensor.numpy() for tensor in load_program(path).graph.initializers.tensors()}
        np.testing.assert_array_equal(weights["big"], data)
        np.testing.assert_array_equal(weights["small"], data[:2])
