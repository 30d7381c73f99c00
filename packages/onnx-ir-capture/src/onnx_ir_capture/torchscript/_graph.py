"""TorchScript graphs to dialect graphs, node by node."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import (
    Aliases,
    GraphBuilder,
    ListType,
    OpName,
    Source,
    items_of,
    known_constant,
    take_name,
)
from onnx_ir_capture.fx._schemas import alias_marks
from onnx_ir_capture.fx._unsupported import report_construct
from onnx_ir_capture.fx._values import constant_of, typed_value
from onnx_ir_capture.fx._weights import view_key, weight_tensor
from onnx_ir_capture.interpreter import find_operator
from onnx_ir_capture.program import UNSUPPORTED
from onnx_ir_capture.torchscript._attributes import AttributePath, attribute_at, path_of
from onnx_ir_capture.torchscript._blocks import import_branch, import_loop
from onnx_ir_capture.torchscript._nodes import constant_tensor, name_of_schema, schema_of
from onnx_ir_capture.torchscript._numbers import takes_numbers, wrapped
from onnx_ir_capture.torchscript._packed_weights import UnpackedWeights, packed_weights
from onnx_ir_capture.torchscript._script_forms import SCRIPT_FORMS
from onnx_ir_capture.torchscript._sources import source_of
from onnx_ir_capture.torchscript._values import (
    argument_constant,
    dialect_type_of,
    typed_output,
    value_of_type,
)

__all__ = ["ScriptImporter"]

_Block = torch._C.Graph | torch._C.Block

# TorchScript's operators that torch.export knows by another name.
_SAME_AS: Mapping[OpName, OpName] = {
    OpName("aten", "size", "int"): OpName("aten", "sym_size", "int"),
    OpName("aten", "numel"): OpName("aten", "sym_numel"),
    OpName("aten", "_convolution"): OpName("aten", "convolution"),
    OpName("aten", "Bool", "Tensor"): OpName("aten", "is_nonzero"),
}

_CONVOLUTION_ARGUMENTS = 9

# They give as many pieces as they are given sizes or places for.
_PIECES = frozenset(["aten::split", "aten::split_with_sizes", "aten::tensor_split"])

_NO_ALIASES = Aliases()


class ScriptImporter:
    """Appends the nodes of TorchScript graphs to one dialect graph or block.

    Args:
        graph: what is appended to.
        module: what the graph's ``self`` stands for.
        diagnostics: gets a finding for every construct that the dialect has no form for.
        wrapper: name of the attribute that holds the model where ``module`` was made around it.
        outer: the importer of the graph around a block, or of the node whose graph is put in its place.
    """

    def __init__(
        self,
        graph: ir.Graph,
        module: torch._C.ScriptModule | None,
        diagnostics: DiagnosticContext,
        wrapper: str = "",
        outer: ScriptImporter | None = None,
    ) -> None:
        self.module = module
        self.diagnostics = diagnostics
        self.wrapper = wrapper
        self.archive: str = "" if outer is None else outer.archive
        """The file that ``module`` was read from, if it is known."""
        self.cells: dict[AttributePath, ir.Value] = {} if outer is None else outer.cells.copy()
        """What the attributes hold that the program changes, where the import stands."""
        self.tensors: Mapping[str, tuple[str, torch.Tensor]] = {} if outer is None else outer.tensors
        """Tensors of the model that are inputs of its graph: by their names there, with their paths."""
        self.is_sized: bool = False if outer is None else outer.is_sized
        """Whether the sizes that the graph has for tensors are those of every run."""
        self.dicts: dict[str, dict[object, ir.Value]] = {} if outer is None else outer.dicts
        """The items of dicts by the names of their values: dicts are taken apart where they are used."""
        self.weight_paths: dict[str, str] = {} if outer is None else outer.weight_paths
        """Where each initializer stands in the model, by its name in the graph."""
        self.unpacked: dict[AttributePath, UnpackedWeights] = {} if outer is None else outer.unpacked
        """What the packed weights hold that are in use, by their paths."""
        self._main: ir.Graph = graph if outer is None else outer._main
        self._values: dict[str, ir.Value] = {} if outer is None else outer._values.copy()
        self._names: set[str] = set() if outer is None else outer._names
        self._weights: dict[object, ir.Value] = {} if outer is None else outer._weights
        self._members: dict[str, list[ir.Value]] = {} if outer is None else outer._members
        self._count: itertools.count[int] = itertools.count() if outer is None else outer._count
        self.builder = GraphBuilder(graph, self._numbered)
        self._forms: Mapping[str, Callable[[torch._C.Node], None]] = {
            "prim::Constant": lambda _: None,  # made where it is used: only the user's type says what it is
            "prim::GetAttr": self._attribute,
            "prim::ListConstruct": self._list,
            "prim::TupleConstruct": self._tuple,
            "prim::TupleUnpack": self._unpack,
            "prim::ListUnpack": self._unpack,
            "prim::If": lambda node: import_branch(self, node),
            "prim::Loop": lambda node: import_loop(self, node),
        }

    def inner(self, graph: ir.Graph) -> ScriptImporter:
        """The importer of a block of this graph: it sees the values that are there so far."""
        return ScriptImporter(graph, self.module, self.diagnostics, self.wrapper, self)

    def inlined(self) -> ScriptImporter:
        """The importer of a graph of its own that goes where this one stands, and sees none of its values."""
        importer = self.inner(self.builder.graph)
        importer._values.clear()
        return importer

    @property
    def has_dynamic_inputs(self) -> bool:
        """Whether an input of the program has a dimension that is not a number."""
        shapes = [value.shape for value in self._main.inputs]
        return any(shape is not None and not shape.is_static() for shape in shapes)

    def unique_name(self, name: str) -> str:
        """``name``, or the first ``name_1``, ``name_2`` … that no value of the program has yet."""
        return take_name(name, self._names)

    def bind(self, value: torch._C.Value, imported: ir.Value) -> None:
        """Let ``imported`` stand for a value of the TorchScript graph."""
        self._values[value.debugName()] = imported

    def as_output(self, value: ir.Value) -> ir.Value:
        """``value``, or a copy of one that the graph does not compute, or gives already."""
        made_by = value.producer()
        is_constant = made_by is not None and made_by.op_type == "Constant"
        if made_by is not None and not is_constant and not value.is_graph_output():
            return value
        return self.builder.identity(value, self.unique_name(f"{value.name}_output"))

    def run(self, block: _Block) -> list[ir.Value]:
        """Import every node; return what the graph or block returns."""
        self.nodes(block)
        return [self.value(output) for output in block.outputs()]

    def nodes(self, block: _Block) -> None:
        """Import every node."""
        for node in block.nodes():
            self._node(node)

    def value(self, value: torch._C.Value, formal: torch._C.Argument | None = None) -> ir.Value:
        """The dialect value of a TorchScript one, as the argument ``formal`` of a schema if given."""
        name = value.debugName()
        if name in self._values:
            return self._values[name]
        node = value.node()
        if node.kind() == "prim::Constant":
            return self._constant(value, node, formal)
        if name in self.tensors:
            own_path, tensor = self.tensors[name]
            return self.weight(tensor, own_path)
        path = path_of(value)
        if path is None:
            raise LookupError(f"the graph uses %{name} before it is made")
        found = attribute_at(self._script_module, path)
        if isinstance(found, torch.ScriptObject):
            self.bind(value, packed_weights(self, found, path))
            return self._values[name]
        if isinstance(found, torch.Tensor):
            return self.weight(found, ".".join(path))
        return self.plain(found, value.type())

    @property
    def _script_module(self) -> torch._C.ScriptModule:
        if self.module is None:
            raise LookupError("a function has no attributes")
        return self.module

    def _numbered(self, stem: str) -> str:
        """Names of what the text of a program does not name."""
        return self.unique_name(f"{stem}_{next(self._count)}")

    # Constants and weights

    def _constant(
        self, value: torch._C.Value, node: torch._C.Node, formal: torch._C.Argument | None
    ) -> ir.Value:
        tensor = constant_tensor(node)
        if tensor is not None:
            return self.weight(tensor, f"constant_{value.debugName()}")
        found: object = value.toIValue()
        if isinstance(found, torch.ScriptObject):
            return packed_weights(self, found, (value.debugName(),))
        if formal is not None:
            found = argument_constant(found, formal.real_type)
        return self.plain(found, value.type())

    def plain(self, found: object, kind: torch._C.JitType) -> ir.Value:
        """A constant, or a list or tuple of constants."""
        while isinstance(kind, torch._C.OptionalType):
            kind = kind.getElementType()
        if isinstance(found, torch.Tensor):
            return self.weight(found, "constant")
        if isinstance(found, tuple):
            elements = kind.elements() if isinstance(kind, torch._C.TupleType) else [kind] * len(found)
            return self.builder.tuple([self.plain(*pair) for pair in zip(found, elements, strict=True)])
        if isinstance(found, list):
            element = kind.getElementType() if isinstance(kind, torch._C.ListType) else kind
            items = [self.plain(item, element) for item in found]
            return self.builder.list(items, dialect_type_of(element))
        if isinstance(found, int) and kind.kind() == "FloatType":
            found = float(found)
        return self.builder.constant(constant_of(found))

    def weight(self, tensor: torch.Tensor, path: str) -> ir.Value:
        """The initializer of a tensor of the model; one tensor under two names is one initializer."""
        key = view_key(tensor)
        path = path.removeprefix(f"{self.wrapper}.") if self.wrapper else path
        if key not in self._weights:
            self._weights[key] = self.own_weight(tensor, path)
        return self._weights[key]

    def own_weight(self, tensor: torch.Tensor, path: str) -> ir.Value:
        """An initializer of its own for a tensor of the model."""
        name = self.unique_name(path)
        value = typed_value(tensor, name)
        value.const_value = weight_tensor(tensor, name)
        self._main.register_initializer(value)
        self.weight_paths[name] = path
        return value

    # Nodes

    def _node(self, node: torch._C.Node) -> None:
        form = self._forms.get(node.kind())
        if form is not None and any(value.debugName() in self.dicts for value in node.inputs()):
            self.refuse(node, "a dict is put into it, and dicts are followed where they are made only")
            return
        try:
            (form or self._scripted)(node)
        except LookupError as error:
            self.refuse(node, str(error.args[0]))

    def _scripted(self, node: torch._C.Node) -> None:
        script_form = SCRIPT_FORMS.get(node.kind())
        if script_form is None or not script_form(self, node):
            self._call(node)

    def source(self, node: torch._C.Node) -> Source:
        """Where a node came from."""
        return source_of(node, self.wrapper, self.archive)

    def outputs(self, node: torch._C.Node) -> list[ir.Value]:
        """New values for the outputs of a node."""
        return [self.output(output) for output in node.outputs()]

    def output(self, output: torch._C.Value, *, is_refused: bool = False) -> ir.Value:
        """A new value for one that a node or a block defines."""
        name = self.unique_name(output.debugName())
        imported = typed_output(output, name, is_refused=is_refused, is_sized=self.is_sized)
        self.bind(output, imported)
        return imported

    def emit(
        self,
        op: OpName,
        inputs: Sequence[ir.Value],
        outputs: Sequence[ir.Value],
        node: torch._C.Node,
        marks: Aliases = _NO_ALIASES,
    ) -> None:
        """A call with the source of ``node``."""
        self.builder.call(op, inputs, outputs, marks, self.source(node))

    def _attribute(self, node: torch._C.Node) -> None:
        """A read of an attribute: what it holds now, where the program changes it; else made where used."""
        path = path_of(node.outputsAt(0))
        if path in self.cells:
            self.bind(node.outputsAt(0), self.cells[path])

    def _list(self, node: torch._C.Node) -> None:
        output = node.outputsAt(0)
        kind = dialect_type_of(output.type())
        items = [self.value(item) for item in node.inputs()]
        self.bind(output, self.builder.list(items, kind.elem_type if isinstance(kind, ListType) else None))

    def _tuple(self, node: torch._C.Node) -> None:
        self.bind(node.outputsAt(0), self.builder.tuple([self.value(item) for item in node.inputs()]))

    def _unpack(self, node: torch._C.Node) -> None:
        """Members of a list or tuple: those it was made of, or outputs of the call that made it."""
        members = self._members.get(node.inputsAt(0).debugName())
        if members is not None:
            for output, member in zip(node.outputs(), members, strict=True):
                self.bind(output, member)
            return
        whole = self.value(node.inputsAt(0))
        items = items_of(whole)
        if items is not None and node.kind() == "prim::TupleUnpack":  # a list may have grown since
            for output, item in zip(node.outputs(), items, strict=True):
                if item is not None:
                    self.bind(output, item)
            return
        outputs = self.outputs(node)
        views = tuple((position, 0) for position in range(len(outputs)))
        self.emit(OpName.parse(node.kind()), [whole], outputs, node, Aliases(views=views))

    def _call(self, node: torch._C.Node) -> None:
        schema = schema_of(node)
        if schema is None:
            self.refuse(node, "the torch dialect has no form for it")
            return
        given = list(node.inputs())
        inputs = self._arguments(schema, given)
        name = name_of_schema(schema)
        name = _SAME_AS.get(name, name)
        if schema.name == "aten::_convolution":  # the rest are flags for libraries of kernels
            inputs = inputs[:_CONVOLUTION_ARGUMENTS]
        op = find_operator(name) if len(given) == len(schema.arguments) else None
        outputs = self._unpacked(node) or self._counted(node, inputs) or self.outputs(node)
        marks = _NO_ALIASES if op is None else alias_marks(op, _constants(node), len(outputs))
        self.emit(name, inputs, outputs, node, marks)
        if len(outputs) > node.outputsSize() and node.outputsAt(0).debugName() not in self._members:
            self.bind(node.outputsAt(0), self.builder.list(outputs))

    def _arguments(self, schema: torch._C.FunctionSchema, given: Sequence[torch._C.Value]) -> list[ir.Value]:
        numbers = [wrapped(value) for value in given] if takes_numbers(schema.name) else [None] * len(given)
        # What a schema with a variable number of arguments does not name has no type there.
        formals = [*schema.arguments, *itertools.repeat(None, max(0, len(given) - len(schema.arguments)))]
        return [
            self.value(value, formal) if number is None else self.builder.constant(constant_of(number))
            for value, number, formal in zip(given, numbers, formals, strict=True)
        ]

    def _unpacked(self, node: torch._C.Node) -> list[ir.Value]:
        """Outputs for the members of the list that a call gives, if it is unpacked and nothing else."""
        if node.outputsSize() != 1 or not isinstance(node.outputsAt(0).type(), torch._C.ListType):
            return []
        unpacks = [use.user for use in node.outputsAt(0).uses()]
        if not unpacks or any(user.kind() != "prim::ListUnpack" for user in unpacks):
            return []
        members = [
            typed_output(output, self.unique_name(output.debugName()), is_sized=self.is_sized)
            for output in unpacks[0].outputs()
        ]
        self._members[node.outputsAt(0).debugName()] = members
        return members

    def _counted(self, node: torch._C.Node, inputs: Sequence[ir.Value]) -> list[ir.Value]:
        """Outputs for the members of a list of pieces, where an argument says how many there are."""
        kind = node.outputsAt(0).type() if node.outputsSize() == 1 else None
        if node.kind() not in _PIECES or not isinstance(kind, torch._C.ListType):
            return []
        given = items_of(inputs[1])
        number = None if given is not None else known_constant(inputs[1])
        if node.kind() == "aten::tensor_split":
            count = number if isinstance(number, int) else len(given) + 1 if given is not None else 0
        else:
            count = 0 if given is None else len(given)
        name = node.outputsAt(0).debugName()
        element = kind.getElementType()
        members = [value_of_type(element, self.unique_name(name)) for _ in range(count)]
        return members if count > 1 else []

    def refuse(self, node: torch._C.Node, reason: str) -> None:
        """Report a construct that the dialect has no form for; stand-ins are its results."""
        source, construct = self.source(node), node.kind()
        report_construct(self.diagnostics, source, construct, reason)
        outputs = [self.output(output, is_refused=True) for output in node.outputs()]
        self.builder.call(OpName(UNSUPPORTED, construct.replace("::", "_")), [], outputs, source=source)


def _constants(node: torch._C.Node) -> list[object]:
    """The arguments that are constants; others as the values that they are."""
    return [_constant_or_value(value) for value in node.inputs()]


def _constant_or_value(value: torch._C.Value) -> object:
    return value.toIValue() if value.node().kind() == "prim::Constant" else value
