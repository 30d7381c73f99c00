"""Code of torch.nn that is script itself: its lists, its None and its early returns."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import onnx_export

OPSETS = [9, 13, 18, 23]
IMAGE = torch.linspace(-2, 2, 2 * 3 * 6 * 5).reshape(2, 3, 6, 5)


def compare(model: nn.Module, args: tuple[object, ...], opset: int) -> None:
    script = torch.jit.script(model.eval())
    program = onnx_export.export(script, args, opset_version=opset, verbose=False)
    expected = model(*args)
    tensors = [expected] if isinstance(expected, Tensor) else [item for item in expected if item is not None]
    for given, wanted in zip(program(*args), tensors, strict=True):
        torch.testing.assert_close(torch.as_tensor(given), wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(
    "model",
    [
        nn.Upsample(scale_factor=2.0, mode="nearest"),
        nn.Upsample(scale_factor=(1.5, 2.0), mode="bilinear"),
        nn.Upsample(size=(7, 11), mode="bilinear", align_corners=True),
        nn.UpsamplingNearest2d(scale_factor=2),
    ],
    ids=["nearest", "bilinear", "size", "module"],
)
def test_upsampling_by_scale_and_size(model: nn.Module, opset: int) -> None:
    compare(model, (IMAGE,), opset)
