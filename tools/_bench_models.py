"""The models that ``tools/bench.py`` exports, from transformers, with random weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from torch.export import Dim

__all__ = ["BENCH_MODELS", "ON_REQUEST", "Case", "Inputs", "build"]

Inputs = Mapping[str, torch.Tensor]

_SEED = 2013


@dataclass(frozen=True)
class Case:
    """A model and what it is exported and run with.

    Attributes:
        model: in eval mode; the weights are the same in every process.
        example: keyword inputs of the export.
        dynamic_shapes: as for torch.export, in the order of ``example``.
        timed: inputs of the latency measurement, of sizes that differ from the example's.
        compared: inputs of the comparison with eager PyTorch, of yet other sizes.
        name: what `build` knows it by.
    """

    model: torch.nn.Module
    example: Inputs
    dynamic_shapes: Mapping[str, Mapping[int, object]]
    timed: Inputs
    compared: Inputs
    name: str = ""


def _images(model: torch.nn.Module, size: int) -> Case:
    def inputs(batch: int) -> Inputs:
        return {"pixel_values": torch.randn(batch, 3, size, size)}

    return Case(model, inputs(2), {"pixel_values": {0: Dim.DYNAMIC}}, inputs(1), inputs(3))


def _text(model: torch.nn.Module, vocabulary: int) -> Case:
    def inputs(batch: int, sequence: int) -> Inputs:
        mask = torch.ones(batch, sequence, dtype=torch.int64)
        mask[-1, sequence * 2 // 3 :] = 0
        return {"input_ids": torch.randint(vocabulary, (batch, sequence)), "attention_mask": mask}

    dynamic = {0: Dim.DYNAMIC, 1: Dim.DYNAMIC}
    return Case(
        model,
        inputs(2, 16),
        {"input_ids": dynamic, "attention_mask": dynamic},
        inputs(1, 128),
        inputs(3, 37),
    )


def _resnet50(small: bool) -> Case:
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(embedding_size=8, hidden_sizes=[16, 32], depths=[1, 2]) if small else ResNetConfig()
    return _images(ResNetForImageClassification(config), 64 if small else 224)


def _vit_b_16(small: bool) -> Case:
    from transformers import ViTConfig, ViTForImageClassification

    size = 64 if small else 224
    config = ViTConfig(image_size=size)
    if small:
        config = ViTConfig(
            image_size=size, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2
        )
    return _images(ViTForImageClassification(config), size)


def _bert_base(small: bool) -> Case:
    from transformers import BertConfig, BertModel

    config = BertConfig()
    if small:
        config = BertConfig(
            vocab_size=99, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2
        )
    return _text(BertModel(config), config.vocab_size)


def _gpt2(small: bool) -> Case:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(use_cache=False)
    if small:
        config = GPT2Config(
            vocab_size=99, n_embd=32, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0, use_cache=False
        )
    return _text(GPT2LMHeadModel(config), config.vocab_size)


def _llama_1b(small: bool) -> Case:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        hidden_size=32 if small else 2048,
        intermediate_size=64 if small else 8192,
        num_hidden_layers=2 if small else 16,
        num_attention_heads=4 if small else 32,
        num_key_value_heads=2 if small else 8,
        vocab_size=99 if small else 128256,
        tie_word_embeddings=True,
        use_cache=False,
    )
    return _text(LlamaForCausalLM(config), config.vocab_size)


_BUILDERS: Mapping[str, Callable[[bool], Case]] = {
    "resnet50": _resnet50,
    "vit-b-16": _vit_b_16,
    "bert-base": _bert_base,
    "gpt2": _gpt2,
    "llama-1b": _llama_1b,
}

BENCH_MODELS = ("resnet50", "vit-b-16", "bert-base", "gpt2")
"""What is measured unless models are named."""

ON_REQUEST = ("llama-1b",)
"""Takes 5 GB for the weights and minutes for the rest."""


def build(name: str, small: bool) -> Case:
    """The case of a name; ``small`` shrinks the model to a few layers, for a look at the tool itself."""
    torch.manual_seed(_SEED)
    case = replace(_BUILDERS[name](small), name=name)
    case.model.eval()
    return case
