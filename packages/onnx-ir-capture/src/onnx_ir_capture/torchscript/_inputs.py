"""Names of a model's tensor inputs, and which of their dimensions vary."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx._containers import keys_for_all
from onnx_ir_capture.fx._shape_layout import NamedShapes
from onnx_ir_capture.program import DimensionRange, InputSpec
from onnx_ir_capture.rules import INVALID_DYNAMIC_SHAPES

__all__ = ["dimensions_of", "leaf_names", "named_axes", "named_input", "names_given"]


@keys_for_all()
def leaf_names(
    signature: inspect.Signature, args: Sequence[object], kwargs: Mapping[str, object]
) -> list[str]:
    """One name per leaf of ``(args, kwargs)``: the parameter's, and the path to a leaf inside of it.

    ``forward(x, cache)`` called with ``cache=[k, {"v": v}]`` has the leaves ``x``, ``cache_0`` and
    ``cache_1_v``.
    """
    positional = _positional_names(signature, len(args))
    flat, _ = pytree.tree_flatten_with_path((tuple(args), dict(kwargs)))
    return [_name(path, positional) for path, _ in flat]


def _positional_names(signature: inspect.Signature, count: int) -> list[str]:
    names: list[str] = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}_{index}" for index in range(count - len(names))]
        else:
            names.append(parameter.name)
    return names[:count]


def _name(path: Sequence[object], positional: Sequence[str]) -> str:
    where, first, *rest = (_key(entry) for entry in path)
    head = positional[int(first)] if where == "0" else first
    return "_".join([head, *rest])


def _key(entry: object) -> str:
    for attribute in ("key", "idx", "name"):
        if hasattr(entry, attribute):
            return str(getattr(entry, attribute))
    return str(entry)


def names_given(own: Sequence[str], leaves: Sequence[object], given: Sequence[str] | None) -> list[str]:
    """A name for each leaf of the arguments; those that are ``given`` are for the tensors among them."""
    rest = iter(given or ())
    pairs = zip(leaves, own, strict=True)
    return [next(rest, name) if isinstance(leaf, torch.Tensor) else name for leaf, name in pairs]


def named_input(name: str, value: ir.Value) -> InputSpec:
    """The input ``value`` that was to have a name, and has another one if an input before is called so."""
    return InputSpec(str(value.name), value, wanted=None if value.name == name else name)


def dimensions_of(graph: ir.Graph) -> dict[str, DimensionRange]:
    """The dimensions of the inputs that have names."""
    shapes = [value.shape for value in graph.inputs if value.shape is not None]
    names = [str(size.value) for shape in shapes for size in shape if isinstance(size, ir.SymbolicDim)]
    return dict.fromkeys(names, DimensionRange(0, None))


def named_axes(
    spec: object, names: Sequence[str], diagnostics: DiagnosticContext
) -> dict[str, dict[int, str]]:
    """The dimensions that vary, by input name and axis, each with a name.

    Args:
        spec: ``{input: {axis: name}}``; a ``Dim`` stands for its name, and one without a name gets that of
            the input and the axis. None, an int and ``Dim.STATIC`` leave the axis as in the example.
        names: of the inputs.
        diagnostics: where it is reported that the form does not fit.

    Raises:
        CaptureError: it has another form, or names what is no input; of ``NamedShapes`` that is noted.
    """
    if spec is None:
        return {}
    reason = ""
    found: dict[str, dict[int, str]] = {}
    for name, axes in spec.items() if isinstance(spec, Mapping) else ():
        if name not in names and isinstance(spec, NamedShapes):
            spec.unknown.add(name)
        elif name not in names:
            reason = f"there is no input {name}; the inputs are {', '.join(names)}"
        elif axes is not None and not isinstance(axes, Mapping):
            reason = f"{name} has {axes!r} where a trace takes {{axis: name}}"
        else:
            found[name] = _named(name, axes or {})
    if not isinstance(spec, Mapping):
        reason = "a trace takes them as {input: {axis: name}}"
    if reason:
        problem = diagnostics.report(INVALID_DYNAMIC_SHAPES, reason=reason)
        raise CaptureError("the model could not be captured", (problem,))
    return found


def _named(name: str, axes: Mapping[int, object]) -> dict[int, str]:
    found: dict[int, str] = {}
    for axis, dimension in axes.items():
        if dimension is None or isinstance(dimension, int) or dimension is Dim.STATIC:
            continue
        own = dimension if isinstance(dimension, str) else getattr(dimension, "__name__", "")
        found[axis] = own or f"{name}_dim_{axis}"
    return found
