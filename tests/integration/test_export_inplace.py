"""In-place operations: exported, also where something else sees the memory; refused if not certain."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError


def on_a_fresh_value(x: torch.Tensor) -> torch.Tensor:
    return (x + 1).relu_().add_(2).clamp_(0, 3)


def on_a_cast(x: torch.Tensor) -> torch.Tensor:
    y = x.double()
    y.mul_(2)
    return y


def on_an_integer_cast(x: torch.Tensor) -> torch.Tensor:
    y = x.to(torch.int32)
    y += 1
    return y


def on_a_mask(x: torch.Tensor) -> torch.Tensor:
    mask = x > 0
    mask &= x < 1
    mask |= x > 2
    return mask


@pytest.mark.parametrize("function", [on_a_fresh_value, on_a_cast, on_an_integer_cast, on_a_mask])
def test_in_place_is_exported(function: Callable[[torch.Tensor], torch.Tensor]) -> None:
    example = (torch.randn(3, 5),)
    onnx_export.export(function, example, dynamic_shapes=({0: "n"},), verify=True, verbose=False)


def on_the_input(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x


def on_a_part(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    y[0].mul_(2)
    return y


def on_a_same_dtype_cast(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = x.to(torch.float32)
    y.mul_(2)
    return x, y


def on_windows(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y.unfold(1, 2, 2).mul_(5)
    return y


def on_a_diagonal(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y.t().diagonal().fill_(7)
    return y


def on_pieces(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = x.clone()
    first, second, _ = y.split(2, 1)
    first.add_(second)
    y[:, 1:3] += 1
    y[y > 2] = 0.5
    return y, first


WRITES = [on_the_input, on_a_part, on_a_same_dtype_cast, on_windows, on_a_diagonal, on_pieces]


@pytest.mark.parametrize("function", WRITES)
@pytest.mark.filterwarnings("ignore:JIT002")
def test_in_place_that_something_sees_is_exported(function: Callable[..., object]) -> None:
    example = (torch.randn(3, 5),)
    onnx_export.export(function, example, dynamic_shapes=({0: "n"},), verify=True, verbose=False)


def on_a_view_or_a_copy(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    torch.einsum("ij->ji", y).mul_(2)
    return y


def test_in_place_that_cannot_be_proven_is_refused_at_its_line() -> None:
    with pytest.raises(OnnxExporterError, match="JIT001") as caught:
        onnx_export.export(on_a_view_or_a_copy, (torch.randn(3, 5),), verbose=False)
    (found,) = [d for d in caught.value.diagnostics if d.rule.code == "JIT001"]
    assert found.location is not None
    assert found.location.file == __file__
    assert found.location.line == on_a_view_or_a_copy.__code__.co_firstlineno + 2


def twice_the_same(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    torch._foreach_mul_([y, y], 2.0)
    return y


def overlapping_parts(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    torch._foreach_add_([y[:2], y[1:3]], 1.0)
    return y


def parts_of_two(x: torch.Tensor) -> torch.Tensor:
    y, z = x.clone(), x + 1
    torch._foreach_add_([y[:2], z[1:3]], 1.0)
    return y + z


@pytest.mark.parametrize("function", [twice_the_same, overlapping_parts])
def test_a_list_that_holds_memory_twice_is_refused(function: Callable[[torch.Tensor], torch.Tensor]) -> None:
    with pytest.raises(OnnxExporterError, match="its tensors share memory") as caught:
        onnx_export.export(function, (torch.randn(3, 5),), verbose=False)
    place = caught.value.diagnostics[0].location
    assert place is not None
    assert place.line == function.__code__.co_firstlineno + 2


def test_a_list_of_tensors_apart_is_exported() -> None:
    onnx_export.export(parts_of_two, (torch.randn(3, 5),), verify=True, verbose=False)
