"""Programs captured where torch's default dtype is float64, or half precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch

import onnx_export


@pytest.fixture(params=[torch.float64, torch.float16], ids=str, autouse=True)
def default_dtype(request: pytest.FixtureRequest) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(request.param)
    yield
    torch.set_default_dtype(before)


def ints(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.shape[0]) * 1.5


def halves(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.shape[0]) / 2


def shifted(x: torch.Tensor) -> torch.Tensor:
    return (0.1 + x.long()) * torch.ones(x.shape[0])


def clamped(x: torch.Tensor) -> torch.Tensor:
    return x.long().clamp(min=0.5)


def power(x: torch.Tensor) -> torch.Tensor:
    return x.long().abs() ** 1.5


def chosen(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, 1, 0.1)


def exponential(x: torch.Tensor) -> torch.Tensor:
    return x.long().exp()


def sized(x: torch.Tensor) -> torch.Tensor:
    return torch.full((3,), x.shape[0] / 3) * x.long().sum()


def compared(x: torch.Tensor) -> torch.Tensor:
    return (x.long() > 0.5) & (x.long() <= 1.5)


@pytest.mark.parametrize(
    "function",
    [ints, halves, shifted, clamped, power, chosen, exponential, sized, compared],
)
def test_numbers_take_the_default_dtype(function: Callable[[torch.Tensor], torch.Tensor]) -> None:
    x = torch.tensor([1.0, -2.0, 0.0, 3.0, 2.0])
    program = onnx_export.export(function, (x,), dynamic_shapes=({0: "n"},), verbose=False)
    for example in (x, x[:3]):
        torch.testing.assert_close(program(example)[0], function(example))
