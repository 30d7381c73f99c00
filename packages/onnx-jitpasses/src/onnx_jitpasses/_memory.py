"""Which values of a program may share memory, by the alias marks of its nodes."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator

import onnx_ir as ir

from onnx_ir_capture.dialect import Effect, ScalarType, effects_of, op_name
from onnx_jitpasses._base import reads_strides
from onnx_jitpasses._graphs import blocks_of, mutated, viewed
from onnx_jitpasses._words import words

__all__ = ["Memory"]

# Operators that may return (a view of) an input although their schemas have no alias annotation: those that
# did when each operator of torch 2.13 ran on sample tensors, and those whose kernels do for other arguments.
_UNDECLARED_VIEWS = words(
    """
    _cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long _cast_Short
    _pack_sequence _remove_batch_dim _saturate_weight_to_fp16 _to_cpu _unsafe_view alpha_dropout atleast_1d
    atleast_2d atleast_3d broadcast_tensors cartesian_prod channel_shuffle conj_physical cumprod_backward data
    dropout einsum feature_alpha_dropout feature_dropout flatten_dense_tensors lift meshgrid
    native_channel_shuffle native_dropout set to_dense to_dense_backward type_as unsafe_chunk unsafe_split
    unsafe_split_with_sizes
    """
)

# Results of these may hold one element in several places, so that a write to one shows in others.
_OVERLAPPING = words(
    """
    as_strided broadcast_tensors broadcast_to einsum expand expand_as meshgrid sliding_window_view unfold
    """
)

_CONTAINERS = frozenset(["ListConstruct", "TupleConstruct"])
_NOT_ALIASING = frozenset(["Constant", *_CONTAINERS])

# These read strides only to fail on some, and never give other numbers for others.
_FAILING = frozenset(["_unsafe_view", "view", "view_as"])


class Memory:
    """The alias classes of a program's tensors, and the places where each value is read.

    Two values are in one class if they may share memory. A list or tuple is not in the class of its members:
    whoever reads it reads the members.
    """

    def __init__(self, graph: ir.Graph) -> None:
        self.order: dict[ir.Node, int] = {}
        """Position of each node; those in a block come between their holder and the next node."""
        self._parents: dict[ir.Value, ir.Value] = {}
        self._defined: dict[ir.Value, int] = {}
        self._read_by_layout: set[ir.Value] = set()
        self._visit(graph, -1)
        self._members: dict[ir.Value, list[ir.Value]] = {}
        for value in self._parents:
            self._members.setdefault(self.root(value), []).append(value)
        for members in self._members.values():
            members.sort(key=self._position)
        self._read_by_layout = {self.root(value) for value in self._read_by_layout}

    def root(self, value: ir.Value) -> ir.Value:
        """The value that stands for the class of ``value``."""
        parents = self._parents
        parent = parents.get(value, value)
        while parent is not parents.get(parent, parent):
            # Halving the path keeps later look-ups short.
            parents[value] = parents[parent]
            value, parent = parent, parents[parents[parent]]
        return parent

    def obstacle(self, node: ir.Node, is_elementwise: bool) -> str | None:
        """What may see the write of ``node`` to its first input other than through its result.

        Args:
            node: a call that writes its first input and returns it.
            is_elementwise: whether an argument may be the written value itself.

        Returns:
            A reason for people; None if nothing sees it.
        """
        written = node.inputs[0]
        if written is None:
            return "nothing is written"
        if self.root(written) in self._read_by_layout:
            return "another operator depends on how the tensor lies in memory"
        for value in node.inputs[1:]:
            for leaf in _leaves(value):
                if self.root(leaf) is self.root(written) and not (is_elementwise and leaf is written):
                    return f"its argument %{leaf.name} may share the memory that it writes"
        for member in self._before(node):
            found = self._seen_in(member, node) or self._seen_later(member, node)
            if found is not None:
                return found
        return None

    def forget_before(self, node: ir.Node) -> None:
        """Take note that what shared memory with the written value before ``node`` is read no more."""
        written = node.inputs[0]
        if written is not None:
            members = self._members.get(self.root(written), [])
            del members[: len(self._before(node))]

    def _before(self, node: ir.Node) -> list[ir.Value]:
        """The values defined before ``node`` that may share memory with what it writes."""
        written = node.inputs[0]
        if written is None:
            return []
        members = self._members.get(self.root(written), [written])
        return members[: bisect.bisect_left(members, self.order[node], key=self._position)]

    def _position(self, value: ir.Value) -> int:
        node = value.producer()
        return self._defined.get(value, -1) if node is None else self.order[node]

    def _seen_in(self, member: ir.Value, node: ir.Node) -> str | None:
        """Where the memory belongs to more than the nodes of one block, or to one element twice."""
        producer = member.producer()
        name = f"%{member.name}"
        if producer is None:
            kind = "weight" if member.is_initializer() else "input"
            return f"it changes the {kind} {name}"
        if producer.graph is not node.graph:
            return f"{name} of another block may share the memory"
        if producer.domain == "aten" and producer.op_type in _OVERLAPPING:
            return f"elements of {name} may share memory with each other"
        if member.is_graph_output() and member is not node.inputs[0]:
            return f"the output {name} may share the memory"
        return None

    def _seen_later(self, member: ir.Value, node: ir.Node) -> str | None:
        """Where the member is read after ``node`` and cannot be replaced by the result."""
        position, is_written = self.order[node], member is node.inputs[0]
        for use in member.uses():
            is_late = self.order[use.node] > position
            if is_late and is_written:
                continue
            if is_late:
                reader = op_name(use.node)
                return f"%{member.name}, which may share the memory, is read later by {reader}"
            if _keeps(use.node, use.idx):
                return f"{op_name(use.node)} keeps %{member.name}, which may share the memory"
            if use.node.op_type in _CONTAINERS and self._is_read_later(use.node.outputs[0], position):
                return f"%{use.node.outputs[0].name}, which holds %{member.name}, is read later"
        return None

    def _is_read_later(self, container: ir.Value, position: int) -> bool:
        """Whether a list or tuple is read after a position, or kept where nobody knows."""
        if container.is_graph_output():
            return True
        for use in container.uses():
            if self.order[use.node] > position or _keeps(use.node, use.idx):
                return True
            if use.node.op_type in _CONTAINERS and self._is_read_later(use.node.outputs[0], position):
                return True
        return False

    def _visit(self, graph: ir.Graph, holder: int) -> None:
        self._defined.update(dict.fromkeys(graph.inputs, holder))
        for node in graph:
            position = len(self.order)
            self.order[node] = position
            self._node(node)
            for block in blocks_of(node):
                self._visit(block, position)
            self._blocks(node)

    def _node(self, node: ir.Node) -> None:
        if reads_strides(node) and node.op_type not in _FAILING:
            self._read_by_layout.update(value for value in node.inputs if value is not None)
        for output, position in _shared(node):
            for value in _leaves(node.inputs[position]):
                self._unite(node.outputs[output], value)

    def _blocks(self, node: ir.Node) -> None:
        """Tie what a block takes and gives to what its holder does."""
        blocks = blocks_of(node)
        if not blocks:
            return
        if node.op_type == "If":
            for block in blocks:
                self._unite_all(node.outputs, block.outputs)
            return
        (body,) = blocks
        count = node.attributes["carried"].as_int()
        self._unite_all(body.inputs[1:], node.inputs[2:])
        self._unite_all(body.inputs[1 : 1 + count], body.outputs[1 : 1 + count])
        self._unite_all(node.outputs[:count], body.outputs[1 : 1 + count])

    def _unite_all(self, ones: Iterable[ir.Value], others: Iterable[ir.Value | None]) -> None:
        for one, other in zip(ones, others, strict=False):
            for value in _leaves(other):
                self._unite(one, value)

    def _unite(self, one: ir.Value, other: ir.Value) -> None:
        if isinstance(one.type, ScalarType) or isinstance(other.type, ScalarType):
            return
        first, second = self.root(one), self.root(other)
        self._parents.setdefault(one, first)
        self._parents.setdefault(other, second)
        self._parents[second] = first
        self._parents.setdefault(first, first)


def _leaves(value: ir.Value | None) -> Iterator[ir.Value]:
    """The value, or the members of a list or tuple that the program puts together."""
    if value is None:
        return
    node = value.producer()
    yield value
    if node is not None and node.domain == "prim" and node.op_type in _CONTAINERS:
        for item in node.inputs:
            yield from _leaves(item)


def _keeps(node: ir.Node, position: int) -> bool:
    """Whether the node puts its input where later nodes may find it without a mark: a list, an object."""
    if effects_of(node) & Effect.OTHER or node.op_type in ("SetAttr", "set_"):
        return True
    written = [node.inputs[at] for at in mutated(node) if at != position]
    return any(value is None or not isinstance(value.type, ir.TensorType) for value in written)


def _shared(node: ir.Node) -> list[tuple[int, int]]:
    """Pairs of output and input that may share memory: marked, undeclared, or of an unknown ``prim`` node."""
    if node.domain == "prim":
        if blocks_of(node) or node.op_type in _NOT_ALIASING:
            return []
        return _all_pairs(node)
    if node.domain == "aten" and node.op_type in _UNDECLARED_VIEWS:
        return _all_pairs(node)
    return viewed(node)


def _all_pairs(node: ir.Node) -> list[tuple[int, int]]:
    return [(output, position) for output in range(len(node.outputs)) for position in range(len(node.inputs))]
