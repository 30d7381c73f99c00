"""Small random models of transformers: architecture as released, sizes to fit a test."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

import torch
import transformers

__all__ = ["ZOO", "Entry", "pixels", "tokens"]

_TOKENS = {0: "batch", 1: "sequence"}


@dataclasses.dataclass(frozen=True)
class Entry:
    """One model: how to make it, its example inputs by name, and the dimensions that vary."""

    name: str
    make: Callable[[], torch.nn.Module]
    inputs: Callable[[], dict[str, torch.Tensor]]
    dynamic: Mapping[str, Mapping[int, str]]


def tokens(lowest: int = 0) -> dict[str, torch.Tensor]:
    """Inputs of a model of text: two rows of tokens from ``lowest`` on, the second with padding."""
    mask = torch.ones(2, 7, dtype=torch.long)
    mask[1, 5:] = 0
    return {"input_ids": torch.randint(lowest, 90, (2, 7)), "attention_mask": mask}


def pixels(size: int) -> Callable[[], dict[str, torch.Tensor]]:
    """Inputs of a model of images: two, of three channels."""
    return lambda: {"pixel_values": torch.randn(2, 3, size, size)}


def _bert(attention: str) -> torch.nn.Module:
    config = transformers.BertConfig(
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    config._attn_implementation = attention
    return transformers.BertModel(config)


def _gpt2(attention: str) -> torch.nn.Module:
    config = transformers.GPT2Config(
        vocab_size=100,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=0,
        eos_token_id=0,
        use_cache=False,
    )
    config._attn_implementation = attention
    return transformers.GPT2LMHeadModel(config)


def _vit() -> torch.nn.Module:
    config = transformers.ViTConfig(
        image_size=32,
        patch_size=8,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    return transformers.ViTForImageClassification(config)


def _resnet(layer_type: str) -> torch.nn.Module:
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 2], layer_type=layer_type
    )
    return transformers.ResNetForImageClassification(config)


_TEXT_DYNAMIC = {"input_ids": _TOKENS, "attention_mask": _TOKENS}

ZOO = [
    Entry("bert-sdpa", lambda: _bert("sdpa"), tokens, _TEXT_DYNAMIC),
    Entry("bert-eager", lambda: _bert("eager"), tokens, _TEXT_DYNAMIC),
    Entry("gpt2-sdpa", lambda: _gpt2("sdpa"), tokens, _TEXT_DYNAMIC),
    Entry("gpt2-eager", lambda: _gpt2("eager"), tokens, _TEXT_DYNAMIC),
    Entry("vit", _vit, pixels(32), {"pixel_values": {0: "batch"}}),
    Entry(
        "resnet-basic",
        lambda: _resnet("basic"),
        pixels(64),
        {"pixel_values": {0: "batch", 2: "height", 3: "width"}},
    ),
    Entry("resnet-bottleneck", lambda: _resnet("bottleneck"), pixels(64), {"pixel_values": {0: "batch"}}),
]
