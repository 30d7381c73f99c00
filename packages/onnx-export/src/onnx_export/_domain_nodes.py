"""Calls that are written as one node of a domain that ONNX does not define, on request."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.contracts import Lowering, Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame, size_vector
from onnx_ir_capture.emit.schemas import MIN_OPSET
from onnx_ir_capture.interpreter import find_operator
from onnx_torchlib import Op

__all__ = ["PLACES", "DomainTable", "append_node", "element_kind", "schema_signature"]

PLACES = frozenset(["Device", "Generator", "Layout", "MemoryFormat", "Stream"])
"""Schema types of what only says where or how a tensor lies."""


class DomainTable:
    """Writes the operators of some libraries as nodes of a domain that has the library's name.

    Tensors and numbers of run time become the node's inputs, in the order of the schema, and constants its
    attributes, by name. Arguments that only say where a tensor lies are left out.

    Args:
        versions: namespace of ``torch.library`` to the version of the domain.

    Raises:
        TypeError: a namespace is no string, or a version no positive integer.
        ValueError: a namespace is one of ONNX's or torch's own.
    """

    def __init__(self, versions: Mapping[str, int]) -> None:
        for domain, version in versions.items():
            _check_domain(domain, version)
        self._versions = dict(versions)
        self._found: dict[OpName, Lowering] = {}

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return "custom_opsets"

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The one way of writing ``op``, if its library is among those that were named."""
        del opset
        if op not in self._found:
            overload = find_operator(op) if op.domain in self._versions else None
            if overload is None:
                return None
            function = _NodeFunction(overload, op, self._versions[op.domain])
            self._found[op] = Lowering(str(op), function, MIN_OPSET, self.name, custom=True)
        return self._found[op]

    def first_opset(self, op: OpName) -> int | None:
        """The lowest opset of ai.onnx that files have beside such nodes."""
        return MIN_OPSET if op.domain in self._versions else None

    def context(self, frame: GraphFrame) -> Op:
        """What the nodes are written to."""
        return Op(frame)


def _check_domain(domain: object, version: object) -> None:
    if not isinstance(domain, str) or not isinstance(version, int) or isinstance(version, bool):
        raise TypeError(f"custom_opsets takes {{'domain': version}}, got {domain!r}: {version!r}")
    if version < 1:
        raise ValueError(f"custom_opsets: the version of {domain!r} must be 1 or more, got {version}")
    if domain in ("", "ai.onnx", "aten", "prim", "prims"):
        raise ValueError(f"custom_opsets: {domain!r} is no domain of custom operators")


class _NodeFunction:
    """Writes calls of one operator as nodes."""

    def __init__(self, overload: torch._ops.OpOverload[..., object], name: OpName, version: int) -> None:
        self._overload, self._name, self._version = overload, name, version
        self.__name__ = self.__qualname__ = f"custom_opsets[{name.domain!r}]"
        # What the driver reads of a function.
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}

    def __call__(self, op: Op, *arguments: object) -> Sequence[Value]:
        inputs: list[Value | None] = []
        attributes: list[ir.Attr] = []
        has_list = False
        for formal, argument in zip(self._overload._schema.arguments, arguments, strict=True):
            kind = element_kind(formal)
            given = _inputs(op, argument, kind)
            if given and has_list:
                op.refuse("a list of tensors comes before other inputs, which a node cannot tell apart")
            inputs += given
            has_list = has_list or (kind == "Tensor" and isinstance(argument, list))
            if not given and kind not in PLACES and kind != "Tensor" and argument is not None:
                attributes.append(_attribute(op, formal.name, argument, kind))
        op.frame.domains[self._name.domain] = self._version
        suffix = f"_{self._name.overload}" if self._name.overload else ""
        return append_node(op, self._name.domain, self._name.name + suffix, inputs, attributes)


def schema_signature(overload: torch._ops.OpOverload[..., object] | None) -> inspect.Signature:
    """``op``, and one parameter per argument of the schema, or those that functions on numbers may have."""
    names = ["op", *("abc" if overload is None else (a.name for a in overload._schema.arguments))]
    # Positional only, since a schema may call an argument by a word of Python's.
    kind = inspect.Parameter.POSITIONAL_ONLY
    return inspect.Signature([inspect.Parameter(name, kind) for name in names])


def append_node(
    op: Op, domain: str, op_type: str, inputs: Sequence[Value | None], attributes: Sequence[ir.Attr]
) -> Sequence[Value]:
    """A node whose outputs have the types that the program says."""
    expected = op.frame.expected
    node = ir.Node(domain, op_type, inputs, attributes, num_outputs=len(expected))
    for wanted, output in zip(expected, node.outputs, strict=True):
        output.type = ir.TensorType(wanted.dtype or ir.DataType.UNDEFINED)
        output.shape = None if wanted.shape is None else wanted.shape.copy()
    op.frame.graph.append(node)
    op.frame.created(node)
    return node.outputs


def element_kind(formal: torch._C.Argument) -> str:
    """The element type of an argument: ``int`` of ``int[]?``."""
    kind = formal.real_type
    while isinstance(kind, torch._C.OptionalType | torch._C.ListType):
        kind = kind.getElementType()
    return str(kind)


def _inputs(op: Op, argument: object, kind: str) -> list[Value | None]:
    """What of an argument becomes inputs: tensors, and numbers that are known at run time only."""
    if isinstance(argument, ir.Value):
        return [argument]
    if kind == "Tensor":
        if argument is None:
            return [None]
        items = argument if isinstance(argument, list) else [argument]
        return [_tensor(op, item) for item in items]
    if isinstance(argument, list) and any(isinstance(item, ir.Value) for item in argument):
        return [size_vector(op, [item for item in argument if isinstance(item, int | ir.Value)])]
    return []


def _tensor(op: Op, item: object) -> Value | None:
    if item is None or isinstance(item, ir.Value):
        return item
    if not isinstance(item, bool | int | float):
        op.refuse(f"{item!r} is passed for a tensor")
    dtypes = {bool: ir.DataType.BOOL, int: ir.DataType.INT64, float: ir.DataType.FLOAT}
    return op.constant(item, dtypes[type(item)])


def _attribute(op: Op, name: str, value: object, kind: str) -> ir.Attr:
    """A constant as an attribute; the schema tells the type of an empty list."""
    if isinstance(value, list) and kind == "float":
        return ir.AttrFloat32s(name, [float(item) for item in value])
    if isinstance(value, list) and kind == "str":
        return ir.AttrStrings(name, [str(item) for item in value])
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return ir.AttrInt64s(name, [int(item) for item in value])
    if isinstance(value, float):
        return ir.AttrFloat32(name, value)
    if isinstance(value, int):  # a bool and a dtype, too
        return ir.AttrInt64(name, int(value))
    if not isinstance(value, str):
        op.refuse(f"its argument {name!r} is {value!r}, which no attribute can be")
    return ir.AttrString(name, value)
