"""Text form of a dialect program: for people, for golden tests, and for :mod:`._parser` to read again.

::

    torch dialect 1
    graph main(%x: f32[batch, 3], %c: bool) {
      weight %fc.weight: f32[10, 3]
      %add: f32[batch, 3] = aten::add.Tensor(%x, 1.0, 1) @ layer.0 model.py:12
      %y: f32[batch, 3] = prim::If(%c) {
        %a: f32[batch, 3] = aten::relu_(%add) mutates(0) views(0->0)
        yield %a
      } else {
        %b: f32[batch, 3] = prim::Identity(%add)
        yield %b
      }
      return %y
    }

Constants stand where they are used, and so do a list or tuple that only one node of the same block uses;
what a block defines and nobody uses of these is not printed. ``torch dialect 1 exact`` says that the view
marks are exact (:func:`mark_exact`). A list or tuple whose type does not follow
from its items is annotated: ``[]: list<int>``. A tensor has brackets for its shape (``[...]`` is unknown
rank, ``?`` an unknown size), a scalar has none. Names of nodes, metadata and functions are not printed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.dialect._build import DIALECT_VERSION, NO_ALIASES, aliases_of
from onnx_ir_capture.dialect._constants import constant_value, is_constant
from onnx_ir_capture.dialect._exactness import are_marks_exact
from onnx_ir_capture.dialect._literals import is_construct
from onnx_ir_capture.dialect._source import get_source
from onnx_ir_capture.dialect._structure import BLOCK_NAMES, STRUCTURAL_FAULTS, blocks_of
from onnx_ir_capture.dialect._text import (
    constant_text,
    inferred_type,
    op_text,
    typed_text,
    value_text,
    word,
)
from onnx_ir_capture.dialect._types import type_text

__all__ = ["print_program"]

_INDENT = "  "
_EXACT_FLOATS = (np.float16, np.float32, np.float64)


def print_program(program: ir.Model | ir.Graph, *, sources: bool = False, max_elements: int = 0) -> str:
    """Print a program, ending in a newline.

    Args:
        program: a model or its graph; what is wrong with it shows in the text as far as possible.
        sources: append the module and the innermost line of each node's source.
        max_elements: print the values of weights with at most so many elements, exactly and in row-major
            order. With 0 no weight is read.
    """
    graph = program.graph if isinstance(program, ir.Model) else program
    printer = _Printer(sources, max_elements)
    printer.graph(graph)
    exact = " exact" if are_marks_exact(graph) else ""
    return "\n".join([f"torch dialect {DIALECT_VERSION}{exact}", *printer.lines, ""])


class _Printer:
    def __init__(self, sources: bool, max_elements: int) -> None:
        self.lines: list[str] = []
        self._sources = sources
        self._max_elements = max_elements

    def graph(self, graph: ir.Graph) -> None:
        self.lines.append(f"graph {word(graph.name or 'main')}({_params(graph)}) {{")
        self._block(graph, _INDENT, "return")
        self.lines.append("}")

    def _block(self, graph: ir.Graph, indent: str, last: str) -> None:
        for weight in graph.initializers.values():
            self.lines.append(f"{indent}weight {_result(weight)}{self._elements(weight)}")
        for node in graph:
            if not all(_stands_in_place(output) for output in node.outputs) or not node.outputs:
                self._node(node, indent)
        outputs = ", ".join(_output_operand(output) for output in graph.outputs)
        self.lines.append(f"{indent}{last} {outputs}".rstrip())

    def _node(self, node: ir.Node, indent: str) -> None:
        results = ", ".join(map(_result, node.outputs))
        head = f"{indent}{results}{' = ' if results else ''}{op_text(node)}"
        blocks = blocks_of(node)
        line = f"{head}{_attributes(node)}({_arguments(node)}){_marks(node)}{self._source(node)}"
        if not blocks:
            self.lines.append(line)
            return
        params = f" ({_params(blocks[0])})" if node.op_type == "Loop" else ""
        self.lines.append(f"{line}{params} {{")
        for position, block in enumerate(blocks):
            if position:
                self.lines.append(f"{indent}}} else {{")
            self._block(block, indent + _INDENT, "yield")
        self.lines.append(f"{indent}}}")

    def _source(self, node: ir.Node) -> str:
        source = get_source(node) if self._sources else None
        if source is None:
            return ""
        where = [word(source.module)] if source.module else []
        where += [f"{word(frame.file)}:{frame.line}" for frame in source.frames[:1]]
        return " @ " + " ".join(where) if where else ""

    def _elements(self, weight: ir.Value) -> str:
        tensor = weight.const_value
        if tensor is None or tensor.dtype == ir.DataType.STRING:
            return ""
        if self._max_elements == 0 or math.prod(tensor.shape.numpy()) > self._max_elements:
            return ""
        return f" = [{', '.join(map(_element_text, tensor.numpy().ravel()))}]"


def _element_text(element: np.generic) -> str:
    if isinstance(element, _EXACT_FLOATS):
        # Shortest text that gives the same number back in this precision.
        return str(element)
    if isinstance(element, np.bool_):
        return str(bool(element))
    if isinstance(element, np.integer):
        return str(int(element))
    if isinstance(element, np.complexfloating):
        return constant_text(complex(element))
    # The types of ml_dtypes are no subclasses of numpy's.
    as_float = float(element)
    return str(int(as_float)) if "int" in element.dtype.name else constant_text(as_float)


def _result(value: ir.Value) -> str:
    return f"{value_text(value)}: {typed_text(value)}"


def _params(graph: ir.Graph) -> str:
    return ", ".join(map(_result, graph.inputs))


def _operand(value: ir.Value | None) -> str:
    node = None if value is None else value.producer()
    if value is None or node is None or not _stands_in_place(value):
        return value_text(value)
    if node.op_type == "Constant":
        return constant_text(constant_value(value))
    items = ", ".join(map(_operand, node.inputs))
    text = f"[{items}]" if node.op_type == "ListConstruct" else f"({items}{',' * (len(node.inputs) == 1)})"
    inferred = inferred_type(node.op_type, node.inputs)
    told = inferred is not None and type_text(inferred) == type_text(value.type)
    return text if told else f"{text}: {type_text(value.type)}"


def _output_operand(value: ir.Value) -> str:
    return constant_text(constant_value(value)) if _is_readable_constant(value) else value_text(value)


def _stands_in_place(value: ir.Value) -> bool:
    node = value.producer()
    if node is None or node.domain != "prim":
        return False
    if node.op_type == "Constant":
        return _is_readable_constant(value)
    if not is_construct(node) or node.attributes or value.shape is not None:
        return False
    uses = value.uses()
    return (
        len(uses) == 1
        and next(iter(uses)).node.graph is node.graph
        and not value.is_graph_output()
        and len(node.outputs) == 1
    )


def _is_readable_constant(value: ir.Value) -> bool:
    """False for one that the verifier will name: it is printed as a node with its attributes then."""
    if not is_constant(value):
        return False
    try:
        constant_value(value)
    except (ValueError, TypeError, KeyError):
        return False
    return True


def _arguments(node: ir.Node) -> str:
    carried = _carried_count(node)
    if carried is None:
        return ", ".join(map(_operand, node.inputs))
    parts = list(map(_operand, node.inputs[:2]))
    groups: Iterable[tuple[str, Sequence[ir.Value | None]]] = (
        ("carried", node.inputs[2 : 2 + carried]),
        ("captured", node.inputs[2 + carried :]),
    )
    parts += [f"{name}({', '.join(map(_operand, values))})" for name, values in groups if values]
    return ", ".join(parts)


def _carried_count(node: ir.Node) -> int | None:
    """Number of carried values of a loop; None for other nodes and for a loop that says nonsense."""
    attribute = node.attributes.get("carried")
    if node.domain != "prim" or node.op_type != "Loop" or attribute is None:
        return None
    count = attribute.as_int()
    return count if 0 <= count <= len(node.inputs) - 2 else None


def _attributes(node: ir.Node) -> str:
    known = {"mutates", "views"} if _has_marks(node) else set()
    if node.domain == "prim":
        known |= {
            *BLOCK_NAMES.get(node.op_type, ()),
            *(["carried"] if _carried_count(node) is not None else []),
        }
    shown = [
        f"{word(name)}={_attribute_text(attr)}" for name, attr in node.attributes.items() if name not in known
    ]
    return f"[{', '.join(shown)}]" if shown else ""


def _attribute_text(attribute: ir.Attr) -> str:
    kind = attribute.type
    if kind == ir.AttributeType.INT:
        return str(attribute.as_int())
    if kind == ir.AttributeType.STRING:
        return json.dumps(attribute.as_string())
    if kind == ir.AttributeType.INTS:
        return f"ints[{', '.join(map(str, attribute.as_ints()))}]"
    if kind == ir.AttributeType.STRINGS:
        return f"strings[{', '.join(map(json.dumps, attribute.as_strings()))}]"
    # No operator of the dialect holds others; the parser refuses them.
    return f"<{kind.name}>"


def _has_marks(node: ir.Node) -> bool:
    try:
        aliases_of(node)
    except (ValueError, TypeError):
        return False
    return True


def _marks(node: ir.Node) -> str:
    if not _has_marks(node):
        return "" if node.domain == "prim" and node.op_type in STRUCTURAL_FAULTS else " unmarked"
    aliases = aliases_of(node)
    if aliases == NO_ALIASES:
        return ""
    mutates = f" mutates({', '.join(map(str, aliases.mutates))})" if aliases.mutates else ""
    pairs = ", ".join(f"{output}->{input_}" for output, input_ in aliases.views)
    return f"{mutates} views({pairs})" if pairs else mutates
