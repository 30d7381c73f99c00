"""One call of a captured program taken apart into simpler ones, by torch's own decompositions."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import onnx_ir as ir
import sympy
import torch
from onnx_ir import tensor_adapters
from torch._decomp import core_aten_decompositions
from torch._library.custom_ops import OPDEFS
from torch._subclasses import FakeTensor, FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Decomposition, Unsupported
from onnx_ir_capture.dialect import (
    GraphBuilder,
    OpName,
    ScalarType,
    constant_key,
    constant_value,
    is_constant,
    items_of,
    op_name,
)
from onnx_ir_capture.fx._assumptions import may_fail
from onnx_ir_capture.fx._conditions import recorded_conditions
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.fx._fake_runs import silenced, without_mkldnn
from onnx_ir_capture.fx._graph import GraphImporter, Imported
from onnx_ir_capture.fx._program_sizes import ProgramSizes, symbols_of
from onnx_ir_capture.fx._tracing import any_size_as_example
from onnx_ir_capture.fx._values import EXPRESSION, constant_of, typed_value
from onnx_ir_capture.interpreter import find_operator, torch_constant, torch_dtype
from onnx_ir_capture.program import CapturedProgram

__all__ = ["CallDecomposer", "call_signature", "can_decompose"]

_Function = Callable[..., object]


class CallDecomposer:
    """Takes single calls of one program apart.

    A call runs once more on fake tensors of its own sizes, under the program's own symbols, which are left
    as they are. A decomposition that holds only for the example's sizes is refused.

    Args:
        program: whose calls they are.
    """

    def __init__(self, program: CapturedProgram) -> None:
        self._program = program
        self._sizes = ProgramSizes(program)
        self._dimensions = self._sizes.dimensions
        self._mode = self._sizes.mode

    def decompose(self, node: ir.Node) -> Decomposition | None:
        """``node`` taken apart, or None if torch has no decomposition of its operator.

        Raises:
            Unsupported: it has one that cannot be used here; the reason completes "its decomposition …".
        """
        name = op_name(node)
        op = find_operator(name)
        function = None if op is None else _decomposition_of(op)
        operands = self.operands(node)
        if op is not None and function is None and _is_constant(op, operands):
            return Decomposition(_import_constant(_flat_call(op, op, node, operands)), operands)
        if op is None or function is None:
            return None
        with self._recording() as conditions:
            fakes = [self._fake(value) for value in operands]
            traced = _trace(_flat_call(op, function, node, operands), fakes)
        for condition in map(self._dimensions.rename, conditions):
            if may_fail(condition, self._program.dimensions, self._known()):
                raise Unsupported(f"holds only where {condition}")
        try:
            return self._imported(traced, node, operands)
        except (LookupError, TypeError, ValueError) as error:
            raise Unsupported(f"cannot be imported: {error}") from error

    def operands(self, node: ir.Node) -> Sequence[ir.Value]:
        """The values that the inputs of a decomposition of ``node`` stand for."""
        return list(dict.fromkeys(_run_time_values(node.inputs)))

    @contextlib.contextmanager
    def _recording(self) -> Iterator[list[sympy.Basic]]:
        """The program's fake mode, whose symbols learn nothing meanwhile; what they were asked."""
        with (
            any_size_as_example(),
            recorded_conditions(self._mode.shape_env) as conditions,
            torch.no_grad(),
            without_mkldnn(),
            _uncached(self._mode),
            self._mode,
        ):
            yield conditions

    def _known(self) -> list[sympy.Basic]:
        env = self._mode.shape_env
        guards = [] if env is None else env.guards
        return [self._dimensions.rename(guard.expr) for guard in guards]

    def _fake(self, value: ir.Value) -> object:
        """A fake tensor, or a symbolic number, of the type and sizes of ``value``."""
        if isinstance(value.type, ScalarType):
            return self._number(value, value.type.kind)
        if value.shape is None or value.dtype is None:
            raise Unsupported(f"would need the shape and dtype of %{value.name}, which are not known")
        sizes = [dim if isinstance(dim, int) else self._sizes.of(dim.value) for dim in value.shape]
        return torch.empty(sizes, dtype=torch_dtype(value.dtype), device=self._sizes.device)

    def _number(self, value: ir.Value, kind: str) -> object:
        if kind == "int":
            return self._sizes.of(value.metadata_props.get(EXPRESSION))
        if kind == "float":
            return self._sizes.env.create_unbacked_symfloat()
        if kind == "bool":
            return self._sizes.env.create_unbacked_symbool()
        raise Unsupported(f"would need the {kind} %{value.name}, which is known at run time only")

    def _imported(
        self, traced: torch.fx.GraphModule, node: ir.Node, operands: Sequence[ir.Value]
    ) -> Decomposition:
        (output,) = traced.graph.find_nodes(op="output")
        results = pytree.tree_leaves(output.args[0])
        fakes = [item.meta["val"] if isinstance(item, torch.fx.Node) else item for item in results]
        if len(fakes) != len(node.outputs):
            raise Unsupported(f"gives {len(fakes)} results instead of {len(node.outputs)}")
        names = {**self._dimensions.names, **_fresh_names(fakes, node.outputs, self._sizes.symbols)}
        graph = _import(traced, results, Dimensions(names, self._dimensions.ranges))
        has_fresh = bool(
            symbols_of(node.meta.get("val") for node in traced.graph.nodes) - self._sizes.symbols
        )
        return Decomposition(graph, operands, is_general=not has_fresh)


@contextlib.contextmanager
def _uncached(mode: FakeTensorMode) -> Iterator[None]:
    """Meanwhile no result of a fake call is kept: putting it together again asks more of the sizes."""
    before = mode.cache_enabled
    mode.cache_enabled = False
    try:
        yield
    finally:
        mode.cache_enabled = before


def call_signature(node: ir.Node) -> tuple[object, ...]:
    """Equal for calls of one operator with equal constants and operands of the same types and sizes."""
    places: dict[ir.Value, int] = {}
    return (op_name(node), *(_signature(value, places) for value in node.inputs))


def _signature(value: ir.Value | None, places: dict[ir.Value, int]) -> object:
    if value is None:
        return None
    if is_constant(value):
        return constant_key(constant_value(value))
    members = items_of(value)
    if members is not None:
        return tuple(_signature(member, places) for member in members)
    place = places.setdefault(value, len(places))
    return (place, str(value.type), str(value.shape), value.metadata_props.get(EXPRESSION))


def _run_time_values(values: Sequence[ir.Value | None]) -> Iterator[ir.Value]:
    for value in values:
        if value is None or is_constant(value):
            continue
        members = items_of(value)
        if members is None:
            yield value
        else:
            yield from _run_time_values(members)


@functools.cache
def _core_table() -> Mapping[torch._ops.OperatorBase, _Function]:
    return core_aten_decompositions()


def can_decompose(name: OpName) -> bool:
    """Whether torch has a decomposition of an operator; whether it serves a call, only the call shows."""
    op = find_operator(name)
    return op is not None and _decomposition_of(op) is not None


def _decomposition_of(op: torch._ops.OpOverload[..., object]) -> _Function | None:
    """Core ATen's decomposition, or the operator's own kernel that is written with other operators.

    Torch's table of all decompositions is left alone: it leads to ``prims`` and ``as_strided``.
    """
    table = _core_table()
    if op in table:  # its get() knows nothing of what it holds
        return table[op]
    # Operators on numbers alone are TorchScript's, and torch's dispatcher does not know them.
    if torch._C._dispatch_has_kernel(op.name()) and op._can_decompose():
        return op.decompose
    # torch.onnx.ops writes ONNX's operators with others of torch; what else custom operators do, who knows.
    definition = OPDEFS.get(op.name()) if op.namespace == "onnx" else None
    return None if definition is None else definition._init_fn


def _flat_call(
    op: torch._ops.OpOverload[..., object], function: _Function, node: ir.Node, operands: Sequence[ir.Value]
) -> _Function:
    """``function`` on the arguments of ``node``, of which ``operands`` are given one by one."""
    formals = op._schema.arguments

    def run(*values: object) -> object:
        given = dict(zip(operands, values, strict=True))
        arguments = [_argument(value, given) for value in node.inputs]
        positional = [a for a, formal in zip(arguments, formals, strict=True) if not formal.kwarg_only]
        named = {f.name: a for a, f in zip(arguments, formals, strict=True) if f.kwarg_only}
        return function(*positional, **named)

    return run


def _argument(value: ir.Value | None, given: Mapping[ir.Value, object]) -> object:
    if value is None:
        return None
    if is_constant(value):
        return torch_constant(constant_value(value))
    members = items_of(value)
    return given[value] if members is None else [_argument(member, given) for member in members]


def _is_constant(op: torch._ops.OpOverload[..., object], operands: Sequence[ir.Value]) -> bool:
    """Whether a call gives the same numbers each time, as ``fft_fftfreq``: it needs no program."""
    is_random = torch.Tag.nondeterministic_seeded in op.tags
    gives_tensor = [str(result.type) for result in op._schema.returns] == ["Tensor"]
    return not operands and gives_tensor and not is_random and not op._schema.is_mutable


def _import_constant(run: _Function) -> ir.Graph:
    graph = ir.Graph([], [], nodes=[], name="constant")
    try:
        held = run()
    except Exception as error:
        raise Unsupported(f"fails: {type(error).__name__}: {error}") from error
    builder = GraphBuilder(graph)
    graph.outputs.append(builder.identity(_weight(graph, "numbers", held), "result"))
    return graph


def _trace(run: _Function, fakes: Sequence[object]) -> torch.fx.GraphModule:
    trace = make_fx(run, decomposition_table={}, _allow_non_fake_inputs=True)
    try:
        with silenced("torch._subclasses.fake_tensor"):
            traced: torch.fx.GraphModule = trace(*fakes)
    except Exception as error:
        words = str(error).strip().splitlines() or [""]
        raise Unsupported(f"fails: {type(error).__name__}: {words[0]}") from error
    return traced


def _fresh_names(
    fakes: Sequence[object], outputs: Sequence[ir.Value], known: Collection[sympy.Symbol]
) -> dict[sympy.Symbol, sympy.Expr]:
    """Names of sizes that depend on data: what the program calls the same dimension of the same output."""
    names: dict[sympy.Symbol, sympy.Expr] = {}
    for fake, output in zip(fakes, outputs, strict=True):
        sizes: Sequence[object] = fake.shape if isinstance(fake, torch.Tensor) else ()
        for size, dim in zip(sizes, output.shape or (), strict=False):
            expression = size.node.expr if isinstance(size, torch.SymInt) else None
            if isinstance(expression, sympy.Symbol) and expression not in known and str(dim) != "None":
                names[expression] = sympy.Symbol(str(dim), integer=True, nonnegative=True)
    return names


def _import(traced: torch.fx.GraphModule, results: Sequence[object], dimensions: Dimensions) -> ir.Graph:
    graph = ir.Graph([], [], nodes=[], name="decomposition")
    builder = GraphBuilder(graph)
    diagnostics = DiagnosticContext("decomposition", "0")
    importer = GraphImporter(builder, diagnostics, dimensions)
    env: dict[torch.fx.Node, Imported] = {}
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            value = typed_value(node.meta["val"], importer.unique_name(node.name), dimensions.rename)
            graph.inputs.append(value)
            env[node] = value
        elif node.op == "get_attr" and not isinstance(
            held := getattr(traced, str(node.target)), torch.nn.Module
        ):
            env[node] = _weight(graph, importer.unique_name(node.name), held)
    importer.run(traced, env)
    if diagnostics.has_errors:
        raise Unsupported(f"holds what cannot be imported: {diagnostics.errors[0].message}")
    for item in results:
        is_made = isinstance(item, torch.fx.Node)
        value = importer.argument(item, env) if is_made else builder.constant(constant_of(item))
        # An output belongs to the node that makes it, once.
        graph.outputs.append(builder.identity(value, importer.unique_name("result")))
    return graph


def _weight(graph: ir.Graph, name: str, tensor: object) -> ir.Value:
    if not isinstance(tensor, torch.Tensor) or isinstance(tensor, FakeTensor):
        raise Unsupported(f"holds a constant of class {type(tensor).__qualname__}")
    value = typed_value(tensor, name)
    value.const_value = tensor_adapters.TorchTensor(tensor.detach(), name=name)
    graph.register_initializer(value)
    return value
