"""Arguments that torch.onnx.export kept from its older exporter: what each still means here."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence

from onnx_diagnostics import Diagnostic, DiagnosticContext, Level
from onnx_export.rules import ARGUMENT_IGNORED
from onnx_ir_capture.fx import NamedShapes

__all__ = [
    "check_route",
    "dynamic_shapes_from_axes",
    "keeps_training_mode",
    "report_ignored",
    "warn_of_findings",
]

_IGNORED: Mapping[str, tuple[object, str]] = {
    "operator_export_type": ("ONNX", "only dynamo=False passes operators through to nodes of their own"),
    "do_constant_folding": (True, "constants are always folded, and weights never"),
    "dynamic_axes": (None, "dynamic_shapes is given, too"),
    "autograd_inlining": (True, "torch.export always inlines autograd functions"),
}
"""Argument: its default (by name, for an enumeration), and why another value has no effect."""


def check_route(dynamo: bool, *, dynamic_shapes: object, decompose: object) -> None:
    """Refuse what a trace cannot be given.

    Raises:
        ValueError: an argument is given that only ``dynamo=True`` knows.
    """
    if dynamo:
        return
    if dynamic_shapes is not None:
        raise ValueError("dynamo=False takes dynamic_axes={input: {axis: name}} in place of dynamic_shapes")
    if decompose:
        raise ValueError("decompose needs a capture by torch.export, so dynamo=True")


def report_ignored(diagnostics: DiagnosticContext, **given: object) -> None:
    """Warn of every argument that was given a value and has no effect, by name."""
    for argument, value in given.items():
        default, reason = _IGNORED[argument]
        # An enumeration is told by its name: its classes live in torch.onnx's part of torch.
        if value is None or default in (value, getattr(value, "name", value)):
            continue
        diagnostics.report(ARGUMENT_IGNORED, argument=argument, reason=reason)
        warnings.warn(f"{argument} has no effect: {reason}", DeprecationWarning, stacklevel=4)


def warn_of_findings(diagnostics: Iterable[Diagnostic]) -> None:
    """Show what the export found and went on with as Python warnings, which are seen without a log."""
    for found in diagnostics:
        if found.level is Level.WARNING and found.rule != ARGUMENT_IGNORED:
            place = found.location
            where = f" ({place.file}:{place.line})" if place is not None and place.file else ""
            warnings.warn(f"{found.rule.code}: {found.message}{where}", UserWarning, stacklevel=4)


# Numbers of torch.onnx.TrainingMode, which is not imported: it lives in torch.onnx's part of torch._C.
_EVAL, _PRESERVE = 0, 1


def keeps_training_mode(training: object) -> bool:
    """Whether ``training``, a ``torch.onnx.TrainingMode`` or its number, asks to keep the model's own mode.

    Raises:
        ValueError: it asks for training mode as such.
    """
    number = 0 if training is None else getattr(training, "value", training)
    if number == _EVAL:
        return False
    if number == _PRESERVE:
        warnings.warn(
            "training is deprecated; the model's own mode is kept", DeprecationWarning, stacklevel=4
        )
        return True
    raise ValueError(
        f"training={training} is not supported: put the model into the mode you want with model.train() or "
        "model.eval(), and pass TrainingMode.PRESERVE to keep it"
    )


def dynamic_shapes_from_axes(
    dynamic_axes: Mapping[str, Mapping[int, str] | Sequence[int]], output_names: Collection[str] = ()
) -> NamedShapes:
    """``dynamic_axes`` of the older exporter as ``dynamic_shapes`` by input name.

    Args:
        dynamic_axes: input or output name to ``{axis: name}`` or a list of axes.
        output_names: names of outputs, which are left out: their shapes follow from the inputs'.

    Raises:
        TypeError: it has another form.
    """
    if not isinstance(dynamic_axes, Mapping):
        raise TypeError(
            f"dynamic_axes must be a dict such as {{'x': {{0: 'batch'}}}}, not {type(dynamic_axes).__name__}"
        )
    shapes = NamedShapes("dynamic_axes")
    for name, axes in dynamic_axes.items():
        if name in output_names:
            continue
        is_list = isinstance(axes, list | tuple) and all(isinstance(axis, int) for axis in axes)
        if not is_list and not isinstance(axes, Mapping):
            raise TypeError(
                f"dynamic_axes has {axes!r} for {name!r}; give {{axis: 'name'}} or a list of axes, and for "
                "an input that holds several tensors one entry per tensor, by the names of input_names"
            )
        if not isinstance(axes, Mapping):
            axes = {axis: f"{name}_dynamic_axes_{number}" for number, axis in enumerate(axes, start=1)}
        shapes[name] = dict(axes)
    return shapes
