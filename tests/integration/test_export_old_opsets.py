"""torch.export captures in files of opset 9 to 17."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import onnx_export
from onnx_diagnostics import UnsupportedOperatorError
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

OPSETS = (9, 11, 13, 17)


class Convolutions(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.stem = torch.nn.Conv2d(3, 5, 3, stride=2, padding=1, bias=False)
        self.norm = torch.nn.BatchNorm2d(5)
        self.head = torch.nn.Linear(5, 7)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        hidden = torch.nn.functional.gelu(self.norm(self.stem(image)))
        pooled = torch.nn.functional.max_pool2d(hidden, 3, 2, 1)
        result: torch.Tensor = self.head(torch.nn.functional.adaptive_avg_pool2d(pooled, 1).flatten(1))
        return result


@pytest.mark.parametrize("opset", OPSETS)
def test_convolutions_at_other_sizes(opset: int) -> None:
    shapes = {"image": {0: "batch", 2: "height", 3: "width"}}
    program = onnx_export.export(
        Convolutions().eval(),
        (torch.randn(2, 3, 17, 23),),
        dynamic_shapes=shapes,
        opset_version=opset,
        verify=True,
        verbose=False,
    )
    assert program.model.opset_imports[""] == opset


class Rotation(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rotation: torch.Tensor = torch.linalg.qr(x).Q
        return rotation


def plain_copy(op: Op, A: Value, mode: str = "reduced") -> tuple[Value, Value]:
    """A stand-in with the operator's signature."""
    return op.Relu(A), op.Relu(A)


def test_a_translation_of_the_callers_serves_old_opsets() -> None:
    table: dict[object, Callable[..., object]] = {torch.ops.aten.linalg_qr.default: plain_copy}
    program = onnx_export.export(
        Rotation(), (torch.eye(3),), opset_version=11, custom_translation_table=table, verbose=False
    )
    assert [node.op_type for node in program.model.graph] == ["Relu"]


def test_an_operator_that_comes_later_is_refused_with_its_opset() -> None:
    class Ranges(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.max_pool2d(x, 2, dilation=2)

    with pytest.raises(UnsupportedOperatorError) as caught:
        onnx_export.export(Ranges(), (torch.randn(2, 3, 8, 8),), opset_version=7, verbose=False)
    assert "raise opset_version to 9 or more" in str(caught.value)
