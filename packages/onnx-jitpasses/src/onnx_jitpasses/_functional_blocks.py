"""What the blocks of an if or loop write to tensors from around them, as results of the if or loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, is_plain_tensor
from onnx_jitpasses._block_edits import loop_with
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses._tensors import Memory, Snapshot, Tensor, Tensors

__all__ = ["BlockWalk"]


class _Walk(Protocol):
    """What a walk through blocks needs of the walk around it."""

    tensors: Tensors
    editor: Editor
    loops: int

    def block(self, graph: ir.Graph) -> None: ...

    def current(self, value: ir.Value, emission: Emission) -> ir.Value: ...

    def refuse(self, node: ir.Node, reason: str) -> None: ...

    def write(self, tensor: Tensor, new: ir.Value, node: ir.Node, emission: Emission) -> None: ...

    def obstacle(self, tensor: Tensor, node: ir.Node) -> str | None: ...

    def seen_later(self, memory: Memory, node: ir.Node) -> str | None: ...


class BlockWalk:
    """Goes through ifs and loops for a :class:`FunctionalWalk`."""

    def __init__(self, walk: _Walk) -> None:
        self._walk = walk
        self._outside: list[set[Tensor]] = []

    def is_outside(self, tensor: Tensor) -> bool:
        """Whether the tensor was there before the innermost block began."""
        return bool(self._outside) and tensor in self._outside[-1]

    def node(self, node: ir.Node, handles: Sequence[Tensor | None]) -> None:
        """Go through the blocks of an if or loop."""
        self._know_outside(node)
        if node.op_type == "If":
            self._if(node)
        else:
            self._loop(node, handles)

    def _know_outside(self, node: ir.Node) -> None:
        """Take note of the tensors from around the node that its blocks use, which outlive the blocks."""
        inner = [member for block in blocks_of(node) for member in all_nodes(block)]
        blocks = {member.graph for member in inner}
        used = {value for member in inner for value in member.inputs if value is not None}
        for value in used:
            if value.graph not in blocks and is_plain_tensor(value.type):
                self._walk.tensors.of(value)

    def _if(self, node: ir.Node) -> None:
        walk, tensors = self._walk, self._walk.tensors
        before = tensors.snapshot()
        versions = {memory: state[1] for memory, state in before.memories.items()}
        branches = []
        returned: list[list[Memory | None]] = []
        for block in blocks_of(node):
            self._inside(block, before)
            self._return_current(block)
            returned.append(self._returned(block))
            branches.append({m: m.current for m in tensors.memories() if m.version != versions.get(m, 0)})
            tensors.restore(before)
        self._tie_results(node, returned, set(versions))
        written = [memory for memory in versions if any(memory in branch for branch in branches)]
        for memory in written:
            new = self._add_output(node, memory)
            for block, branch in zip(blocks_of(node), branches, strict=True):
                given = branch.get(memory, memory.current)
                value = Emission.at_end(walk.editor, block).identity(given, f"{new.name}_here")
                block.outputs.append(value)
            # The memory was written in the branches, where its obstacles were looked at.
            tensors.write(Tensor(memory, (), memory.current, memory.version), new, new, node)

    def _inside(self, block: ir.Graph, before: Snapshot) -> None:
        self._outside.append(set(before.tensors))
        self._walk.block(block)
        self._outside.pop()

    def _return_current(self, block: ir.Graph) -> None:
        """What the block returns is what its tensors hold at its end."""
        for position, value in enumerate(list(block.outputs)):
            end = Emission.at_end(self._walk.editor, block)
            fresh = self._walk.current(value, end)
            if fresh is value:
                continue
            block.outputs[position] = end.identity(fresh)

    def _returned(self, block: ir.Graph) -> list[Memory | None]:
        """The memory of each result of the block."""
        found: list[Memory | None] = []
        for value in block.outputs:
            node = value.producer()
            given = node.inputs[0] if node is not None and node.op_type == "Identity" else value
            found.append(
                self._walk.tensors.of(given).memory
                if given is not None and is_plain_tensor(given.type)
                else None
            )
        return found

    def _tie_results(
        self, node: ir.Node, returned: Sequence[Sequence[Memory | None]], outside: set[Memory]
    ) -> None:
        """A result may be a tensor from around the if, or the same tensor as another result."""
        tensors = self._walk.tensors
        for memories in returned:
            first: dict[Memory, ir.Value] = {}
            for output, memory in zip(node.outputs, memories, strict=False):
                if memory is None:
                    continue
                if memory in outside or memory.origin.producer() is None:
                    reason = f"%{output.name} may share memory with %{memory.origin.name}"
                    tensors.tie(tensors.of(output).memory, memory, reason)
                elif memory in first:
                    reason = f"%{output.name} may share memory with %{first[memory].name}"
                    tensors.tie(tensors.of(output).memory, tensors.of(first[memory]).memory, reason)
                first.setdefault(memory, output)

    def _add_output(self, node: ir.Node, memory: Memory) -> ir.Value:
        node.resize_outputs(len(node.outputs) + 1)
        output, like = node.outputs[-1], memory.current
        output.name = self._walk.editor.fresh_name(f"{memory.origin.name}_written")
        output.type, output.shape = like.type, None if like.shape is None else like.shape.copy()
        return output

    def _loop(self, node: ir.Node, handles: Sequence[Tensor | None]) -> None:
        walk, tensors = self._walk, self._walk.tensors
        (body,) = blocks_of(node)
        before = tensors.snapshot()
        versions = {memory: state[1] for memory, state in before.memories.items()}
        walk.loops += 1
        self._inside(body, before)
        walk.loops -= 1
        params = [tensors.of(value) if is_plain_tensor(value.type) else None for value in body.inputs]
        carried = node.attributes["carried"].as_int()
        written = [at for at, tensor in enumerate(params) if tensor is not None and tensor.memory.version]
        if any(m.version != version for m, version in versions.items()):
            walk.refuse(node, "the body of the loop writes a tensor from around it that it does not name")
            return
        obstacle = self._loop_obstacle(node, params, written, handles)
        if written and obstacle is not None:
            walk.refuse(node, obstacle)
            return
        if not written:
            self._return_current(body)
            self._tie_carried(node, carried, handles)
            return
        latest = {at: tensor.memory.current for at in written if (tensor := params[at]) is not None}
        for at, memory in enumerate(self._carried(node), start=1):
            tensor = params[at]
            if tensor is None or memory is not tensor.memory:
                # What it was given is written in the first run, and read no more.
                latest.pop(at, None)
        self._return_current(body)
        tensors.restore(before)
        if latest:
            self._carry(node, body, latest, handles)
        else:
            self._tie_carried(node, carried, handles)

    def _loop_obstacle(
        self,
        node: ir.Node,
        params: Sequence[Tensor | None],
        written: Sequence[int],
        handles: Sequence[Tensor | None],
    ) -> str | None:
        """Why a body that writes what it is given cannot be replaced."""
        tensors, (body,) = self._walk.tensors, blocks_of(node)
        own = {tensor.memory: at for at, tensor in enumerate(params) if tensor is not None}
        for at, memory in enumerate(self._carried(node), start=1):
            if memory in own and (own[memory] != at or self._is_view(body.outputs[at])):
                return f"a later run of the loop gets %{memory.origin.name} under another name"
            outer = handles[at + 1]
            if memory not in own and at in written and outer is not None:
                found = self._walk.seen_later(outer.memory, node)
                if found is not None:
                    return (
                        f"%{body.inputs[at].name} is written in the first run of the loop only, and {found}"
                    )
        for at in written:
            # The body's inputs begin with the iteration, the node's with trip count and condition.
            outer = handles[at + 1]
            others = [
                handle for place, handle in enumerate(handles) if place != at + 1 and handle is not None
            ]
            if outer is None:
                return "the loop writes something that is no tensor"
            if any(other.memory is outer.memory for other in others) or tensors.tied(outer.memory):
                return f"%{body.inputs[at].name} may be reached in two ways in the loop"
        return None

    def _carried(self, node: ir.Node) -> list[Memory | None]:
        """The memory of each carried value at the end of a run."""
        (body,) = blocks_of(node)
        return self._returned(body)[1 : 1 + node.attributes["carried"].as_int()]

    def _is_view(self, value: ir.Value) -> bool:
        node = value.producer()
        given = node.inputs[0] if node is not None and node.op_type == "Identity" else value
        return given is not None and bool(self._walk.tensors.of(given).steps)

    def _tie_carried(self, node: ir.Node, carried: int, handles: Sequence[Tensor | None]) -> None:
        """A carried result may be what the loop was given, or what any run made of it."""
        tensors = self._walk.tensors
        for output in node.outputs[:carried]:
            for handle in handles[2:]:
                if handle is not None and is_plain_tensor(output.type):
                    reason = f"%{output.name} may share memory with %{handle.memory.origin.name}"
                    tensors.tie(tensors.of(output).memory, handle.memory, reason)

    def _carry(
        self,
        node: ir.Node,
        body: ir.Graph,
        latest: dict[int, ir.Value],
        handles: Sequence[Tensor | None],
    ) -> None:
        """Let a new loop carry what this one writes, and take its place."""
        walk = self._walk
        carried = node.attributes["carried"].as_int()
        moved = [at for at in latest if at > carried]
        order = [*range(1, 1 + carried), *moved]
        order += [at for at in range(1, len(body.inputs)) if at not in order]
        inputs = [*node.inputs[:2], *(node.inputs[at + 1] for at in order)]
        body_inputs = [body.inputs[at] for at in order]
        for value in body_inputs:
            body.inputs.remove(value)
        body.inputs.extend(body_inputs)
        for place, at in enumerate(moved):
            value = Emission.at_end(walk.editor, body).identity(latest[at])
            body.outputs.insert(1 + carried + place, value)
        new = loop_with(walk.editor, node, inputs, carried, [latest[at] for at in moved])
        after = Emission.after(walk.editor, new)
        for place, at in enumerate(order[: carried + len(moved)]):
            handle = handles[at + 1]
            if at in latest and handle is not None:
                found = walk.obstacle(handle, new)
                if found is not None:
                    walk.refuse(new, found)
                walk.write(handle, new.outputs[place], new, after)
