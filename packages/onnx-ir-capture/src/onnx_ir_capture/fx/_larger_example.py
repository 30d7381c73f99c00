"""Examples whose dynamic dimensions are not 0 or 1, the sizes by which models choose their way."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx._arguments import Arguments
from onnx_ir_capture.fx._caches import known_caches
from onnx_ir_capture.fx._dynamic_shapes import DimensionRequest
from onnx_ir_capture.fx._resized import resized

__all__ = ["larger_example"]

_SIZES = (3, 5, 7, 11, 13, 17)


@known_caches()
def larger_example(
    requests: Sequence[DimensionRequest], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> Arguments | None:
    """The example with other sizes where a dimension that shall be dynamic is 0 or 1 in it.

    A model that asks for ``length > 1`` goes one way for a single token and another one for more, often
    only to save work; captured by the example of one token, it would hold for one token only.

    Args:
        requests: the dimensions that shall be dynamic. Those of one name get one size, and so do those
            without a name that have one size as the same axis of their tensors.
        args: example arguments by position.
        kwargs: example arguments by name.

    Returns:
        The arguments; None where no dimension can be larger.
    """
    roots = {request.derived.root.__name__ for request in requests if request.derived is not None}
    free = [request for request in requests if not request.derived and request.name not in roots]
    sizes = _larger_sizes([request for request in free if request.axis is not None])
    changes: dict[int, dict[int, int]] = {}
    for request in free:
        size = sizes.get(_group(request), request.size)
        if request.axis is not None and size != request.size:
            changes.setdefault(request.leaf, {})[request.axis] = size
    if not changes:
        return None
    leaves, tree = pytree.tree_flatten((args, dict(kwargs)))
    larger = [
        resized(leaf, changes.get(index, {})) if isinstance(leaf, torch.Tensor) else leaf
        for index, leaf in enumerate(leaves)
    ]
    larger_args, larger_kwargs = pytree.tree_unflatten(larger, tree)
    return larger_args, larger_kwargs


def _group(request: DimensionRequest) -> Hashable:
    return (request.axis, request.size) if request.name is None else request.name


def _larger_sizes(requests: Sequence[DimensionRequest]) -> dict[Hashable, int]:
    """The new sizes of the groups that have one."""
    sizes: dict[Hashable, int] = {}
    for request in requests:
        if request.size <= 1 and _group(request) not in sizes:
            sizes[_group(request)] = _within(request, _SIZES[len(sizes) % len(_SIZES)])
    return sizes


def _within(request: DimensionRequest, size: int) -> int:
    size = max(size, request.lower)
    return size if request.upper is None else min(size, request.upper)
