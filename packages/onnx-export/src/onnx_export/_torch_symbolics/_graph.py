"""The graph that symbolic functions see: one of TorchScript's, beside the ONNX graph that it stands for.

Functions written for torch.onnx ask values for ``type()``, ``node()`` and more, and torch's own helpers ask
whether they are ``torch._C.Value``. So that is what they get: each value of the small graph that is made for
one call stands for a value of the ONNX graph, or for a constant, a list or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._torch_symbolics._attributes import (
    Attribute,
    attribute_of,
    check_attributes,
    ir_attribute,
    read_attributes,
    tensor_of,
)
from onnx_export._torch_symbolics._promotion import Operand, common_dtype
from onnx_export._torch_symbolics._types import dtype_in_torch, script_type, shape_of_type
from onnx_ir_capture.emit import schemas, size_vector
from onnx_torchlib import Op

__all__ = ["ScratchGraph"]

_ATEN_DOMAIN = "org.pytorch.aten"

_CONSTRUCTS = frozenset(["Constant", "ListConstruct", "TupleConstruct"])


class ScratchGraph:
    """A TorchScript graph whose values stand for those of the ONNX graph that ``op`` appends to.

    Args:
        op: appends to the ONNX graph.
        versions: versions of domains other than ai.onnx; 1 for those that are not here.
    """

    def __init__(self, op: Op, versions: Mapping[str, int]) -> None:
        self.op = op
        self.graph = torch._C.Graph()
        self._versions = versions
        self._lowered: dict[int, ir.Value] = {}

    # Values for the function

    def tensor(self, value: ir.Value) -> torch._C.Value:
        """The value that stands for one of the ONNX graph."""
        given = self.graph.addInput()
        if value.name is not None and value.name.isidentifier():
            given.setDebugName(value.name)
        return self.bind(given, value)

    def constant(self, tensor: torch.Tensor) -> torch._C.Value:
        """An ``onnx::Constant`` of a tensor."""
        node = self._inserted("onnx::Constant", [])
        node.t_("value", tensor)
        node.output().inferTypeFrom(tensor)
        return node.output()

    def text(self, text: str) -> torch._C.Value:
        """An ``onnx::Constant`` of a string."""
        node = self._inserted("onnx::Constant", [])
        node.s_("value", text)
        return node.output().setType(torch._C.StringType.get())

    def none(self) -> torch._C.Value:
        """What stands for None, and for an input that is left out."""
        return self._inserted("prim::Constant", []).output().setType(torch._C.NoneType.get())

    def construct(self, items: Sequence[torch._C.Value], element: torch._C.JitType) -> torch._C.Value:
        """A ``prim::ListConstruct``."""
        node = self._inserted("prim::ListConstruct", items)
        return node.output().setType(torch._C.ListType(element))

    def bind(self, value: torch._C.Value, lowered: ir.Value) -> torch._C.Value:
        """Let ``value`` stand for ``lowered``, and have its type."""
        self._lowered[value.unique()] = lowered
        if lowered.dtype is None and lowered.shape is None:
            return value
        return value.setType(script_type(lowered.dtype, lowered.shape))

    def create(self, kind: str, inputs: Sequence[torch._C.Value], outputs: int) -> torch._C.Node:
        """A node, which :meth:`emit` writes once it has its attributes."""
        return self._inserted(kind, inputs, outputs)

    def _inserted(self, kind: str, inputs: Sequence[torch._C.Value], outputs: int = 1) -> torch._C.Node:
        return self.graph.insertNode(self.graph.create(kind, list(inputs), outputs))

    # What the function made, in the ONNX graph

    def emit(self, node: torch._C.Node) -> None:
        """Append what ``node`` says to the ONNX graph; constants and lists are made where they are used.

        Raises:
            ValueError: no ONNX graph can hold it.
        """
        domain, _, op_type = node.kind().partition("::")
        if (domain == "prim" and op_type in _CONSTRUCTS) or node.kind() == "onnx::Constant":
            _infer_construct(node)
            return
        if domain == "prim" or (domain == "aten" and op_type != "ATen"):
            raise ValueError(
                f"it writes {node.kind()}, an operator of torch, which an ONNX file cannot hold: call "
                "g.op with operators of ONNX, or g.at for an ATen operator as a node"
            )
        attributes = read_attributes(node)
        if domain == "onnx":
            results = self._operator(op_type, node, attributes)
        else:
            results = self._custom(_ATEN_DOMAIN if domain == "aten" else domain, op_type, node, attributes)
        for output, lowered in zip(node.outputs(), results, strict=True):
            self.bind(output, lowered)

    def lowered(self, value: torch._C.Value) -> ir.Value | None:
        """The ONNX value that ``value`` stands for; None for what stands for no input.

        Raises:
            ValueError: no ONNX value can be what it is.
        """
        known = self._lowered.get(value.unique())
        if known is None:
            known = self._made(value)
            if known is None:
                return None
            self._lowered[value.unique()] = known
        _complete(known, value.type())
        return known

    def _made(self, value: torch._C.Value) -> ir.Value | None:
        node = value.node()
        if node.mustBeNone():
            return None
        if node.kind() == "prim::ListConstruct":
            return self._list([self.lowered(item) for item in node.inputs()])
        tensor = _tensor_held(node)
        if tensor is not None:
            return self.op.frame.tensor(tensor_of(tensor))
        if node.kind() == "onnx::Constant":
            raise ValueError(f"a node takes the constant {node}".strip() + ", which is no tensor")
        raise ValueError(
            f"%{value.debugName()}, made by {node.kind()}, is used, and no ONNX value stands for it: make "
            "values by g.op"
        )

    def _list(self, items: Sequence[ir.Value | None]) -> ir.Value:
        known = [item for item in items if item is not None]
        if len(known) < len(items):
            raise ValueError("a list with None in it is passed to a node")
        if all(_is_integer(item) for item in known):
            return size_vector(self.op, known)
        return self.op.node("SequenceConstruct", known)[0]

    def _operator(
        self, op_type: str, node: torch._C.Node, attributes: Mapping[str, Attribute]
    ) -> Sequence[ir.Value]:
        opset = self.op.opset
        if schemas.exists(op_type, opset):
            check_attributes(op_type, opset, node.inputsSize(), attributes)
        inputs = self._inputs(op_type, node)
        return self.op.node(
            op_type, inputs, {name: found.value for name, found in attributes.items()}, node.outputsSize()
        )

    def _inputs(self, op_type: str, node: torch._C.Node) -> list[ir.Value | None]:
        """The inputs, cast to one dtype where the operator wants that."""
        given = list(node.inputs())
        inputs = [self.lowered(value) for value in given]
        operands = [
            Operand(
                None if lowered is None else dtype_in_torch(lowered.dtype),
                lowered is not None and lowered.shape is not None and len(lowered.shape) == 0,
            )
            for lowered in inputs
        ]
        found = common_dtype(op_type, operands)
        if found is not None:
            first, dtype = found
            for place in range(first, len(given)):
                inputs[place] = self._cast(given[place], inputs[place], dtype)
        while inputs and inputs[-1] is None:
            inputs.pop()
        return inputs

    def _cast(self, value: torch._C.Value, lowered: ir.Value | None, dtype: torch.dtype) -> ir.Value | None:
        tensor = _tensor_held(value.node())
        if tensor is not None:
            return self.op.frame.tensor(tensor_of(tensor.to(dtype)))
        return None if lowered is None else self.op.cast(lowered, tensor_adapters.from_torch_dtype(dtype))

    def _custom(
        self, domain: str, op_type: str, node: torch._C.Node, attributes: Mapping[str, Attribute]
    ) -> Sequence[ir.Value]:
        """A node of a domain of its own, whose results have the types that the function sets."""
        inputs = [self.lowered(value) for value in node.inputs()]
        attrs = [ir_attribute(name, found) for name, found in attributes.items()]
        made = ir.Node(domain, op_type, inputs, attrs, num_outputs=node.outputsSize())
        frame = self.op.frame
        frame.domains.setdefault(domain, self._versions.get(domain, 1))
        frame.graph.append(made)
        frame.created(made)
        return made.outputs


def _infer_construct(node: torch._C.Node) -> None:
    """The type of a constant, list or tuple that a function wrote by ``g.op``."""
    tensor = _tensor_held(node)
    if tensor is not None:
        node.output().inferTypeFrom(tensor)
    elements: list[torch._C.JitType | None] = [value.type() for value in node.inputs()]
    if node.kind() == "prim::TupleConstruct":
        node.output().setType(torch._C.TupleType(elements))
    elif node.kind() == "prim::ListConstruct":
        element = next(iter(elements), None)
        node.output().setType(torch._C.ListType(element or torch._C.TensorType.get()))


def _tensor_held(node: torch._C.Node) -> torch.Tensor | None:
    """What a constant holds, as a tensor; None where it holds something else, or is no constant."""
    if node.kind() == "prim::Constant":
        held: object = node.output().toIValue()
        return torch.tensor(held) if isinstance(held, int | float | torch.Tensor) else None
    if node.kind() != "onnx::Constant":
        return None
    for name in node.attributeNames():
        kind, found = node.kindOf(name), attribute_of(node, name)
        if kind in ("t", "z"):
            return found if isinstance(found, torch.Tensor) else None
        if kind in ("i", "is", "f", "fs"):
            return torch.tensor(found)
    return None


def _is_integer(value: ir.Value) -> bool:
    """Whether it is a size: an integer without dimensions."""
    return value.dtype == ir.DataType.INT64 and value.shape is not None and len(value.shape) == 0


def _complete(lowered: ir.Value, kind: torch._C.JitType) -> None:
    """Give a value of unknown type what the function has set with ``setType``."""
    dtype, shape = shape_of_type(kind)
    if lowered.dtype is None and dtype is not None:
        lowered.type = ir.TensorType(dtype)
    if lowered.shape is None and shape is not None:
        lowered.shape = shape
