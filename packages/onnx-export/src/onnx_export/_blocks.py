"""The first wrong operator inside of a branch or of a loop's body.

The blocks of the file are taken out of it as models of their own. Each run of one in PyTorch is repeated with
such a model on the very values that the run had from around it, and what is computed inside is compared.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._complex import as_pairs
from onnx_export._differences import as_tensor, difference
from onnx_export._partings import Found, Parting, Refused, ValueComparison, comparable, written_values
from onnx_export._program import ONNXProgram
from onnx_export._runtime import Session, is_refusal, open_session
from onnx_ir_capture.dialect import ScalarType, is_literal, op_name
from onnx_ir_capture.interpreter import InterpreterError, Observer

__all__ = ["find_inside"]

Given = Callable[[ir.Value], object]
"""Gives an input or weight of the captured program."""


def find_inside(
    program: ONNXProgram,
    node: ir.Node,
    *,
    run: Callable[[Observer], None],
    given: Given,
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
) -> Parting | None:
    """The first operator that the file has wrong in the blocks of a captured ``If`` or ``Loop``.

    Args:
        program: the exported model with its captured program.
        node: the captured operator.
        run: runs the captured program under an observer.
        given: inputs and weights of the captured program.
        tolerances: as for verification.
        providers: ONNX Runtime's execution providers.

    Returns:
        The operator itself where its blocks are right and what it makes of them is not; None where it gives
        the same when it is given the same.

    Raises:
        LookupError: the file has no such blocks, or they use what the captured program does not have.
    """
    inside = functools.partial(
        find_inside, program, run=run, given=given, tolerances=tolerances, providers=providers
    )
    try:
        with contextlib.ExitStack() as stack:
            extracts = _Extracts(program, node, providers, stack)
            run(_Passes(extracts, given, inside, tolerances))
    except Found as found:
        return found.parting
    except Exception as error:
        if isinstance(error.__cause__, Found):  # what a block around it makes of that
            return error.__cause__.parting
        if isinstance(error, InterpreterError) or is_refusal(error):
            raise LookupError(
                f"the blocks of {op_name(node)} cannot be run by themselves: {error}"
            ) from error
        raise
    return None


@dataclasses.dataclass
class _Extract:
    """Nodes of the file as a model, with what it computes by captured values.

    Attributes:
        takes: captured values that have to be known, with the file's.
        computes: captured values that it computes, with the file's.
        inputs: which of ``takes`` are inputs of the model.
        session: runs it.
    """

    takes: Mapping[ir.Value, ir.Value]
    computes: Mapping[ir.Value, ir.Value]
    inputs: Sequence[ir.Value]
    session: Session

    def results(self, known: Mapping[ir.Value, object]) -> dict[ir.Value, torch.Tensor]:
        """What the file computes from captured values; those that it takes are among the results."""
        feeds = {captured: _fed(value, known[captured]) for captured, value in self.takes.items()}
        names = {str(self.takes[captured].name): feeds[captured] for captured in self.inputs}
        held = dict.fromkeys(self.computes.values())
        found = dict(zip(held, self.session.run(names), strict=True))
        return {**feeds, **{captured: found[value] for captured, value in self.computes.items()}}


def _fed(value: ir.Value, result: object) -> torch.Tensor:
    if not comparable(result):
        raise LookupError(f"%{value.name} is no tensor")
    tensor = as_pairs(as_tensor(result).detach())
    if isinstance(result, torch.Tensor) or value.dtype is None:
        return tensor
    return tensor.to(tensor_adapters.to_torch_dtype(value.dtype))  # a number's width is the translation's


class _Extracts:
    """The blocks of one captured operator in the file, and the operator itself."""

    def __init__(
        self,
        program: ONNXProgram,
        node: ir.Node,
        providers: Sequence[str],
        stack: contextlib.ExitStack,
    ) -> None:
        self.node = node
        self._program, self._providers, self._stack = program, providers, stack
        self._map = program.value_map
        inner = set(_defined(node))
        graph = program.program.model.graph
        self._around = {
            self._map[value]: value
            for value in (*graph.inputs, *graph.initializers.values(), *_results(graph))
            if value in self._map and value not in inner and value not in node.outputs
        }
        self.whole = self._extract(self._around, node.outputs)
        self.blocks = [self._block(block) for block in _blocks_of(node)]

    def alone(self, extract: _Extract, value: ir.Value) -> _Extract:
        """Of what an extract computes, one value."""
        return self._extract({held: captured for captured, held in extract.takes.items()}, [value])

    def _block(self, block: ir.Graph) -> tuple[ir.Graph, _Extract | None]:
        inner = [*block.inputs, *(value for member in block for value in member.outputs)]
        # Rows that a Scan takes are computed in the captured body.
        given = {self._map[value]: value for value in inner if value in self._map}
        known = {**self._around, **{held: value for held, value in given.items() if _is_taken(held)}}
        results = [
            value
            for member in block
            if not is_literal(member)
            for value in member.outputs
            if self._map.get(value, value) not in (value, *known)
        ]
        return block, self._extract(known, results) if results else None

    def _extract(self, known: Mapping[ir.Value, ir.Value], results: Sequence[ir.Value]) -> _Extract:
        """The nodes of the file that compute ``results`` from values that are ``known``."""
        held = {value: self._map[value] for value in results if value in self._map}
        if not held:
            raise LookupError("the file has none of these values")
        computed = {value: other for value, other in held.items() if other not in known}
        part = _Closure(known, computed.values())
        graph = part.graph(self._program.model)
        inputs = [known[value] for value in part.inputs]
        takes = dict(zip(inputs, part.inputs, strict=True))
        for value in held.values():
            if value in known:
                takes[known[value]] = value
        model = ir.Model(
            graph,
            ir_version=self._program.model.ir_version,
            functions=[function.clone() for function in self._program.model.functions.values()],
        )
        opened = functools.partial(open_session, providers=self._providers, optimized=False, quiet=True)
        session = Session(model, opened)
        self._stack.callback(session.close)
        return _Extract(takes, computed, inputs, session)


class _Closure:
    """What nodes of a file need, down to values that are known.

    Raises:
        LookupError: they need an input of a block that is not known.
    """

    def __init__(self, known: Mapping[ir.Value, ir.Value], wanted: Iterable[ir.Value]) -> None:
        self.inputs: dict[ir.Value, None] = {}
        self._known, self._wanted = known, list(dict.fromkeys(wanted))
        self._weights: dict[ir.Value, None] = {}
        self._nodes: dict[ir.Node, None] = {}
        for value in self._wanted:
            self._need(value)

    def _need(self, wanted: ir.Value) -> None:
        """Note all that a value needs; a node behind those that it needs."""
        open_values: list[ir.Value | ir.Node] = [wanted]
        while open_values:
            item = open_values.pop()
            if isinstance(item, ir.Node):
                self._nodes[item] = None
                continue
            node = item.producer()
            if item.is_initializer():
                self._weights[item] = None
            elif item in self._known:
                self.inputs[item] = None
            elif node is None:
                raise LookupError(f"%{item.name} has no counterpart in the captured program")
            elif node not in self._nodes:
                open_values += [node, *_uses(node)]

    def graph(self, model: ir.Model) -> ir.Graph:
        """The nodes as a graph of their own, which takes what is known as inputs."""
        view = ir.GraphView(
            list(self.inputs),
            self._wanted,
            nodes=list(self._nodes),
            initializers=tuple(self._weights),
            opset_imports=dict(model.graph.opset_imports),
            name="block",
        )
        graph = view.clone()
        for value in graph.inputs:
            # What is fed may have other sizes each time.
            value.shape = None
        return graph


class _Passes:
    """Collects each run of the blocks of an operator, and holds it against the file's when it ends."""

    def __init__(
        self,
        extracts: _Extracts,
        given: Given,
        inside: Callable[[ir.Node], Parting | None],
        tolerances: Mapping[torch.dtype, float],
    ) -> None:
        self._extracts, self._given, self._inside, self._tolerances = extracts, given, inside, tolerances
        node = extracts.node
        self._starts = {block.inputs[0] for block, _ in extracts.blocks if block.inputs}
        self._last, self._outputs = node.outputs[-1], set(node.outputs)
        self._of_blocks = {
            value
            for block, _ in extracts.blocks
            for value in (*block.inputs, *(output for member in block for output in member.outputs))
        }
        needed = [extracts.whole, *(extract for _, extract in extracts.blocks if extract is not None)]
        self._around = {value for extract in needed for value in extract.takes} - self._of_blocks
        self._written = frozenset[ir.Value]().union(*(written_values(block) for block, _ in extracts.blocks))
        self._known: dict[ir.Value, object] = {}
        self._pass: dict[ir.Value, object] = {}

    def __call__(self, value: ir.Value, result: object) -> None:
        if value in self._starts or value in self._outputs:
            self._end_pass()
        if value in self._of_blocks:
            self._pass[value] = _kept(result)
        elif value in self._around or value in self._outputs:
            self._known[value] = _kept(result)
        if value is self._last:
            self._compare_whole()

    def _end_pass(self) -> None:
        seen, self._pass = self._pass, {}
        for _, extract in self._extracts.blocks:
            if extract is not None and any(value in seen for value in extract.computes):
                self._compare(extract, seen)

    def _compare(self, extract: _Extract, seen: Mapping[ir.Value, object]) -> None:
        known = _Lookup(self._given, self._known, seen)
        try:
            held, refused = extract.results(known), False
        except Exception as error:
            if not is_refusal(error):
                raise
            held, refused = {}, True
        pairs = {**extract.takes, **extract.computes}

        def of(value: ir.Value) -> torch.Tensor:
            if refused:
                held.update(self._alone(extract, value, known))
            if value not in held:
                raise LookupError(f"%{value.name} has no counterpart")
            return held[value]

        def given(value: ir.Value) -> object:
            return seen[value] if value in seen else self._given(value)

        compare = ValueComparison(pairs, of, self._written, given, self._inside, self._tolerances)
        for value, result in seen.items():
            if value in extract.computes:
                compare(value, result)

    def _alone(
        self, extract: _Extract, value: ir.Value, known: Mapping[ir.Value, object]
    ) -> Mapping[ir.Value, torch.Tensor]:
        """One value that a block computes, with what it takes."""
        try:
            return self._extracts.alone(extract, value).results(known)
        except Exception as error:
            if not is_refusal(error):
                raise
            raise Refused(str(error).strip()) from error

    def _compare_whole(self) -> None:
        whole, node = self._extracts.whole, self._extracts.node
        held = whole.results(_Lookup(self._given, self._known, {}))
        for value in node.outputs:
            if value not in held or not comparable(self._known[value]):
                continue
            got, want = held[value], as_tensor(self._known[value])
            if isinstance(value.type, ScalarType):
                got = got.reshape(want.shape).to(want.dtype)
            problem = difference(got, want, self._tolerances)[1]
            if problem:
                raise Found(Parting(node, whole.computes[value], problem, inherited=False))


class _Lookup(dict[ir.Value, object]):
    """What is known of captured values when a block has run."""

    def __init__(
        self, given: Given, known: Mapping[ir.Value, object], seen: Mapping[ir.Value, object]
    ) -> None:
        super().__init__({**known, **seen})
        self._given = given

    def __missing__(self, value: ir.Value) -> object:
        return self._given(value)


def _is_taken(value: ir.Value) -> bool:
    """Whether a value of the file is an input of a block."""
    return value.producer() is None and not value.is_initializer()


def _kept(result: object) -> object:
    """A result as it is now: a later operator may write on it."""
    return result.clone() if isinstance(result, torch.Tensor) else result


def _blocks_of(node: ir.Node) -> list[ir.Graph]:
    return [held.as_graph() for held in node.attributes.values() if held.type == ir.AttributeType.GRAPH]


def _defined(node: ir.Node) -> Iterator[ir.Value]:
    """Every value that the blocks of an operator define, at any depth."""
    for block in _blocks_of(node):
        yield from block.inputs
        yield from _results(block)


def _results(graph: ir.Graph) -> Iterator[ir.Value]:
    for node in graph:
        yield from node.outputs
        yield from _defined(node)


def _uses(node: ir.Node) -> Iterator[ir.Value]:
    """What a node of the file uses, in its blocks, too."""
    yield from (value for value in node.inputs if value is not None)
    own = set(_defined(node))
    for block in _blocks_of(node):
        yield from (value for value in _used(block) if value not in own)


def _used(graph: ir.Graph) -> Iterator[ir.Value]:
    yield from graph.outputs
    for node in graph:
        yield from (value for value in node.inputs if value is not None)
        for block in _blocks_of(node):
            yield from _used(block)
