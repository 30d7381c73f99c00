"""TorchScript graphs to dialect graphs, node by node."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import (
    Aliases,
    GraphBuilder,
    ListType,
    OpName,
    ScalarType,
    Source,
    TorchDType,
    items_of,
    op_name,
    take_name,
)
from onnx_ir_capture.fx._schemas import alias_marks
from onnx_ir_capture.fx._unsupported import report_construct
from onnx_ir_capture.fx._values import constant_of, typed_value
from onnx_ir_capture.fx._weights import view_key, weight_tensor
from onnx_ir_capture.interpreter import find_operator
from onnx_ir_capture.program import UNSUPPORTED
from onnx_ir_capture.torchscript._attributes import attribute_at, path_of
from onnx_ir_capture.torchscript._sources import source_of
from onnx_ir_capture.torchscript._values import argument_constant, dialect_type_of

__all__ = ["ScriptImporter"]

_Block = torch._C.Graph | torch._C.Block

# TorchScript's operators that torch.export knows by another name.
_SAME_AS: Mapping[OpName, OpName] = {
    OpName("aten", "size", "int"): OpName("aten", "sym_size", "int"),
    OpName("aten", "numel"): OpName("aten", "sym_numel"),
    OpName("aten", "_convolution"): OpName("aten", "convolution"),
}

_CONVOLUTION_ARGUMENTS = 9

_SCALAR_TENSOR = OpName("aten", "scalar_tensor")
_ITEM = OpName("aten", "item")
_INTEGERS = frozenset(["aten::Int", "aten::IntImplicit", "aten::ScalarImplicit"])
_SEQUENCES = frozenset(["ListType", "TupleType"])


class ScriptImporter:
    """Appends the nodes of TorchScript graphs to one dialect graph or block.

    Args:
        builder: appends to the graph or block.
        module: what the graph's ``self`` stands for.
        diagnostics: gets a finding for every construct that the dialect has no form for.
        wrapper: name of the attribute that holds the model where ``module`` was made around it.
        outer: the importer of the graph around a block.
    """

    def __init__(
        self,
        builder: GraphBuilder,
        module: torch._C.ScriptModule | None,
        diagnostics: DiagnosticContext,
        wrapper: str = "",
        outer: ScriptImporter | None = None,
    ) -> None:
        self._builder = builder
        self._module = module
        self._diagnostics = diagnostics
        self._wrapper = wrapper
        self._graph: ir.Graph = builder.graph if outer is None else outer._graph
        self._values: dict[str, ir.Value] = {} if outer is None else outer._values.copy()
        self._names: set[str] = set() if outer is None else outer._names
        self._weights: dict[object, ir.Value] = {} if outer is None else outer._weights
        self._members: dict[str, list[ir.Value]] = {} if outer is None else outer._members
        self._forms: Mapping[str, Callable[[torch._C.Node], None]] = {
            "prim::Constant": lambda _: None,  # made where it is used: only the user's type says what it is
            "prim::GetAttr": lambda _: None,
            "prim::ListConstruct": self._list,
            "prim::TupleConstruct": self._tuple,
            "prim::TupleUnpack": self._unpack,
            "prim::ListUnpack": self._unpack,
            "prim::If": self._branch,
            "prim::Loop": self._loop,
        }

    def unique_name(self, name: str) -> str:
        """``name``, or the first ``name_1``, ``name_2`` … that no value of the program has yet."""
        return take_name(name, self._names)

    def bind(self, value: torch._C.Value, imported: ir.Value) -> None:
        """Let ``imported`` stand for a value of the TorchScript graph."""
        self._values[value.debugName()] = imported

    def as_output(self, value: ir.Value) -> ir.Value:
        """``value``, or a copy of one that the graph does not compute, or gives already."""
        if value.producer() is not None and not value.is_graph_output():
            return value
        return self._builder.identity(value, self.unique_name(f"{value.name}_output"))

    def run(self, block: _Block) -> list[ir.Value]:
        """Import every node; return what the graph or block returns."""
        for node in block.nodes():
            self._node(node)
        return [self.value(output) for output in block.outputs()]

    def value(self, value: torch._C.Value, formal: torch._C.Argument | None = None) -> ir.Value:
        """The dialect value of a TorchScript one, as the argument ``formal`` of a schema if given."""
        name = value.debugName()
        if name in self._values:
            return self._values[name]
        node = value.node()
        if node.kind() == "prim::Constant":
            return self._constant(value, node, formal)
        path = path_of(value)
        if path is None:
            raise LookupError(f"the graph uses %{name} before it is made")
        found = attribute_at(self._script_module, path)
        if isinstance(found, torch.Tensor):
            return self._weight(found, ".".join(path))
        return self._plain(found, value.type())

    @property
    def _script_module(self) -> torch._C.ScriptModule:
        if self._module is None:
            raise LookupError("a function has no attributes")
        return self._module

    # Constants and weights

    def _constant(
        self, value: torch._C.Value, node: torch._C.Node, formal: torch._C.Argument | None
    ) -> ir.Value:
        if node.hasAttribute("value") and node.kindOf("value") == "t":
            return self._weight(node.t("value"), f"constant_{value.debugName()}")
        found: object = value.toIValue()
        if formal is not None:
            found = argument_constant(found, formal.real_type)
        return self._plain(found, value.type())

    def _plain(self, found: object, kind: torch._C.JitType) -> ir.Value:
        """A constant, or a list or tuple of constants."""
        if isinstance(found, torch.Tensor):
            return self._weight(found, "constant")
        if isinstance(found, tuple):
            elements = kind.elements() if isinstance(kind, torch._C.TupleType) else [kind] * len(found)
            return self._builder.tuple([self._plain(*pair) for pair in zip(found, elements, strict=True)])
        if isinstance(found, list):
            element = kind.getElementType() if isinstance(kind, torch._C.ListType) else kind
            items = [self._plain(item, element) for item in found]
            return self._builder.list(items, dialect_type_of(element))
        return self._builder.constant(constant_of(found))

    def _weight(self, tensor: torch.Tensor, path: str) -> ir.Value:
        key = view_key(tensor)
        path = path.removeprefix(f"{self._wrapper}.") if self._wrapper else path
        if key not in self._weights:
            name = self.unique_name(path)
            value = typed_value(tensor, name)
            value.const_value = weight_tensor(tensor, name)
            self._graph.register_initializer(value)
            self._weights[key] = value
        return self._weights[key]

    # Nodes

    def _node(self, node: torch._C.Node) -> None:
        form = self._forms.get(node.kind(), self._call)
        form(node)

    def _source(self, node: torch._C.Node) -> Source:
        return source_of(node, self._wrapper)

    def _outputs(self, node: torch._C.Node) -> list[ir.Value]:
        return [self._output(output) for output in node.outputs()]

    def _output(self, output: torch._C.Value) -> ir.Value:
        imported = _typed(output, self.unique_name(output.debugName()))
        self.bind(output, imported)
        return imported

    def _list(self, node: torch._C.Node) -> None:
        output = node.outputsAt(0)
        kind = dialect_type_of(output.type())
        items = [self.value(item) for item in node.inputs()]
        self.bind(output, self._builder.list(items, kind.elem_type if isinstance(kind, ListType) else None))

    def _tuple(self, node: torch._C.Node) -> None:
        self.bind(node.outputsAt(0), self._builder.tuple([self.value(item) for item in node.inputs()]))

    def _unpack(self, node: torch._C.Node) -> None:
        """Members of a list or tuple: those it was made of, or outputs of the call that made it."""
        members = self._members.get(node.inputsAt(0).debugName())
        if members is not None:
            for output, member in zip(node.outputs(), members, strict=True):
                self.bind(output, member)
            return
        whole = self.value(node.inputsAt(0))
        items = items_of(whole)
        if items is not None:
            for output, item in zip(node.outputs(), items, strict=True):
                if item is not None:
                    self.bind(output, item)
            return
        outputs = self._outputs(node)
        views = tuple((position, 0) for position in range(len(outputs)))
        self._builder.call(
            OpName.parse(node.kind()), [whole], outputs, Aliases(views=views), self._source(node)
        )

    def _call(self, node: torch._C.Node) -> None:
        schema = _schema(node.schema())
        if schema is None:
            self._refuse(node, "the torch dialect has no form for it")
            return
        if node.kind() == "prim::NumToTensor":
            self._number_as_tensor(node)
            return
        if node.kind() in _INTEGERS and self._tensor_as_integer(node):
            return
        inputs = [
            self.value(value, formal) for value, formal in zip(node.inputs(), schema.arguments, strict=True)
        ]
        name = OpName.parse(schema.name)._replace(overload=schema.overload_name)
        name = _SAME_AS.get(name, name)
        if schema.name == "aten::_convolution":  # the rest are flags for libraries of kernels
            inputs = inputs[:_CONVOLUTION_ARGUMENTS]
        op = find_operator(name)
        outputs = self._unpacked(node) or self._outputs(node)
        marks = Aliases() if op is None else alias_marks(op, _constants(node), len(outputs))
        self._builder.call(name, inputs, outputs, marks, self._source(node))

    def _number_as_tensor(self, node: torch._C.Node) -> None:
        number = self.value(node.inputsAt(0))
        kind = number.type.kind if isinstance(number.type, ScalarType) else "int"
        dtype = TorchDType({"int": "int64", "float": "float64", "bool": "bool"}[kind])
        none = self._builder.constant(None)
        inputs = [number, self._builder.constant(dtype), none, none, none]
        self._builder.call(_SCALAR_TENSOR, inputs, self._outputs(node), Aliases(), self._source(node))

    def _tensor_as_integer(self, node: torch._C.Node) -> bool:
        """Import the number that an integer tensor holds; False where it is of another dtype."""
        tensor, output = self.value(node.inputsAt(0)), node.outputsAt(0)
        made_by = tensor.producer()
        if made_by is not None and op_name(made_by) == _SCALAR_TENSOR and made_by.inputs[0] is not None:
            number = made_by.inputs[0]  # a size went into a tensor, and comes out of it
            if isinstance(number.type, ScalarType) and number.type.kind == "int":
                self.bind(output, number)
                return True
        if tensor.dtype is None or not tensor.dtype.is_integer():
            return False
        self._builder.call(_ITEM, [tensor], [self._output(output)], Aliases(), self._source(node))
        return True

    def _unpacked(self, node: torch._C.Node) -> list[ir.Value]:
        """Outputs for the members of the list that a call gives, if it is unpacked and nothing else."""
        if node.outputsSize() != 1 or not isinstance(node.outputsAt(0).type(), torch._C.ListType):
            return []
        unpacks = [use.user for use in node.outputsAt(0).uses()]
        if not unpacks or any(user.kind() != "prim::ListUnpack" for user in unpacks):
            return []
        members = [_typed(output, self.unique_name(output.debugName())) for output in unpacks[0].outputs()]
        self._members[node.outputsAt(0).debugName()] = members
        return members

    def _refuse(self, node: torch._C.Node, reason: str) -> None:
        source, construct = self._source(node), node.kind()
        report_construct(self._diagnostics, source, construct, reason)
        self._builder.call(
            OpName(UNSUPPORTED, construct.replace("::", "_")), [], self._outputs(node), source=source
        )

    # Control flow

    def _block(self, block: torch._C.Block, name: str) -> ir.Graph:
        graph = ir.Graph([], [], nodes=[], name=self.unique_name(name))
        inner = ScriptImporter(GraphBuilder(graph), self._module, self._diagnostics, self._wrapper, self)
        for parameter in block.inputs():
            graph.inputs.append(inner._output(parameter))
        for result in inner.run(block):
            own = result.graph is graph and result not in graph.inputs and result not in graph.outputs
            graph.outputs.append(result if own else inner._builder.identity(result))
        return graph

    def _branch(self, node: torch._C.Node) -> None:
        then, other = node.blocks()
        blocks = self._block(then, "then"), self._block(other, "else")
        self._builder.branch(self.value(node.inputsAt(0)), *blocks, self._outputs(node), self._source(node))

    def _loop(self, node: torch._C.Node) -> None:
        trips, condition, *carried = (self.value(value) for value in node.inputs())
        body = self._block(next(iter(node.blocks())), "body")
        self._builder.loop(trips, condition, carried, [], body, self._outputs(node), self._source(node))


def _typed(value: torch._C.Value, name: str) -> ir.Value:
    """A dialect value with the type that TorchScript has for it: dtype and rank, never sizes."""
    kind = value.type()
    shape: ir.Shape | None = ir.Shape(())
    if isinstance(kind, torch._C.TensorType):
        sizes = kind.sizes()
        shape = None if sizes is None else ir.Shape([None] * len(sizes))
    elif kind.kind() in _SEQUENCES:
        shape = None
    return ir.Value(name=name, type=dialect_type_of(kind), shape=shape)


@functools.lru_cache(maxsize=2048)
def _schema(text: str) -> torch._C.FunctionSchema | None:
    return None if text.startswith("(no schema)") else torch._C.parse_schema(text)


def _constants(node: torch._C.Node) -> list[object]:
    """The arguments that are constants; others as the values that they are."""
    return [_constant_or_value(value) for value in node.inputs()]


def _constant_or_value(value: torch._C.Value) -> object:
    return value.toIValue() if value.node().kind() == "prim::Constant" else value
