"""Losses of scores against classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch.nn import functional as f

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

FLOAT = (torch.float32, torch.float64, torch.float16)
X, LOGS = floats(5, 7), torch.log_softmax(floats(5, 7), 1)
IMAGE, LABELS = floats(2, 7, 5, 3), ints(0, 7, 2, 5, 3)
CLASSES = ints(0, 7, 5)
PROBABILITIES = torch.softmax(floats(5, 7, seed=1), 1)
WEIGHT = torch.sigmoid(floats(7, seed=2))
WAYS: tuple[Mapping[str, str], ...] = ({"reduction": "none"}, {}, {"reduction": "sum"})


def each(
    op: str, words: str, function: Callable[..., torch.Tensor], scores: torch.Tensor, *rest: torch.Tensor
) -> list[OpCase]:
    """One row for each reduction; the number of classes is constant, since the classes are."""

    def row(way: Mapping[str, str]) -> OpCase:
        return OpCase(
            " ".join([op, words, way.get("reduction", "mean")]),
            lambda *args: function(*args, **way),
            (scores, *rest),
            dynamic=[[0] if tensor.shape[0] == scores.shape[0] else [] for tensor in (scores, *rest)],
        )

    return [row(way) for way in WAYS]


def ignoring(x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    return f.cross_entropy(x, y, w, ignore_index=2, reduction=reduction)


def smooth(x: torch.Tensor, y: torch.Tensor, reduction: str = "mean") -> torch.Tensor:
    return f.cross_entropy(x, y, label_smoothing=0.25, ignore_index=2, reduction=reduction)


def smooth_weighted(
    x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, reduction: str = "mean"
) -> torch.Tensor:
    return f.cross_entropy(x, y, w, label_smoothing=0.25, ignore_index=2, reduction=reduction)


def smooth_probabilities(
    x: torch.Tensor, y: torch.Tensor, w: torch.Tensor, reduction: str = "mean"
) -> torch.Tensor:
    return f.cross_entropy(x, y, w, label_smoothing=0.25, reduction=reduction)


CASES = [
    *each("nll_loss_nd", "plain", f.nll_loss, LOGS, CLASSES),
    *each("nll_loss_nd", "weights", f.nll_loss, LOGS, CLASSES, WEIGHT),
    *each("nll_loss_nd", "images", f.nll_loss, IMAGE, LABELS),
    OpCase("nll_loss_nd 1-d", f.nll_loss, (LOGS[0], CLASSES[0]), dynamic=None),
    OpCase(
        "nll_loss_nd 1-d apart",
        lambda x, y: f.nll_loss(x, y, reduction="none"),
        (LOGS[0], CLASSES[0]),
        dynamic=None,
    ),
    OpCase("nll_loss_nd ignored", f.nll_loss, (LOGS, torch.tensor([1, -100, 3, 0, -100])), dynamic=None),
    OpCase("nll_loss_nd dtypes", f.nll_loss, (LOGS, CLASSES), dynamic=None, dtypes=FLOAT),
    OpCase("nll_loss_nd all ignored", f.nll_loss, (LOGS, CLASSES * 0 - 100), dynamic=None),
    *each("cross_entropy_loss", "plain", f.cross_entropy, X, CLASSES),
    *each("cross_entropy_loss", "ignoring", ignoring, X, CLASSES, WEIGHT),
    *each("cross_entropy_loss", "images", f.cross_entropy, IMAGE, LABELS, WEIGHT),
    *each("cross_entropy_loss", "probabilities", f.cross_entropy, X, PROBABILITIES),
    *each("cross_entropy_loss", "smooth", smooth, X, CLASSES),
    *each("cross_entropy_loss", "smooth weights", smooth_weighted, X, CLASSES, WEIGHT),
    *each("cross_entropy_loss", "smooth images", smooth_weighted, IMAGE, LABELS, WEIGHT),
    *each("cross_entropy_loss", "smooth probabilities", smooth_probabilities, X, PROBABILITIES, WEIGHT),
    OpCase("cross_entropy_loss 1-d", f.cross_entropy, (X[0], CLASSES[0]), dynamic=None),
    OpCase("cross_entropy_loss 1-d probabilities", f.cross_entropy, (X[0], PROBABILITIES[0])),
    OpCase(
        "cross_entropy_loss 1-d smooth",
        lambda x, y: f.cross_entropy(x, y, reduction="none", label_smoothing=0.25),
        (X[0], CLASSES[0]),
        dynamic=None,
    ),
    OpCase("cross_entropy_loss dtypes", f.cross_entropy, (X, CLASSES), dynamic=None, dtypes=FLOAT),
    *each("multi_margin_loss", "plain", f.multi_margin_loss, X, CLASSES),
    OpCase(
        "multi_margin_loss squared",
        lambda x, y, w: f.multi_margin_loss(x, y, 2, 0.5, w),
        (X, CLASSES, WEIGHT),
        dynamic=None,
    ),
    OpCase("multi_margin_loss 1-d", f.multi_margin_loss, (X[0], CLASSES[0]), dynamic=None),
    OpCase("multi_margin_loss 0-d", f.multi_margin_loss, (X[0, 0], CLASSES[0] * 0), dynamic=None),
    *[
        OpCase(
            " ".join(["multilabel_margin_loss", way.get("reduction", "mean")]),
            lambda x, y, way=way: f.multilabel_margin_loss(x, y, **way),
            (X[:3, :4], torch.tensor([[2, 0, -1, 1], [-1, 2, 3, 0], [0, 1, 2, 3]])),
            dynamic=[[0], [0]],
        )
        for way in WAYS
    ],
    OpCase(
        "multilabel_margin_loss 1-d",
        f.multilabel_margin_loss,
        (X[0, :3], torch.tensor([2, -1, 0])),
        dynamic=None,
    ),
]
