"""How far a tensor is from the one that PyTorch gives, and whether that is more than rounding."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.utils import _pytree as pytree

from onnx_export._complex import as_pairs
from onnx_ir_capture.fx import known_caches
from onnx_ir_capture.program import CapturedProgram

__all__ = ["TOLERANCES", "as_tensor", "difference", "output_tensors"]

TOLERANCES: Mapping[torch.dtype, float] = {
    torch.float64: 1e-7,
    torch.float32: 1e-4,
    torch.float16: 1e-2,
    torch.bfloat16: 5e-2,
}
"""Largest difference allowed, relative to the largest magnitude of the output. Other dtypes must be equal."""


def difference(
    got: torch.Tensor, want: torch.Tensor, tolerances: Mapping[torch.dtype, float]
) -> tuple[float, str]:
    """The largest difference, and what is wrong with ``got`` in dtype, shape or value; NaN equals NaN."""
    if got.dtype != want.dtype:
        return float("inf"), f"dtype {got.dtype} instead of {want.dtype}"
    if got.shape != want.shape:
        return float("inf"), f"shape {tuple(got.shape)} instead of {tuple(want.shape)}"
    if want.numel() == 0:
        return 0.0, ""
    tolerance = tolerances.get(want.dtype)
    if tolerance is None:
        unequal = int((got != want).sum())
        return float(unequal), f"{unequal} of {want.numel()} elements differ" if unequal else ""
    if not torch.equal(got.isnan(), want.isnan()):
        return float("inf"), "NaN stands in other places"
    same = (got == want) | got.isnan()
    gap = torch.where(same, 0.0, (got.double() - want.double()).abs()).max().item()
    finite = want[want.isfinite()].double().abs()
    # Where zeros are expected, what rounding leaves of numbers around one is no difference.
    allowed = max(tolerance * (finite.max().item() if finite.numel() else 0.0), torch.finfo(want.dtype).eps)
    return gap, f"by up to {gap:.3g}, allowed are {allowed:.3g}" if gap > allowed else ""


def as_tensor(result: object) -> torch.Tensor:
    """What the model gives as a file has it: a CPU tensor, of pairs where it is complex."""
    if isinstance(result, torch.Tensor):
        return as_pairs(result.detach()).cpu()
    # A Python float is a DOUBLE in the file, whatever torch's default dtype.
    return torch.tensor(result, dtype=torch.float64 if isinstance(result, float) else None)


@known_caches()
def output_tensors(result: object, program: CapturedProgram) -> list[torch.Tensor]:
    """The leaves of the model's result that are outputs of the file."""
    leaves, _ = pytree.tree_flatten(result)
    if len(leaves) != len(program.outputs):
        return [as_tensor(leaf) for leaf in leaves if leaf is not None]
    return [
        as_tensor(leaf) for leaf, spec in zip(leaves, program.outputs, strict=True) if spec.value is not None
    ]
