"""The functions of a model, whose nodes onnx.checker passes over where nothing tells their types."""

from __future__ import annotations

from collections.abc import Iterator

import onnx
import onnx_ir as ir

__all__ = ["calls_of", "invalid_function"]


def invalid_function(model: ir.Model) -> tuple[ir.Function, str] | None:
    """The first function with a node that is not valid, and what is wrong with it; None if all are valid."""
    for function in model.functions.values():
        try:
            onnx.checker.check_function(ir.to_proto(function))
        except onnx.checker.ValidationError as error:
            return function, str(error)
    return None


def calls_of(model: ir.Model, function: ir.Function) -> Iterator[ir.Node]:
    """The nodes of the model's graph that call the function, by themselves or by way of other functions."""
    wanted = {function.identifier()}
    while True:
        callers = {
            caller.identifier()
            for caller in model.functions.values()
            if any(node.op_identifier() in wanted for node in caller.all_nodes())
        }
        if callers <= wanted:
            break
        wanted |= callers
    yield from (node for node in model.graph.all_nodes() if node.op_identifier() in wanted)
