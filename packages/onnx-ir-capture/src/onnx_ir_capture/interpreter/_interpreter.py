"""The interpreter: nodes in order, blocks inside them, values freed once nothing needs them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from torch._subclasses import FakeTensor, FakeTensorMode

from onnx_ir_capture.dialect import OpName, constant_value, op_name
from onnx_ir_capture.interpreter._calls import call, spread, written_positions
from onnx_ir_capture.interpreter._errors import InterpreterError
from onnx_ir_capture.interpreter._exploring import LEAST_ITERATIONS, copied, outer_values
from onnx_ir_capture.interpreter._inputs import match_inputs
from onnx_ir_capture.interpreter._lifetimes import Lifetimes, last_uses
from onnx_ir_capture.interpreter._python import python_function
from onnx_ir_capture.interpreter._stacking import Stack
from onnx_ir_capture.interpreter._values import adopt, torch_constant, weight_tensor
from onnx_ir_capture.interpreter._writes import Protection

__all__ = ["Caller", "Interpreter", "Observer"]

Observer = Callable[[ir.Value, object], None]
"""Called with a value of the graph and what was computed for it."""

Caller = Callable[[OpName, Sequence[object]], object]
"""Runs the operator of a name on one input per schema argument."""


class Interpreter:
    """Runs one dialect graph, any number of times.

    Operators are looked up in ``torch.ops``; numbers and symbolic sizes are computed in Python. A run is
    under ``no_grad`` and without autocast, whatever surrounds it: the graph holds its casts. Random operators
    draw from torch's generators, as they do in the model. If an input is a fake tensor, or a fake mode is
    active, the whole run is fake, and weights are taken by shape and dtype only.
    """

    def __init__(
        self,
        program: ir.Model | ir.Graph,
        *,
        weights: Mapping[str, torch.Tensor] | None = None,
        observer: Observer | None = None,
        explorer: Observer | None = None,
        branches: Mapping[ir.Node, bool] | None = None,
        caller: Caller = call,
        protect: bool = True,
    ) -> None:
        """Prepare a run.

        Args:
            program: a graph of the torch dialect. It is not changed, and must not change while this lives.
            weights: tensors to take instead of the graph's own initializers, by name; a ``state_dict`` will
                do. Names that the graph does not have are ignored.
            observer: is called with every value that a node computes, in blocks too, and with the inputs of
                a loop's body, each time anew. It may keep what it gets, which is then not freed; a tensor
                that a later node writes in place changes there too.
            explorer: is called likewise for blocks that the run does not enter. These run, too, on what is
                there at that moment, as far as it takes them, and leave nothing behind.
            branches: which way an if goes, whatever its condition says.
            caller: runs the operators, in place of ``torch.ops``.
            protect: leave inputs and weights unchanged, by copying the memory of one that the graph writes
                before the first write. Without, they are written as the model would.
        """
        self._graph = program.graph if isinstance(program, ir.Model) else program
        self._weights = weights or {}
        self._observer = observer
        self._explorer = explorer
        self._branches = branches or {}
        self._caller = caller
        self._protect = protect
        self._lifetimes = last_uses(self._graph)

    def run(self, inputs: Sequence[object] | Mapping[str, object]) -> list[object]:
        """Compute the graph's outputs.

        An output may share memory with an input or weight, as the model's result may.

        Args:
            inputs: tensors and Python numbers for the graph's inputs, in their order or by their names.

        Returns:
            Tensors and Python numbers for the graph's outputs, in their order.

        Raises:
            TypeError: an input is of another kind or dtype than the graph declares.
            ValueError: inputs are missing or too many, or one has another rank or fixed size.
            InterpreterError: a node failed.
        """
        pairs = match_inputs(self._graph, inputs)
        mode = torch._guards.detect_fake_mode([actual for _, actual in pairs])
        run = _Run(
            self._weights, self._lifetimes, self._observer, Protection() if self._protect else None, mode
        )
        run.explorer, run.branches, run.caller = self._explorer, self._branches, self._caller
        with torch.no_grad(), torch._C._DisableAutocast(), mode or contextlib.nullcontext():
            return run.graph(self._graph, pairs)


class _Run:
    """One run: the values that are alive, and how each form of node is executed."""

    def __init__(
        self,
        weights: Mapping[str, torch.Tensor],
        lifetimes: Lifetimes,
        observer: Observer | None,
        protection: Protection | None,
        mode: FakeTensorMode | None,
    ) -> None:
        self._weights = weights
        self._lifetimes = lifetimes
        self._observer = observer
        self._protection = protection
        self._mode = mode
        self.explorer: Observer | None = None
        self.branches: Mapping[ir.Node, bool] = {}
        self.caller: Caller = call
        self._is_exploring = False
        self._values: dict[ir.Value, object] = {}
        self._sizes: dict[str, int] = {}
        self._forms: Mapping[str, Callable[[ir.Node], Sequence[object]]] = {
            "prim::Constant": self._constant,
            "prim::ListConstruct": lambda node: [self._inputs(node)],
            "prim::TupleConstruct": lambda node: [tuple(self._inputs(node))],
            "prim::ListUnpack": self._unpack,
            "prim::TupleUnpack": self._unpack,
            "prim::Identity": self._inputs,
            "prim::If": self._if,
            "prim::Loop": self._loop,
            "prim::SetAttr": lambda _: [],  # the run leaves the model as it is
        }

    def graph(self, graph: ir.Graph, inputs: Sequence[tuple[ir.Value, object]]) -> list[object]:
        """Run the whole graph."""
        for value, actual in inputs:
            self._values[value] = self._guarded(adopt(actual, self._mode, value.name or ""))
            if isinstance(actual, torch.Tensor) and value.shape is not None:
                self._sizes.update(
                    (str(name.value), size)
                    for name, size in zip(value.shape, actual.shape, strict=True)
                    if isinstance(name, ir.SymbolicDim)
                )
        return self._block(graph)

    # Blocks

    def _block(self, graph: ir.Graph) -> list[object]:
        """Run the nodes of a graph or block whose inputs are bound."""
        for node in graph:
            self._node(node)
        results = [self._load(value) for value in graph.outputs]
        for value in (*graph.inputs, *graph.outputs):
            self._values.pop(value, None)
        return results

    def _node(self, node: ir.Node) -> None:
        results = self._results(node)
        for value, result in zip(node.outputs, results, strict=True):
            self._bind(value, result)
        for value in self._lifetimes[node]:
            self._values.pop(value, None)

    def _results(self, node: ir.Node) -> Sequence[object]:
        form = self._forms.get(str(op_name(node)), self._call)
        try:
            results = form(node)
            if len(results) != len(node.outputs):
                raise ValueError(f"it gave {len(results)} results for {len(node.outputs)} outputs")
        except InterpreterError:
            raise  # a node in a block of this one has said all
        except Exception as error:
            raise InterpreterError(node, _reason(error), self._known_inputs(node)) from error
        return results

    def _bind(self, value: ir.Value, result: object) -> None:
        self._values[value] = result
        if self._observer is not None:
            self._observer(value, result)

    # Values

    def _load(self, value: ir.Value | None) -> object:
        if value is None:
            return None
        if value not in self._values:
            self._values[value] = self._weight(value)
        return self._values[value]

    def _weight(self, value: ir.Value) -> object:
        if not value.is_initializer():
            raise LookupError(f"%{value.name} has no value where it is used")
        name = value.name or ""
        weight = self._weights.get(name)
        if weight is None:
            if value.const_value is None:
                raise LookupError(f"weight {name!r} has no values; pass them in weights=")
            weight = weight_tensor(value.const_value)
        return self._guarded(adopt(weight, self._mode, name))

    def _guarded(self, value: object) -> object:
        return value if self._protection is None else self._protection.protect(value)

    def _inputs(self, node: ir.Node) -> list[object]:
        return [self._load(value) for value in node.inputs]

    def _known_inputs(self, node: ir.Node) -> list[object]:
        return [
            self._values.get(value, _Missing(value)) if value is not None else None for value in node.inputs
        ]

    # Forms of nodes

    def _call(self, node: ir.Node) -> Sequence[object]:
        name, inputs = op_name(node), self._inputs(node)
        # Python's own operators write lists, never the tensors in them.
        if self._protection is not None and python_function(name, inputs) is None:
            for position in sorted(written_positions(node)):
                self._protection.before_write(inputs[position], self._values)
                inputs = self._inputs(node)
        return spread(self.caller(name, inputs), node.outputs)

    def _constant(self, node: ir.Node) -> Sequence[object]:
        return [torch_constant(constant_value(node.outputs[0]))]

    def _unpack(self, node: ir.Node) -> Sequence[object]:
        (whole,) = self._inputs(node)
        if not isinstance(whole, list | tuple):
            raise TypeError(f"a {type(whole).__name__} has no members")
        return whole

    def _if(self, node: ir.Node) -> Sequence[object]:
        branches = [node.attributes[name].as_graph() for name in ("then_branch", "else_branch")]
        condition = self.branches.get(node, self._load(node.inputs[0]))
        if isinstance(condition, FakeTensor):
            return _one_of([self._block(branch) for branch in branches])
        is_first = _truth(condition)
        taken, other = branches if is_first else reversed(branches)
        self._explore(other, [])
        return self._block(taken)

    def _loop(self, node: ir.Node) -> Sequence[object]:
        body = node.attributes["body"].as_graph()
        count = node.attributes["carried"].as_int()
        bound, condition, *carried = self._inputs(node)[: 2 + count]
        stacks = [Stack(value) for value in node.outputs[count:]]
        has_run = False
        for iteration in _count_to(bound):
            if not _truth(condition) or (self._is_exploring and iteration == LEAST_ITERATIONS):
                break
            has_run = True
            # Loaded each time: a write in the last round may have moved a captured value to a copy.
            captured = [self._load(value) for value in node.inputs[2 + count :]]
            for value, item in zip(body.inputs, (iteration, *carried, *captured), strict=True):
                self._bind(value, item)
            condition, *results = self._block(body)
            carried = results[:count]
            for stack, row in zip(stacks, results[count:], strict=True):
                stack.push(row)
        if not has_run:
            self._explore(body, [0, *carried, *map(self._load, node.inputs[2 + count :])])
        return [*carried, *(stack.result(self._sizes) for stack in stacks)]

    def _explore(self, block: ir.Graph, inputs: Sequence[object]) -> None:
        """Run a block that is not entered, if that is wanted; nothing of it is seen afterwards."""
        if self.explorer is None:
            return
        protection = Protection()
        run = _Run(self._weights, self._lifetimes, self.explorer, protection, self._mode)
        run.explorer, run._is_exploring = self.explorer, True
        state = torch.get_rng_state()
        try:
            for value in outer_values(block):
                run._values[value] = protection.protect(copied(self._load(value)))
            for value, item in zip(block.inputs, inputs, strict=True):
                run._bind(value, protection.protect(copied(item)))
            run._block(block)
        except (InterpreterError, LookupError):
            pass  # it does not fit what is there, and what it computed so far is right
        finally:
            torch.set_rng_state(state)


class _Missing:
    """Stands in an error's text for an input that could not be had."""

    def __init__(self, value: ir.Value) -> None:
        self._value = value

    def __repr__(self) -> str:
        return f"%{self._value.name}"


def _one_of(branches: Sequence[Sequence[object]]) -> Sequence[object]:
    """What an if gives where a fake condition does not tell the way: both have to give the same kinds."""
    first, other = branches
    for one, two in zip(first, other, strict=True):
        if _kind(one) != _kind(two):
            raise ValueError(
                f"its condition is a fake tensor, and its branches give {_kind(one)} and {_kind(two)}"
            )
    return first


def _kind(value: object) -> str:
    """Dtype and sizes of a tensor, as text: a comparison of symbolic sizes would be a condition on them."""
    if not isinstance(value, torch.Tensor):
        return f"the number {value!r}" if isinstance(value, bool | int | float) else type(value).__name__
    return f"{value.dtype} [{', '.join(map(str, value.shape))}]"


def _count_to(bound: object) -> Iterator[int]:
    """0, 1, … up to a loop's trip count; None is no bound."""
    if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | torch.SymInt)):
        raise TypeError(f"the trip count is {bound!r}, neither an int nor None")
    iteration = 0
    while bound is None or iteration < bound:
        yield iteration
        iteration += 1


def _truth(condition: object) -> bool:
    if isinstance(condition, bool | torch.SymBool):
        return bool(condition)
    if isinstance(condition, torch.Tensor) and condition.dtype == torch.bool and condition.dim() == 0:
        return bool(condition)
    raise TypeError("the condition is neither a bool nor a 0-d bool tensor")


def _reason(error: Exception) -> str:
    """The first line of an error; the whole of it is the cause of ours."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
