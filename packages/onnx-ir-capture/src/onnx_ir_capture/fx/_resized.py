"""Example tensors of other sizes."""

from __future__ import annotations

from collections.abc import Mapping

import torch

__all__ = ["resized"]


def resized(tensor: torch.Tensor, sizes: Mapping[int, int]) -> torch.Tensor:
    """The tensor cut along axes, or with its rows repeated, which are legal values.

    Args:
        tensor: an example.
        sizes: new sizes by axis. An axis without rows gets zeros.
    """
    for axis, size in sizes.items():
        rows = tensor.shape[axis]
        if size == rows:
            continue
        if rows:
            tensor = tensor.index_select(axis, torch.arange(size, device=tensor.device) % rows)
        else:
            tensor = tensor.new_zeros([*tensor.shape[:axis], size, *tensor.shape[axis + 1 :]])
    return tensor
