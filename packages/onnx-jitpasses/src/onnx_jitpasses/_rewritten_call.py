"""A call while it is rewritten as other calls, which a pass puts in its place."""

from __future__ import annotations

from collections.abc import Iterable

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ConstantValue, constant_value, is_constant, items_of
from onnx_jitpasses._edit import Editor, make_identity
from onnx_jitpasses._emission import Emission

__all__ = ["RewrittenCall", "drop_identities"]


class RewrittenCall:
    """The arguments of a call, and ways to make new calls in front of it.

    Args:
        node: the call.
        editor: of the program.
    """

    def __init__(self, node: ir.Node, editor: Editor) -> None:
        self.node = node
        self.output = node.outputs[0]
        self.emission = Emission.before(editor, node)
        self.kept: list[ir.Value] = []
        """Identities that stand for arguments, and are to go in the end."""
        self._editor = editor

    def tensor(self, position: int) -> ir.Value:
        """The argument, which must be there."""
        value = self.node.inputs[position] if position < len(self.node.inputs) else None
        if value is None:
            raise Unsupported(f"its argument {position} is missing")
        return value

    def constant(self, position: int) -> ConstantValue:
        """The argument, which must be a constant."""
        value = self.tensor(position)
        if not is_constant(value):
            raise Unsupported(f"its argument {position} is known at run time only")
        return constant_value(value)

    def items(self, position: int) -> list[ir.Value]:
        """The items of the argument, which must be a list that is written out."""
        items = items_of(self.tensor(position))
        if items is None:
            raise Unsupported(f"its argument {position} is a list that is made at run time")
        return [item for item in items if item is not None]

    def held(self, value: ConstantValue) -> ir.Value:
        """A constant in front of the call."""
        return self._editor.constant_before(self.node, value)

    def same(self, value: ir.Value) -> ir.Value:
        """``value`` as the result of the call, under a name of its own for the time being."""
        kept = self.emission.identity(value)
        self.kept.append(kept)
        return kept


def drop_identities(values: Iterable[ir.Value]) -> None:
    """Let the values that stood for others meanwhile go."""
    for value in values:
        node = value.producer()
        argument = None if node is None else node.inputs[0]
        if node is not None and argument is not None:
            make_identity(node, argument)
