"""``torch.linspace`` in torch.export, for any number of steps."""

from __future__ import annotations

from contextlib import AbstractContextManager

import torch

from onnx_ir_capture.fx._replaced import Function, is_captured_here, replaced_while_capturing

__all__ = ["any_number_of_numbers"]

# Whose stubs, unlike those of torch's functions, take symbolic numbers.
_aten = torch.ops.aten

_Number = int | float | torch.SymInt | torch.SymFloat | torch.Tensor


def any_number_of_numbers() -> AbstractContextManager[None]:
    """Meanwhile ``linspace`` takes a dynamic size for its steps: the operator would fix the example's."""
    return replaced_while_capturing(torch, "linspace", _computed)


def _computed(original: Function) -> Function:
    def linspace(
        start: _Number,
        end: _Number,
        steps: int | torch.SymInt,
        *,
        dtype: torch.dtype | None = None,
        device: torch.types.Device = None,
        **options: object,
    ) -> object:
        chosen = torch.get_default_dtype() if dtype is None else dtype
        is_usual = isinstance(steps, torch.SymInt) and chosen.is_floating_point and not options
        if not is_captured_here() or not is_usual:
            return original(start, end, steps, dtype=dtype, device=device, **options)
        return _evenly_spaced(_aten.arange.default(steps, dtype=chosen, device=device), start, end)

    return linspace


def _evenly_spaced(places: torch.Tensor, start: _Number, end: _Number) -> torch.Tensor:
    steps = places.shape[0]
    first, last = (_like(places, number) for number in (start, end))
    width = (last - first) / _like(places, torch.sym_max(steps - 1, 1))
    # From both ends, as torch does, so that each of them is exact.
    from_start = places < torch.sym_max(steps // 2, 1)
    return torch.where(from_start, first + width * places, last - width * (steps - 1 - places))


def _like(places: torch.Tensor, number: _Number) -> torch.Tensor:
    if isinstance(number, torch.Tensor):
        return number.to(places)
    filled: torch.Tensor = _aten.new_full.default(places, [], number)
    return filled
