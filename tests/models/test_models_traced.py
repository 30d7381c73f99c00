"""Models of transformers by way of torch.jit.trace, at other sizes than the traced ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import onnxruntime
import pytest
import torch
from transformers.utils.generic import ModelOutput

import onnx_export
from models._wide import WIDE
from models._zoo import ZOO, Entry
from onnx_ir_capture.emit.schemas import NEWEST_OPSET

NAMES = ("bert-sdpa", "gpt2-sdpa", "resnet-basic", "vit", "t5")
ENTRIES = [entry for entry in (*ZOO, *WIDE) if entry.name in NAMES]
SIZES = [
    {"batch": 3, "sequence": 11, "target": 4, "height": 96, "width": 32},
    {"batch": 1, "sequence": 5, "target": 6, "height": 32, "width": 128},
]


def resized(
    entry: Entry, inputs: Mapping[str, torch.Tensor], sizes: Mapping[str, int]
) -> dict[str, torch.Tensor]:
    """``inputs`` cut off or repeated along the dimensions that vary."""
    return {name: _resized(tensor, entry.dynamic[name], sizes) for name, tensor in inputs.items()}


def _resized(tensor: torch.Tensor, dynamic: Mapping[int, str], sizes: Mapping[str, int]) -> torch.Tensor:
    for axis, dimension in dynamic.items():
        tensor = tensor.index_select(axis, torch.arange(sizes[dimension]) % tensor.shape[axis])
    return tensor


def outputs(model: torch.nn.Module, inputs: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
    with torch.no_grad():
        result = model(**inputs)
    assert isinstance(result, ModelOutput)
    return list(result.to_tuple())


@pytest.mark.parametrize("opset", [13, 18, NEWEST_OPSET])
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_trace_holds_at_other_sizes(entry: Entry, opset: int, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model, inputs = entry.make().eval(), entry.inputs()
    path = tmp_path / "model.onnx"
    onnx_export.export(
        model,
        (),
        path,
        kwargs=inputs,
        dynamo=False,
        dynamic_axes=entry.dynamic,
        opset_version=opset,
        verbose=False,
    )
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for sizes in SIZES:
        others = resized(entry, inputs, sizes)
        found = session.run(None, {name: tensor.numpy() for name, tensor in others.items()})
        for got, wanted in zip(found, outputs(model, others), strict=True):
            torch.testing.assert_close(torch.from_numpy(got), wanted, rtol=1e-4, atol=1e-5)
