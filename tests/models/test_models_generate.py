"""Calls of ``generate()``, observed and exported: the first tokens and each next one are one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import onnx_export
from models._cached import gpt2, llama

STEPS = 4


def generate(model: torch.nn.Module, tokens: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    name = "generate"  # which mypy knows as an attribute that is a tensor
    method: Callable[..., torch.Tensor] = getattr(model, name)
    lengths = {"max_new_tokens": STEPS, "min_new_tokens": STEPS}
    return method(tokens, attention_mask=mask, do_sample=False, pad_token_id=0, **lengths)


def prompt(batch: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens, and a mask that hides the first two of the first row."""
    mask = torch.ones(batch, length, dtype=torch.long)
    mask[0, :2] = 0
    return torch.randint(3, 90, (batch, length)), mask


def observed(model: torch.nn.Module, *, masked: bool) -> onnx_export.InputObserver:
    observer = onnx_export.InputObserver()
    for batch, length in ((2, 5), (3, 4)):
        tokens, mask = prompt(batch, length)
        with observer(model):
            generate(model, tokens, mask if masked else None)
    return observer


def decoded(path: Path, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """What generate() does, by the file: the cache that a call returns is the next one's."""
    session = onnxruntime.InferenceSession(path)
    names = [value.name for value in session.get_inputs()]
    caches = [name for name in names if "key" in name or "value" in name]
    state: list[object] = [np.zeros((len(tokens), 2, 0, 8), np.float32)] * len(caches)
    new = tokens
    for _ in range(STEPS):
        places = (mask.cumsum(-1) - 1).clamp(min=0) if "attention_mask" in names else mask.cumsum(-1) - 1
        given = {"input_ids": new, "attention_mask": mask, "position_ids": places[:, -new.shape[1] :]}
        feeds = {name: tensor.numpy() for name, tensor in given.items() if name in names}
        logits, *state = session.run(None, {**feeds, **dict(zip(caches, state, strict=True))})
        new = torch.from_numpy(logits)[:, -1:].argmax(-1)
        tokens = torch.cat([tokens, new], -1)
        mask = torch.cat([mask, torch.ones_like(new)], -1)
    return tokens


@pytest.mark.parametrize("masked", [False, True], ids=["plain", "masked"])
@pytest.mark.parametrize("make", [llama, gpt2])
def test_generate_is_observed_and_exported(
    make: Callable[[], torch.nn.Module], masked: bool, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    model = make().eval()
    observer = observed(model, masked=masked)
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    tokens = kwargs["input_ids"]
    assert isinstance(tokens, torch.Tensor)
    assert tokens.shape[1] == 1, "what is captured is one step, with a single token"
    program = onnx_export.export(
        model,
        args,
        tmp_path / "model.onnx",
        kwargs=kwargs,
        dynamic_shapes=observer.infer_dynamic_shapes(),
        verify=True,
        verbose=False,
    )
    rows = observer.check_discrepancies(program)
    assert [row["SUCCESS"] for row in rows] == [True] * 6
    tokens, mask = prompt(5, 7)
    wanted = generate(model, tokens, mask if masked else None)
    found = decoded(tmp_path / "model.onnx", tokens, mask if masked else torch.ones_like(mask))
    torch.testing.assert_close(found, wanted)
