"""Operators of torchvision."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import aligned_regions, boxes_kept, convolved_at_offsets, pooled_regions
from onnx_torchlib import Op, translator

__all__ = ["deform_conv2d_19", "nms", "roi_align", "roi_pool"]


@translator("torchvision::nms")
def nms(op: Op, dets: Value, scores: Value, iou_threshold: float) -> Value:
    """nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"""
    return boxes_kept(op, dets, scores, iou_threshold)


@translator("torchvision::roi_align")
def roi_align(
    op: Op,
    input: Value,
    rois: Value,
    spatial_scale: float,
    pooled_height: SymInt,
    pooled_width: SymInt,
    sampling_ratio: int,
    aligned: bool,
) -> Value:
    """roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor"""
    cells = (pooled_height, pooled_width)
    return aligned_regions(op, input, rois, spatial_scale, cells, sampling_ratio, aligned)


@translator("torchvision::roi_pool")
def roi_pool(
    op: Op, input: Value, rois: Value, spatial_scale: float, pooled_height: SymInt, pooled_width: SymInt
) -> tuple[Value, Value]:
    """roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) -> (Tensor, Tensor)"""
    return pooled_regions(op, input, rois, spatial_scale, (pooled_height, pooled_width))


@translator("torchvision::deform_conv2d", since=19)
def deform_conv2d_19(
    op: Op,
    input: Value,
    weight: Value,
    offset: Value,
    mask: Value,
    bias: Value,
    stride_h: SymInt,
    stride_w: SymInt,
    pad_h: SymInt,
    pad_w: SymInt,
    dilation_h: SymInt,
    dilation_w: SymInt,
    groups: SymInt,
    offset_groups: SymInt,
    use_mask: bool,
) -> Value:
    """deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> Tensor"""
    values = (input, weight, offset, bias, mask if use_mask else None)
    steps, zeros, apart = (stride_h, stride_w), (pad_h, pad_w), (dilation_h, dilation_w)
    return convolved_at_offsets(op, values, steps, zeros, apart, groups, offset_groups)
