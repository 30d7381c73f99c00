"""Reads the text form that :mod:`._printer` writes; blanks, line breaks and ``#`` comments mean nothing."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.dialect._build import DIALECT_VERSION, Aliases, GraphBuilder, OpName, alias_attributes
from onnx_ir_capture.dialect._constants import ConstantValue, constant_node
from onnx_ir_capture.dialect._cursor import Cursor
from onnx_ir_capture.dialect._exactness import mark_exact
from onnx_ir_capture.dialect._source import Frame, Source, set_source
from onnx_ir_capture.dialect._structure import STRUCTURAL_FAULTS
from onnx_ir_capture.dialect._text import (
    INTEGER,
    WORD,
    default_shape,
    inferred_type,
    read_constant,
    read_op,
    read_shape,
)
from onnx_ir_capture.dialect._types import ListType, read_type

__all__ = ["parse_program"]

_Item = TypeVar("_Item")
_Literal = TypeVar("_Literal", int, str)

_IR_VERSION = 10  # the first with overloads of nodes and metadata on them (onnx/onnx.in.proto)
_USED_NAME = re.compile(r"%([A-Za-z0-9_]+)")
_LOCATION = re.compile(rf'(?:{WORD.pattern}|"(?:[^"\\\n]|\\.)*"):[0-9]')


def parse_program(text: str) -> ir.Model:
    """Read a program in the text form of :func:`print_program`.

    A weight without printed values becomes an initializer whose ``const_value`` is None: it can be passed
    through everything that reads no weights, and ``save_program`` refuses it. The text may say what the
    verifier forbids (calls without marks, holes, wrong arities), except for what onnx_ir cannot hold.

    Raises:
        DialectSyntaxError: with the line, the column and what was expected there.
    """
    return _Parser(text).program()


@dataclasses.dataclass
class _Scope:
    """A block that is being read."""

    graph: ir.Graph
    builder: GraphBuilder
    values: dict[str, ir.Value]


class _Parser:
    def __init__(self, text: str) -> None:
        self._at = Cursor(text)
        self._scopes: list[_Scope] = []
        self._domains: set[str] = {"prim"}
        self._taken = set(_USED_NAME.findall(text))
        self._named: set[ir.Value] = set()
        self._numbers = itertools.count()

    def program(self) -> ir.Model:
        at = self._at
        at.expect("torch", "'torch dialect'")
        at.expect("dialect", "'torch dialect'")
        start = at.position
        if at.match(INTEGER) != str(DIALECT_VERSION):
            raise at.error(f"version {DIALECT_VERSION} of the dialect", start)
        is_exact = at.accept("exact")
        at.expect("graph")
        name = at.word(WORD, "the graph's name")
        graph = self._block("return", self._params(), name)
        if is_exact:
            mark_exact(graph)
        if not at.at_end():
            raise at.error("the end")
        graph.opset_imports.update(dict.fromkeys(sorted(self._domains), 1))
        return ir.Model(graph, ir_version=_IR_VERSION)

    # Blocks

    def _params(self) -> list[ir.Value]:
        self._at.expect("(")
        return self._until(")", self._result)

    def _block(self, last: str, params: Sequence[ir.Value], name: str) -> ir.Graph:
        at = self._at
        at.expect("{")
        graph = ir.Graph(params, [], nodes=[], name=name)
        self._scopes.append(_Scope(graph, GraphBuilder(graph), {}))
        for param in params:
            self._define(param)
        while at.accept("weight"):
            self._weight(graph)
        while not at.accept(last):
            if at.at_end() or at.peek("}"):
                raise at.error(f"a node or {last!r}")
            self._node(graph)
        self._until("}", lambda: graph.outputs.append(self._output(graph)))
        self._scopes.pop()
        return graph

    def _output(self, graph: ir.Graph) -> ir.Value:
        start = self._at.position
        constant = read_constant(self._at)
        if constant is not None:
            value = self._constant(constant[0])
            # A block returns no value twice.
            return self._own_constant(constant[0]) if value in graph.outputs else value
        value = self._value_operand()
        if value.graph is not graph:
            raise self._at.error(
                "a value of this block (prim::Identity makes one)", start, f"%{value.name} from around it"
            )
        return value

    def _weight(self, graph: ir.Graph) -> None:
        weight = self._result()
        self._define(weight)
        start = self._at.position
        if self._at.accept("="):
            self._at.expect("[")
            elements = self._until("]", self._element)
            weight.const_value = self._tensor(weight, elements, start)
        graph.initializers.add(weight)

    def _element(self) -> ConstantValue:
        constant = read_constant(self._at)
        if constant is None:
            raise self._at.error("a number")
        return constant[0]

    def _tensor(self, weight: ir.Value, elements: list[ConstantValue], start: int) -> ir.TensorProtocol:
        shape, dtype = weight.shape, weight.dtype
        if shape is None or not shape.is_static() or dtype in (None, ir.DataType.UNDEFINED):
            raise self._at.error("a weight with dtype and sizes, to have values", start)
        sizes = shape.numpy()
        if math.prod(sizes) != len(elements):
            raise self._at.error(f"{math.prod(sizes)} values", start, str(len(elements)))
        try:
            array = np.array(elements, dtype=dtype.numpy()).reshape(sizes)
        except (TypeError, ValueError, OverflowError):
            raise self._at.error(f"values of {dtype.short_name()}", start) from None
        return ir.Tensor(array, dtype=dtype, name=weight.name)

    # Nodes

    def _node(self, graph: ir.Graph) -> None:
        at = self._at
        results: list[ir.Value] = []
        if at.peek("%"):
            results = self._until("=", self._result)
        op = read_op(at)
        self._domains.add(op.domain)
        attributes = self._attributes() if at.accept("[") else []
        at.expect("(")
        inputs, carried = self._inputs()
        if op == OpName("prim", "Loop"):
            attributes.append(ir.AttrInt64("carried", carried))
        attributes += self._marks(op)
        source = self._source() if at.accept("@") else None
        attributes += self._blocks(op)
        node = ir.Node(op.domain, op.name, inputs, attributes, overload=op.overload, outputs=results)
        if source is not None:
            set_source(node, source)
        graph.append(node)
        for result in results:
            self._define(result)

    def _blocks(self, op: OpName) -> list[ir.Attr]:
        if op == OpName("prim", "Loop"):
            params = self._params()
            return [ir.AttrGraph("body", self._block("yield", params, "body"))]
        if op == OpName("prim", "If"):
            then_block = self._block("yield", [], "then_branch")
            self._at.expect("else")
            else_block = self._block("yield", [], "else_branch")
            return [ir.AttrGraph("then_branch", then_block), ir.AttrGraph("else_branch", else_block)]
        return []

    def _inputs(self) -> tuple[list[ir.Value | None], int]:
        """The inputs, and how many of them stand in ``carried(...)``."""
        at = self._at
        inputs: list[ir.Value | None] = []
        carried = 0
        while not at.accept(")"):
            if inputs:
                at.expect(",", "',' or ')'")
            if at.accept("carried("):
                group = self._until(")", self._operand)
                carried = len(group)
                inputs += group
            elif at.accept("captured("):
                inputs += self._until(")", self._operand)
            else:
                inputs.append(None if at.accept("_") else self._operand())
        return inputs, carried

    def _attributes(self) -> list[ir.Attr]:
        return self._until("]", self._attribute)

    def _attribute(self) -> ir.Attr:
        at = self._at
        name = at.word(WORD, "an attribute's name")
        at.expect("=")
        start = at.position
        if at.accept("ints["):
            return ir.AttrInt64s(name, self._until("]", lambda: self._literal(int)))
        if at.accept("strings["):
            return ir.AttrStrings(name, self._until("]", lambda: self._literal(str)))
        constant = read_constant(at)
        value = None if constant is None else constant[0]
        if isinstance(value, str):
            return ir.AttrString(name, value)
        if isinstance(value, int):
            return ir.AttrInt64(name, value)
        raise at.error("an int, a string, ints[...] or strings[...]", start)

    def _literal(self, kind: type[_Literal]) -> _Literal:
        start = self._at.position
        constant = read_constant(self._at)
        if constant is None or not isinstance(constant[0], kind):
            raise self._at.error(f"a constant of {kind.__name__}", start)
        return constant[0]

    def _marks(self, op: OpName) -> list[ir.Attr]:
        at = self._at
        if at.accept("unmarked"):
            return []
        mutates = self._until(")", self._position) if at.accept("mutates(") else []
        views = self._until(")", self._pair) if at.accept("views(") else []
        if not mutates and not views and op.domain == "prim" and op.name in STRUCTURAL_FAULTS:
            return []
        return alias_attributes(Aliases(tuple(mutates), tuple(views)))

    def _position(self) -> int:
        found = self._at.match(INTEGER)
        if found is None:
            raise self._at.error("a position")
        return int(found)

    def _pair(self) -> tuple[int, int]:
        output = self._position()
        self._at.expect("->")
        return output, self._position()

    def _source(self) -> Source:
        at = self._at
        module = ""
        frames: tuple[Frame, ...] = ()
        if not self._is_location():
            module = at.word(WORD, "a module's path or file:line")
        if self._is_location():
            file = at.word(WORD, "a file")
            at.expect(":")
            frames = (Frame(file, self._position()),)
        return Source(frames, module)

    def _is_location(self) -> bool:
        return self._at.matches(_LOCATION)

    # Values

    def _result(self) -> ir.Value:
        """A value with its type, where it is defined."""
        at = self._at
        at.expect("%", "a value, such as %x")
        start = at.position
        name = at.word(WORD, "a value's name")
        if self._look_up(name) is not None:
            raise at.error("a new name", start, f"%{name}, which is taken")
        at.expect(":")
        if at.accept("?") and not at.peek("["):
            return ir.Value(name=name)
        type_ = ir.TensorType(ir.DataType.UNDEFINED) if at.peek("[") else read_type(at)
        default = default_shape(type_)
        shape = None if default is None else ir.Shape(default)
        if at.peek("[") or (default is None and not isinstance(type_, ir.SequenceType)):
            shape = read_shape(at)
        return ir.Value(name=name, type=type_, shape=shape)

    def _define(self, value: ir.Value) -> None:
        self._scopes[-1].values[value.name or ""] = value

    def _look_up(self, name: str) -> ir.Value | None:
        found = (scope.values.get(name) for scope in reversed(self._scopes))
        return next((value for value in found if value is not None), None)

    def _operand(self) -> ir.Value:
        constant = read_constant(self._at)
        return self._value_operand() if constant is None else self._constant(constant[0])

    def _value_operand(self) -> ir.Value:
        at = self._at
        start = at.position
        if at.accept("["):
            return self._construct("ListConstruct", self._until("]", self._operand), start)
        if at.accept("("):
            return self._construct("TupleConstruct", self._until(")", self._operand), start)
        at.expect("%", "a value, such as %x, or a constant")
        name = at.word(WORD, "a value's name")
        value = self._look_up(name)
        if value is None:
            raise at.error("a value that is defined above", start, f"%{name}")
        return value

    def _construct(self, kind: str, items: list[ir.Value], start: int) -> ir.Value:
        type_ = read_type(self._at) if self._at.accept(":") else inferred_type(kind, items)
        if type_ is None:
            raise self._at.error(
                "': list<...>' behind a list whose items do not tell its type", start, "none"
            )
        value = ir.Value(name=self._fresh("list" if isinstance(type_, ListType) else "tuple"), type=type_)
        self._scopes[-1].graph.append(ir.Node("prim", kind, items, outputs=[value]))
        return value

    def _constant(self, constant: ConstantValue) -> ir.Value:
        value = self._scopes[-1].builder.constant(constant)
        if value not in self._named:
            value.name = self._fresh("const")
            self._named.add(value)
        return value

    def _own_constant(self, constant: ConstantValue) -> ir.Value:
        node = constant_node(constant, self._fresh("const"))
        self._scopes[-1].graph.append(node)
        return node.outputs[0]

    def _fresh(self, stem: str) -> str:
        """A name that stands nowhere in the text."""
        number = next(self._numbers)
        while f"{stem}_{number}" in self._taken:
            number = next(self._numbers)
        return f"{stem}_{number}"

    def _until(self, close: str, item: Callable[[], _Item]) -> list[_Item]:
        """Items with commas between them (one may stand behind the last), up to ``close``."""
        items: list[_Item] = []
        while not self._at.accept(close):
            if items:
                self._at.expect(",", f"',' or {close!r}")
                if self._at.accept(close):
                    break
            items.append(item())
        return items
