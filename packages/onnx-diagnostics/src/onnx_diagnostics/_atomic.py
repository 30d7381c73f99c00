"""Writing a file so that no reader ever finds half of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable

__all__ = ["write_text_atomically"]


def write_text_atomically(path: str | os.PathLike[str], chunks: Iterable[str], *, kind: str = "file") -> None:
    """Write a UTF-8 file that is either whole or, after a failure, as it was before.

    A symbolic link is followed. What is no regular file, such as `/dev/null`, is written to as it stands.

    Args:
        path: the file.
        chunks: its text; if this iterator raises, the file stays as it was.
        kind: what an error calls it.

    Raises:
        OSError: it cannot be written; `filename` is the path as given.
    """
    shown = os.fspath(path)
    try:
        _replace(shown, chunks)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, f"cannot write the {kind}: {error.strerror}", shown) from error


def _replace(path: str, chunks: Iterable[str]) -> None:
    if not os.path.basename(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    target = os.path.realpath(path)
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        _write(target, "w", chunks)
        return
    # Beside the target, since a rename is atomic only inside one file system; with a short name, since the
    # target's may be as long as the file system allows.
    temporary = os.path.join(os.path.dirname(target), f".{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        _write(temporary, "x", chunks)
        os.replace(temporary, target)
    finally:
        _remove_if_there(temporary)


def _write(path: str, mode: str, chunks: Iterable[str]) -> None:
    with open(path, mode, encoding="utf-8", newline="\n") as file:
        file.writelines(chunks)


def _remove_if_there(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)
