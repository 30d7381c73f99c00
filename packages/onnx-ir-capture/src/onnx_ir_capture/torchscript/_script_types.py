"""Types of a scripted graph's values: dtype and rank as they are in every way through the graph.

A script has no types of its own. The example runs through the interpreter, blocks that it does not enter
run beside it, a graph that keeps state runs again on what it left, and where the branches of an if give
tensors of different kinds, the rest of the graph runs on those of the other branch, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import TorchDType, blocks_of, is_plain_tensor
from onnx_ir_capture.fx._weights import weight_tensor
from onnx_ir_capture.interpreter import Interpreter, InterpreterError, torch_dtype
from onnx_ir_capture.torchscript._script_examples import other_examples

__all__ = ["seed_script_types"]

# The first run finds the state as the model has it, the second what the first left there.
_MOST_RUNS = 3
_MOST_OTHER_WAYS = 32
_MOST_EXAMPLES = 512

_Kind = tuple[ir.DataType, int]


def seed_script_types(graph: ir.Graph, inputs: Sequence[object], fixed: frozenset[str]) -> list[str]:
    """Give the values the dtypes and ranks that they have for example inputs, never their sizes.

    A value that may be of several dtypes or ranks gets none.

    Args:
        graph: the imported graph.
        inputs: example inputs.
        fixed: names of the weights whose sizes no run changes.

    Returns:
        Names of the weights that a run leaves with another rank.

    Raises:
        InterpreterError: a node failed.
    """
    notes, state = _Notes(graph, inputs), _states(graph)
    weights: dict[str, torch.Tensor] = {}
    for _ in range(_MOST_RUNS):
        last = notes.run(weights, state.values())
        weights = {str(weight.name): last[value] for weight, value in state.items() if value in last}
        if all(notes.add(weight, weights[str(weight.name)]) for weight in state if weight.name in weights):
            break
    if notes.has_gaps(graph):
        for example in other_examples(graph, inputs)[:_MOST_EXAMPLES]:
            notes.try_example(example, state)
    for node in list(_open_branches(graph, notes.kinds))[:_MOST_OTHER_WAYS]:
        for way in (True, False):
            notes.try_way(node, way, weights)
    _settle(graph, notes.kinds)
    return [
        str(weight.name) for weight in state if not _loosen(weight, notes.kinds[weight], weight.name in fixed)
    ]


def _states(graph: ir.Graph) -> dict[ir.Value, ir.Value]:
    """What the graph leaves in a weight, by the weight."""
    return {
        node.inputs[0]: node.inputs[1]
        for node in graph
        if node.op_type == "SetAttr" and node.inputs[0] is not None and node.inputs[1] is not None
    }


class _Notes:
    """What values were in the runs; a value that was not computed is known by what was looked at only."""

    def __init__(self, graph: ir.Graph, inputs: Sequence[object]) -> None:
        self.kinds: dict[ir.Value, set[_Kind]] = {}
        self._graph = graph
        self._inputs = inputs
        self._seen: set[ir.Value] = set()
        for value, given in zip(graph.inputs, inputs, strict=True):
            self._note(value, given)
        for weight in graph.initializers.values():
            if weight.const_value is not None:
                self.kinds[weight] = {(weight.const_value.dtype, len(weight.const_value.shape))}

    def run(
        self, weights: Mapping[str, torch.Tensor], wanted: Iterable[ir.Value]
    ) -> dict[ir.Value, torch.Tensor]:
        """Run the graph; return the tensors of those values that are ``wanted``."""
        kept: dict[ir.Value, torch.Tensor] = {}
        places = {*wanted}

        def note(value: ir.Value, result: object) -> None:
            self._note(value, result)
            if value in places and isinstance(result, torch.Tensor):
                kept[value] = result

        Interpreter(self._graph, weights=weights, observer=note, explorer=self._note_unseen).run(self._inputs)
        return kept

    def try_way(self, node: ir.Node, way: bool, weights: Mapping[str, torch.Tensor]) -> None:
        """Run the graph with an if going one way; if that fails there is no such way, or none is known."""
        with contextlib.suppress(InterpreterError):
            Interpreter(self._graph, weights=weights, observer=self._note_other, branches={node: way}).run(
                self._inputs
            )

    def try_example(self, inputs: Sequence[object], state: Mapping[ir.Value, ir.Value]) -> None:
        """Run the graph on other inputs, and again on the state that this leaves; it need not take them."""
        weights: dict[str, torch.Tensor] = {}
        own, self._inputs = self._inputs, inputs
        with contextlib.suppress(InterpreterError):
            for _ in range(2 if state else 1):
                last = self.run(weights, state.values())
                weights = {str(weight.name): last[value] for weight, value in state.items() if value in last}
                for weight in state:
                    self.add(weight, weights.get(str(weight.name)))
        self._inputs = own

    def has_gaps(self, graph: ir.Graph) -> bool:
        """Whether there are tensors that no run has computed."""
        return any(
            is_plain_tensor(value.type) and value not in self._seen
            for node in graph.all_nodes()
            for value in node.outputs
        )

    def _note(self, value: ir.Value, result: object) -> None:
        if value not in self._seen:
            self._seen.add(value)
            self.kinds.pop(value, None)  # what it would be says less than what it is
        self.add(value, result)

    def _note_unseen(self, value: ir.Value, result: object) -> None:
        if value not in self._seen:
            self.add(value, result)

    def _note_other(self, value: ir.Value, result: object) -> None:
        self.add(value, result)

    def add(self, value: ir.Value, result: object) -> bool:
        """Note what a value was; return whether it was so before."""
        if not isinstance(result, torch.Tensor):
            return True
        kind = TorchDType(str(result.dtype).removeprefix("torch.")).onnx, result.dim()
        known = self.kinds.setdefault(value, set())
        is_known = kind in known
        known.add(kind)
        return is_known


def _open_branches(graph: ir.Graph, kinds: Mapping[ir.Value, set[_Kind]]) -> Iterator[ir.Node]:
    """The ifs whose branches give tensors of different kinds."""
    for node in graph:
        for block in blocks_of(node):
            yield from _open_branches(block, kinds)
        if node.op_type == "If" and any(len(_kinds(node, at, kinds)) > 1 for at in range(len(node.outputs))):
            yield node


def _loosen(weight: ir.Value, kinds: set[_Kind], keeps_sizes: bool) -> bool:
    """State has the rank that it always has, and sizes only where it is a buffer of the same ones.

    An empty tensor that stands for "nothing yet" becomes an empty one of the rank that a run leaves: what can
    be asked of it is its length. Returns False where that is not all.
    """
    ranks, tensor = {rank for _, rank in kinds}, weight.const_value
    if len(ranks) > 1 and tensor is not None and tensor.size == 0:
        ranks.discard(len(tensor.shape))
        if len(ranks) == 1:
            empty = torch.empty([0] * max(ranks), dtype=torch_dtype(tensor.dtype))
            weight.const_value = weight_tensor(empty, str(weight.name))
    if len(ranks) != 1:
        return False
    if not keeps_sizes:
        weight.shape = ir.Shape([None] * ranks.pop())
    return True


def _settle(graph: ir.Graph, kinds: Mapping[ir.Value, set[_Kind]]) -> None:
    for node in graph:
        for block in blocks_of(node):
            if node.op_type == "Loop":
                for value, start in zip(block.inputs[1:], node.inputs[2:], strict=True):
                    _write(value, kinds.get(value, set()) | (kinds.get(start, set()) if start else set()))
            _settle(block, kinds)
        for position, value in enumerate(node.outputs):
            _write(value, _kinds(node, position, kinds))


def _kinds(node: ir.Node, position: int, kinds: Mapping[ir.Value, set[_Kind]]) -> set[_Kind]:
    """What an output of a node may be: for one with blocks, what they return and what a loop starts with."""
    found = set(kinds.get(node.outputs[position], ()))
    for block in blocks_of(node):
        found |= kinds.get(block.outputs[position + (node.op_type == "Loop")], set())
    start = node.inputs[2 + position] if blocks_of(node) and node.op_type == "Loop" else None
    return found if start is None else found | kinds.get(start, set())


def _write(value: ir.Value, found: set[_Kind]) -> None:
    if not is_plain_tensor(value.type):
        return
    dtypes, ranks = {dtype for dtype, _ in found}, {rank for _, rank in found}
    if found:
        value.type = ir.TensorType(dtypes.pop() if len(dtypes) == 1 else ir.DataType.UNDEFINED)
    value.shape = ir.Shape([None] * ranks.pop()) if len(ranks) == 1 else None
