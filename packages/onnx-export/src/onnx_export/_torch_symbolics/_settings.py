"""Settings of torch.onnx that its helpers look at, while a symbolic function of somebody's calls them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

__all__ = ["settings_of_torch"]

_GLOBALS = "torch.onnx._internal.torchscript_exporter._globals"


@contextlib.contextmanager
def settings_of_torch(opset: int) -> Iterator[None]:
    """Meanwhile torch.onnx, if somebody has loaded it, believes that it exports to ``opset``."""
    settings: object = getattr(sys.modules.get(_GLOBALS), "GLOBALS", None)
    if settings is None:
        yield
        return
    wanted: dict[str, object] = {"export_onnx_opset_version": opset, "in_onnx_export": True}
    before = {name: getattr(settings, name) for name in wanted}
    _set(settings, wanted)
    try:
        yield
    finally:
        _set(settings, before)


def _set(settings: object, values: dict[str, object]) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
