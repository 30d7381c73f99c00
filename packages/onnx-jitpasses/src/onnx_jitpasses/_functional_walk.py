"""The walk of :class:`Functionalize` through a program, in the order of execution."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    Effect,
    OpName,
    effects_of,
    is_construct,
    is_plain_tensor,
    memory_group,
    op_name,
)
from onnx_jitpasses._edit import Editor, make_identity
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._functional_blocks import BlockWalk
from onnx_jitpasses._functional_calls import cast_obstacle, make_functional
from onnx_jitpasses._functional_forms import FunctionalForm, functional_form
from onnx_jitpasses._functional_lists import LIST_WRITERS
from onnx_jitpasses._graphs import all_nodes, leaves, mutated, viewed
from onnx_jitpasses._tensors import Memory, Tensor, Tensors
from onnx_jitpasses._undeclared import undeclared_views
from onnx_jitpasses._views import is_same_step, obstacle_of, replay, step_of, write_back
from onnx_jitpasses._written_values import give_written_values, written_obstacle, written_tensors

__all__ = ["FunctionalWalk"]

# Not elementwise by their shapes, but torch refuses to run them where reads and writes overlap.
_READ_FIRST = frozenset(["copy", "fill", "masked_fill"])


class FunctionalWalk:
    """One walk; ``unproven`` holds the writes that it could not replace, each with the reason.

    ``gives_values`` says of an operator without a functional form whether its translation gives new values.
    """

    def __init__(
        self,
        graph: ir.Graph,
        are_marks_exact: bool,
        gives_values: Callable[[OpName], bool] = lambda _: False,
    ) -> None:
        self.unproven: list[tuple[ir.Node, str]] = []
        self.tensors = Tensors()
        self.editor = Editor(graph)
        self.loops = 0
        """How many loops are around the present place."""
        self._graph = graph
        self._exact = are_marks_exact
        self._gives_values = gives_values
        self._order = {node: position for position, node in enumerate(all_nodes(graph))}
        self._blocks = BlockWalk(self)

    def run(self) -> list[Memory]:
        """Change the program.

        Returns:
            The inputs and weights that it writes.
        """
        self._tie_weights()
        self.block(self._graph)
        self._refresh_outputs()
        return [memory for memory in self.tensors.memories() if memory.version and self._is_state(memory)]

    def last_value(self, memory: Memory, name: str) -> ir.Value:
        """What is in the memory at the end, as a value that the graph may return."""
        return Emission.at_end(self.editor, self._graph).identity(memory.current, name)

    def block(self, graph: ir.Graph) -> None:
        """Walk through one block."""
        for node in list(graph):
            self._node(node)

    def current(self, value: ir.Value, emission: Emission) -> ir.Value:
        """A value with the numbers that ``value`` has at the place of the emission."""
        node = value.producer()
        if node is not None and is_construct(node):
            items = [None if item is None else self.current(item, emission) for item in node.inputs]
            is_same = all(one is other for one, other in zip(items, node.inputs, strict=True))
            return value if is_same else emission.container(node, items)
        if not is_plain_tensor(value.type):
            return value
        tensor = self.tensors.of(value)
        memory = tensor.memory
        if tensor.version != memory.version:
            tensor.value = memory.current
            for step in tensor.steps:
                tensor.value = replay(step, tensor.value, emission)
            tensor.version = memory.version
            self.tensors.name(tensor.value, tensor)
        return tensor.value

    def refuse(self, node: ir.Node, reason: str) -> None:
        """Note that the writes of ``node`` cannot be replaced."""
        self.unproven.append((node, reason))

    def write(self, tensor: Tensor, new: ir.Value, node: ir.Node, emission: Emission) -> None:
        """Let ``new`` be what ``node`` wrote to the tensor."""
        parents = [tensor.memory.current]

        def parent(position: int) -> ir.Value:
            while len(parents) <= position:
                parents.append(replay(tensor.steps[len(parents) - 1], parents[-1], emission))
            return parents[position]

        whole = new
        for position in reversed(range(len(tensor.steps))):
            step = tensor.steps[position]
            whole = write_back(step, functools.partial(parent, position), whole, emission)
        self.tensors.write(tensor, new, whole, node)

    def obstacle(self, tensor: Tensor, node: ir.Node) -> str | None:
        """Why a write to the tensor cannot be replaced; None if it can."""
        for step in tensor.steps:
            found = obstacle_of(step)
            if found is not None:
                return found
        memory = tensor.memory
        if memory.kept_by:
            return f"{memory.kept_by} keeps %{memory.origin.name}, which may share the memory"
        return self._tie_obstacle(memory, node)

    def _tie_obstacle(self, memory: Memory, node: ir.Node) -> str | None:
        tied = self.tensors.tied(memory)
        if tied and self.loops:
            return f"in a loop, and {memory.tie_reason}"
        for other in tied:
            found = self.seen_later(other, node)
            if found is not None:
                return f"{memory.tie_reason}, and {found}"
        return None

    def seen_later(self, memory: Memory, node: ir.Node) -> str | None:
        """Where the memory is read after ``node``; None if it is not."""
        if self._is_state(memory) or memory.kept_by:
            return f"%{memory.origin.name} is seen from outside"
        for value in self.tensors.values_of(memory):
            reader = self._later_reader(value, self._order[node])
            if reader is not None:
                return f"%{value.name} is read later by {reader}"
        return None

    def _later_reader(self, value: ir.Value, position: int) -> str | None:
        if value.is_graph_output():
            return "who runs the program"
        for use in value.uses():
            if self._order.get(use.node, -1) > position:
                return str(op_name(use.node))
            if is_construct(use.node):
                found = self._later_reader(use.node.outputs[0], position)
                if found is not None:
                    return found
        return None

    def _is_state(self, memory: Memory) -> bool:
        origin = memory.origin
        return origin.producer() is None and (origin.is_initializer() or origin in self._graph.inputs)

    def _tie_weights(self) -> None:
        """Weights that are different views of one storage, as the front end noted."""
        groups: dict[str, Memory] = {}
        for weight in self._graph.initializers.values():
            group = memory_group(weight)
            if group is None:
                continue
            memory = self.tensors.of(weight).memory
            first = groups.setdefault(group, memory)
            self.tensors.tie(first, memory, f"%{weight.name} shares memory with %{first.origin.name}")

    def _node(self, node: ir.Node) -> None:
        handles = [None if value is None else self._handle(value) for value in node.inputs]
        self._refresh_inputs(node)
        if node.domain == "prim" and node.op_type in ("If", "Loop"):
            self._blocks.node(node, handles)
            return
        is_translated = self._is_translated_write(node)
        if not is_translated:
            self._note_keeper(node)
        if not mutated(node):
            self._define(node)
            return
        reason = self._write_values(node) if is_translated else self._write(node, handles)
        if reason is not None:
            self.refuse(node, reason)
            self._name_outputs(node, handles)

    def _handle(self, value: ir.Value) -> Tensor | None:
        return self.tensors.of(value) if is_plain_tensor(value.type) else None

    def _refresh_inputs(self, node: ir.Node) -> None:
        emission = Emission.before(self.editor, node)
        for position, value in enumerate(node.inputs):
            fresh = value if value is None else self.current(value, emission)
            if fresh is not value:
                node.replace_input_with(position, fresh)

    def _note_keeper(self, node: ir.Node) -> None:
        """A call may put a tensor where later calls find it without a mark: a list, an object."""
        lists = [node.inputs[at] for at in mutated(node)]
        has_container = any(value is None or not is_plain_tensor(value.type) for value in lists)
        if not has_container and node.op_type not in ("SetAttr", "set_") and node.domain != "prim":
            return
        if has_container or effects_of(node) & Effect.OTHER or node.op_type in ("SetAttr", "set_"):
            for leaf in leaves(node.inputs):
                self.tensors.of(leaf).memory.kept_by = str(op_name(node))

    def _define(self, node: ir.Node) -> None:
        """Say what the results of a call that writes nothing are."""
        pairs = viewed(node) + ([] if self._exact else undeclared_views(node))
        for number, output in enumerate(node.outputs):
            sources = {position for result, position in pairs if result == number}
            if not sources or not is_plain_tensor(output.type):
                continue
            step = step_of(node, number, self._exact)
            source = node.inputs[min(sources)]
            if step is not None and source is not None and is_plain_tensor(source.type):
                self.tensors.add_view(output, self.tensors.of(source), step)
                continue
            memory = self.tensors.of(output).memory
            for leaf in leaves([node.inputs[position] for position in sources]):
                reason = f"%{output.name} may share memory with %{leaf.name}"
                self.tensors.tie(memory, self.tensors.of(leaf).memory, reason)

    def _name_outputs(self, node: ir.Node, handles: Sequence[Tensor | None]) -> None:
        for output, position in viewed(node):
            handle = handles[position]
            if handle is not None:
                self.tensors.name(node.outputs[output], handle)

    def _write(self, node: ir.Node, handles: Sequence[Tensor | None]) -> str | None:
        """Replace the write; return why it cannot be."""
        tensor = handles[mutated(node)[0]]
        if tensor is None:
            return _list_reason(node)
        form = functional_form(node)
        if form is None and node.domain not in ("aten", "prim"):
            return (
                "nothing says what it writes; translate it with custom_translation_table, or name its domain "
                "in custom_opsets"
            )
        if form is None or not _is_plain_write(node):
            return "it has no functional form that is known to do the same"
        if form.is_view:
            return self._write_shape(node, form, tensor)
        found = self.obstacle(tensor, node) or cast_obstacle(node, form) or self._overlap(node, form, tensor)
        if found is not None:
            return found
        output = node.outputs[0]
        if self._is_copy_of_itself(node, tensor, handles):
            self.tensors.name(output, tensor)
            make_identity(node, tensor.value)
            return None
        make_functional(node, form, self.editor)
        self.write(tensor, output, node, Emission.after(self.editor, node))
        return None

    def _is_translated_write(self, node: ir.Node) -> bool:
        return bool(mutated(node)) and functional_form(node) is None and self._gives_values(op_name(node))

    def _write_values(self, node: ir.Node) -> str | None:
        """Let the call give the values that it writes; return why it cannot."""
        found = written_obstacle(node) or self._shared(node)
        for value in written_tensors(node) if found is None else ():
            found = found or self.obstacle(self.tensors.of(value), node)
        if found is not None:
            return found
        for value, new in give_written_values(node, self.editor):
            self.write(self.tensors.of(value), new, node, Emission.after(self.editor, node))
        return None

    def _shared(self, node: ir.Node) -> str | None:
        """Whether an argument may share the memory of another one that the call writes."""
        arguments = list(leaves(node.inputs))
        for written in written_tensors(node):
            arguments.remove(written)
            memory = self.tensors.of(written).memory
            for other in arguments:
                if self.tensors.of(other).memory in {memory, *self.tensors.tied(memory)}:
                    return (
                        f"its argument %{other.name} may share the memory of %{written.name}, which it writes"
                    )
        return None

    def _overlap(self, node: ir.Node, form: FunctionalForm, tensor: Tensor) -> str | None:
        """Whether the call reads what it is writing, in an order that nobody promises."""
        if form.is_elementwise or form.op.name in _READ_FIRST:
            return None
        for leaf in leaves(node.inputs[1:]):
            memory = self.tensors.of(leaf).memory
            if memory is tensor.memory or memory in self.tensors.tied(tensor.memory):
                return f"its argument %{leaf.name} may share the memory that it writes"
        return None

    def _write_shape(self, node: ir.Node, form: FunctionalForm, tensor: Tensor) -> str | None:
        """The tensor gets other sizes under all its names; no number changes."""
        if self._blocks.is_outside(tensor):
            return "it changes the sizes of a tensor from around the block"
        make_functional(node, form, self.editor)
        step = step_of(node, 0, self._exact)
        if step is None:
            return "it has no functional form that is known to do the same"
        tensor.steps = (*tensor.steps, step)
        tensor.value = node.outputs[0]
        self.tensors.name(node.outputs[0], tensor)
        return None

    @staticmethod
    def _is_copy_of_itself(node: ir.Node, tensor: Tensor, handles: Sequence[Tensor | None]) -> bool:
        """Whether the call copies elements to where they are, as ``y[:1] += 1`` does at its end."""
        source = handles[1] if node.op_type == "copy_" and len(handles) > 1 else None
        if source is None or source.memory is not tensor.memory or len(source.steps) != len(tensor.steps):
            return False
        return all(map(is_same_step, source.steps, tensor.steps))

    def _refresh_outputs(self) -> None:
        graph = self._graph
        for value in list(graph.outputs):
            fresh = self.current(value, Emission.at_end(self.editor, graph))
            if fresh is not value:
                self.editor.exchange_output(graph, value, fresh)


def _is_plain_write(node: ir.Node) -> bool:
    """Whether the call writes its first argument and returns just that."""
    return mutated(node) == (0,) and viewed(node) == [(0, 0)] and len(node.outputs) == 1


def _list_reason(node: ir.Node) -> str:
    """Why a call that writes no tensor is left as it is."""
    if node.domain == "aten" and node.op_type in LIST_WRITERS:
        return "the list has a second name, or the place of the change is known at run time only"
    if node.op_type.startswith("_foreach_"):
        return "its tensors share memory, or nothing says that they do not"
    return "it writes something that is no tensor"
