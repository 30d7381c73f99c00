"""Language models of transformers that take a cache, and return it with what they have seen."""

from __future__ import annotations

import torch
import transformers

__all__ = ["cache_of", "gpt2", "llama"]


def llama() -> torch.nn.Module:
    """Llama with two heads of keys and values for four of queries."""
    config = transformers.LlamaConfig(
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=64,
    )
    return transformers.LlamaForCausalLM(config)


def gpt2() -> torch.nn.Module:
    """GPT-2 with positions that are learned."""
    config = transformers.GPT2Config(
        vocab_size=100, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0
    )
    return transformers.GPT2LMHeadModel(config)


def cache_of(past: int, *, batch: int = 2, layers: int = 2) -> transformers.DynamicCache:
    """A cache that has seen ``past`` tokens, with two heads of eight per layer."""
    return transformers.DynamicCache(
        [(torch.randn(batch, 2, past, 8), torch.randn(batch, 2, past, 8)) for _ in range(layers)]
    )
