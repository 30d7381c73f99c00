"""Losses that compare two tensors element by element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch.nn import functional as f

from opcases._case import OpCase, bools, floats

__all__ = ["CASES"]

FLOAT = (torch.float32, torch.float64, torch.float16)
X, Y = floats(5, 7), floats(5, 7, seed=1)
P, Q = torch.sigmoid(X), torch.sigmoid(Y)
SIGNS = bools(5, 7).float() * 2 - 1
ROW = torch.sigmoid(floats(7, seed=2))


def each(
    op: str, function: Callable[..., torch.Tensor], *args: torch.Tensor, half: bool = True
) -> list[OpCase]:
    """One row for each reduction.

    Half precision is left out of chains that torch rounds at each step and ONNX Runtime at the end.
    """
    return [
        OpCase(op, partial(function, reduction="none"), args, dtypes=FLOAT if half else FLOAT[:2]),
        OpCase(f"{op} mean", function, args),
        OpCase(f"{op} sum", partial(function, reduction="sum"), args, dynamic=None),
    ]


def divergence(x: torch.Tensor, y: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    # f.kl_div warns that its mean is not the one of mathematics.
    return torch.kl_div(x, y, ("none", "mean", "sum").index(reduction))


CASES = [
    *each("mse_loss", f.mse_loss, X, Y),
    OpCase("mse_loss extremes", lambda x, y: f.mse_loss(x, y, reduction="none"), (X, Y), extremes=True),
    OpCase("mse_loss half mean", f.mse_loss, (X.half(), Y.half())),
    OpCase(
        "mse_loss perhaps empty",
        f.mse_loss,
        (X, Y),
        dynamic=[[0], [0]],
        from_zero=True,
        resized=[{X.shape[0]: 0}],
    ),
    OpCase("mse_loss empty", f.mse_loss, (X[:0], Y[:0]), dynamic=None),
    *each("l1_loss", f.l1_loss, X, Y),
    *each("smooth_l1_loss", f.smooth_l1_loss, X, Y),
    OpCase(
        "smooth_l1_loss beta",
        lambda x, y: f.smooth_l1_loss(x, y, reduction="none", beta=0.25),
        (X, Y),
        extremes=True,
    ),
    OpCase("smooth_l1_loss 0", lambda x, y: torch.ops.aten.smooth_l1_loss(x, y, 1, 0.0), (X, Y)),
    *each("huber_loss", f.huber_loss, X, Y),
    OpCase(
        "huber_loss delta",
        lambda x, y: f.huber_loss(x, y, reduction="none", delta=0.5),
        (X, Y),
        extremes=True,
    ),
    *each("binary_cross_entropy", f.binary_cross_entropy, P, Q),
    OpCase(
        "binary_cross_entropy weight",
        lambda x, y, w: f.binary_cross_entropy(x, y, w, reduction="none"),
        (torch.round(P), Q, ROW),
    ),
    *each("binary_cross_entropy_with_logits", f.binary_cross_entropy_with_logits, X, Q),
    OpCase(
        "binary_cross_entropy_with_logits far",
        lambda x, y: f.binary_cross_entropy_with_logits(x, y, reduction="none"),
        (X * 100, Q),
    ),
    OpCase(
        "binary_cross_entropy_with_logits weights",
        lambda x, y, w, v: f.binary_cross_entropy_with_logits(x, y, w, pos_weight=v),
        (X, Q, ROW, ROW + 1),
    ),
    *each("kl_div", divergence, torch.log(P), Q, half=False),
    OpCase("kl_div of zeros", lambda x, y: f.kl_div(x, y, reduction="none"), (torch.log(P), torch.relu(Y))),
    OpCase("kl_div batchmean", lambda x, y: f.kl_div(x, y, reduction="batchmean"), (torch.log(P), Q)),
    OpCase(
        "kl_div of logarithms",
        lambda x, y: f.kl_div(x, y, reduction="none", log_target=True),
        (torch.log(P), torch.log(Q)),
    ),
    *each("soft_margin_loss", f.soft_margin_loss, X, SIGNS),
    *each("hinge_embedding_loss", f.hinge_embedding_loss, X, SIGNS),
    OpCase(
        "hinge_embedding_loss margin",
        lambda x, y: f.hinge_embedding_loss(x, y, 0.25, reduction="none"),
        (X, SIGNS.long()),
        extremes=True,
    ),
    *each("margin_ranking_loss", partial(f.margin_ranking_loss, margin=0.5), X, Y, SIGNS, half=False),
    *each("poisson_nll_loss", f.poisson_nll_loss, X, Q),
    OpCase(
        "poisson_nll_loss full",
        lambda x, y: f.poisson_nll_loss(x, y, log_input=False, full=True, reduction="none"),
        (P, Q * 3),
    ),
]
