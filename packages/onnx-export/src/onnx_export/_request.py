"""What the arguments of :func:`onnx_export.export` ask for: a model, its example, and names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_export._exportable import ExportableModule, examples_of
from onnx_export._legacy import dynamic_shapes_from_axes
from onnx_export._models import Exportable, resolved
from onnx_ir_capture.fx import Capturable, plain_arguments

__all__ = ["DynamicAxes", "Request"]

DynamicAxes = Mapping[str, Mapping[int, str] | Sequence[int]]
"""The older form of dynamic shapes: by input name, the axes that vary, with or without names."""


@dataclasses.dataclass(frozen=True)
class Request:
    """A model and what it is exported with, in the one form that :class:`Exporter` takes.

    Attributes:
        model: the model itself; what wraps or holds it is off.
        args: example inputs by position.
        kwargs: example inputs by name.
        dynamic_shapes: as for torch.export, or with names.
        input_names: names of the file's inputs; None for the model's own.
        output_names: names of the file's outputs; None for the graph's own.
    """

    model: Capturable
    args: tuple[object, ...]
    kwargs: Mapping[str, object]
    dynamic_shapes: object
    input_names: Sequence[str] | None
    output_names: Sequence[str] | None

    @classmethod
    def read(
        cls,
        model: Exportable,
        args: object,
        kwargs: Mapping[str, object] | None,
        *,
        dynamic_shapes: object,
        dynamic_axes: DynamicAxes | None,
        input_names: Sequence[str] | None,
        output_names: Sequence[str] | None,
        diagnostics: DiagnosticContext,
    ) -> Request:
        """Read the arguments of an export; a model that brings its own example and names adds them.

        Raises:
            OnnxExporterError: a path leads to no program, or the model is a script.
            TypeError, ValueError: an argument is wrong; the message names it.
        """
        input_names = _names("input_names", input_names)
        output_names = _names("output_names", output_names)
        found = resolved(model, diagnostics)
        if isinstance(found, ExportableModule) and args == () and not kwargs:
            args, kwargs = examples_of(found)
            if dynamic_shapes is None and dynamic_axes is None:
                dynamic_shapes = found.dynamic_shapes()
            input_names = found.input_names() if input_names is None else input_names
            output_names = found.output_names() if output_names is None else output_names
        positional, keywords = plain_arguments(found, args, kwargs)
        if isinstance(found, torch.export.ExportedProgram) and not positional and not keywords:
            positional, keywords = found.example_inputs or ((), {})
        if dynamic_axes is not None and dynamic_shapes is None:
            dynamic_shapes = dynamic_shapes_from_axes(dynamic_axes, output_names or ())
        return cls(found, positional, keywords, dynamic_shapes, input_names, output_names)


def _names(argument: str, names: Iterable[str] | None) -> Sequence[str] | None:
    """The names, of which a generator gives each only once."""
    if names is None or isinstance(names, Sequence):
        return names
    if isinstance(names, set | frozenset):
        raise TypeError(
            f"{argument} is a {type(names).__qualname__}, which has no order; give a list of names"
        )
    if not isinstance(names, Iterable):
        raise TypeError(f"{argument} is a {type(names).__qualname__}; give a list of names")
    return tuple(names)
