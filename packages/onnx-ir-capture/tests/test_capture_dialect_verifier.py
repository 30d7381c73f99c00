"""The verifier: each fault is found once and named at its node; good programs have none."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir
import pytest

from onnx_ir_capture.dialect import (
    Aliases,
    DialectError,
    Frame,
    GraphBuilder,
    ListType,
    OpName,
    Source,
    constant_node,
    findings,
    parse_program,
    scalar_type,
    set_source,
    verify,
)

F32 = ir.TensorType(ir.DataType.FLOAT)
PARAMS = "%x: f32[2], %h: f16[2], %n: int, %c: bool"


def faults_of(body: str) -> list[str]:
    program = parse_program(f"torch dialect 1\ngraph main({PARAMS}) {{\n{body}\n}}")
    return [str(fault) for fault in findings(program)]


def loop(head: str, params: str, returned: str, results: str = "%r: f32[2]") -> str:
    return f"{results} = prim::Loop({head}) ({params}) {{ yield {returned} }} return"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("%y: f32[2] = aten::neg(%x) unmarked return", "%y = aten::neg: a call without alias marks"),
        ("aten::f(%x, _) return", "aten::f: input 1 is missing"),
        ("%y: ? = aten::neg(%x) return %y", "%y = aten::neg: %y has no type"),
        ("%y: f32[2] = aten::f_(%x) mutates(1) return", "names input 1, but there are 1 inputs"),
        ("%y: f32[2] = aten::f_(%x) views(1->0) return", "names output 1, but there are 1 outputs"),
        ("%y: f32[2] = aten::f_(%x) views(0->-1) return", "names input -1"),
        ("%y: int[2] = aten::f(%x) return", "%y is int[2], but the shape of a scalar is []"),
        ("%y: int[...] = aten::f(%x) return", "%y is int[...], but the shape of a scalar is []"),
        ("%y: f32[2] = aten::neg(%x) return %y, %y", "the graph returns %y twice: prim::Identity"),
        ('aten::f[name="x"](%x) return', ""),
        ("aten::f() return", "neither input nor output"),
        # Lists and tuples
        ("aten::f([%x, %n]: list<f32>) return", "item 1 of a list<f32> is int"),
        ("aten::f([1, 1.5]: list<int>) return", "item 1 of a list<int> is float"),
        ("aten::f([%x, %h]: list<f32>) return", "item 1 of a list<f32> is f16[2]"),
        ("aten::f([%x, None]: list<f32>) return", ""),
        ("aten::f([%x, %h]: list<?>) return", ""),
        ("aten::f([%x]: tuple<f32>) return", "one output of a list type is wanted"),
        ("aten::f((%x, 1): tuple<f32>) return", "2 items make no tuple<f32>"),
        ("aten::f((%x, 1): tuple<f32, bool>) return", "item 1 of a tuple<f32, bool> is int"),
        ("aten::f((%x, 1): list<f32>) return", "one output of a tuple type is wanted"),
        # Identity
        ("%y: f16[2] = prim::Identity(%x) return", "input and output: %x and %y are f32[2] and f16[2]"),
        ("%y: f32[3] = prim::Identity(%x) return", "are f32[2] and f32[3]"),
        ("%y: f32[s0] = prim::Identity(%x) return", ""),
        ("%y: f32[2, 1] = prim::Identity(%x) return", "are f32[2] and f32[2, 1]"),
        ("%y: f32[2] = prim::Identity(%x, %x) return", "one input and one output are wanted"),
        # If
        ("prim::If(%n) { yield } else { yield } return", "the condition is int, no bool"),
        ("prim::If(%x) { yield } else { yield } return", "the condition is f32[2], no bool"),
        (
            "prim::If(%c, %c) { yield } else { yield } return",
            "one input is wanted, the condition; there are 2",
        ),
        (
            "%y: int = prim::If(%c) { yield 1 } else { yield } return",
            "outputs of else_branch and of the node differ in number: 0 and 1",
        ),
        ("%y: int = prim::If(%c) { yield 1 } else { yield 1.5 } return", "are float and int"),
        # Loop
        (loop("3, True, carried(%x)", "%i: int, %a: f32[2]", "True, %a"), ""),
        (loop("None, %c, captured(%x)", "%i: int, %a: f32[2]", "True, %a", "%r: f32[n, 2]"), ""),
        (
            loop("None, %c, captured(%x)", "%i: int, %a: f32[2]", "True, %a", "%r: f32[2]"),
            "is no stack of f32[2]",
        ),
        (
            loop("None, %c, captured(%x)", "%i: int, %a: f32[2]", "True, %i", "%r: i64[2]"),
            "is no stack of int",
        ),
        (loop("1.5, True, carried(%x)", "%i: int, %a: f32[2]", "True, %a"), "the trip count is float"),
        (loop("3, %n, carried(%x)", "%i: int, %a: f32[2]", "True, %a"), "the condition is int, no bool"),
        (loop("3, True, carried(%x)", "%i: float, %a: f32[2]", "True, %a"), "first input is the iteration"),
        (
            loop("3, True, carried(%x)", "%i: int, %a: f16[2]", "True, %a", "%r: f16[2]"),
            "carried and captured values and the body's inputs: %x and %a are f32[2] and f16[2]",
        ),
        (
            loop("3, True, carried(%x)", "%i: int", "True, 1"),
            "the body takes 1 inputs, not the iteration and 1",
        ),
        (
            loop("3, True, carried(%x)", "%i: int, %a: f32[2]", "%a"),
            "the body returns the next condition and 1",
        ),
        (
            loop("3, True, carried(%x)", "%i: int, %a: f32[2]", "1, %a"),
            "the body returns the next condition and 1",
        ),
        (
            loop("3, True, carried(%x)", "%i: int, %a: f32[2]", "True, %a", "%r: f32[2], %s: f32[2]"),
            "the body returns 1 values and the condition, the node 2",
        ),
        (
            loop("3, True, carried(%x)", "%i: int, %a: f32[2]", "True, %i"),
            "the body's carried inputs and outputs: %a and %i are f32[2] and int",
        ),
        ("prim::Loop(3) (%i: int) { yield True } return", "1 inputs are no trip count, condition and 0"),
        # Constants, written out
        ('%k: int = prim::Constant[kind="int", value=1]() return', ""),
        (
            '%k: int = prim::Constant[kind="float", value="1.0"]() return',
            "a constant of kind float has the type int",
        ),
        ('%k: float = prim::Constant[kind="float", value=1]() return', "its kind and value disagree"),
        ('%k: float = prim::Constant[kind="float", value="x"]() return', "its kind and value disagree"),
        ('%k: float = prim::Constant[kind="quux", value="x"]() return', "unknown kind 'quux'"),
        ('%k: bool = prim::Constant[kind="bool", value=2]() return', "a bool is 0 or 1"),
        ('%k: int = prim::Constant[kind="int"]() return', "its kind and value disagree"),
        (
            '%k: int = prim::Constant[kind="int", value=1](%x) return',
            "a constant has no input and one output",
        ),
        ('%k: int = prim::Constant[kind="int", value=9223372036854775808]() return', "has more than 64 bits"),
    ],
)
def test_a_fault_is_found_once_at_its_node(body: str, fault: str) -> None:
    found = faults_of(body)
    if not fault:
        assert found == []
        return
    assert len(found) == 1, found
    assert fault in found[0]


def call(inputs: list[ir.Value], name: str, type_: ir.TypeProtocol | None = F32) -> tuple[ir.Node, ir.Value]:
    output = ir.Value(name=name, type=type_, shape=ir.Shape([2]) if type_ is F32 else None)
    graph = ir.Graph([], [], nodes=[])
    node = GraphBuilder(graph).call(OpName("aten", "f"), inputs, [output])
    graph.remove(node)
    return node, output


def x() -> ir.Value:
    return ir.Value(name="x", type=F32, shape=ir.Shape([2]))


def returns_outer_value() -> ir.Graph:
    node, outer = call([value := x()], "outer")
    condition = constant_node(True, "condition")
    blocks = [ir.Graph([], [outer] if n == 0 else [], nodes=[]) for n in range(2)]
    graph = ir.Graph([value], [], nodes=[node, condition])
    GraphBuilder(graph).branch(condition.outputs[0], blocks[0], blocks[1], [])
    return graph


def returns_one_value_twice() -> ir.Graph:
    blocks = []
    for n in range(2):
        node, inner = call([], f"inner{n}")
        blocks.append(ir.Graph([], [inner, inner], nodes=[node]))
    condition = constant_node(True, "condition")
    graph = ir.Graph([], [], nodes=[condition])
    outputs = [ir.Value(name=f"r{n}", type=F32, shape=ir.Shape([2])) for n in range(2)]
    GraphBuilder(graph).branch(condition.outputs[0], blocks[0], blocks[1], outputs)
    return graph


def uses_later_value() -> ir.Graph:
    first, a = call([value := x()], "a")
    second, _ = call([a], "b")
    return ir.Graph([value], [], nodes=[second, first])


def uses_value_of_another_graph() -> ir.Graph:
    other, foreign = call([], "foreign")
    ir.Graph([], [], nodes=[other])
    node, _ = call([foreign], "y")
    return ir.Graph([], [], nodes=[node])


def uses_value_of_a_sibling_block() -> ir.Graph:
    first, inner = call([], "inner")
    second, _ = call([inner], "other")
    condition = constant_node(True, "condition")
    graph = ir.Graph([], [], nodes=[condition])
    blocks = [ir.Graph([], [], nodes=[node]) for node in (first, second)]
    GraphBuilder(graph).branch(condition.outputs[0], blocks[0], blocks[1], [])
    return graph


def one_name_twice() -> ir.Graph:
    (first, _), (second, _) = call([value := x()], "y"), call([value], "y")
    return ir.Graph([value], [], nodes=[first, second])


def one_name_in_a_block_and_around() -> ir.Graph:
    (first, _), (second, _) = call([value := x()], "y"), call([value], "y")
    condition = constant_node(True, "condition")
    graph = ir.Graph([value], [], nodes=[first, condition])
    blocks = [ir.Graph([], [], nodes=[second]), ir.Graph([], [], nodes=[])]
    GraphBuilder(graph).branch(condition.outputs[0], blocks[0], blocks[1], [])
    return graph


def weight_that_is_an_input() -> ir.Graph:
    return ir.Graph([value := x()], [], nodes=[], initializers=[value])


def weight_in_a_block() -> ir.Graph:
    weight = x()
    condition = constant_node(True, "condition")
    graph = ir.Graph([], [], nodes=[condition])
    blocks = [ir.Graph([], [], nodes=[], initializers=[weight]), ir.Graph([], [], nodes=[])]
    GraphBuilder(graph).branch(condition.outputs[0], blocks[0], blocks[1], [])
    return graph


def untyped_input() -> ir.Graph:
    return ir.Graph([ir.Value(name="x")], [], nodes=[])


def constant_that_keeps_another_value() -> ir.Graph:
    node = constant_node(1, "one")
    node.meta["value"] = True
    return ir.Graph([], [], nodes=[node])


def odd_views() -> ir.Graph:
    node, _ = call([value := x()], "y")
    node.attributes.add(ir.AttrInt64s("views", [0, 0, 0]))
    return ir.Graph([value], [], nodes=[node])


def marks_that_are_numbers() -> ir.Graph:
    node, _ = call([value := x()], "y")
    node.attributes.add(ir.AttrInt64("views", 3))
    return ir.Graph([value], [], nodes=[node])


def float_attribute() -> ir.Graph:
    node, _ = call([value := x()], "y")
    node.attributes.add(ir.AttrFloat32("eps", 1e-5))
    return ir.Graph([value], [], nodes=[node])


def if_without_else() -> ir.Graph:
    condition = constant_node(True, "condition")
    then_block = ir.AttrGraph("then_branch", ir.Graph([], [], nodes=[]))
    node = ir.Node("prim", "If", condition.outputs, [then_block], num_outputs=0)
    return ir.Graph([], [], nodes=[condition, node])


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (
            returns_outer_value,
            "prim::If: a block of it returns %outer and does not define it: prim::Identity",
        ),
        (returns_one_value_twice, "%r0, %r1 = prim::If: a block of it returns %inner0 twice"),
        (uses_later_value, "%b = aten::f: input 0, %a, is not defined at this point"),
        (uses_value_of_another_graph, "%y = aten::f: input 0, %foreign, is not defined at this point"),
        (uses_value_of_a_sibling_block, "%other = aten::f: input 0, %inner, is not defined at this point"),
        (one_name_twice, "%y = aten::f: the name %y is taken"),
        (one_name_in_a_block_and_around, "%y = aten::f: the name %y is taken"),
        (weight_that_is_an_input, "%x is both an input and a weight"),
        (weight_in_a_block, "prim::If: its block holds the weight %x"),
        (untyped_input, "%x has no type"),
        (constant_that_keeps_another_value, "%one = prim::Constant: its attributes say 1, but it keeps True"),
        (odd_views, "%y = aten::f: views holds an odd number of ints"),
        (marks_that_are_numbers, "alias marks that are no lists of ints"),
        (float_attribute, "attribute eps is a FLOAT"),
        (if_without_else, "prim::If: else_branch is missing"),
    ],
)
def test_what_only_the_api_can_build_is_found(make: Callable[[], ir.Graph], fault: str) -> None:
    found = [str(finding) for finding in findings(make())]
    assert any(fault in text for text in found), found
    # The others follow from the same fault.
    assert len(found) <= 2, found


def test_the_error_lists_every_finding_with_its_source() -> None:
    graph = ir.Graph([value := x()], [], nodes=[])
    builder = GraphBuilder(graph)
    for name in ("a", "b"):
        node = builder.call(OpName("aten", "f", "out"), [value], [ir.Value(name=name)], Aliases(mutates=(3,)))
        set_source(node, Source((Frame("model.py", 12), Frame("main.py", 1)), "layer.0"))
    with pytest.raises(DialectError) as caught:
        verify(ir.Model(graph, ir_version=10))
    mark = "an alias mark names input 3, but there are 1 inputs (model.py:12 in layer.0)"
    assert str(caught.value).splitlines() == [
        "4 faults in the dialect program:",
        f"  %a = aten::f.out: {mark}",
        "  %a = aten::f.out: %a has no type (model.py:12 in layer.0)",
        f"  %b = aten::f.out: {mark}",
        "  %b = aten::f.out: %b has no type (model.py:12 in layer.0)",
    ]
    assert [finding.node for finding in findings(graph)][::2] == list(graph)


def test_a_list_is_named_by_the_call_that_uses_it() -> None:
    (fault,) = faults_of("%y: f32[2] = aten::f.out([%x, %n]: list<f32>) return")
    assert fault.endswith("prim::ListConstruct: item 1 of a list<f32> is int (used by %y = aten::f.out)")


def test_shared_type_objects_are_fine() -> None:
    graph = ir.Graph([value := x()], [], nodes=[])
    builder = GraphBuilder(graph)
    builder.list([value, builder.identity(value)], F32)
    builder.list([builder.constant(1)], scalar_type("int"))
    assert findings(graph) == []
    assert isinstance(graph[-1].outputs[0].type, ListType)


def test_siblings_may_use_one_name() -> None:
    branch = "{ %y: f32[2] = aten::neg(%x) yield %y }"
    assert faults_of(f"%r: f32[2] = prim::If(%c) {branch} else {branch} return %r") == []
