"""Functions of other packages that a capture needs otherwise, put back afterwards."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TypeAlias

import torch

__all__ = ["Function", "is_captured_here", "replaced_while_capturing"]

Function: TypeAlias = Callable[..., object]

_is_capturing = contextvars.ContextVar("onnx_ir_capture.is_replacing", default=False)
_lock = threading.Lock()
_users: Counter[tuple[str, str]] = Counter()
_originals: dict[tuple[str, str], Function] = {}


@contextlib.contextmanager
def replaced_while_capturing(
    home: ModuleType, name: str, put: Callable[[Function], Function]
) -> Iterator[None]:
    """Replace the function ``name`` of ``home`` until the last of all captures that do so ends.

    The functions of a process are shared. What ``put`` makes of the original asks :func:`is_captured_here`,
    and is the original elsewhere.
    """
    key = (home.__name__, name)
    with _lock:
        if not _users[key]:
            _originals[key] = getattr(home, name)
            setattr(home, name, put(_originals[key]))
        _users[key] += 1
    before = _is_capturing.set(True)
    try:
        yield
    finally:
        _is_capturing.reset(before)
        with _lock:
            _users[key] -= 1
            if not _users[key]:
                setattr(home, name, _originals.pop(key))


def is_captured_here() -> bool:
    """Whether this call is part of a capture that runs the model; Dynamo cannot read context variables."""
    return not torch.compiler.is_dynamo_compiling() and _is_capturing.get()
