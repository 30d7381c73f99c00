"""Models that are exported inside of ``with torch.autocast(...)``."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

import torch

from onnx_ir_capture.fx._callables import forward_signature, with_forward

__all__ = ["autocast_inside"]


@contextlib.contextmanager
def autocast_inside(module: torch.nn.Module) -> Iterator[torch.nn.Module]:
    """The module as it computes in the caller's autocast, while that is off.

    Autocast around torch.export changes the dtypes of results and leaves no cast in the graph; what a model
    enters itself is there as a region.

    Yields:
        The module itself where no autocast is on, or one with the same state that enters it.
    """
    modes = [mode for device in _devices() if (mode := _mode(device)) is not None]
    if not modes:
        yield module
        return
    original = module.forward

    @functools.wraps(original)
    def forward(*args: object, **kwargs: object) -> object:
        with contextlib.ExitStack() as stack:
            for mode in modes:
                stack.enter_context(mode())
            return original(*args, **kwargs)

    inside = with_forward(module, forward, forward_signature(module))
    with contextlib.ExitStack() as stack:
        for device in _devices():
            stack.enter_context(torch.autocast(device, enabled=False))
        yield inside


def _devices() -> list[str]:
    accelerator = torch.accelerator.current_accelerator()
    return ["cpu"] if accelerator is None else ["cpu", accelerator.type]


def _mode(device: str) -> functools.partial[torch.autocast] | None:
    if not torch.is_autocast_enabled(device):
        return None
    dtype = torch.get_autocast_dtype(device)
    return functools.partial(torch.autocast, device, dtype, cache_enabled=torch.is_autocast_cache_enabled())
