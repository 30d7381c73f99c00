"""Sizes for which a file holds: what is said of them at export, at verification and in a call."""

from __future__ import annotations

import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError
from onnx_ir_capture.rules import DIMENSION_FIXED

Tensor = torch.Tensor


class Squeezing(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.squeeze(0) * 2


def test_a_squeezed_dimension_that_is_one_in_the_example_is_refused_by_every_route() -> None:
    with pytest.raises(CaptureError) as caught:
        onnx_export.export(Squeezing(), (torch.randn(1, 3),), dynamic_shapes={"x": {0: "b"}})
    assert caught.value.diagnostics[0].rule == DIMENSION_FIXED
    assert "it keeps the dimension 'b'" in caught.value.diagnostics[1].message
