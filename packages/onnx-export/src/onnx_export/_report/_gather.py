"""Facts about programs, models and example inputs."""

from __future__ import annotations

import importlib.metadata
import platform
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_export._report._facts import DimensionFact, ModuleFact, OperatorFact, TensorFact, WeightFact
from onnx_ir_capture.dialect import OpName, get_source, is_literal, op_name
from onnx_ir_capture.fx import known_caches
from onnx_ir_capture.program import CapturedProgram, DimensionRange, WeightKind

__all__ = [
    "calls_by_operator",
    "dimension_facts",
    "example_facts",
    "model_name",
    "module_facts",
    "node_counts",
    "nodes_by_origin",
    "operator_facts",
    "value_facts",
    "versions",
    "weight_facts",
]

_PACKAGES = ("onnx-export", "torch", "onnx", "onnx-ir", "onnxscript", "onnxruntime")


def versions() -> dict[str, str]:
    """The versions that an export depends on; a package that is not installed is left out."""
    found = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def model_name(model: object) -> str:
    """The class of a module, also of one that is scripted, or the name of a function."""
    if isinstance(model, torch.jit.ScriptModule):
        return str(model.original_name)
    name = getattr(model, "__qualname__", None)
    name = name if isinstance(name, str) else type(model).__qualname__
    return name.rpartition("<locals>.")[2]


@known_caches()
def example_facts(args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[TensorFact, ...]:
    """The leaves of the arguments, by their places."""
    positional, _ = pytree.tree_flatten_with_path(tuple(args))
    by_name, _ = pytree.tree_flatten_with_path(dict(kwargs))
    places = [(f"args{pytree.keystr(path)}", leaf) for path, leaf in positional]
    places += [(f"kwargs{pytree.keystr(path)}", leaf) for path, leaf in by_name]
    return tuple(_example(name, leaf) for name, leaf in places)


def _example(name: str, leaf: object) -> TensorFact:
    if not isinstance(leaf, torch.Tensor):
        return TensorFact(name, type(leaf).__name__, None)
    return TensorFact(name, str(leaf.dtype).removeprefix("torch."), tuple(map(str, leaf.shape)))


def value_facts(values: Iterable[ir.Value]) -> tuple[TensorFact, ...]:
    """Values of a graph."""
    return tuple(TensorFact(str(value.name), _dtype(value), _shape(value.shape)) for value in values)


def _dtype(value: ir.Value) -> str:
    # Numbers and lists have types of their own in a captured program.
    if value.dtype is None or not isinstance(value.type, ir.TensorType):
        return "" if value.type is None else str(value.type)
    return _name(value.dtype)


# The others are called as in PyTorch and numpy, but for the capitals.
_NAMES = {ir.DataType.FLOAT: "float32", ir.DataType.DOUBLE: "float64"}


def _name(dtype: ir.DataType) -> str:
    return _NAMES.get(dtype) or dtype.name.lower()


def _shape(shape: ir.Shape | None) -> tuple[str, ...] | None:
    if shape is None:
        return None
    return tuple(str(dim) if isinstance(dim, int) else str(dim.value or "?") for dim in shape)


def dimension_facts(dimensions: Mapping[str, DimensionRange]) -> tuple[DimensionFact, ...]:
    """The dimensions that may vary."""
    return tuple(DimensionFact(name, found.lower, found.upper) for name, found in dimensions.items())


def calls_by_operator(program: CapturedProgram) -> Counter[OpName]:
    """How often a captured program calls each operator, in blocks, too."""
    return Counter(op_name(node) for node in program.model.graph.all_nodes() if not is_literal(node))


def module_facts(program: CapturedProgram) -> tuple[ModuleFact, ...]:
    """The modules whose calls were captured."""
    calls: Counter[str] = Counter()
    classes: dict[str, str] = {}
    for node in program.model.graph.all_nodes():
        source = None if is_literal(node) else get_source(node)
        if source is not None:
            calls[source.module] += 1
            # A call that a front end has made up is in a module, but knows no class.
            known = source.module_class.rpartition("<locals>.")[2]
            classes[source.module] = classes.get(source.module) or known
    return tuple(ModuleFact(path, classes[path], count) for path, count in calls.items())


def nodes_by_origin(model: ir.Model) -> dict[str, Counter[str]]:
    """For each torch operator, the ONNX nodes that were made for it."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for node in _all_nodes(model):
        found[node.metadata_props.get("pkg.torch.op", "")][_onnx_name(node)] += 1
    return found


def node_counts(model: ir.Model) -> dict[str, int]:
    """How many nodes of each operator a model has."""
    return dict(Counter(_onnx_name(node) for node in _all_nodes(model)))


def _all_nodes(model: ir.Model) -> Iterable[ir.Node]:
    yield from model.graph.all_nodes()
    for function in model.functions.values():
        yield from function.all_nodes()


def _onnx_name(node: ir.Node) -> str:
    return f"{node.domain}::{node.op_type}" if node.domain else node.op_type


def operator_facts(
    captured: Mapping[OpName, int],
    cleaned: Mapping[OpName, int] | None,
    translated: Mapping[OpName, Mapping[str, int]] | None,
    nodes: Mapping[str, Mapping[str, int]],
) -> tuple[OperatorFact, ...]:
    """One fact per operator, those that are called most first; None stands for a stage that was not done."""
    found = [
        OperatorFact(
            str(op),
            captured.get(op, 0),
            None if cleaned is None else cleaned.get(op, 0),
            None if translated is None else dict(translated.get(op, {})),
            dict(nodes.get(str(op), {})),
        )
        for op in {**captured, **(cleaned or {})}
    ]
    return tuple(sorted(found, key=lambda fact: (-(fact.cleaned or 0), -fact.captured, fact.op)))


def weight_facts(graph: ir.Graph, kinds: Mapping[str, WeightKind]) -> tuple[WeightFact, ...]:
    """The weights of a graph, the largest first. Their values are not looked at."""
    found = [
        WeightFact(
            str(name),
            kinds.get(str(name), WeightKind.CONSTANT).value,
            _name(tensor.dtype),
            tuple(str(size) for size in tensor.shape),
            tensor.nbytes,
        )
        for name, value in graph.initializers.items()
        if (tensor := value.const_value) is not None
    ]
    return tuple(sorted(found, key=lambda fact: (-fact.nbytes, fact.name)))
