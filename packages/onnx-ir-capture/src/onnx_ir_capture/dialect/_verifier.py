"""What makes an onnx_ir graph a program of the torch dialect, checked node by node."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect._build import op_name
from onnx_ir_capture.dialect._errors import DialectError
from onnx_ir_capture.dialect._literals import is_literal
from onnx_ir_capture.dialect._source import get_source
from onnx_ir_capture.dialect._structure import STRUCTURAL_FAULTS, blocks_of
from onnx_ir_capture.dialect._text import typed_text, value_text
from onnx_ir_capture.dialect._types import ScalarType

__all__ = ["Finding", "findings", "verify"]

_SAVED_ATTRIBUTES = frozenset(
    [ir.AttributeType.INT, ir.AttributeType.INTS, ir.AttributeType.STRING, ir.AttributeType.STRINGS]
)
_NEW_NAMES = "onnx_ir's NameFixPass gives new ones"
_IDENTITY = "prim::Identity makes a value of its own"
_UNDEFINED = "is not defined at this point (only later, in another block or in another graph)"


@dataclasses.dataclass(frozen=True)
class Finding:
    """One fault of a program: what is wrong, and the node at which it shows.

    ``node`` is None for a fault of the program's own inputs, weights or outputs.
    """

    message: str
    node: ir.Node | None = None

    def __str__(self) -> str:
        node = self.node
        if node is None:
            return self.message
        results = ", ".join(map(value_text, node.outputs))
        text = f"{results}{' = ' if results else ''}{op_name(node)}: {self.message}"
        source = get_source(node)
        if source is None:
            return text + _user_text(node)
        where = [f"{frame.file}:{frame.line}" for frame in source.frames[:1]]
        where += [f"in {source.module}"] if source.module else []
        return f"{text} ({' '.join(where)})" if where else text


def _user_text(node: ir.Node) -> str:
    """The call in which a list or constant is printed, since its own name is not."""
    users = [use.node for output in node.outputs for use in output.uses()]
    if not is_literal(node) or not users:
        return ""
    results = ", ".join(map(value_text, users[0].outputs))
    return f" (used by {results}{' = ' if results else ''}{op_name(users[0])})"


def verify(program: ir.Model | ir.Graph) -> None:
    """Check that a program is one of the torch dialect.

    Raises:
        DialectError: it is not; the message lists every finding.
    """
    faults = findings(program)
    if faults:
        lines = "\n".join(f"  {fault}" for fault in faults)
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise DialectError(f"{count} in the dialect program:\n{lines}")


def findings(program: ir.Model | ir.Graph) -> list[Finding]:
    """Everything that :func:`verify` would complain of, in the order of the nodes."""
    walk = _Walk()
    walk.block(program.graph if isinstance(program, ir.Model) else program, None)
    return walk.faults


class _Walk:
    """Walks the blocks in order, knowing which values and names are visible."""

    def __init__(self) -> None:
        self.faults: list[Finding] = []
        self._visible: set[ir.Value] = set()
        self._names: set[str] = set()

    def block(self, graph: ir.Graph, owner: ir.Node | None) -> None:
        own: dict[ir.Value, str] = {}
        for value in graph.inputs:
            self._define(value, own, owner)
        for weight in graph.initializers.values():
            if owner is not None:
                self._report(
                    f"its block holds the weight {value_text(weight)}; weights stand in the main graph", owner
                )
            self._define(weight, own, owner)
        for node in graph:
            self._node(node)
            for value in node.outputs:
                self._define(value, own, node)
        self._outputs(graph, own, owner)
        self._visible.difference_update(own)
        self._names.difference_update(own.values())

    def _report(self, message: str, node: ir.Node | None) -> None:
        self.faults.append(Finding(message, node))

    def _define(self, value: ir.Value, own: dict[ir.Value, str], node: ir.Node | None) -> None:
        name, type_ = value.name, value.type
        if value in self._visible:
            self._report(f"{value_text(value)} is both an input and a weight", node)
            return
        self._visible.add(value)
        own[value] = ""
        if not name:
            self._report("a value has no name", node)
        elif name in self._names:
            self._report(
                f"the name {value_text(value)} is taken here or in a block around: {_NEW_NAMES}", node
            )
        else:
            self._names.add(name)
            own[value] = name
        if type_ is None:
            self._report(f"{value_text(value)} has no type", node)
        elif isinstance(type_, ScalarType) and (value.shape is None or len(value.shape) != 0):
            self._report(f"{value_text(value)} is {typed_text(value)}, but the shape of a scalar is []", node)

    def _outputs(self, graph: ir.Graph, own: dict[ir.Value, str], owner: ir.Node | None) -> None:
        seen: set[ir.Value] = set()
        block = "the graph" if owner is None else "a block of it"
        for value in graph.outputs:
            if value in seen:
                self._report(f"{block} returns {value_text(value)} twice: {_IDENTITY}", owner)
            elif value not in own:
                self._report(
                    f"{block} returns {value_text(value)} and does not define it: {_IDENTITY}", owner
                )
            seen.add(value)

    def _node(self, node: ir.Node) -> None:
        visible = self._visible
        for position, value in enumerate(node.inputs):
            if value is None:
                self._report(f"input {position} is missing; an absent argument is the constant None", node)
            elif value not in visible:
                self._report(f"input {position}, {value_text(value)}, {_UNDEFINED}", node)
        structural = STRUCTURAL_FAULTS.get(node.op_type) if node.domain == "prim" else None
        faults = _call_faults(node) if structural is None else structural(node)
        for fault in faults:
            self._report(fault, node)
        for block in blocks_of(node):
            self.block(block, node)


def _call_faults(node: ir.Node) -> Sequence[str]:
    attributes = node.attributes
    mutates, views = attributes.get("mutates"), attributes.get("views")
    faults: list[str] = []
    if mutates is None or views is None:
        faults.append("a call without alias marks (attributes mutates and views)")
    elif mutates.value or views.value:
        faults += _mark_faults(node, mutates, views)
    if not node.inputs and not node.outputs:
        faults.append("neither input nor output, which no ONNX file can hold")
    if len(attributes) > 2:
        faults += [
            f"attribute {name} is a {attribute.type.name}: what is no int or string is an input"
            for name, attribute in attributes.items()
            if attribute.type not in _SAVED_ATTRIBUTES
        ]
    return faults


def _mark_faults(node: ir.Node, mutates: ir.Attr, views: ir.Attr) -> Iterator[str]:
    if mutates.type != ir.AttributeType.INTS or views.type != ir.AttributeType.INTS:
        yield "alias marks that are no lists of ints"
        return
    flat = list(views.as_ints())
    if len(flat) % 2:
        yield "views holds an odd number of ints; they are pairs of output and input"
        flat.pop()
    for position in (*mutates.as_ints(), *flat[1::2]):
        if not 0 <= position < len(node.inputs):
            yield f"an alias mark names input {position}, but there are {len(node.inputs)} inputs"
    for position in flat[::2]:
        if not 0 <= position < len(node.outputs):
            yield f"an alias mark names output {position}, but there are {len(node.outputs)} outputs"
