"""The pass :class:`OptionalValues`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, is_constant, known_constant, scalar_type
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._block_edits import add_branch_result, carry
from onnx_jitpasses._edit import Editor, make_identity
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses._stand_ins import origin_of

__all__ = ["OptionalValues"]


class OptionalValues(DialectPass):
    """Replaces a value that may be None, behind an if or in a loop, by a value and a truth beside it.

    ``x is None`` asks the truth then. A value that is read without having been asked is left alone.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        homes = {
            block: node
            for node in all_nodes(model.graph)
            if node.domain == "prim"
            for block in blocks_of(node)
        }
        walk = _Walk(Editor(model.graph), homes)
        walk.block(model.graph)
        return ir.passes.PassResult(model, walk.modified)


class _Walk:
    """Goes through a program in the order of execution.

    ``truths`` has, for each value that may be None, the truth that says whether it is there.
    """

    def __init__(self, editor: Editor, homes: dict[ir.Graph, ir.Node]) -> None:
        self.modified = False
        self._editor = editor
        self._truths: dict[ir.Value, ir.Value] = {}
        self._guards = _Guards(homes, self._truths)

    def block(self, graph: ir.Graph) -> None:
        """Go through one block."""
        for node in list(graph):
            if node.domain == "prim" and node.op_type == "If":
                for inner in blocks_of(node):
                    self.block(inner)
                self._branches(node)
            elif node.domain == "prim" and node.op_type == "Loop":
                self._loop(node)
            elif _is_test(node):
                self._test(node)

    def _branches(self, node: ir.Node) -> None:
        blocks = blocks_of(node)
        for position, output in enumerate(list(node.outputs)):
            given = [block.outputs[position] for block in blocks]
            truths = [self._truth(value) for value in given]
            is_open = any(truth is not True for truth in truths) and truths != [False, False]
            if not is_open or not self._guards.hold(output):
                continue
            self._truths[output] = self._truth_behind(node, truths)
            for block, truth in zip(blocks, truths, strict=True):
                if truth is False:
                    block.outputs[position] = _nothing(Emission.at_end(self._editor, block), output)
            self.modified = True

    def _truth_behind(self, node: ir.Node, truths: Sequence[bool | ir.Value]) -> ir.Value:
        """The truth of a result of an if by those of its branches."""
        condition = node.inputs[0]
        assert condition is not None
        if truths == [True, False]:
            return condition
        if truths == [False, True]:
            return Emission.after(self._editor, node).call("aten::__not__", [condition], _truth("other"))
        given = [
            truth if isinstance(truth, ir.Value) else Emission.at_end(self._editor, block).constant(truth)
            for block, truth in zip(blocks_of(node), truths, strict=True)
        ]
        return add_branch_result(self._editor, node, given, _truth("is_there"))

    def _loop(self, node: ir.Node) -> None:
        (body,) = blocks_of(node)
        found: list[tuple[int, ir.Value, bool | ir.Value]] = []
        for place in range(node.attributes["carried"].as_int()):
            start, parameter, output = node.inputs[2 + place], body.inputs[1 + place], node.outputs[place]
            truth = self._truth(start)
            if truth is not True and self._guards.hold(parameter) and self._guards.hold(output):
                inside = _truth(self._editor.fresh_name(f"{parameter.name}_is_there"))
                self._truths[parameter] = inside
                found.append((place, inside, truth))
        self.block(body)
        for place, inside, truth in found:
            node = self._carry(node, place, inside, truth)
            self.modified = True

    def _carry(self, node: ir.Node, place: int, inside: ir.Value, truth: bool | ir.Value) -> ir.Node:
        """The loop with the truth of a carried value among what it carries."""
        (body,) = blocks_of(node)
        end, before = Emission.at_end(self._editor, body), Emission.before(self._editor, node)
        given = self._truth(body.outputs[1 + place])
        if given is False:
            body.outputs[1 + place] = _nothing(end, node.outputs[place])
        if truth is False:
            node.replace_input_with(2 + place, _nothing(before, node.outputs[place]))
        final = given if isinstance(given, ir.Value) else end.constant(given)
        start = truth if isinstance(truth, ir.Value) else before.constant(truth)
        new, behind = carry(self._editor, node, start, inside, final)
        self._truths[new.outputs[place]] = behind
        return new

    def _test(self, node: ir.Node) -> None:
        """``value is None``, or ``value is not None``; what is the same in every way is left to constants."""
        truth = self._truth(node.inputs[0])
        if not isinstance(truth, ir.Value):
            return
        if node.op_type == "__is__":
            truth = Emission.before(self._editor, node).call("aten::__not__", [truth], _truth("is_none"))
        make_identity(node, truth)
        self.modified = True

    def _truth(self, value: ir.Value | None) -> bool | ir.Value:
        """Whether the value is there: known, or as a truth of the program."""
        if value is None or _is_none(value):
            return False
        while value is not None:
            truth, node = self._truths.get(value), value.producer()
            if truth is not None:
                return truth
            if node is None or node.domain != "prim" or node.op_type != "Identity":
                return True
            source = node.inputs[0]
            known = None if source is None else self._guards.known(source, node)
            if known is not None:
                return known
            value = source
        return True


def _truth(name: str) -> ir.Value:
    return ir.Value(name=name, type=scalar_type("bool"), shape=ir.Shape(()))


def _nothing(emission: Emission, like: ir.Value) -> ir.Value:
    """What stands where a None was, and is never read."""
    return emission.call("prim::Uninitialized", [], like)


def _is_none(value: ir.Value) -> bool:
    node = origin_of(value)
    return node is not None and is_constant(node.outputs[0]) and known_constant(node.outputs[0]) is None


def _is_test(node: ir.Node) -> bool:
    """Whether the call compares a value with None."""
    is_comparison = node.domain == "aten" and node.op_type in ("__is__", "__isnot__")
    return is_comparison and node.inputs[1] is not None and _is_none(node.inputs[1])


class _Guards:
    """Which places of a program are reached only if a value has been found to be there, or not to be."""

    def __init__(self, homes: Mapping[ir.Graph, ir.Node], truths: Mapping[ir.Value, ir.Value]) -> None:
        self._homes = homes
        self._truths = truths

    def hold(self, value: ir.Value) -> bool:
        """Whether all that reads the value has asked before, or only hands it on."""
        if isinstance(value.graph, ir.Graph) and value.graph not in self._homes and value.is_graph_output():
            return False
        return all(
            _is_test(use.node) or self._hands_on(use.node) or self.known(value, use.node) is True
            for use in value.uses()
        )

    def _hands_on(self, node: ir.Node) -> bool:
        """Whether the node only takes the value to the end of a block, or into a loop."""
        if node.domain == "prim" and node.op_type == "Loop":
            return True
        if node.domain != "prim" or node.op_type != "Identity" or not node.outputs[0].is_graph_output():
            return False
        return isinstance(node.graph, ir.Graph) and node.graph in self._homes

    def known(self, value: ir.Value, node: ir.Node) -> bool | None:
        """Whether the value is there wherever the node is reached; None if both may be."""
        block = node.graph
        while isinstance(block, ir.Graph) and block in self._homes:
            home = self._homes[block]
            if home.op_type == "If" and home.inputs[0] is not None:
                is_first = blocks_of(home)[0] is block
                for answer in (True, False):
                    if self._implies(home.inputs[0], is_first, value, answer):
                        return answer
            block = home.graph
        return None

    def _implies(self, condition: ir.Value, holds: bool, value: ir.Value, answer: bool) -> bool:
        """Whether a condition that ``holds``, or does not, says that the value is there, or is None."""
        if self._truths.get(value) is condition:
            return holds is answer
        node = condition.producer()
        first = node.inputs[0] if node is not None and node.inputs else None
        if node is None or first is None:
            return False
        if _is_test(node) and first is value:
            return (node.op_type == "__isnot__") is (holds is answer)
        if node.op_type in ("Identity", "__not__"):
            return self._implies(first, holds is (node.op_type == "Identity"), value, answer)
        if node.op_type == "__and__" and holds:
            return any(
                other is not None and self._implies(other, True, value, answer) for other in node.inputs
            )
        if node.domain != "prim" or node.op_type != "If":
            return False
        # `a and b` is an if that gives b, or False; `a or b` one that gives True, or b.
        place = list(node.outputs).index(condition)
        other = origin_of(blocks_of(node)[1 if holds else 0].outputs[place])
        given = None if other is None else known_constant(other.outputs[0])
        return given is (not holds) and self._implies(first, holds, value, answer)
