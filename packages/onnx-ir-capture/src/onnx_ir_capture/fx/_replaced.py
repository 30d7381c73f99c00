"""Parts of other packages that a capture needs otherwise, put back afterwards."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TypeAlias

import torch

__all__ = ["Function", "changed_while_capturing", "is_captured_here", "replaced_while_capturing"]

Function: TypeAlias = Callable[..., object]

_is_capturing = contextvars.ContextVar("onnx_ir_capture.is_capturing", default=False)
_lock = threading.Lock()
_users: Counter[Hashable] = Counter()
_undo: dict[Hashable, Callable[[], None]] = {}


@contextlib.contextmanager
def changed_while_capturing(key: Hashable, change: Callable[[], Callable[[], None]]) -> Iterator[None]:
    """Keep a change of what a process shares until the last of all captures that make it ends.

    What is put there asks :func:`is_captured_here`, and does elsewhere what it always did.

    Args:
        key: tells the change from others.
        change: makes it, and returns what undoes it.
    """
    with _lock:
        if not _users[key]:
            _undo[key] = change()
        _users[key] += 1
    before = _is_capturing.set(True)
    try:
        yield
    finally:
        _is_capturing.reset(before)
        with _lock:
            _users[key] -= 1
            if not _users[key]:
                _undo.pop(key)()


def replaced_while_capturing(
    home: ModuleType, name: str, put: Callable[[Function], Function]
) -> AbstractContextManager[None]:
    """Replace the function ``name`` of ``home`` by what ``put`` makes of it, until the last capture ends."""

    def change() -> Callable[[], None]:
        original = getattr(home, name)
        setattr(home, name, put(original))
        return lambda: setattr(home, name, original)

    return changed_while_capturing((home.__name__, name), change)


def is_captured_here() -> bool:
    """Whether this call is part of a capture that runs the model; Dynamo cannot read context variables."""
    return not torch.compiler.is_dynamo_compiling() and _is_capturing.get()
