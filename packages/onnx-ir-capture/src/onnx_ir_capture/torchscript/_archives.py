"""Archives of ``torch.jit.save``, which torch forgets once it has read them."""

from __future__ import annotations

import os
import weakref

import torch

__all__ = ["archive_of", "load_archive"]

_PATHS: weakref.WeakKeyDictionary[torch.nn.Module, str] = weakref.WeakKeyDictionary()


def load_archive(path: str | os.PathLike[str]) -> torch.jit.ScriptModule:
    """Read an archive to the CPU. What a capture of it reports names the file.

    Raises:
        TypeError: it holds no module.
        RuntimeError: torch cannot read it.
    """
    loaded: object = torch.jit.load(os.fspath(path), map_location="cpu")
    if not isinstance(loaded, torch.jit.ScriptModule):
        raise TypeError("it holds no script module")
    _PATHS[loaded] = os.path.abspath(path)
    return loaded


def archive_of(model: object) -> str:
    """The archive that :func:`load_archive` read a model from; empty for any other model."""
    return _PATHS.get(model, "") if isinstance(model, torch.nn.Module) else ""
