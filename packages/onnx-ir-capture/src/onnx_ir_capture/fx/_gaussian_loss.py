"""The Gaussian loss in torch.export, without its check of the variances' values."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager

import torch

from onnx_ir_capture.fx._replaced import Function, is_captured_here, replaced_while_capturing

__all__ = ["variances_unchecked"]


def variances_unchecked() -> AbstractContextManager[None]:
    """Meanwhile ``gaussian_nll_loss`` is captured: it asks for values, to raise for negative variances."""
    return replaced_while_capturing(torch.nn.functional, "gaussian_nll_loss", _unchecked)


def _unchecked(original: Function) -> Function:
    def gaussian_nll_loss(
        input: torch.Tensor,
        target: torch.Tensor,
        var: torch.Tensor | float,
        full: bool = False,
        eps: float = 1e-6,
        reduction: str = "mean",
    ) -> object:
        is_known = reduction in ("none", "mean", "sum")
        if not is_captured_here() or not isinstance(var, torch.Tensor) or not is_known:
            return original(input, target, var, full, eps, reduction)
        has_one_per_row = var.dim() == input.dim() - 1
        variances = (var.unsqueeze(-1) if has_one_per_row else var).clamp(min=eps)
        errors = 0.5 * (variances.log() + (input - target) ** 2 / variances)
        if full:
            errors = errors + 0.5 * math.log(2 * math.pi)
        if reduction == "none":
            return errors
        return errors.mean() if reduction == "mean" else errors.sum()

    return gaussian_nll_loss
