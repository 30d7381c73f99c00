"""Source files of the workspace and beyond: their URIs, their names on every machine, their text."""

from __future__ import annotations

import io
import linecache
import os
import re
import stat
import tokenize
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote_from_bytes

from onnx_diagnostics._archived import archived_bytes
from onnx_diagnostics._folders import current_folder, path_inside
from onnx_diagnostics._locations import PhysicalLocation, Region
from onnx_diagnostics._text import encodable

__all__ = ["Workspace", "is_file_name"]

_PACKAGE_FOLDERS = re.compile(r".*/(?:site-packages|dist-packages|lib/python3\.\d+)/(?=.)", re.DOTALL)
_LARGEST_SOURCE = 16 * 2**20
_LONGEST_SNIPPET = 2000


class Workspace:
    """The folder that paths are relative to, and a memory of what was found out about each path."""

    def __init__(self, base: str | None) -> None:
        """Take a folder; the current one if None."""
        self._base = os.path.abspath(base) if base else current_folder()
        self._real_base = os.path.realpath(self._base)
        self._lines: dict[str, list[str]] = {}
        self._absolutes: dict[str, str] = {}
        self._relatives: dict[str, str | None] = {}
        self._portable: dict[str, str] = {}

    @property
    def base_uri(self) -> str:
        """URI of the folder, with a slash at its end."""
        uri = Path(self._base).as_uri()
        return uri if uri.endswith("/") else f"{uri}/"

    def relative_uri(self, path: str) -> str | None:
        """Return the percent-encoded path from the folder to a file, or None where it is outside."""
        relative = self._relative(path)
        # quote also encodes ":", with which the first part of a relative path would pass for a scheme.
        return None if relative is None else quote_from_bytes(os.fsencode(relative))

    def absolute_uri(self, path: str) -> str:
        """Return the `file` URI of a file."""
        return Path(self._absolute(path)).as_uri()

    def portable_name(self, path: str) -> str:
        """Return a name of a file that is the same on every machine and in every run.

        Of an installed file this is its path inside its package's parent, of a file of the workspace its
        relative path, of any other its path from the topmost folder around it that is a Python package.
        """
        if path not in self._portable:
            self._portable[path] = self._find_portable_name(path)
        return self._portable[path]

    def _find_portable_name(self, path: str) -> str:
        if not is_file_name(path):
            # torch numbers the code that it generates through the process, so the number says nothing.
            return "<generated>"
        absolute = self._absolute(path)
        posix = absolute.replace(os.sep, "/")
        installed = _PACKAGE_FOLDERS.match(posix)
        if installed is not None:
            return posix[installed.end() :]
        return self._relative(path) or _path_in_package(absolute)

    def text(self, location: PhysicalLocation) -> str | None:
        """Return the text of a region, or None where the file cannot tell or it is too long to quote."""
        if location.snippet is not None:
            return location.snippet
        region = location.region
        if region is None:
            return None
        lines = self._source_lines(location.path)
        if region.last_line > len(lines):
            return None
        text = _cut(lines[region.start_line - 1 : region.last_line], region)
        return text if 0 < len(text) <= _LONGEST_SNIPPET else None

    def first_line(self, location: PhysicalLocation) -> str:
        """Return the first line of a region, stripped, or nothing where the file cannot tell."""
        if location.snippet is not None:
            return location.snippet.split("\n", 1)[0].strip()
        lines = self._source_lines(location.path)
        if location.region is None or location.region.start_line > len(lines):
            return ""
        return lines[location.region.start_line - 1].strip()

    def _source_lines(self, path: str) -> list[str]:
        name = self._absolute(path) if is_file_name(path) else path
        if name not in self._lines:
            self._lines[name] = _read_lines(name)
        return self._lines[name]

    def _absolute(self, path: str) -> str:
        if path not in self._absolutes:
            self._absolutes[path] = os.path.normpath(os.path.join(self._base, _encodable_path(path)))
        return self._absolutes[path]

    def _relative(self, path: str) -> str | None:
        """The path from the folder with `/` between its parts, also where symbolic links are in between."""
        if path not in self._relatives:
            self._relatives[path] = self._find_relative(path)
        return self._relatives[path]

    def _find_relative(self, path: str) -> str | None:
        absolute = self._absolute(path)
        relative = path_inside(absolute, self._base)
        if relative is None and "\0" not in absolute:
            relative = path_inside(os.path.realpath(absolute), self._real_base)
        return relative and relative.replace(os.sep, "/")


def is_file_name(path: str) -> bool:
    """Say whether a path names a file, not code without one such as `<string>` or `<eval_with_key>.3`."""
    return not path.startswith("<")


def _encodable_path(path: str) -> str:
    """The path itself, unless it has characters that no name of a file can have."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return encodable(path)
    return path


def _path_in_package(path: str) -> str:
    folder, name = os.path.split(path)
    while os.path.basename(folder) and os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        name = f"{package}/{name}"
    return name


def _read_lines(path: str) -> list[str]:
    """The lines of a source, none where it cannot be read; bytes that cannot be decoded are marked."""
    if path in linecache.cache and not os.path.exists(path):
        # Cells of a notebook are no files, but Python keeps their lines for its tracebacks.
        return [line.rstrip("\n") for line in linecache.getlines(path)]
    try:
        content = _content(path)
    except (OSError, ValueError, zipfile.BadZipFile):  # ValueError: a NUL in the path
        return []
    text = content.decode(_encoding(io.BytesIO(content).readline), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _content(path: str) -> bytes:
    try:
        status = os.stat(path)
    except NotADirectoryError:
        return archived_bytes(path, _LARGEST_SOURCE)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_SOURCE:
        return b""
    with open(path, "rb") as file:
        return file.read()


def _encoding(readline: Callable[[], bytes]) -> str:
    try:
        return tokenize.detect_encoding(readline)[0]
    except SyntaxError:
        return "utf-8"


def _cut(lines: list[str], region: Region) -> str:
    """The region of its lines; the last is cut first, since both ends may be on one line."""
    cut = list(lines)
    if region.end_column is not None:
        cut[-1] = cut[-1][: region.end_column - 1]
    if region.start_column is not None:
        cut[0] = cut[0][region.start_column - 1 :]
    return "\n".join(cut)
