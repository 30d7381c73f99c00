"""Models that take a cache and return it: dynamic in the batch, the new tokens and those in the cache."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import transformers

import onnx_export
from models._cached import cache_of, gpt2, llama
from onnx_export.rules import SIZES_NOT_COMPARED

_TOKENS = {0: "batch", 1: "sequence"}
_PAST = {0: "batch", 2: "past"}


@pytest.mark.parametrize("make", [llama, gpt2])
def test_cache_in_and_out(make: Callable[[], torch.nn.Module]) -> None:
    torch.manual_seed(0)
    model = make().eval()
    program = onnx_export.export(
        model,
        kwargs={"input_ids": torch.randint(3, 90, (2, 3)), "past_key_values": cache_of(5)},
        dynamic_shapes={"input_ids": _TOKENS, "past_key_values": _PAST},
        use_torch_lib=False,
        verify=True,
        verbose=False,
    )
    assert not program.diagnostic_context.of(SIZES_NOT_COMPARED)
    inputs = [(str(value.name), str(value.shape)) for value in program.model.graph.inputs]
    pairs = [f"past_key_values_{layer}_{kind}" for layer in range(2) for kind in ("key", "value")]
    assert inputs == [("input_ids", "[batch,sequence]"), *((name, "[batch,2,past,8]") for name in pairs)]
    grown = [str(value.shape) for value in program.model.graph.outputs[1:]]
    assert grown == ["[batch,2,past + sequence,8]"] * 4


@pytest.mark.parametrize("make", [llama, gpt2])
def test_tokens_one_after_the_other(make: Callable[[], torch.nn.Module]) -> None:
    # What one call returns as its cache is what the next one takes.
    torch.manual_seed(0)
    model = make().eval()
    mask = torch.ones(2, 8, dtype=torch.long)
    given = {
        "input_ids": torch.randint(3, 90, (2, 3)),
        "attention_mask": mask,
        "past_key_values": cache_of(5),
    }
    program = onnx_export.export(
        model,
        kwargs=given,
        dynamic_shapes={
            "input_ids": _TOKENS,
            "attention_mask": {0: "batch", 1: "total"},
            "past_key_values": _PAST,
        },
        verify=True,
        verbose=False,
    )
    tokens = torch.randint(3, 90, (3, 11))
    mask = torch.ones(3, 11, dtype=torch.long)
    mask[1, :2] = 0
    with torch.no_grad():
        whole = model(input_ids=tokens, attention_mask=mask).logits
        cache = model(input_ids=tokens[:, :4], attention_mask=mask[:, :4]).past_key_values
    for start, end in ((4, 6), (6, 9), (9, 10), (10, 11)):
        logits, *state = program(
            input_ids=tokens[:, start:end], attention_mask=mask[:, :end], past_key_values=cache
        )
        torch.testing.assert_close(logits, whole[:, start:end], atol=1e-4, rtol=1e-4)
        cache = transformers.DynamicCache(list(zip(state[::2], state[1::2], strict=True)))
    assert cache.get_seq_length() == 11
