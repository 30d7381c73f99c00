"""A file as the program of the model that it was exported from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_export._exporter import Exporter
from onnx_export._finish import PRODUCER
from onnx_export._legacy import dynamic_shapes_from_axes
from onnx_export._models import Exportable
from onnx_export._program import ONNXProgram
from onnx_export._state import read_state
from onnx_ir_capture.program import CapturedProgram

__all__ = ["load_model", "program_of_file"]


def load_model(path: str | os.PathLike[str]) -> ir.Model:
    """Read a file with its weights.

    Raises:
        OSError: it cannot be read.
        ValueError: it holds no ONNX model, or not the weights that it names.
    """
    try:
        model = ir.load(path)
        ir.external_data.load_to_model(model)
    except OSError:
        raise
    except Exception as error:  # protobuf's classes differ between its implementations
        said = " ".join(str(error).split())
        raise ValueError(f"{os.fspath(path)} holds no ONNX model that can be read: {said}") from error
    if not len(model.graph) and not model.graph.outputs:  # as an empty file is for protobuf
        raise ValueError(f"{os.fspath(path)} holds no ONNX model that can be read: it is empty")
    return model


def program_of_file(
    file: ir.Model,
    model: Exportable,
    args: Sequence[object],
    kwargs: Mapping[str, object] | None,
    diagnostics: DiagnosticContext,
    *,
    with_values: bool,
) -> ONNXProgram:
    """Capture ``model`` anew, as a program that runs ``file``.

    The dimensions that have names in the file vary, if the model can be captured with them.

    Args:
        file: the exported model.
        model: what it was exported from.
        args: example inputs by position.
        kwargs: example inputs by name.
        diagnostics: gets what the capture finds.
        with_values: export the model anew, too, so that the program knows what of it the file's values hold;
            it must be a file of onnx-export.

    Raises:
        OnnxExporterError: the model cannot be captured, or exported anew.
        ValueError: the file has other inputs than the model, or is none of onnx-export's.
    """
    if with_values and file.producer_name != PRODUCER:
        raise ValueError(
            f"the file says that {file.producer_name or 'an unknown tool'} wrote it: what its values hold is "
            f"known only of files of {PRODUCER}; do without localise"
        )
    exporter = Exporter(
        file.graph.opset_imports[""], keep_state=bool(read_state(file)), diagnostics=diagnostics
    )
    captured = _captured(exporter, file, model, args, kwargs)
    if not with_values:
        return ONNXProgram(file, captured, diagnostics)
    made = exporter.convert(captured)
    return ONNXProgram(file, captured, diagnostics, _counterparts(made, file))


def _captured(
    exporter: Exporter,
    file: ir.Model,
    model: Exportable,
    args: Sequence[object],
    kwargs: Mapping[str, object] | None,
) -> CapturedProgram:
    """The model as a program with the inputs of the file, and as far as possible with its dimensions."""
    given = {variable.input for variable in read_state(file) if variable.initial is not None}
    given |= file.graph.initializers.keys()
    axes = {str(value.name): _named_axes(value) for value in file.graph.inputs if value.name not in given}
    names = list(axes)
    try:
        shapes = dynamic_shapes_from_axes({name: found for name, found in axes.items() if found})
        captured = exporter.capture(model, args, kwargs, dynamic_shapes=shapes or None, input_names=names)
    except CaptureError:
        # Another exporter may have followed sizes that this one cannot; the example's can be compared.
        captured = exporter.capture(model, args, kwargs, input_names=names)
    taken = [spec.name for spec in captured.inputs if spec.value is not None]
    if len(taken) != len(names):
        raise ValueError(
            f"the file takes {len(names)} inputs ({', '.join(names)}), and the model with these examples "
            f"{len(taken)} ({', '.join(taken)})"
        )
    return captured


def _counterparts(made: ONNXProgram, file: ir.Model) -> dict[ir.Value, ir.Value]:
    """For captured values those of the file, which is much like an export of the same program."""
    own, other = made.model.graph, file.graph
    held = {value.name: value for node in other for value in node.outputs}
    pairs: list[tuple[Sequence[ir.Value], Sequence[ir.Value]]] = [
        (own.outputs, other.outputs),
        (own.inputs, other.inputs),
    ]
    if len(own) == len(other):  # what has another name there is what may be wrong
        held = {}
        pairs += ((before.outputs, after.outputs) for before, after in zip(own, other, strict=True))
    for before, after in pairs:
        held.update((value.name, found) for value, found in zip(before, after, strict=False))
    return {captured: held[value.name] for captured, value in made.value_map.items() if value.name in held}


def _named_axes(value: ir.Value) -> dict[int, str]:
    dims = enumerate(value.shape or ())
    found = {axis: dim.value for axis, dim in dims if isinstance(dim, ir.SymbolicDim)}
    # A product or sum of others follows from them.
    return {axis: name for axis, name in found.items() if name is not None and name.isidentifier()}
