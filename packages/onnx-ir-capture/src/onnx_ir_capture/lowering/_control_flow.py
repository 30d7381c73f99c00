"""``prim::If`` and ``prim::Loop`` as ONNX's If and Loop, or Scan for a loop over rows.

If and Loop say the same with the same rules: blocks use the values around them, a loop carries values and
stacks rows. Numbers are tensors without dimensions. Every opset has the two operators in one form.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Protocol

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import is_plain_tensor
from onnx_ir_capture.emit import Emitter
from onnx_ir_capture.lowering._binding import Argument
from onnx_ir_capture.lowering._numbers import number_value
from onnx_ir_capture.lowering._results import expected_dtype
from onnx_ir_capture.lowering._rows import row_calls
from onnx_ir_capture.lowering._sequences import check_copy, is_sequence, sequence_of, sequence_type

__all__ = ["BlockDriver", "check_ranks", "lower_blocks"]

# Older forms of Scan have a batch, and count from another axis.
_FIRST_SCAN = 9

# TorchScript counts a while loop to this; ONNX has loops without a bound.
_NO_BOUND = 2**63 - 1


class BlockDriver(Protocol):
    """What lowering of blocks asks of the driver."""

    @property
    def emitter(self) -> Emitter:
        """Appends to the graph or block at hand."""

    def argument(self, value: ir.Value | None) -> Argument:
        """What stands for a captured value."""

    def record(self, value: ir.Value, lowered: ir.Value) -> None:
        """Let ``lowered`` stand for a captured value."""

    def rename(self, value: ir.Value, outer: ir.Value) -> None:
        """Let what stands for ``outer`` stand for ``value``, too."""

    def nodes(self, nodes: Iterable[ir.Node]) -> None:
        """Lower ``nodes`` where the driver stands."""

    def inside(self, node: ir.Node, graph: ir.Graph) -> contextlib.AbstractContextManager[None]:
        """Append to ``graph``, a block of ``node``, meanwhile."""


def lower_blocks(driver: BlockDriver, node: ir.Node) -> list[ir.Value]:
    """Emit the operator of a ``prim::If`` or ``prim::Loop``; return its results.

    Raises:
        Unsupported: something of a kind that ONNX has no tensor for leaves a block or is carried.
    """
    if node.op_type == "If":
        return _lower_if(driver, node)
    calls = row_calls(node) if driver.emitter.opset >= _FIRST_SCAN else []
    return _lower_scan(driver, node, calls) if calls else _lower_loop(driver, node)


def check_ranks(node: ir.Node, program: ir.Graph) -> None:
    """Check that what the node gives to the outputs of the program has a rank.

    Raises:
        Unsupported: a branch, or a run of the body, gives another rank than the others.
    """
    for output in node.outputs:
        if output.shape is None and is_plain_tensor(output.type) and output in program.outputs:
            parts = "branches" if node.op_type == "If" else "runs of the body"
            raise Unsupported(
                f"its {parts} give %{output.name} different ranks, and an output of a file has one rank"
            )


def _lower_if(driver: BlockDriver, node: ir.Node) -> list[ir.Value]:
    blocks = [node.attributes[name].as_graph() for name in ("then_branch", "else_branch")]
    condition = driver.argument(node.inputs[0])
    if isinstance(condition, bool):
        taken = blocks[0] if condition else blocks[1]
        driver.nodes(taken)
        return [_value(driver, value) for value in taken.outputs]
    dtypes = [expected_dtype(value) for value in node.outputs]
    branches: list[ir.Graph] = []
    for source in blocks:
        branches.append(_block(driver, node, source.name, source, [], source.outputs, dtypes))
        dtypes = [dtype or made.dtype for dtype, made in zip(dtypes, branches[0].outputs, strict=True)]
    attributes = [ir.AttrGraph("then_branch", branches[0]), ir.AttrGraph("else_branch", branches[1])]
    return _append(driver, node, "If", [_value(driver, node.inputs[0])], attributes, dtypes)


def _lower_loop(driver: BlockDriver, node: ir.Node) -> list[ir.Value]:
    source, count = node.attributes["body"].as_graph(), node.attributes["carried"].as_int()
    iteration = source.inputs[0]
    start, carried = _handed_on(driver, node)
    index = _scalar(f"{iteration.name}", ir.DataType.INT64)
    driver.record(iteration, index)
    # A condition that is handed in, and that no body asks for: ONNX wants it.
    unused = _scalar(f"{iteration.name}_condition", ir.DataType.BOOL)
    rows = [expected_dtype(value) for value in node.outputs[count:]]
    dtypes = [ir.DataType.BOOL, *(value.dtype for value in carried), *rows]
    inside = [index, unused, *carried]
    body = _block(driver, node, source.name, source, inside, source.outputs, dtypes)
    inputs = [_trip_count(driver, node.inputs[0]), _value(driver, node.inputs[1]), *start]
    dtypes = [value.dtype for value in body.outputs[1:]]
    return _append(driver, node, "Loop", inputs, [ir.AttrGraph("body", body)], dtypes)


def _lower_scan(driver: BlockDriver, node: ir.Node, calls: Sequence[ir.Node]) -> list[ir.Value]:
    """A loop in whose body ``calls`` take the rows."""
    source, count = node.attributes["body"].as_graph(), node.attributes["carried"].as_int()
    start, carried = _handed_on(driver, node)
    rows: dict[ir.Value, ir.Value] = {}
    for call in calls:
        stack = _value(driver, call.inputs[0])
        row = rows.setdefault(stack, _carried(call.outputs[0], stack))
        driver.record(call.outputs[0], row)
    condition = source.outputs[0]
    left_out = {*calls, None if condition.uses() else condition.producer()}
    nodes = [member for member in source if member not in left_out]
    dtypes = [value.dtype for value in carried]
    dtypes += [expected_dtype(value) for value in node.outputs[count:]]
    inside = [*carried, *rows.values()]
    body = _block(driver, node, source.name, nodes, inside, source.outputs[1:], dtypes)
    attributes = [ir.AttrGraph("body", body), ir.AttrInt64("num_scan_inputs", len(rows))]
    dtypes = [value.dtype for value in body.outputs]
    return _append(driver, node, "Scan", [*start, *rows], attributes, dtypes)


def _handed_on(driver: BlockDriver, node: ir.Node) -> tuple[list[ir.Value], list[ir.Value]]:
    """The carried values of a loop before the first iteration, and the inputs of a body for them."""
    source, count = node.attributes["body"].as_graph(), node.attributes["carried"].as_int()
    inner = source.inputs[1:]
    start = [_value(driver, value) for value in node.inputs[2 : 2 + count]]
    carried = [_carried(value, first) for value, first in zip(inner[:count], start, strict=True)]
    for value, lowered in zip(inner[:count], carried, strict=True):
        driver.record(value, lowered)
    for value, outer in zip(inner[count:], node.inputs[2 + count :], strict=True):
        driver.rename(value, _present(outer))
    return [_cast(driver, first, value.dtype) for first, value in zip(start, carried, strict=True)], carried


def _block(
    driver: BlockDriver,
    node: ir.Node,
    name: str | None,
    nodes: Iterable[ir.Node],
    inputs: Sequence[ir.Value],
    outputs: Sequence[ir.Value],
    dtypes: Sequence[ir.DataType | None],
) -> ir.Graph:
    """A block of ``node`` that computes ``outputs`` with ``dtypes``."""
    opset = driver.emitter.opset
    graph = ir.Graph(inputs, [], nodes=[], opset_imports={"": opset}, name=name or f"{node.op_type}_block")
    with driver.inside(node, graph):
        driver.nodes(nodes)
        for value, dtype in zip(outputs, dtypes, strict=True):
            result = _cast(driver, _value(driver, value), dtype)
            producer = result.producer()
            if producer is None or producer.graph is not graph or result.is_graph_output():
                # The translation of a no-op returns its input, but a block returns what it computes.
                if is_sequence(result):
                    check_copy(driver.emitter, value)
                result = driver.emitter.Identity(result)
            graph.outputs.append(result)
    return graph


def _append(
    driver: BlockDriver,
    node: ir.Node,
    op_type: str,
    inputs: Sequence[ir.Value | None],
    attributes: Sequence[ir.Attr],
    dtypes: Sequence[ir.DataType | None],
) -> list[ir.Value]:
    """Append the operator with the program's types: inference would go through the blocks again."""
    results = [
        ir.Value(
            type=sequence_type(value) or (ir.TensorType(dtype) if dtype is not None else None),
            shape=value.shape.copy() if value.shape is not None else None,
        )
        for value, dtype in zip(node.outputs, dtypes, strict=True)
    ]
    frame = driver.emitter.frame
    made = ir.Node("", op_type, inputs, attributes, outputs=results, version=frame.target.opset)
    frame.graph.append(made)
    frame.created(made)
    return results


def _carried(value: ir.Value, start: ir.Value) -> ir.Value:
    """The input of an ONNX body for a carried value."""
    return ir.Value(
        name=value.name,
        type=sequence_type(value)
        or ir.TensorType(expected_dtype(value) or start.dtype or ir.DataType.UNDEFINED),
        shape=value.shape.copy() if value.shape is not None else None,
    )


def _scalar(name: str, dtype: ir.DataType) -> ir.Value:
    return ir.Value(name=name, type=ir.TensorType(dtype), shape=ir.Shape(()))


def _trip_count(driver: BlockDriver, bound: ir.Value | None) -> ir.Value | None:
    argument = driver.argument(bound)
    return None if argument is None or argument == _NO_BOUND else _value(driver, bound)


def _value(driver: BlockDriver, value: ir.Value | None) -> ir.Value:
    argument = driver.argument(value)
    found = number_value(driver.emitter, argument)
    if found is None and value is not None:
        found = sequence_of(driver.emitter, argument, value)
    if found is None:
        kind = f"a {_present(value).type}"
        raise Unsupported(f"%{_present(value).name}, {kind}, is handed on, where ONNX takes tensors only")
    return found


def _cast(driver: BlockDriver, value: ir.Value, dtype: ir.DataType | None) -> ir.Value:
    known = dtype is not None and dtype != ir.DataType.UNDEFINED and value.dtype is not None
    known = known and not is_sequence(value)
    return driver.emitter.cast(value, dtype) if known and dtype is not None else value


def _present(value: ir.Value | None) -> ir.Value:
    if value is None:
        raise ValueError("an input of a block's node is missing; an absent argument is the constant None")
    return value
