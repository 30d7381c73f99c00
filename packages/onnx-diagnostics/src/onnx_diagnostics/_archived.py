"""Files inside of ZIP archives."""

from __future__ import annotations

import os
import zipfile

__all__ = ["archived_bytes"]


def archived_bytes(path: str, at_most: int) -> bytes:
    """Return the content of a file in an archive; none where there is no such file, or a larger one.

    Args:
        path: that of the archive, and behind it that of the file; the folder that holds all of an archive
            may be left out, as PyTorch leaves it out.
        at_most: the largest size.

    Raises:
        OSError: the archive cannot be read.
    """
    archive = path
    while not os.path.lexists(archive):
        archive = os.path.dirname(archive)
    name = os.path.relpath(path, archive).replace(os.sep, "/")
    if not zipfile.is_zipfile(archive):
        return b""
    with zipfile.ZipFile(archive) as opened:
        found = [
            member
            for member in opened.infolist()
            if name in (member.filename, member.filename.partition("/")[2]) and member.file_size <= at_most
        ]
        return opened.read(found[0]) if len(found) == 1 else b""
