"""The exported file in ONNX Runtime, held against PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import onnxruntime
import torch

from onnx_export.demo._model import Tokens

__all__ = ["Comparison", "Embed", "compare", "nearest", "onnx_runtime"]

Embed = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""From ``input_ids`` and ``attention_mask`` to embeddings float32 ``[batch, hidden]``."""


@dataclass(frozen=True)
class Comparison:
    """Embeddings from the file, and how far PyTorch's are from them.

    Attributes:
        embeddings: float32 ``[sentences, hidden]``, of the run of all sentences as one batch.
        runs: number of runs that were compared, each with its own batch and sequence size.
        largest_difference: largest absolute difference of a component over all runs.
    """

    embeddings: torch.Tensor
    runs: int
    largest_difference: float


def onnx_runtime(path: Path) -> Embed:
    """The file as a function, run on the CPU."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])

    def embed(input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        feeds = {"input_ids": input_ids.numpy(), "attention_mask": attention_mask.numpy()}
        return torch.from_numpy(session.run(["embedding"], feeds)[0])

    return embed


def compare(actual: Embed, expected: Embed, batches: Sequence[Tokens]) -> Comparison:
    """Run both on every batch; the embeddings are those of the first."""
    with torch.no_grad():
        pairs = [(actual(*batch), expected(*batch)) for batch in batches]
    differences = [float((got - want).abs().max()) for got, want in pairs]
    return Comparison(pairs[0][0], len(pairs), max(differences))


def nearest(embeddings: torch.Tensor) -> list[tuple[int, float]]:
    """For each sentence the index of the nearest other one, and the cosine between them."""
    cosines = embeddings @ embeddings.T
    cosines.fill_diagonal_(-float("inf"))
    best = cosines.max(dim=1)
    return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))
