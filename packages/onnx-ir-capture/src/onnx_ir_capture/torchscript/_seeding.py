"""Types and shapes of a graph's values, from runs of the example through the interpreter."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

import onnx_ir as ir
import sympy
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from onnx_ir_capture.dialect import OpName, is_plain_tensor
from onnx_ir_capture.fx._fake_runs import fresh_mode, named_size, silenced, without_mkldnn
from onnx_ir_capture.fx._values import dialect_shape, dialect_type
from onnx_ir_capture.interpreter import Interpreter, InterpreterError, call, is_plain_strided
from onnx_ir_capture.torchscript._repeated_calls import RepeatedCalls, may_repeat

__all__ = ["lacks_sizes", "lacks_types", "seed_shapes", "seed_types"]

# A size that stands for "any": 0 and 1 would take ways of their own through broadcasting.
_LEAST_SIZE = 2


def lacks_types(graph: ir.Graph) -> bool:
    """Whether the dtype or rank of a tensor is unknown: a trace has them but where it calls a script."""
    return any(
        value.shape is None or value.dtype == ir.DataType.UNDEFINED for value in _computed_tensors(graph)
    )


def lacks_sizes(graph: ir.Graph) -> bool:
    """Whether a size of a tensor is unknown."""
    return any(value.shape is None or not value.shape.is_static() for value in _computed_tensors(graph))


def _computed_tensors(graph: ir.Graph) -> Iterator[ir.Value]:
    """The tensors that nodes compute, those in blocks, too."""
    for node in graph.all_nodes():
        yield from (value for value in node.outputs if is_plain_tensor(value.type))


def seed_types(graph: ir.Graph, inputs: Sequence[object]) -> None:
    """Give the values of a graph the dtypes and ranks that they have for example inputs, never their sizes.

    A value that is of several dtypes or ranks in one run, as in a loop, gets none.

    Raises:
        InterpreterError: a node failed.
    """
    seen: dict[ir.Value, tuple[ir.DataType | None, int | None]] = {}

    def note(value: ir.Value, result: object) -> None:
        if not isinstance(result, torch.Tensor) or not is_plain_tensor(value.type):
            return
        dtype, rank = dialect_type(result).dtype, result.dim()
        known_dtype, known_rank = seen.setdefault(value, (dtype, rank))
        seen[value] = (
            dtype if known_dtype == dtype else None,
            rank if known_rank == rank else None,
        )

    Interpreter(graph, observer=note).run(inputs)
    for value, (dtype, rank) in seen.items():
        value.type = ir.TensorType(ir.DataType.UNDEFINED if dtype is None else dtype)
        value.shape = None if rank is None else ir.Shape([None] * rank)


def seed_shapes(graph: ir.Graph, inputs: Sequence[object]) -> None:
    """Give the values their shapes in terms of the dimensions' names, where these hold for every size.

    The graph runs on fake tensors with a symbol per name. A run that has to compare a symbol says what holds
    for sizes like the example's only, and is not used. One that ends half-way, where sizes depend on data,
    is right as far as it went.

    Args:
        graph: its inputs have shapes; a dimension with a name varies.
        inputs: example inputs.
    """
    shapes = _SymbolicShapes(graph, inputs)
    repeats = may_repeat(graph.all_nodes())
    found = shapes.of_run(RepeatedCalls() if repeats else call)
    if repeats and shapes.depend_on_data:
        # Torch keeps such a size with the tensor whose data it is of, and tensors of one shape were one.
        shapes = _SymbolicShapes(graph, inputs)
        found = shapes.of_run(call)
    for value in _outer_values(graph):
        if value in found:
            value.shape = found[value]


class _SymbolicShapes:
    """The shapes of a graph's values in terms of the names of its inputs' dimensions, from one run."""

    def __init__(self, graph: ir.Graph, inputs: Sequence[object]) -> None:
        self._graph = graph
        self._mode, self._environment = fresh_mode()
        self._symbols = _Symbols(self._environment)
        self._fakes = [
            self._symbols.fake(self._mode, value, given)
            for value, given in zip(graph.inputs, inputs, strict=True)
        ]

    @property
    def depend_on_data(self) -> bool:
        """Whether the run gave a tensor a size that is known from no input's shape."""
        return self._symbols.are_of_data

    def _weights(self) -> dict[str, torch.Tensor]:
        """One fake tensor for all weights of one form: torch's own way takes longer than a call."""
        found: dict[object, torch.Tensor] = {}
        weights: dict[str, torch.Tensor] = {}
        for name, value in self._graph.initializers.items():
            tensor = getattr(value.const_value, "raw", None)
            if isinstance(tensor, torch.Tensor) and is_plain_strided(tensor):
                form = (tensor.shape, tensor.stride(), tensor.dtype, tensor.device)
                if form not in found:
                    with self._mode:
                        found[form] = torch.empty_strided(*form[:2], dtype=tensor.dtype, device=tensor.device)
                weights[name] = found[form]
        return weights

    def of_run(self, caller: Callable[[OpName, Sequence[object]], object]) -> dict[ir.Value, ir.Shape]:
        """What a run found; nothing where it says something of sizes like the example's only."""
        found: dict[ir.Value, ir.Shape] = {}

        def note(value: ir.Value, result: object) -> None:
            if isinstance(result, torch.Tensor) and is_plain_tensor(value.type):
                shape = dialect_shape(result, self._symbols.rename)
                if shape is not None:
                    found[value] = shape

        # What stops the run is not an error, so that torch is not to log it as one. Libraries of kernels
        # choose by sizes, which would be conditions here.
        self._mode.cache_enabled = caller is call  # it knows repeated calls, too, but takes longer to tell
        with (
            without_mkldnn(),
            torch.backends.nnpack.flags(enabled=False),
            silenced("torch._subclasses.fake_tensor"),
            contextlib.suppress(InterpreterError),
        ):
            Interpreter(self._graph, weights=self._weights(), observer=note, caller=caller).run(self._fakes)
        environment = self._environment
        holds = not environment.replacements and all(_holds(guard.expr) for guard in environment.guards)
        return found if holds else {}


def _holds(condition: sympy.Basic) -> bool:
    """Whether a condition on sizes is true of all from :data:`_LEAST_SIZE` on."""
    beyond = {
        symbol: sympy.Symbol(f"{symbol}_beyond", integer=True, nonnegative=True) + _LEAST_SIZE
        for symbol in condition.free_symbols
    }
    return bool(condition.xreplace(beyond) == sympy.true)


def _outer_values(graph: ir.Graph) -> Iterator[ir.Value]:
    """The values outside of blocks: those inside may have other sizes each time."""
    for node in graph:
        yield from node.outputs


class _Symbols:
    """The symbols of a fake run by the names of dimensions."""

    def __init__(self, environment: ShapeEnv) -> None:
        self._environment = environment
        self._sizes: dict[str, torch.SymInt] = {}
        self._names: dict[sympy.Basic, sympy.Basic] = {}
        self.are_of_data = False
        """Whether a size was asked for that depends on an input's data."""

    def rename(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression of the run's symbols in terms of names."""
        for symbol in expression.free_symbols - self._names.keys():
            self.are_of_data = True
            self._names[symbol] = sympy.Symbol(self._unused(str(symbol)), integer=True, nonnegative=True)
        renamed: sympy.Expr = expression.xreplace(self._names)
        return renamed

    def _unused(self, name: str) -> str:
        """``name``, or one like it where a dimension of an input has it."""
        while name in self._sizes:
            name += "_"
        return name

    def fake(self, mode: FakeTensorMode, value: ir.Value, given: object) -> object:
        """A fake tensor of the shape of an input; anything else is given back."""
        if not isinstance(given, torch.Tensor) or value.shape is None:
            return given
        sizes = [
            self._size(str(dimension.value), size) if isinstance(dimension, ir.SymbolicDim) else size
            for dimension, size in zip(value.shape, given.shape, strict=True)
        ]
        with mode:
            return torch.empty(sizes, dtype=given.dtype)

    def _size(self, name: str, example: int) -> torch.SymInt:
        if name not in self._sizes:
            symbol, size = named_size(self._environment, name, max(example, _LEAST_SIZE))
            self._names[symbol] = sympy.Symbol(name, integer=True, positive=True)
            self._sizes[name] = size
        return self._sizes[name]
