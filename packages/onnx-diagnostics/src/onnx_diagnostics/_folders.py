"""Paths relative to a folder."""

from __future__ import annotations

import os

__all__ = ["current_folder", "path_inside"]


def current_folder() -> str:
    """Return the current folder, or the root where it has been removed: a report must not fail over it."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.abspath(os.sep)


def path_inside(path: str, folder: str) -> str | None:
    """Return the path from a folder to what is inside it, or None; both are absolute."""
    prefix = os.path.normcase(folder.rstrip(os.sep) + os.sep)
    return path[len(prefix) :] or None if os.path.normcase(path).startswith(prefix) else None
