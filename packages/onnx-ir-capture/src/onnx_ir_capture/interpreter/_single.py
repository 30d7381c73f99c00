"""One call of a dialect graph on operands of the caller's choice, apart from a run of the graph."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import constant_value, is_constant, items_of, op_name
from onnx_ir_capture.interpreter._calls import call, spread
from onnx_ir_capture.interpreter._values import torch_constant

__all__ = ["run_call"]


def run_call(node: ir.Node, operand: Callable[[ir.Value], object]) -> list[object]:
    """Compute the outputs of one call.

    Args:
        node: a call of an operator; no block, list or constant.
        operand: gives what stands for a value that the call uses. Constants are known, and lists are put
            together of what stands for their items.

    Raises:
        LookupError: no library has registered the operator.
    """

    def given(value: ir.Value | None) -> object:
        if value is None:
            return None
        if is_constant(value):
            return torch_constant(constant_value(value))
        items = items_of(value)
        return operand(value) if items is None else [given(item) for item in items]

    with torch.no_grad(), torch._C._DisableAutocast():
        return spread(call(op_name(node), [given(value) for value in node.inputs]), node.outputs)
