"""What the text of a program writes into a call: constants, and the lists and tuples put together for it."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect._constants import ConstantValue, constant_value, is_constant

__all__ = ["is_construct", "is_literal", "items_of", "known_constant"]

_CONSTRUCTS = frozenset(["ListConstruct", "TupleConstruct"])


def is_construct(node: ir.Node) -> bool:
    """Whether the node puts a list or a tuple together."""
    return node.domain == "prim" and node.op_type in _CONSTRUCTS


def is_literal(node: ir.Node) -> bool:
    """Whether the node only makes an argument: a constant, a list or a tuple."""
    return is_construct(node) or (node.domain == "prim" and node.op_type == "Constant")


def known_constant(value: ir.Value | None) -> ConstantValue:
    """The constant that ``value`` is; None, too, where it is left out or known at run time only."""
    return constant_value(value) if value is not None and is_constant(value) else None


def items_of(value: ir.Value | None) -> Sequence[ir.Value | None] | None:
    """The items of a list or tuple that the program puts together; None for any other value."""
    node = None if value is None else value.producer()
    return node.inputs if node is not None and is_construct(node) else None
