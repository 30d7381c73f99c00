"""Images and volumes read at the points of a grid."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import size_vector
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["affine_grid_generator", "grid_sampler"]

_INTERPOLATION = ("linear", "nearest", "cubic")

_PADDING = ("zeros", "border", "reflection")


@symbolic("aten::grid_sampler", "aten::grid_sampler_2d", "aten::grid_sampler_3d", since=16)
def grid_sampler(
    g: SymbolicContext,
    input: Value,
    grid: Value,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Value:
    """grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor"""
    return g.GridSample(
        input,
        grid,
        mode=_INTERPOLATION[interpolation_mode],
        padding_mode=_PADDING[padding_mode],
        align_corners=int(align_corners),
    )


@symbolic("aten::affine_grid_generator", since=20)
def affine_grid_generator(
    g: SymbolicContext, theta: Value, size: Sequence[SymInt], align_corners: bool
) -> Value:
    """affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor"""
    return g.AffineGrid(theta, size_vector(g, size), align_corners=int(align_corners))
