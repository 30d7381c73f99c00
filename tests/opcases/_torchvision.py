"""Operators with torchvision's schemas and results, for machines without torchvision."""

from __future__ import annotations

import importlib.util
import math

import torch

__all__ = ["register"]

_SCHEMAS = """\
nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor
roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, \
int sampling_ratio, bool aligned) -> Tensor
roi_pool(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width) \
-> (Tensor, Tensor)
deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, \
SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, \
SymInt offset_groups, bool use_mask) -> Tensor"""
_LIBRARY: list[torch.library.Library] = []


def register() -> None:
    """Define the operators, unless torchvision or an earlier call did."""
    if _LIBRARY or importlib.util.find_spec("torchvision") is not None:
        return
    library = torch.library.Library("torchvision", "DEF")
    _LIBRARY.append(library)
    for schema in _SCHEMAS.splitlines():
        library.define(schema)
    library.impl("nms", _nms, "CPU")
    library.impl("roi_align", _roi_align, "CPU")
    library.impl("roi_pool", _roi_pool, "CPU")
    library.impl("deform_conv2d", _deform_conv2d, "CPU")
    torch.library.register_fake("torchvision::nms", _fake_nms, lib=library)
    torch.library.register_fake("torchvision::roi_align", _fake_roi_align, lib=library)
    torch.library.register_fake("torchvision::roi_pool", _fake_roi_pool, lib=library)
    torch.library.register_fake("torchvision::deform_conv2d", _fake_deform_conv2d, lib=library)


def _fake_nms(dets: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
    return dets.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.int64)


def _nms(dets: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
    areas = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
    kept: list[int] = []
    for index in scores.argsort(descending=True, stable=True).tolist():
        others = dets[kept]
        low, high = (
            torch.maximum(dets[index, :2], others[:, :2]),
            torch.minimum(dets[index, 2:], others[:, 2:]),
        )
        shared = (high - low).clamp(min=0).prod(1)
        if not (shared / (areas[index] + areas[kept] - shared) > iou_threshold).any():
            kept.append(index)
    return torch.tensor(kept, dtype=torch.int64)


def _fake_roi_align(
    input: torch.Tensor,
    rois: torch.Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> torch.Tensor:
    return input.new_empty(rois.shape[0], input.shape[1], pooled_height, pooled_width)


def _read(image: torch.Tensor, y: torch.Tensor, x: torch.Tensor, margin: float) -> torch.Tensor:
    """Bilinear interpolation of ``[C, H, W]`` at places of any shape; 0 from ``margin`` outside on.

    A margin of 1 fades to 0 outside, as where the image is padded; else its border goes on.
    """
    height, width = image.shape[1:]
    fades = margin < 1
    inside = (y > -1) & (y < height) & (x > -1) & (x < width)
    if not fades:
        inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
        y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    top, left = y.floor(), x.floor()
    total = torch.zeros(image.shape[0], *y.shape, dtype=image.dtype)
    for row, row_weight in ((top, 1 - (y - top)), (top + 1, y - top)):
        for column, weight in ((left, 1 - (x - left)), (left + 1, x - left)):
            exists = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            places = row.clamp(0, height - 1).long(), column.clamp(0, width - 1).long()
            total += image[:, places[0], places[1]] * (row_weight * weight * exists)
    return total * inside


def _roi_align(
    input: torch.Tensor,
    rois: torch.Tensor,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    aligned: bool,
) -> torch.Tensor:
    results = []
    for image, *corners in rois.tolist():
        left, top, right, bottom = (corner * spatial_scale - 0.5 * aligned for corner in corners)
        least = -math.inf if aligned else 1.0
        cell_height = max(bottom - top, least) / pooled_height
        cell_width = max(right - left, least) / pooled_width
        rows = sampling_ratio if sampling_ratio > 0 else math.ceil(cell_height)
        columns = sampling_ratio if sampling_ratio > 0 else math.ceil(cell_width)
        y = top + (torch.arange(pooled_height * rows, dtype=input.dtype) + 0.5) * cell_height / rows
        x = left + (torch.arange(pooled_width * columns, dtype=input.dtype) + 0.5) * cell_width / columns
        if not y.numel() or not x.numel():
            results.append(input.new_zeros(input.shape[1], pooled_height, pooled_width))
            continue
        places = torch.meshgrid(y, x, indexing="ij")
        read = _read(input[int(image)], places[0], places[1], 1)
        results.append(read.reshape(-1, pooled_height, rows, pooled_width, columns).mean((2, 4)))
    return (
        torch.stack(results) if results else input.new_empty(0, input.shape[1], pooled_height, pooled_width)
    )


def _fake_roi_pool(
    input: torch.Tensor, rois: torch.Tensor, spatial_scale: float, pooled_height: int, pooled_width: int
) -> tuple[torch.Tensor, torch.Tensor]:
    pooled = input.new_empty(rois.shape[0], input.shape[1], pooled_height, pooled_width)
    return pooled, pooled.to(torch.int32)


def _roi_pool(
    input: torch.Tensor, rois: torch.Tensor, spatial_scale: float, pooled_height: int, pooled_width: int
) -> tuple[torch.Tensor, torch.Tensor]:
    result = input.new_zeros(rois.shape[0], input.shape[1], pooled_height, pooled_width)
    for index, (image, *corners) in enumerate(rois.tolist()):
        left, top, right, bottom = (math.floor(corner * spatial_scale + 0.5) for corner in corners)
        high, wide = max(bottom - top + 1, 1), max(right - left + 1, 1)
        for row in range(pooled_height):
            rows = _cell(top, high, row, pooled_height, input.shape[2])
            for column in range(pooled_width):
                columns = _cell(left, wide, column, pooled_width, input.shape[3])
                cell = input[int(image), :, rows, columns]
                if cell.numel():
                    result[index, :, row, column] = cell.amax((1, 2))
    return result, torch.zeros_like(result, dtype=torch.int32)


def _cell(start: int, size: int, index: int, count: int, end: int) -> slice:
    bounds = (math.floor(index * size / count) + start, math.ceil((index + 1) * size / count) + start)
    return slice(*(min(max(bound, 0), end) for bound in bounds))


def _fake_deform_conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    offset: torch.Tensor,
    mask: torch.Tensor,
    bias: torch.Tensor,
    *sizes: int,
) -> torch.Tensor:
    return input.new_empty(input.shape[0], weight.shape[0], *offset.shape[2:])


def _deform_conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    offset: torch.Tensor,
    mask: torch.Tensor,
    bias: torch.Tensor,
    *sizes: int,
) -> torch.Tensor:
    stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask = sizes
    images, channels = input.shape[:2]
    kernel_h, kernel_w = weight.shape[2:]
    rows, columns = offset.shape[2:]
    moved = offset.reshape(images, offset_groups, kernel_h, kernel_w, 2, rows, columns)
    y = torch.arange(rows).reshape(-1, 1) * stride_h - pad_h
    x = torch.arange(columns) * stride_w - pad_w
    kernel_y = torch.arange(kernel_h).reshape(-1, 1, 1, 1) * dilation_h
    kernel_x = torch.arange(kernel_w).reshape(-1, 1, 1) * dilation_w
    share = channels // offset_groups
    read = input.new_empty(images, channels, kernel_h, kernel_w, rows, columns)
    for image in range(images):
        for group in range(offset_groups):
            part = slice(group * share, (group + 1) * share)
            down, right = (
                moved[image, group, :, :, 0] + y + kernel_y,
                moved[image, group, :, :, 1] + x + kernel_x,
            )
            read[image, part] = _read(input[image, part], down, right, 0)
    if use_mask:
        factors = mask.reshape(images, offset_groups, 1, kernel_h, kernel_w, rows, columns)
        read = (read.reshape(images, offset_groups, share, *read.shape[2:]) * factors).reshape(read.shape)
    split = read.reshape(images, groups, channels // groups, *read.shape[2:])
    weights = weight.reshape(groups, -1, *weight.shape[1:])
    return torch.einsum("ngcklyx,gockl->ngoyx", split, weights).flatten(1, 2) + bias.reshape(-1, 1, 1)
