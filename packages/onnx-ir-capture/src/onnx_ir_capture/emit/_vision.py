"""Boxes in images: suppression, regions of interest, and convolutions that look elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["aligned_regions", "boxes_kept", "convolved_at_offsets", "pooled_regions"]


def boxes_kept(emitter: Emitter, boxes: Value, scores: Value, iou_threshold: float) -> Value:
    """Indices of the boxes that overlap no better one by more than the threshold, the best first."""
    if not 0 <= iou_threshold <= 1:
        emitter.refuse(f"ONNX compares overlaps with thresholds from 0 to 1, not with {iou_threshold}")
    if ir.DataType.DOUBLE in (boxes.dtype, scores.dtype):
        emitter.refuse("ONNX has NonMaxSuppression in float32 alone; give it boxes and scores of float32")
    wide = [emitter.cast(value, ir.DataType.FLOAT) for value in (boxes, scores)]
    selected = emitter.NonMaxSuppression(
        emitter.Unsqueeze(wide[0], [0]),
        emitter.Unsqueeze(wide[1], [0, 1]),
        emitter.Shape(scores),
        [float(iou_threshold)],
    )
    # A row is the image, the class and the box.
    return emitter.Gather(selected, emitter.constant(2), axis=1)


def _constant_sizes(emitter: Emitter, sizes: Sequence[SymInt], what: str) -> list[int]:
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes):
        emitter.refuse(f"{what} comes from a computation, and ONNX takes it as a constant")
    return known


def aligned_regions(
    emitter: Emitter,
    input: Value,
    rois: Value,
    spatial_scale: float,
    pooled: Sequence[SymInt],
    sampling_ratio: int,
    aligned: bool,
) -> Value:
    """For each region, averages of what bilinear interpolation reads in each of its cells."""
    height, width = _constant_sizes(emitter, pooled, "the number of cells")
    dtype = dtype_of(emitter, input)
    wide = ir.DataType.FLOAT if dtype in HALVES else dtype
    regions = emitter.cast(emitter.Slice(rois, [1], [5], [1]), wide)
    images = emitter.cast(emitter.Gather(rois, emitter.constant(0), axis=1), ir.DataType.INT64)
    result = emitter.RoiAlign(
        emitter.cast(input, wide),
        regions,
        images,
        coordinate_transformation_mode="half_pixel" if aligned else "output_half_pixel",
        output_height=height,
        output_width=width,
        sampling_ratio=max(sampling_ratio, 0),
        spatial_scale=spatial_scale,
    )
    return emitter.cast(result, dtype)


def pooled_regions(
    emitter: Emitter, input: Value, rois: Value, spatial_scale: float, pooled: Sequence[SymInt]
) -> tuple[Value, Value]:
    """For each region the maxima of its cells, and an empty tensor in place of their positions."""
    if len(emitter.frame.expected) > 1:
        places = emitter.frame.expected[1]
        if places.uses() or places.is_graph_output():
            emitter.refuse("ONNX does not tell where the maxima of regions are")
    sizes = _constant_sizes(emitter, pooled, "the number of cells")
    dtype = dtype_of(emitter, input)
    wide = [emitter.cast(value, ir.DataType.FLOAT) for value in (input, rois)]
    if dtype == ir.DataType.DOUBLE:
        emitter.refuse("ONNX Runtime pools regions of float32 alone")
    maxima = emitter.MaxRoiPool(*wide, pooled_shape=sizes, spatial_scale=spatial_scale)
    return emitter.cast(maxima, dtype), emitter.constant([], ir.DataType.INT32)


def convolved_at_offsets(
    emitter: Emitter,
    values: tuple[Value, Value, Value, Value, Value | None],
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    dilation: Sequence[SymInt],
    groups: SymInt,
    offset_groups: SymInt,
) -> Value:
    """A convolution whose kernel reads beside its places by offsets.

    Args:
        emitter: where the nodes go.
        values: input, weight, offsets, bias and the mask that each element read is multiplied by.
        stride: steps along height and width.
        padding: rows and columns of zeros on each side.
        dilation: distances of the kernel's elements.
        groups: groups of channels.
        offset_groups: groups of channels that share offsets.
    """
    input, weight, offset, bias, mask = values
    steps, zeros, apart, counts = (
        _constant_sizes(emitter, sizes, "the stride, padding, dilation or number of groups")
        for sizes in (stride, padding, dilation, (groups, offset_groups))
    )
    return emitter.DeformConv(
        input,
        weight,
        offset,
        bias,
        mask,
        strides=steps,
        pads=[*zeros, *zeros],
        dilations=apart,
        group=counts[0],
        offset_group=counts[1],
        kernel_shape=_constant_sizes(
            emitter, [dimension(emitter, weight, axis) for axis in (2, 3)], "the size of the kernel"
        ),
    )
