"""Covariances in torch.export, whose types torch finds by looking at values."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import torch
from torch._C import DispatchKey

from onnx_ir_capture.fx._replaced import changed_while_capturing

__all__ = ["covariance_of_any_values"]

_KEY = DispatchKey.CompositeImplicitAutograd


def covariance_of_any_values() -> AbstractContextManager[None]:
    """Meanwhile torch.export captures ``cov`` and ``corrcoef``, each as one call.

    Torch's own kernels warn where the weights leave no degree of freedom, and for that ask for values that
    the tensors of a capture do not have. These compute the same, and do not ask.
    """
    return changed_while_capturing(__name__, _put_kernels)


def _put_kernels() -> Callable[[], None]:
    kernels = {torch.ops.aten.cov.default: _covariance, torch.ops.aten.corrcoef.default: _correlation}
    for op, kernel in kernels.items():
        op.py_kernels[_KEY] = kernel
        op._dispatch_cache.clear()

    def restore() -> None:
        for op in kernels:
            op.py_kernels.pop(_KEY)
            op._dispatch_cache.clear()

    return restore


def _covariance(
    self: torch.Tensor,
    *,
    correction: int = 1,
    fweights: torch.Tensor | None = None,
    aweights: torch.Tensor | None = None,
) -> torch.Tensor:
    """Source: ATen/native/Correlation.cpp."""
    table = self if self.dim() == 2 else self.reshape(1, -1)
    weights = aweights if fweights is None else fweights
    if fweights is not None and aweights is not None:
        weights = fweights * aweights
    total: torch.Tensor | int = table.shape[1] if weights is None else weights.sum()
    weighted = table if weights is None else table * weights
    apart = table - weighted.sum(1, keepdim=True) / total
    lost: torch.Tensor | int = correction
    if weights is not None and aweights is not None and correction:
        lost = correction * (weights * aweights).sum() / total
    freedom = total - lost
    freedom = freedom.clamp(min=0) if isinstance(freedom, torch.Tensor) else torch.sym_max(freedom, 0)
    products = apart @ (apart if weights is None else apart * weights).t().conj()
    return (products / freedom).squeeze()


def _correlation(self: torch.Tensor) -> torch.Tensor:
    matrix = _covariance(self)
    if matrix.dim() == 0:
        return matrix / matrix
    deviations = matrix.diag().real.sqrt() if matrix.is_complex() else matrix.diag().sqrt()
    scaled = matrix / deviations.view(-1, 1) / deviations.view(1, -1)
    if scaled.is_complex():
        return torch.complex(scaled.real.clip(-1, 1), scaled.imag.clip(-1, 1))
    return scaled.clip(-1, 1)
