"""The text form: what it looks like, how it reads back, what its errors say."""

from __future__ import annotations

import math
import textwrap

import numpy as np
import onnx_ir as ir
import pytest

from onnx_ir_capture.dialect import (
    Aliases,
    DialectSyntaxError,
    Frame,
    GraphBuilder,
    ListType,
    OpName,
    Source,
    constant_value,
    get_source,
    parse_program,
    print_program,
    scalar_type,
    verify,
)

F32 = ir.TensorType(ir.DataType.FLOAT)

WHOLE = """\
torch dialect 1
graph main(%x: f32[batch, 3, 2*s0], %n: int, %c: bool, %"odd name": ?[...]) {
  weight %fc.weight: f32[2, 2] = [1.0, 0.1, nan, -inf]
  weight %large: f32[1000]
  %add: f32[batch, 3, 2*s0] = aten::add.Tensor(%x, 1.0, 1) @ layer.0 model.py:12
  %relu_: f32[batch, 3, 2*s0] = aten::relu_(%add) mutates(0) views(0->0)
  aten::_assert(True, "x \\u00e9 \\"quoted\\"") @ model.py:1
  %v: f32[?] = aten::view(%x, [%n, 12, -1], (1,), [%c, None], dtype.float32, device.cuda:0) @ "my module"
  %w: i64[] = aten::odd([]: list<int>, (), [1, 1.5]: list<float>, 1e-05, inf, nan, complex(1.0, -0.0))
  %y: f32[2] = prim::If(%c) {
    %a: f32[2] = aten::neg(%v)
    yield %a
  } else {
    %b: f32[2] = prim::Identity(%v)
    yield %b
  }
  %z: f32[2], %all: f32[n, 2] = prim::Loop(9, True, carried(%v), captured(%y)) (%i: int, %p: f32[2], %q: ?) {
    yield True, %p, %q
  }
  %gone: ? = prim::GetAttr[name="a b", at=1, ids=ints[1, 2], names=strings[]](_, layout.strided) unmarked
  %l: list<int> = prim::ListConstruct(1, memory_format.channels_last)
  return %y, %l, %z, True
}
"""


def test_the_whole_form_reads_and_prints_back() -> None:
    model = parse_program(WHOLE)
    assert print_program(model, sources=True, max_elements=4) == WHOLE
    assert print_program(model.graph, sources=True, max_elements=4) == WHOLE


def test_what_the_api_builds_prints_as_documented() -> None:
    x = ir.Value(name="x", type=F32, shape=ir.Shape(["batch", 3]))
    weight = ir.Value(
        name="w", type=F32, shape=ir.Shape([2]), const_value=ir.Tensor(np.array([1, 0.1], "float32"))
    )
    graph = ir.Graph([x], [], nodes=[], name="main", initializers=[weight])
    builder = GraphBuilder(graph)
    sizes = builder.list([builder.constant(-1), builder.constant(6)], scalar_type("int"))
    view = ir.Value(name="view", type=F32, shape=ir.Shape([None, 6]))
    source = Source(
        (Frame("/models/net.py", 7, "forward"), Frame("main.py", 1)), "encoder.0", "Block", "view"
    )
    builder.call(OpName("aten", "view"), [x, sizes], [view], Aliases(views=((0, 0),)), source)
    total = ir.Value(name="total", type=F32, shape=ir.Shape(()))
    builder.call(OpName("aten", "sum"), [view, builder.constant(None)], [total])
    graph.outputs.append(total)
    verify(graph)
    expected = """\
    torch dialect 1
    graph main(%x: f32[batch, 3]) {
      weight %w: f32[2] = [1.0, 0.1]
      %view: f32[?, 6] = aten::view(%x, [-1, 6]) views(0->0) @ encoder.0 /models/net.py:7
      %total: f32[] = aten::sum(%view, None)
      return %total
    }
    """
    assert print_program(graph, sources=True, max_elements=2) == textwrap.dedent(expected)


def test_weights_are_not_read_unless_asked_for() -> None:
    def fail() -> ir.TensorProtocol:
        raise AssertionError("a weight was read")

    lazy = ir.LazyTensor(fail, dtype=ir.DataType.FLOAT, shape=ir.Shape([4]), name="w")
    weight = ir.Value(name="w", type=F32, shape=ir.Shape([4]), const_value=lazy)
    graph = ir.Graph([], [], nodes=[], initializers=[weight])
    assert "  weight %w: f32[4]\n" in print_program(graph)
    assert "  weight %w: f32[4]\n" in print_program(graph, max_elements=3)


@pytest.mark.parametrize(
    "dtype",
    [d for d in ir.DataType if d not in (ir.DataType.UNDEFINED, ir.DataType.STRING)],
    ids=lambda dtype: dtype.name,
)
def test_values_of_every_element_type_come_back_exactly(dtype: ir.DataType) -> None:
    numbers = [0.0, 1.0, -1.0 if dtype.is_signed() or dtype.name.startswith("COMPLEX") else 1.0, 0.5]
    if dtype == ir.DataType.FLOAT8E8M0:
        numbers = [1.0, 2.0, 0.5, 4.0]
    tensor = ir.Tensor(np.array(numbers).astype(dtype.numpy()), dtype=dtype, name="w")
    weight = ir.Value(name="w", type=ir.TensorType(dtype), shape=ir.Shape([4]), const_value=tensor)
    text = print_program(ir.Graph([], [], nodes=[], initializers=[weight]), max_elements=4)
    parsed = parse_program(text).graph.initializers.get_tensor("w")
    assert parsed is not None
    assert parsed.dtype == dtype
    np.testing.assert_array_equal(parsed.numpy(), tensor.numpy())


def test_a_list_with_two_uses_has_a_line_of_its_own() -> None:
    text = """\
    torch dialect 1
    graph main(%x: f32[2]) {
      %l: list<int> = prim::ListConstruct(1, 2)
      %a: f32[2] = aten::one(%x, %l)
      %b: f32[2] = aten::two(%x, %l)
      return %a
    }
    """
    assert print_program(parse_program(textwrap.dedent(text))) == textwrap.dedent(text)


def test_a_list_that_a_block_inside_uses_has_a_line_of_its_own() -> None:
    text = """\
    torch dialect 1
    graph main(%x: f32[2], %c: bool) {
      %l: list<int> = prim::ListConstruct(1, 2)
      prim::If(%c) {
        %a: f32[2] = aten::one(%x, %l)
        yield
      } else {
        yield
      }
      return
    }
    """
    assert print_program(parse_program(textwrap.dedent(text))) == textwrap.dedent(text)


def test_blanks_and_comments_mean_nothing() -> None:
    short = "torch dialect 1 graph g(%x:f32[2]){%y:f32[2]=aten::neg(%x) # a comment }\nreturn %y,}"
    expected = "torch dialect 1\ngraph g(%x: f32[2]) {\n  %y: f32[2] = aten::neg(%x)\n  return %y\n}\n"
    assert print_program(parse_program(short)) == expected


def test_constants_are_shared_in_a_block_but_never_returned_twice() -> None:
    model = parse_program("torch dialect 1 graph g() { aten::f(1, 1, 1.0) return 1, 1, 2.5 }")
    call = next(node for node in model.graph if node.op_type == "f")
    assert call.inputs[0] is call.inputs[1]
    assert call.inputs[0] is not call.inputs[2]
    first, second, third = model.graph.outputs
    assert first is not second
    assert [constant_value(value) for value in (first, second, third)] == [1, 1, 2.5]
    verify(model)


def test_names_that_the_parser_makes_do_not_clash() -> None:
    model = parse_program("torch dialect 1 graph g(%const_0: int) { aten::f(1, [%const_0]) return }")
    verify(model)


def test_parsed_sources_are_sources() -> None:
    model = parse_program(
        'torch dialect 1 graph g() { aten::f(1) @ "a b".c:3 return }'.replace('"a b".c', '"a b.c"')
    )
    (node,) = [node for node in model.graph if node.op_type == "f"]
    assert get_source(node) == Source((Frame("a b.c", 3),))


def test_an_empty_list_keeps_its_type() -> None:
    model = parse_program("torch dialect 1 graph g() { aten::f([]: list<tuple<int, f32>>) return }")
    (node,) = [node for node in model.graph if node.op_type == "ListConstruct"]
    assert isinstance(node.outputs[0].type, ListType)
    assert str(node.outputs[0].type) == "list<tuple<int, f32>>"


def test_a_nan_is_a_float_constant() -> None:
    model = parse_program("torch dialect 1 graph g() { aten::f(nan) return }")
    value = constant_value(model.graph[0].outputs[0])
    assert isinstance(value, float)
    assert math.isnan(value)


def body(lines: str) -> str:
    return f"torch dialect 1\ngraph main(%x: f32[2], %c: bool) {{\n{lines}\n}}\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("", 1, 1, "'torch dialect'"),
        ("torch dialect 2 graph", 1, 15, "version 1"),
        ("torch dialect 1\nblock", 2, 1, "'graph'"),
        ("torch dialect 1\ngraph main(x: int) {", 2, 12, "a value, such as %x"),
        ("torch dialect 1\ngraph main(%x int) {", 2, 15, "':'"),
        ("torch dialect 1\ngraph main(%x: f33[2]) {", 2, 16, "a type, such as f32"),
        ("torch dialect 1\ngraph main(%x: f32) {", 2, 19, "'['"),
        ("torch dialect 1\ngraph main(%x: f32[2,, 3]) {", 2, 22, "a size, a name, an expression"),
        ("torch dialect 1\ngraph main(%x: f32[2]] {", 2, 22, "','"),
        ("torch dialect 1\ngraph main(%x: list<int) {", 2, 24, "'>'"),
        (body("  %y: f32[2] = aten:neg(%x)"), 3, 20, "'::'"),
        (body("  %y: f32[2] = aten::neg(%x"), 4, 1, "',' or ')'"),
        (body("  %y: f32[2] = aten::neg(%z)\n  return"), 3, 26, "a value that is defined above"),
        (body("  %y: f32[2] = aten::neg(%y)\n  return"), 3, 26, "a value that is defined above"),
        (body("  %x: f32[2] = aten::neg(%x)\n  return"), 3, 4, "a new name"),
        (body("  %y: f32[2] = aten::neg(*)\n  return"), 3, 26, "a value, such as %x, or a constant"),
        (body("  %y: f32[2] = aten::f([])\n  return"), 3, 24, "': list<...>'"),
        (body("  %y: f32[2] = aten::f([1, 1.0])\n  return"), 3, 24, "': list<...>'"),
        (body('  %y: f32[2] = aten::f("a\\q")\n  return'), 3, 24, "a string with the escapes of JSON"),
        (body("  %y: f32[2] = aten::f(%x) mutates(a)\n  return"), 3, 36, "a position"),
        (body("  %y: f32[2] = aten::f(%x) views(0 0)\n  return"), 3, 36, "'->'"),
        (body("  %y: f32[2] = aten::f[a=1.5](%x)\n  return"), 3, 26, "an int, a string"),
        (
            body("  %y: f32[2] = prim::If(%c) { yield %x } else { yield %x }\n  return"),
            3,
            37,
            "a value of this block",
        ),
        (body("  %y: f32[2] = prim::If(%c) { yield }\n  return"), 4, 3, "'else'"),
        (body("  %y: f32[2] = aten::neg(%x)"), 4, 1, "a node or 'return'"),
        (body("  weight %w: f32[2] = [1.0]\n  return"), 3, 21, "2 values"),
        (body("  weight %w: u8[1] = [300]\n  return"), 3, 20, "values of u8"),
        (body("  weight %w: f32[n] = [1.0]\n  return"), 3, 21, "a weight with dtype and sizes"),
        (body("  return") + "more", 5, 1, "the end"),
    ],
)
def test_errors_name_line_column_and_what_was_expected(
    text: str, line: int, column: int, expected: str
) -> None:
    with pytest.raises(DialectSyntaxError) as caught:
        parse_program(text)
    error = caught.value
    assert (error.line, error.column) == (line, column), str(error)
    assert error.expected.startswith(expected), str(error)
    assert str(error).startswith(f"line {line}, column {column}: expected {expected}")


def test_an_error_quotes_what_it_found() -> None:
    with pytest.raises(DialectSyntaxError, match=r"expected a value that is defined above, found %z$"):
        parse_program(body("  %y: f32[2] = aten::neg(%z)\n  return"))
    with pytest.raises(DialectSyntaxError, match=r"found the end$"):
        parse_program("torch dialect 1")
