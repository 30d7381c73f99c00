"""Dynamic dimensions as torch.export is asked for them, in the form that a trace takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx import DimensionRequest, known_caches
from onnx_ir_capture.fx._callables import as_module, forward_signature
from onnx_ir_capture.program import DimensionRange
from onnx_ir_capture.torchscript._capture import Scriptable
from onnx_ir_capture.torchscript._inputs import leaf_names

__all__ = ["requested_axes", "requested_ranges"]


@known_caches()
def requested_axes(
    model: Scriptable,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    requests: Sequence[DimensionRequest],
    input_names: Sequence[str] | None = None,
) -> dict[str, dict[int, str]]:
    """The ``dynamic_axes`` of :func:`capture_script` that ask for the same dimensions.

    Args:
        model: what is traced.
        args: example arguments by position, in their plain form.
        kwargs: example arguments by name.
        requests: the dimensions. Those without a name are called as torch.export calls them.
        input_names: names of the tensors among the inputs, in order.

    Raises:
        ValueError: one of them is no dimension of a tensor, or an expression over another.
    """
    own, given = leaf_names(forward_signature(as_module(model)), args, kwargs), iter(input_names or ())
    leaves = pytree.tree_leaves((tuple(args), dict(kwargs)))
    names = [
        next(given, name) if isinstance(leaf, torch.Tensor) else name
        for leaf, name in zip(leaves, own, strict=True)
    ]
    taken = {request.name for request in requests}
    free = (name for name in map("s{}".format, range(len(requests) + len(taken))) if name not in taken)
    axes: dict[str, dict[int, str]] = {}
    for request in requests:
        if request.axis is None:
            raise ValueError(f"a trace fixes {request}, a number of Python")
        if request.derived is not None:
            raise ValueError(f"a trace knows no relation between sizes, as {request} has one")
        axes.setdefault(names[request.leaf], {})[request.axis] = request.name or next(free)
    return axes


def requested_ranges(
    dimensions: Mapping[str, DimensionRange], requests: Sequence[DimensionRequest]
) -> dict[str, DimensionRange]:
    """The sizes that the dimensions of a trace may have, within those that were asked for."""
    ranges = dict(dimensions)
    for request in requests:
        if request.name not in ranges:
            continue
        known = ranges[request.name]
        uppers = [upper for upper in (known.upper, request.upper) if upper is not None]
        ranges[request.name] = DimensionRange(max(known.lower, request.lower), min(uppers, default=None))
    return ranges
