"""Images, lines and volumes resampled to another size."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import resized, smoothed, targets
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "upsample_bicubic2d",
    "upsample_bicubic2d_aa",
    "upsample_bicubic2d_aa_vec",
    "upsample_bicubic2d_vec",
    "upsample_bilinear2d",
    "upsample_bilinear2d_aa",
    "upsample_bilinear2d_aa_vec",
    "upsample_linear1d",
    "upsample_linear_vec",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_nearest_exact1d",
    "upsample_nearest_exact2d",
    "upsample_nearest_exact3d",
    "upsample_nearest_exact_vec",
    "upsample_nearest_vec",
    "upsample_trilinear3d",
]


@symbolic("aten::upsample_nearest1d.vec", "aten::upsample_nearest2d.vec", "aten::upsample_nearest3d.vec")
def upsample_nearest_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    scale_factors: Sequence[float] | None,
) -> Value:
    """upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"""
    return resized(g, input, *targets(g, input, output_size, scale_factors), "nearest")


@symbolic("aten::upsample_nearest1d")
def upsample_nearest1d(
    g: SymbolicContext, self: Value, output_size: Sequence[SymInt], scales: float | None = None
) -> Value:
    """upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor"""
    return resized(g, self, output_size, (scales,), "nearest")


@symbolic("aten::upsample_nearest2d")
def upsample_nearest2d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_h,
            scales_w,
        ),
        "nearest",
    )


@symbolic("aten::upsample_nearest3d")
def upsample_nearest3d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    scales_d: float | None = None,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_d,
            scales_h,
            scales_w,
        ),
        "nearest",
    )


@symbolic(
    "aten::_upsample_nearest_exact1d.vec",
    "aten::_upsample_nearest_exact2d.vec",
    "aten::_upsample_nearest_exact3d.vec",
)
def upsample_nearest_exact_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    scale_factors: Sequence[float] | None,
) -> Value:
    """_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor"""
    return resized(g, input, *targets(g, input, output_size, scale_factors), "nearest_exact")


@symbolic("aten::_upsample_nearest_exact1d")
def upsample_nearest_exact1d(
    g: SymbolicContext, self: Value, output_size: Sequence[SymInt], scales: float | None = None
) -> Value:
    """_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor"""
    return resized(g, self, output_size, (scales,), "nearest_exact")


@symbolic("aten::_upsample_nearest_exact2d")
def upsample_nearest_exact2d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_h,
            scales_w,
        ),
        "nearest_exact",
    )


@symbolic("aten::_upsample_nearest_exact3d")
def upsample_nearest_exact3d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    scales_d: float | None = None,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_d,
            scales_h,
            scales_w,
        ),
        "nearest_exact",
    )


@symbolic("aten::upsample_linear1d.vec", "aten::upsample_bilinear2d.vec", "aten::upsample_trilinear3d.vec")
def upsample_linear_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    align_corners: bool,
    scale_factors: Sequence[float] | None,
) -> Value:
    """upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"""
    return resized(g, input, *targets(g, input, output_size, scale_factors), "linear", align_corners)


@symbolic("aten::upsample_linear1d")
def upsample_linear1d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales: float | None = None,
) -> Value:
    """upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor"""
    return resized(g, self, output_size, (scales,), "linear", align_corners)


@symbolic("aten::upsample_bilinear2d")
def upsample_bilinear2d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_h,
            scales_w,
        ),
        "linear",
        align_corners,
    )


@symbolic("aten::upsample_trilinear3d")
def upsample_trilinear3d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales_d: float | None = None,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(
        g,
        self,
        output_size,
        (
            scales_d,
            scales_h,
            scales_w,
        ),
        "linear",
        align_corners,
    )


@symbolic("aten::upsample_bicubic2d.vec")
def upsample_bicubic2d_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    align_corners: bool,
    scale_factors: Sequence[float] | None,
) -> Value:
    """upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"""
    return resized(g, input, *targets(g, input, output_size, scale_factors), "cubic", align_corners)


@symbolic("aten::upsample_bicubic2d")
def upsample_bicubic2d(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return resized(g, self, output_size, (scales_h, scales_w), "cubic", align_corners)


@symbolic("aten::_upsample_bilinear2d_aa.vec", since=18)
def upsample_bilinear2d_aa_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    align_corners: bool,
    scale_factors: Sequence[float] | None,
) -> Value:
    """_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"""
    return smoothed(g, input, *targets(g, input, output_size, scale_factors), "linear", align_corners)


@symbolic("aten::_upsample_bilinear2d_aa", since=18)
def upsample_bilinear2d_aa(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return smoothed(g, self, output_size, (scales_h, scales_w), "linear", align_corners)


@symbolic("aten::_upsample_bicubic2d_aa.vec", since=18)
def upsample_bicubic2d_aa_vec(
    g: SymbolicContext,
    input: Value,
    output_size: Sequence[SymInt] | None,
    align_corners: bool,
    scale_factors: Sequence[float] | None,
) -> Value:
    """_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor"""
    return smoothed(g, input, *targets(g, input, output_size, scale_factors), "cubic", align_corners)


@symbolic("aten::_upsample_bicubic2d_aa", since=18)
def upsample_bicubic2d_aa(
    g: SymbolicContext,
    self: Value,
    output_size: Sequence[SymInt],
    align_corners: bool,
    scales_h: float | None = None,
    scales_w: float | None = None,
) -> Value:
    """_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor"""
    return smoothed(g, self, output_size, (scales_h, scales_w), "cubic", align_corners)
