"""Loops that a translator writes: a fixed number of steps, or as long as something holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._frame import GraphFrame

__all__ = ["counted_loop", "loop_while"]


def counted_loop(
    emitter: Emitter,
    count: SymInt,
    start: Sequence[Value],
    step: Callable[[Emitter, Value, Sequence[Value]], Sequence[Value]],
) -> Sequence[Value]:
    """What ``start`` becomes by ``count`` steps, each of which is given the number of those before it.

    The shapes and dtypes stay those of ``start``.
    """
    steps = emitter.constant(count) if isinstance(count, int) else count

    def body(inner: Emitter, index: Value, state: Sequence[Value]) -> tuple[Value | None, Sequence[Value]]:
        return None, step(inner, index, state)

    return _loop(emitter, steps, None, start, body)


def loop_while(
    emitter: Emitter,
    start: Sequence[Value],
    goes_on: Callable[[Emitter, Sequence[Value]], Value],
    step: Callable[[Emitter, Sequence[Value]], Sequence[Value]],
) -> Sequence[Value]:
    """What ``start`` becomes by steps that are taken as long as ``goes_on``, a 0-d BOOL, is true."""

    def body(inner: Emitter, index: Value, state: Sequence[Value]) -> tuple[Value | None, Sequence[Value]]:
        following = step(inner, state)
        return goes_on(inner, following), following

    return _loop(emitter, None, goes_on(emitter, start), start, body)


_Body = Callable[[Emitter, Value, Sequence[Value]], tuple[Value | None, Sequence[Value]]]


def _loop(
    emitter: Emitter, count: Value | None, condition: Value | None, start: Sequence[Value], body: _Body
) -> Sequence[Value]:
    graph = ir.Graph([], [], nodes=[], opset_imports={"": emitter.opset}, name="loop")
    frame = GraphFrame(graph, emitter.frame.target, emitter.frame)
    inner = type(emitter)(frame)
    index = _input(frame, "step", ir.DataType.INT64, ir.Shape(()))
    unused = _input(frame, "condition", ir.DataType.BOOL, ir.Shape(()))
    state = [_input(frame, f"state_{i}", value.dtype, value.shape) for i, value in enumerate(start)]
    graph.inputs.extend([index, unused, *state])
    again, following = body(inner, index, state)
    # A body returns what it computes, also where nothing changes.
    graph.outputs.extend(inner.Identity(value) for value in (unused if again is None else again, *following))
    for value, model in zip(graph.outputs[1:], state, strict=True):
        value.shape = None if model.shape is None else model.shape.copy()
    # The call's origin in the model is written on the nodes that its own graph notes.
    for node in frame.take_created():
        emitter.frame.created(node)
    results = emitter.Loop(count, condition, *start, body=graph, outputs=len(start))
    for result, value in zip(results, start, strict=True):
        result.type = value.type
        result.shape = None if value.shape is None else value.shape.copy()
    return results


def _input(frame: GraphFrame, name: str, dtype: ir.DataType | None, shape: ir.Shape | None) -> Value:
    return ir.Value(
        name=f"{frame.prefix}{name}",
        type=ir.TensorType(dtype or ir.DataType.UNDEFINED),
        shape=None if shape is None else shape.copy(),
    )
