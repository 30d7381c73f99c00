"""FX graphs to dialect graphs, node by node."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Union

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import GraphBuilder, OpName, Source, scalar_type, take_name
from onnx_ir_capture.fx._aliasing import StorageOracle
from onnx_ir_capture.fx._control_flow import control_flow, is_control_flow
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.fx._memory_order import (
    ELSEWHERE,
    PART_OF_OTHER,
    READS_BY_STRIDES,
    in_memory_order,
    memory_order,
)
from onnx_ir_capture.fx._numbers import PYTHON_OPERATORS, python_operator
from onnx_ir_capture.fx._regions import is_region, region_parts
from onnx_ir_capture.fx._schemas import alias_marks, name_of, without_casts
from onnx_ir_capture.fx._sources import source_of
from onnx_ir_capture.fx._spans import Span, has_no_effect, span_from
from onnx_ir_capture.fx._unsupported import report_construct
from onnx_ir_capture.fx._values import UntypedError, constant_of, is_untyped, typed_stand_in, typed_value
from onnx_ir_capture.program import UNSUPPORTED

__all__ = ["GraphImporter", "Imported"]

_WITH_SOURCE = 5
"""Arguments of as_strided_scatter, whose result has its tensor's order of axes."""

Imported = Union[ir.Value, "list[Imported]"]
"""What an FX node became: a value, or the values of a call with several results."""


class GraphImporter:
    """Appends the calls of FX graphs to one dialect graph."""

    def __init__(
        self,
        builder: GraphBuilder,
        diagnostics: DiagnosticContext,
        dimensions: Dimensions,
        outer: GraphImporter | None = None,
        caller: Source | None = None,
        oracle: StorageOracle | None = None,
    ) -> None:
        """Prepare an import.

        Args:
            builder: appends to the graph or block.
            diagnostics: gets a finding for every construct that the dialect has no form for.
            dimensions: names of the dynamic dimensions.
            outer: the importer of the graph around a block; their names are distinct.
            caller: stands for the source of nodes that have none, as in the bodies of control flow.
            oracle: knows which results are views; without one, the operators' schemas say.
        """
        self.builder = builder
        self._dimensions = dimensions
        self._diagnostics = diagnostics
        self._names: set[str] = set() if outer is None else outer._names
        self._caller = caller
        self._oracle: StorageOracle | None = oracle if outer is None else outer._oracle
        self._root: GraphImporter = self if outer is None else outer._root
        self._stored_tensors: dict[int, ir.Value] = {}

    def nested(self, builder: GraphBuilder, caller: Source) -> GraphImporter:
        """An importer for a block of this one's graph, which ``caller`` runs."""
        return GraphImporter(builder, self._diagnostics, self._dimensions, self, caller)

    def source(self, node: torch.fx.Node) -> Source:
        """Where ``node`` came from; in a body without lines, the line of the call that runs it."""
        return source_of(node, self._caller)

    def value(self, fake: object, name: str) -> ir.Value:
        """A new value for what a fake run gave."""
        return typed_value(fake, self.unique_name(name), self._dimensions.rename)

    def unique_name(self, name: str) -> str:
        """``name``, or the first ``name_1``, ``name_2`` … that no value of the program has yet."""
        return take_name(name, self._names)

    def is_taken(self, name: str) -> bool:
        """Whether a value of the program has been given ``name``."""
        return name in self._names

    def run(self, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]) -> torch.fx.node.Argument:
        """Import every node after the placeholders, which ``env`` holds; return the output's argument."""
        done: set[torch.fx.Node] = set()
        for node in module.graph.nodes:
            if node.op == "output":
                result: torch.fx.node.Argument = node.args[0]
                return result
            span = span_from(node) if node not in done else None
            if span is not None:
                self._span(span, module, env)
                done.update(span.nodes)
            elif node.op == "get_attr":
                self._stored(node, module, env)
            elif node.op == "call_function" and node not in done and not has_no_effect(node.target):
                env_value = self._typed_call(node, module, env)
                if env_value is not None:
                    env[node] = env_value
        raise ValueError("the FX graph has no output node")

    def argument(
        self, value: object, env: Mapping[torch.fx.Node, Imported], element: str = "Tensor"
    ) -> ir.Value:
        """The dialect value of an FX argument; ``element`` is the element type of an empty list."""
        if isinstance(value, torch.fx.Node):
            return self._as_value(env[value])
        if isinstance(value, list | tuple):
            return self._list([self.argument(item, env) for item in value], element)
        return self.builder.constant(constant_of(value))

    def _as_value(self, imported: Imported) -> ir.Value:
        if isinstance(imported, ir.Value):
            return imported
        return self._list([self._as_value(item) for item in imported], "Tensor")

    def _list(self, items: Sequence[ir.Value], element: str) -> ir.Value:
        if items:
            # A list of optional tensors holds None beside tensors, which do not make its type.
            none = scalar_type("None")
            return self.builder.list(
                items, next((item.type for item in items if item.type != none), None) or none
            )
        empty = {"int": "int", "float": "float", "bool": "bool", "str": "str", "SymInt": "int"}
        type_ = scalar_type(empty[element]) if element in empty else ir.TensorType(ir.DataType.UNDEFINED)
        return self.builder.list([], type_)

    def _typed_call(
        self, node: torch.fx.Node, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]
    ) -> Imported | None:
        try:
            return self._call(node, module, env)
        except UntypedError as error:
            return self.refuse(node, str(error))

    def _call(
        self, node: torch.fx.Node, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]
    ) -> Imported | None:
        if node.target is operator.getitem:
            return self._item(node, env)
        if is_region(node.target):
            return self._region(node, module, env)
        if is_control_flow(node.target):
            return control_flow(self, node, module, env)
        if node.target is torch.sym_sum:
            return self._sum(node, env)
        if node.target in PYTHON_OPERATORS:
            return self._python_operator(node, env)
        if isinstance(node.target, torch._ops.OpOverload):
            return self._operator(node, node.target, env)
        if isinstance(node.target, torch._ops.HigherOrderOperator):
            return self.refuse(node, "it is a higher-order operator, which this version does not import")
        return self.refuse(node, "it is no operator of torch")

    def _item(self, node: torch.fx.Node, env: Mapping[torch.fx.Node, Imported]) -> Imported:
        source, index = node.args
        if not isinstance(source, torch.fx.Node) or not isinstance(index, int):
            raise TypeError(f"getitem {node.name} takes {node.args!r}")
        members = env[source]
        if isinstance(members, ir.Value):
            raise TypeError(f"getitem {node.name} of a single value")
        return members[index]

    def _region(
        self, node: torch.fx.Node, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]
    ) -> Imported:
        body, operands = region_parts(node, module)
        inside = self.nested(self.builder, self.source(node))
        return inside.inline(body, [self._imported(operand, env) for operand in operands])

    def inline(self, body: torch.fx.GraphModule, operands: Sequence[Imported]) -> Imported:
        """Import ``body`` here, its placeholders standing for ``operands``; return what it gives."""
        placeholders = [member for member in body.graph.nodes if member.op == "placeholder"]
        inner = dict(zip(placeholders, operands, strict=True))
        result = self.run(body, inner)
        if isinstance(result, list | tuple):
            return [self._imported(item, inner) for item in result]
        return self._imported(result, inner)

    def _imported(self, argument: object, env: Mapping[torch.fx.Node, Imported]) -> Imported:
        return env[argument] if isinstance(argument, torch.fx.Node) else self.argument(argument, env)

    def _span(self, span: Span, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]) -> None:
        results = self.inline(span.traced(module), [env[node] for node in span.operands])
        if isinstance(results, ir.Value):
            raise TypeError("a traced span gives a tuple")
        env.update(zip(span.results, results, strict=True))

    def _stored(
        self, node: torch.fx.Node, module: torch.fx.GraphModule, env: dict[torch.fx.Node, Imported]
    ) -> None:
        """A tensor that a graph holds, as a constant of the program; bodies stay where they are."""
        owner, _, attribute = str(node.target).rpartition(".")
        tensor = getattr(module.get_submodule(owner), attribute)
        if isinstance(tensor, torch._subclasses.FakeTensor):
            env[node] = self.refuse(node, "torch noted its type alone, not its values", tensor)
        elif isinstance(tensor, torch.Tensor):
            try:
                env[node] = self._root.weight(tensor, str(node.target))
            except UntypedError as error:
                env[node] = self.refuse(node, str(error), tensor)

    def weight(self, tensor: torch.Tensor, name: str) -> ir.Value:
        """The initializer of the program that holds ``tensor``."""
        if id(tensor) not in self._stored_tensors:
            name = self.unique_name(name)
            value = typed_value(tensor, name)
            value.const_value = tensor_adapters.TorchTensor(tensor, name=name)
            self.builder.graph.register_initializer(value)
            self._stored_tensors[id(tensor)] = value
        return self._stored_tensors[id(tensor)]

    def _python_operator(self, node: torch.fx.Node, env: Mapping[torch.fx.Node, Imported]) -> Imported:
        # round(x) comes with None for the digits.
        inputs = [self.argument(value, env) for value in node.args if value is not None]
        name = python_operator(node.target, [str(value.type) for value in inputs])
        if name is None:
            return self.refuse(
                node, f"there is no operator for it on {', '.join(str(v.type) for v in inputs)}"
            )
        output = self.value(node.meta["val"], node.name)
        self.builder.call(name, inputs, [output], source=self.source(node))
        return output

    def _sum(self, node: torch.fx.Node, env: Mapping[torch.fx.Node, Imported]) -> Imported:
        """``torch.sym_sum`` of several sizes, as one addition after the other."""
        terms = node.args[0]
        if not isinstance(terms, list | tuple) or not terms:
            raise TypeError(f"sym_sum {node.name} takes {node.args!r}")
        total, *rest = [self.argument(term, env) for term in terms]
        for term in rest:
            output = self.value(node.meta["val"], node.name)
            name = PYTHON_OPERATORS[operator.add]
            self.builder.call(name, [total, term], [output], source=self.source(node))
            total = output
        return total

    def _operator(
        self,
        node: torch.fx.Node,
        op: torch._ops.OpOverload[..., object],
        env: Mapping[torch.fx.Node, Imported],
    ) -> Imported:
        given = _arguments(node, op)
        inputs = [
            self.argument(value, env, _element_name(formal))
            for value, formal in zip(given, op._schema.arguments, strict=True)
        ]
        if op._schema.name in READS_BY_STRIDES:
            reason = self._by_memory(node, given, inputs)
            if reason is not None:
                return self.refuse(node, reason)
        flat: list[ir.Value] = []
        imported = self.outputs(node.meta.get("val"), node.name, flat) if op._schema.returns else None
        marks = without_casts(op, alias_marks(op, given, len(flat)), inputs, flat)
        if self._oracle is not None:
            marks = self._oracle.exact(node, op, given, marks)
        self.builder.call(name_of(op), inputs, flat, marks, self.source(node))
        return imported if imported is not None else []

    def _by_memory(self, node: torch.fx.Node, given: Sequence[object], inputs: list[ir.Value]) -> str | None:
        """Put the axes of what ``node`` reads by strides into the order of memory, or say why not."""
        base = given[0]
        tensor = base.meta.get("val") if isinstance(base, torch.fx.Node) else None
        if not isinstance(tensor, torch.Tensor):
            return ELSEWHERE
        order = memory_order(tensor.shape, tensor.stride())
        if order is None:
            return ELSEWHERE
        if given[-1] is not None and not statically_known_true(tensor.storage_offset() == 0):
            return PART_OF_OTHER
        if len(inputs) == _WITH_SOURCE and order != sorted(order):
            return ELSEWHERE
        name = self.unique_name(f"{node.name}_memory")
        inputs[0] = in_memory_order(self.builder, inputs[0], order, name, self.source(node))
        return None

    def outputs(self, fake: object, name: str, flat: list[ir.Value]) -> Imported:
        """Values for what a fake run gave; a list or tuple becomes several outputs of the one call."""
        if isinstance(fake, list | tuple):
            return [self.outputs(item, f"{name}_{index}", flat) for index, item in enumerate(fake)]
        value = self.value(fake, name)
        flat.append(value)
        return value

    def refuse(self, node: torch.fx.Node, reason: str, fake: object = None) -> Imported:
        """Note what the dialect has no form for, and go on with stand-ins typed by ``fake`` or the node."""
        source = self.source(node)
        construct = str(getattr(node.target, "__name__", node.target))
        report_construct(self._diagnostics, source, construct, reason)
        flat: list[ir.Value] = []
        given = node.meta.get("val") if fake is None else fake
        imported = self.outputs(typed_stand_in(given), node.name, flat)
        for value, leaf in zip(flat, pytree.tree_leaves(given), strict=True):
            if is_untyped(leaf):
                value.type = ir.TensorType(ir.DataType.UNDEFINED)
        if flat:
            self.builder.call(OpName(UNSUPPORTED, construct), [], flat, source=source)
        return imported


def _arguments(node: torch.fx.Node, op: torch._ops.OpOverload[..., object]) -> list[object]:
    """One argument per schema position: given by position, by name, or the default."""
    result: list[object] = []
    for position, formal in enumerate(op._schema.arguments):
        if position < len(node.args):
            result.append(node.args[position])
        elif formal.name in node.kwargs:
            result.append(node.kwargs[formal.name])
        else:
            result.append(_default(formal))
    return result


# A schema holds the default of such an argument as a number of c10/core/MemoryFormat.h.
_MEMORY_FORMATS = (
    torch.contiguous_format,
    torch.preserve_format,
    torch.channels_last,
    torch.channels_last_3d,
)


def _default(formal: torch._C.Argument) -> object:
    value: object = formal.default_value
    if isinstance(value, int) and _element_name(formal) == "MemoryFormat":
        return _MEMORY_FORMATS[value]
    return value


def _element_name(formal: torch._C.Argument) -> str:
    """Name of the element type of a list argument: ``int`` of ``int[]``; its own name otherwise."""
    kind = formal.real_type
    while isinstance(kind, torch._C.OptionalType | torch._C.ListType):
        kind = kind.getElementType()
    return str(kind)
