"""Control flow of exported programs: torch's higher-order operators as ``prim::If`` and ``prim::Loop``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import (
    Aliases,
    GraphBuilder,
    OpName,
    ScalarType,
    Source,
    is_constant,
    is_literal,
    scalar_type,
)
from onnx_ir_capture.fx._regions import subgraph

if TYPE_CHECKING:
    from onnx_ir_capture.fx._graph import GraphImporter, Imported

__all__ = ["control_flow", "is_control_flow"]

_Environment: TypeAlias = "Mapping[torch.fx.Node, Imported]"

_FIRST_IS_VIEW = Aliases(views=((0, 0),))

# What the builder makes without a name.


def is_control_flow(target: object) -> bool:
    """Whether a call runs one of several bodies, or one several times."""
    return isinstance(target, torch._ops.HigherOrderOperator) and target.name() in _FORMS


def control_flow(
    importer: GraphImporter, node: torch.fx.Node, owner: torch.nn.Module, env: _Environment
) -> Imported:
    """Import a call that :func:`is_control_flow`.

    The bodies become blocks that use the values around them: torch hands those in as operands.

    Args:
        importer: of the graph in which the call stands.
        node: the call.
        owner: the module that holds the bodies.
        env: what the nodes before it became.
    """
    call = _Call(importer, node, owner, env)
    return _FORMS[str(node.target)](call)


class _Call:
    """The call at hand: its bodies, operands, blocks and outputs."""

    def __init__(
        self, importer: GraphImporter, node: torch.fx.Node, owner: torch.nn.Module, env: _Environment
    ) -> None:
        self.importer = importer
        self.builder = importer.builder
        self.source = importer.source(node)
        self._node = node
        self._owner = owner
        self._env = env

    def body(self, position: int) -> torch.fx.GraphModule:
        """The body that is an argument."""
        return subgraph(self._node, self._node.args[position], self._owner)

    def operand(self, position: int) -> ir.Value:
        """The value of an argument."""
        return self.importer.argument(self._node.args[position], self._env)

    def operands(self, position: int) -> list[ir.Value]:
        """The values of an argument that is a list."""
        given = self._node.args[position]
        if not isinstance(given, list | tuple):
            raise TypeError(f"{self._node.name} has no list for argument {position}: {given!r}")
        return [self.importer.argument(item, self._env) for item in given]

    def block(self, name: str) -> _Block:
        """A new block."""
        return _Block(self.importer, f"{self._node.name}_{name}", self.source)

    def outputs(self) -> tuple[list[ir.Value], Imported]:
        """The call's outputs: as a list, and as the nodes after it take them."""
        flat: list[ir.Value] = []
        imported = self.importer.outputs(self._node.meta["val"], self._node.name, flat)
        return flat, imported


class _Block:
    """A block under construction."""

    def __init__(self, outer: GraphImporter, name: str, caller: Source) -> None:
        self.graph = ir.Graph([], [], nodes=[], name=name)
        self.importer = outer.nested(GraphBuilder(self.graph), caller)

    def iteration(self) -> ir.Value:
        """The first input of a loop's body."""
        return self._input(_number("int", self.importer.unique_name("iteration")))

    def inputs(self, placeholders: Sequence[torch.fx.Node]) -> list[ir.Value]:
        """Inputs of the types that ``placeholders`` have."""
        return [self._input(self.importer.value(node.meta["val"], node.name)) for node in placeholders]

    def _input(self, value: ir.Value) -> ir.Value:
        self.graph.inputs.append(value)
        return value

    def returns(self, results: Sequence[ir.Value]) -> ir.Graph:
        """The block, finished, with ``results`` for its outputs."""
        builder, importer = self.importer.builder, self.importer
        for value in results:
            producer = value.producer()
            is_own = producer is not None and producer.graph is self.graph
            if not is_own or is_constant(value) or value.is_graph_output():
                stem = "constant" if is_constant(value) else value.name
                value = builder.identity(value, importer.unique_name(f"{stem}_result"))
            self.graph.outputs.append(value)
        for node in self.graph:
            if is_literal(node):
                # onnx_ir counts anew in each graph.
                node.outputs[0].name = importer.unique_name("constant")
        return self.graph


def _cond(call: _Call) -> Imported:
    """``cond(pred, true_graph, false_graph, operands)``."""
    flat, imported = call.outputs()
    condition = _one_bool(call.importer, call.operand(0), call.source)
    operands = call.operands(3)
    blocks: list[ir.Graph] = []
    for position, name in ((1, "then"), (2, "else")):
        block = call.block(name)
        blocks.append(block.returns(_inline(block.importer, call.body(position), operands)))
    call.builder.branch(condition, blocks[0], blocks[1], flat, call.source)
    return imported


def _while_loop(call: _Call) -> Imported:
    """``while_loop(cond_graph, body_graph, carried_inputs, additional_inputs)``."""
    flat, imported = call.outputs()
    test, body = call.body(0), call.body(1)
    start, captured = call.operands(2), call.operands(3)
    (first,) = _inline(call.importer, test, [*start, *captured])
    condition = _one_bool(call.importer, first, call.source)
    block = call.block("body")
    block.iteration()
    carried = block.inputs(_placeholders(body)[: len(start)])
    results = _inline(block.importer, body, [*carried, *captured])
    (again,) = _inline(block.importer, test, [*results, *captured])
    graph = block.returns([_one_bool(block.importer, again, call.source), *results])
    call.builder.loop(call.builder.constant(None), condition, start, [], graph, flat, call.source)
    return imported


def _scan(call: _Call) -> Imported:
    """``scan(combine_graph, init, xs, additional_inputs)``."""
    return _loop_over_rows(call, init=call.operands(1), stacks=call.operands(2), captured=call.operands(3))


def _map(call: _Call) -> Imported:
    """``map_impl(graph, xs, additional_inputs)``."""
    return _loop_over_rows(call, init=[], stacks=call.operands(1), captured=call.operands(2))


def _loop_over_rows(
    call: _Call, init: Sequence[ir.Value], stacks: Sequence[ir.Value], captured: Sequence[ir.Value]
) -> Imported:
    """A loop over the first dimension of ``stacks``, whose body gives carried values and rows."""
    flat, imported = call.outputs()
    body, always = call.body(0), call.builder.constant(True)
    trips = _size(call.importer, stacks[0], call.source)
    block = call.block("body")
    iteration, placeholders = block.iteration(), _placeholders(body)
    carried = block.inputs(placeholders[: len(init)])
    rows = [
        _row(block.importer, stack, iteration, placeholder, call.source)
        for stack, placeholder in zip(stacks, placeholders[len(init) :], strict=False)
    ]
    results = _inline(block.importer, body, [*carried, *rows, *captured])
    graph = block.returns([block.importer.builder.constant(True), *results])
    call.builder.loop(trips, always, init, [], graph, flat, call.source)
    return imported


def _associative_scan(call: _Call) -> Imported:
    """``associative_scan(combine_graph, xs, additional_inputs)``: each row with all before it."""
    flat, imported = call.outputs()
    importer, builder, body = call.importer, call.builder, call.body(0)
    stacks, captured, placeholders = call.operands(1), call.operands(2), _placeholders(body)
    before, after = placeholders[: len(stacks)], placeholders[len(stacks) : 2 * len(stacks)]
    zero, one = builder.constant(0), builder.constant(1)
    firsts = [
        _row(importer, stack, zero, node, call.source) for stack, node in zip(stacks, before, strict=True)
    ]
    size = _size(importer, stacks[0], call.source)
    trips = _combined(importer, "sub", size, one, "iterations", call.source)
    block = call.block("body")
    iteration = block.iteration()
    carried = block.inputs(before)
    one = block.importer.builder.constant(1)
    index = _combined(block.importer, "add", iteration, one, "index", call.source)
    rows = [
        _row(block.importer, stack, index, node, call.source)
        for stack, node in zip(stacks, after, strict=True)
    ]
    results = _inline(block.importer, body, [*carried, *rows, *captured])
    graph = block.returns([block.importer.builder.constant(True), *results, *results])
    lasts = [importer.value(node.meta["val"], f"{node.name}_last") for node in before]
    others = [_rest(importer, value) for value in flat]
    builder.loop(trips, builder.constant(True), firsts, [], graph, [*lasts, *others], call.source)
    for first, rest, output in zip(firsts, others, flat, strict=True):
        _prepend(importer, first, rest, output, call.source)
    return imported


_FORMS: Mapping[str, Callable[[_Call], Imported]] = {
    "associative_scan": _associative_scan,
    "cond": _cond,
    "map_impl": _map,
    "scan": _scan,
    "while_loop": _while_loop,
}
"""How each operator is imported, by its name."""


def _placeholders(body: torch.fx.GraphModule) -> list[torch.fx.Node]:
    return [node for node in body.graph.nodes if node.op == "placeholder"]


def _inline(
    importer: GraphImporter, body: torch.fx.GraphModule, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """Import ``body`` where ``importer`` stands; return its results, one or several."""
    result = importer.inline(body, operands)
    results = [result] if isinstance(result, ir.Value) else result
    values = [value for value in results if isinstance(value, ir.Value)]
    if len(values) != len(results):
        raise TypeError("a body of control flow returns lists")
    return values


def _one_bool(importer: GraphImporter, condition: ir.Value, source: Source) -> ir.Value:
    """``condition`` without dimensions: torch takes any tensor of one element."""
    if isinstance(condition.type, ScalarType) or condition.shape is None or len(condition.shape) == 0:
        return condition
    no_dimensions = importer.builder.list([], scalar_type("int"))
    name = importer.unique_name(f"{condition.name}_bool")
    output = ir.Value(name=name, type=condition.type, shape=ir.Shape(()))
    importer.builder.call(
        OpName("aten", "reshape"), [condition, no_dimensions], [output], _FIRST_IS_VIEW, source
    )
    return output


def _size(importer: GraphImporter, stack: ir.Value, source: Source) -> ir.Value:
    """Number of rows."""
    builder = importer.builder
    if stack.shape is not None and isinstance(stack.shape[0], int):
        return builder.constant(stack.shape[0])
    output = _number("int", importer.unique_name("iterations"))
    builder.call(OpName("aten", "sym_size", "int"), [stack, builder.constant(0)], [output], source=source)
    return output


def _row(
    importer: GraphImporter,
    stack: ir.Value,
    index: ir.Value,
    placeholder: torch.fx.Node,
    source: Source,
) -> ir.Value:
    """One row of ``stack``, of the type that ``placeholder`` has."""
    output = importer.value(placeholder.meta["val"], placeholder.name)
    inputs = [stack, importer.builder.constant(0), index]
    importer.builder.call(OpName("aten", "select", "int"), inputs, [output], _FIRST_IS_VIEW, source)
    return output


def _combined(
    importer: GraphImporter, operator: str, one: ir.Value, other: ir.Value, name: str, source: Source
) -> ir.Value:
    """The result of arithmetic on two ints."""
    output = _number("int", importer.unique_name(name))
    importer.builder.call(OpName("aten", operator, "int"), [one, other], [output], source=source)
    return output


def _rest(importer: GraphImporter, stack: ir.Value) -> ir.Value:
    """A new value for all rows of ``stack`` but the first."""
    shape = stack.shape
    if shape is not None:
        size = shape[0]
        shape = ir.Shape([size - 1 if isinstance(size, int) else None, *shape[1:]])
    return ir.Value(name=importer.unique_name(f"{stack.name}_rest"), type=stack.type, shape=shape)


def _prepend(
    importer: GraphImporter, first: ir.Value, rest: ir.Value, output: ir.Value, source: Source
) -> None:
    """Let ``output`` be the row ``first`` and then the rows ``rest``."""
    builder = importer.builder
    shape = None if first.shape is None else ir.Shape([1, *first.shape])
    row = ir.Value(name=importer.unique_name(f"{first.name}_row"), type=first.type, shape=shape)
    zero = builder.constant(0)
    builder.call(OpName("aten", "unsqueeze"), [first, zero], [row], _FIRST_IS_VIEW, source)
    builder.call(OpName("aten", "cat"), [builder.list([row, rest]), zero], [output], source=source)


def _number(kind: str, name: str) -> ir.Value:
    return ir.Value(name=name, type=scalar_type(kind), shape=ir.Shape(()))
