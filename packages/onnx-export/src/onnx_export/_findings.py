"""What a model that was exported has in it that its user may not expect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, Level, Location
from onnx_export._kernels import dtype_of, without_kernel
from onnx_export.rules import ARGUMENTS_FIXED, INPUT_RENAMED, LARGE_CONSTANT, MISSING_KERNEL, UNUSED_INPUT
from onnx_ir_capture.emit import constant_tensor, schemas
from onnx_ir_capture.lowering import origin_of
from onnx_ir_capture.program import CapturedProgram, WeightKind

__all__ = ["note_constants", "note_inputs", "note_kernels"]

_LARGE = 2**20

# Chosen for accelerators, which have the kernels; of float8 types there are more, all with this beginning.
_OF_ACCELERATORS = ("BFLOAT16", "FLOAT8", "FLOAT4")

_RELATED = 2


def note_kernels(model: ir.Model, diagnostics: DiagnosticContext) -> None:
    """Report the operators that ONNX Runtime's CPU provider cannot run, each with its dtypes once.

    Args:
        model: a lowered model, whose nodes are not in functions yet: types are known outside of them only.
        diagnostics: gets the findings.
    """
    opset = model.graph.opset_imports[""]
    alike: dict[tuple[object, ...], list[ir.Node]] = {}
    for node in model.graph.all_nodes():
        if not node.domain:
            # Numbers, since members of an enumeration take long to hash, and a graph has thousands of values.
            key = (node.op_type, *map(_code, node.inputs), None, *map(_code, node.outputs))
            alike.setdefault(key, []).append(node)
    found: dict[tuple[str, tuple[ir.DataType, ...]], list[ir.Node]] = {}
    for nodes in alike.values():
        lacking = without_kernel(nodes, opset)
        if lacking:
            first = lacking[0]
            found.setdefault((first.op_type, _culprits(first, opset)), []).extend(lacking)
    for (op_type, dtypes), nodes in found.items():
        places = [place for node in nodes if (place := origin_of(node)) is not None]
        diagnostics.report(
            MISSING_KERNEL,
            level=_level(dtypes),
            location=next(iter(places), None),
            related=_others(places),
            op=op_type,
            opset=opset,
            dtypes=" and ".join(map(_name, dtypes)),
            version=schemas.ort_version(),
        )


def _code(value: ir.Value | None) -> int:
    """The number of a tensor's dtype; 0, which is that of none, for all else."""
    kind = None if value is None else value.type
    return int(kind.dtype) if isinstance(kind, ir.TensorType) else 0


def _culprits(node: ir.Node, opset: int) -> tuple[ir.DataType, ...]:
    """The dtypes that no kernel takes at their input, or all where the kernels do not take them together."""
    known = [(index, dtype) for index, value in enumerate(node.inputs) if (dtype := dtype_of(value))]
    alone = [
        dtype
        for index, dtype in known
        if dtype not in (schemas.ort_cpu_accepts(node.op_type, opset, index) or frozenset())
    ]
    whole = [dtype for value in (*node.inputs, *node.outputs) if (dtype := dtype_of(value))]
    return tuple(dict.fromkeys(alone or whole))


def _level(dtypes: Iterable[ir.DataType]) -> Level:
    return Level.NOTE if any(dtype.name.startswith(_OF_ACCELERATORS) for dtype in dtypes) else Level.WARNING


def _name(dtype: ir.DataType) -> str:
    """The name that PyTorch has for a dtype."""
    names = {ir.DataType.FLOAT: "float32", ir.DataType.DOUBLE: "float64"}
    return names.get(dtype, dtype.name.lower())


def _others(places: list[Location]) -> list[Location]:
    """Some further lines beside the first."""
    return list(dict.fromkeys(place for place in places if place != places[0]))[:_RELATED]


def note_constants(model: ir.Model, program: CapturedProgram, diagnostics: DiagnosticContext) -> None:
    """Report the large tensors in ``model`` that are no weights of the program that it was lowered from."""
    for value in model.graph.initializers.values():
        tensor, kind = value.const_value, program.weights.get(str(value.name))
        is_constant = kind is WeightKind.CONSTANT or constant_tensor(value) is not None
        if tensor is None or not is_constant or tensor.nbytes <= _LARGE:
            continue
        diagnostics.report(
            LARGE_CONSTANT,
            location=next(_places(value), None),
            name=value.name,
            dtype=_name(tensor.dtype),
            shape=list(tensor.shape.numpy()),
            megabytes=f"{tensor.nbytes / 1e6:.1f}",
        )


def _places(value: ir.Value) -> Iterator[Location]:
    for use in value.uses():
        place = origin_of(use.node)
        if place is not None:
            yield place


def note_inputs(model: ir.Model, program: CapturedProgram, diagnostics: DiagnosticContext) -> None:
    """Report inputs of the finished ``model`` that nothing reads, or that had to be called otherwise.

    Arguments that are no inputs are reported, too.
    """
    captured = (spec for spec in program.inputs if spec.value is not None)
    for spec, value in zip(captured, model.graph.inputs, strict=False):
        if spec.wanted is not None and value.name == spec.name:  # not by input_names
            diagnostics.report(INPUT_RENAMED, name=spec.wanted, other=spec.name)
        if not value.uses() and not value.is_graph_output():
            diagnostics.report(UNUSED_INPUT, name=value.name)
    fixed = [spec for spec in program.inputs if spec.value is None and spec.literal is not None]
    if fixed:
        text = ", ".join(f"{spec.name}={spec.literal!r}" for spec in fixed)
        diagnostics.report(ARGUMENTS_FIXED, arguments=text)
