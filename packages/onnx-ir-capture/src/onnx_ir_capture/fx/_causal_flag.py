"""Attention that is causal or not by a size, in torch.export."""

from __future__ import annotations

from contextlib import AbstractContextManager

import torch

from onnx_ir_capture.fx._replaced import Function, is_captured_here, replaced_while_capturing

__all__ = ["causal_by_size"]


def causal_by_size() -> AbstractContextManager[None]:
    """Meanwhile ``scaled_dot_product_attention(is_causal=length > 1)`` takes a condition on dynamic sizes.

    The operator wants a Python bool, which would fix the answer to that of the example; a mask that is
    causal where the condition holds, and hides nothing elsewhere, says the same.
    """
    return replaced_while_capturing(torch.nn.functional, "scaled_dot_product_attention", _masked)


def _masked(original: Function) -> Function:
    def scaled_dot_product_attention(
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool | torch.SymBool = False,
        **options: object,
    ) -> object:
        if isinstance(is_causal, torch.SymBool) and is_captured_here():
            # Beside a mask of the caller's, the flag may only be False.
            mask = _causal_where(is_causal, query, key) if attn_mask is None else attn_mask
            flag = attn_mask is not None and bool(is_causal)
            return original(query, key, value, mask, dropout_p, flag, **options)
        return original(query, key, value, attn_mask, dropout_p, is_causal, **options)

    return scaled_dot_product_attention


def _causal_where(condition: torch.SymBool, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    size = (query.shape[-2], key.shape[-2])
    causal = torch.ones(size, dtype=torch.bool, device=query.device).tril()
    # torch.full takes a number that is known at run time, and no truth value.
    hides_nothing = torch.full((), torch.sym_ite(condition, 0, 1), dtype=torch.long, device=query.device)
    return causal | (hides_nothing == 1)
