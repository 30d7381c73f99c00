"""New calls at one place of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    ListType,
    OpName,
    alias_attributes,
    constant_node,
    get_source,
    op_name,
    scalar_type,
    set_source,
)
from onnx_jitpasses._edit import Editor

__all__ = ["Argument", "Emission"]

Argument = ir.Value | None | ConstantValue
"""A value of the program, or a constant; None stands for the constant None."""


class Emission:
    """Puts calls where ``place`` puts a node, under new names and with the source of ``origin``."""

    def __init__(self, editor: Editor, origin: ir.Node | None, place: Callable[[ir.Node], None]) -> None:
        self._editor = editor
        self._origin = origin
        self._place = place

    @classmethod
    def before(cls, editor: Editor, node: ir.Node) -> Emission:
        """New calls stand in front of ``node``, in the order in which they are made."""
        return cls(editor, node, node.prepend)

    @classmethod
    def after(cls, editor: Editor, node: ir.Node) -> Emission:
        """New calls stand behind ``node``, in the order in which they are made."""
        last = [node]

        def place(new: ir.Node) -> None:
            last[0].append(new)
            last[0] = new

        return cls(editor, node, place)

    @classmethod
    def at_end(cls, editor: Editor, graph: ir.Graph) -> Emission:
        """New calls stand at the end of the block."""
        return cls(editor, None, graph.append)

    def call(
        self, op: str | ir.Node, inputs: Sequence[Argument], like: ir.Value, *, views: bool = False
    ) -> ir.Value:
        """A call with one output of the type and shape of ``like``.

        Args:
            op: the operator's name, or a call of it.
            inputs: its arguments.
            like: what the result looks like.
            views: whether the result may share the memory of the first argument.
        """
        name = OpName.parse(op) if isinstance(op, str) else op_name(op)
        values = [given if isinstance(given, ir.Value) else self.constant(given) for given in inputs]
        output = self._output(like, f"{like.name}_{name.name}")
        marks = alias_attributes(Aliases((), ((0, 0),) if views else ()))
        self._add(ir.Node(name.domain, name.name, values, marks, overload=name.overload, outputs=[output]))
        return output

    def copy(self, node: ir.Node, inputs: Sequence[ir.Value | None]) -> Sequence[ir.Value]:
        """The same call on other arguments."""
        outputs = [self._output(output, str(output.name)) for output in node.outputs]
        self._add(
            ir.Node(
                node.domain,
                node.op_type,
                inputs,
                node.attributes.values(),
                overload=node.overload,
                outputs=outputs,
            )
        )
        return outputs

    def list(self, items: Sequence[ir.Value], type_: ListType) -> ir.Value:
        """A list."""
        output = ir.Value(name=self._editor.fresh_name("list"), type=type_)
        self._add(ir.Node("prim", "ListConstruct", items, outputs=[output]))
        return output

    def ints(self, items: Sequence[int]) -> ir.Value:
        """A list of constant ints."""
        return self.list([self.constant(item) for item in items], ListType(scalar_type("int")))

    def constant(self, value: ConstantValue) -> ir.Value:
        """A constant."""
        return self._add(constant_node(value, self._editor.fresh_name("const")))

    def container(self, node: ir.Node, items: Sequence[ir.Value | None]) -> ir.Value:
        """The list or tuple that ``node`` makes, with other members."""
        output = self._output(node.outputs[0], str(node.outputs[0].name))
        self._add(ir.Node(node.domain, node.op_type, items, outputs=[output]))
        return output

    def identity(self, value: ir.Value, name: str | None = None) -> ir.Value:
        """A ``prim::Identity`` of ``value``."""
        output = self._output(value, name or str(value.name))
        self._add(ir.Node("prim", "Identity", [value], outputs=[output]))
        return output

    @staticmethod
    def number() -> ir.Value:
        """What an int looks like."""
        return ir.Value(name="size", type=scalar_type("int"), shape=ir.Shape(()))

    @staticmethod
    def numbers(shape: ir.Shape | None) -> ir.Value:
        """What a tensor of INT64 of the shape looks like."""
        return ir.Value(name="numbers", type=ir.TensorType(ir.DataType.INT64), shape=shape)

    @staticmethod
    def like(value: ir.Value, shape: ir.Shape | None) -> ir.Value:
        """What a tensor of the dtype of ``value`` with another shape looks like."""
        return ir.Value(name=value.name, type=value.type, shape=shape)

    def _output(self, like: ir.Value, stem: str) -> ir.Value:
        shape = None if like.shape is None else like.shape.copy()
        return ir.Value(name=self._editor.fresh_name(stem), type=like.type, shape=shape)

    def _add(self, node: ir.Node) -> ir.Value:
        source = None if self._origin is None or node.domain == "prim" else get_source(self._origin)
        if source is not None:
            set_source(node, source)
        self._place(node)
        return node.outputs[0]
