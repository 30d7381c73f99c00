"""Weights of every float dtype, 0-d ones among them: through export, both forms of the file, and back."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
import torch
from onnx_ir import tensor_adapters

import onnx_export
from onnx_diagnostics import ConversionError

FLOAT8 = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]


@torch.library.custom_op("small_floats::take", mutates_args=())
def take(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return x + weight.to(x.dtype)


@take.register_fake
def _(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


class Scaled(torch.nn.Module):
    weight: torch.Tensor  # a buffer

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("weight", weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight.to(x.dtype) * x


class Returned(Scaled):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight


class Taken(Scaled):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        taken: torch.Tensor = take(x, self.weight)
        return taken


@pytest.mark.parametrize("external_data", [False, True])
@pytest.mark.parametrize("shape", [(), (307,)], ids=str)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, *FLOAT8], ids=str)
def test_weights_come_back_as_they_were(
    dtype: torch.dtype, shape: tuple[int, ...], external_data: bool, tmp_path: Path
) -> None:
    weight, path = torch.randn(shape).to(dtype), tmp_path / "model.onnx"
    program = onnx_export.export(Scaled(weight), (torch.randn(307),), verbose=False, verify=True)
    program.save(path, external_data=external_data)
    onnx.checker.check_model(path, full_check=True)
    (found,) = (tensor for tensor in onnx.load(path).graph.initializer if tensor.name == "weight")
    assert found.data_type == tensor_adapters.from_torch_dtype(dtype).value
    assert tuple(found.dims) == shape
    assert found.raw_data == weight.reshape(-1).view(torch.uint8).numpy().tobytes()


@pytest.mark.parametrize(
    ("dtype", "version"), [(torch.float16, 8), (FLOAT8[0], 9), (torch.float8_e8m0fnu, 12)]
)
def test_the_file_s_version_is_one_that_has_the_type(dtype: torch.dtype, version: int) -> None:
    program = onnx_export.export(
        Taken(torch.ones(3).to(dtype)),
        (torch.ones(3),),
        opset_version=18,
        custom_opsets={"small_floats": 1},
        verbose=False,
    )
    assert program.model_proto.ir_version == version


def test_an_output_of_a_type_that_the_opset_lacks_is_refused() -> None:
    model = Returned(torch.ones(3).to(FLOAT8[0]))
    with pytest.raises(ConversionError, match="Identity does not take FLOAT8E4M3FN at opset 18"):
        onnx_export.export(model, (torch.ones(3),), opset_version=18, verbose=False)
    onnx_export.export(model, (torch.ones(3),), opset_version=19, verbose=False, verify=True)
