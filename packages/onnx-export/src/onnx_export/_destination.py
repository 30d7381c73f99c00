"""Whether a model can be saved at a path, and what to say if not."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from onnx_diagnostics import Diagnostic, DiagnosticContext, OnnxExporterError
from onnx_export.__about__ import __version__
from onnx_export._staging import stage_of, try_folder
from onnx_export.rules import DISK_FULL, UNUSABLE_DESTINATION

__all__ = [
    "check_destination",
    "check_space",
    "data_path_of",
    "explained",
    "megabytes",
    "refusal",
    "reporter",
]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_destination(
    destination: str | os.PathLike[str],
    diagnostics: DiagnosticContext | None = None,
    *,
    external_data: bool = True,
) -> Path:
    """Find out, before any work, whether a model could be saved at a path.

    The folder is tried by making, and removing, a folder in it. Nothing else changes.

    Args:
        destination: path of the `.onnx` file.
        diagnostics: where a finding is reported, too.
        external_data: whether a file of weights may have to stand beside it.

    Returns:
        The path.

    Raises:
        TypeError: the destination is no path.
        OnnxExporterError: no file can be written there; the text says why and what to do.
    """
    if not isinstance(destination, str | bytes | os.PathLike):
        raise TypeError(f"the destination must be a path, not a {type(destination).__qualname__}")
    text = os.fspath(destination)
    if not isinstance(text, str):
        raise TypeError(f"the path of the model must be text, not {type(text).__name__}: use os.fsdecode")
    path = Path(text)
    with explained(text, diagnostics):
        fault = _fault_of_text(text) or _fault_of_folder(path) or _fault_of_files(path, external_data)
        if fault is not None:
            raise _unusable(text, fault, diagnostics)
        try_folder(path.parent)
    return path


def check_space(path: Path, need: int, diagnostics: DiagnosticContext | None) -> None:
    """Find out whether the disk has room for the new files beside the old ones.

    Args:
        path: path of the model.
        need: size of the new files in bytes.
        diagnostics: where a finding is reported, too.

    Raises:
        OnnxExporterError: there is less.
    """
    disk = shutil.disk_usage(path.parent)
    if disk.total > 0 and need > disk.free:  # some network file systems say 0 of 0
        sizes = f" ({megabytes(need)} MB are needed, {megabytes(disk.free)} MB are free)"
        raise refusal(reporter(diagnostics).report(DISK_FULL, path=repr(os.fspath(path)), sizes=sizes))


def data_path_of(path: Path) -> Path:
    """Return the path of the external data of a model."""
    return path.with_name(f"{path.name}.data")


@contextlib.contextmanager
def explained(path: str | os.PathLike[str], diagnostics: DiagnosticContext | None) -> Iterator[None]:
    """Turn an `OSError` of a block into the error for the user.

    Args:
        path: path of the model.
        diagnostics: where the finding is reported, too.

    Raises:
        OnnxExporterError: the operating system refused something.
    """
    shown = repr(os.fspath(path))
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise refusal(reporter(diagnostics).report(DISK_FULL, path=shown, sizes="")) from error
        fault = (_reason_of(error), "choose a folder that can be written to and a short name")
        raise _unusable(os.fspath(path), fault, diagnostics) from error


def _reason_of(error: OSError) -> str:
    if not error.filename:
        return str(error)
    stage = stage_of(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    if stage is None:
        return f"{error.strerror or error} ({error.filename})"
    # A folder that is there and takes no file, as in /proc, is "no such file" to the operating system.
    detail = "" if error.errno == errno.ENOENT else f": {error.strerror or error}"
    return f"the folder {os.fspath(stage.parent)!r} cannot be written to{detail}"


def refusal(finding: Diagnostic) -> OnnxExporterError:
    """Return the exception for a finding."""
    return OnnxExporterError("The model was not saved.", (finding,))


def reporter(diagnostics: DiagnosticContext | None) -> DiagnosticContext:
    """Return the context to report to."""
    return DiagnosticContext("onnx-export", __version__) if diagnostics is None else diagnostics


def megabytes(size: int) -> str:
    """Return a size in bytes as megabytes, for people."""
    return f"{size / 1e6:,.1f}"


def _unusable(path: str, fault: tuple[str, str], diagnostics: DiagnosticContext | None) -> OnnxExporterError:
    reason, advice = fault
    return refusal(
        reporter(diagnostics).report(UNUSABLE_DESTINATION, path=repr(path), reason=reason, advice=advice)
    )


def _fault_of_text(text: str) -> tuple[str, str] | None:
    if not text:
        return "the path is empty", "name a file, such as 'model.onnx'"
    if "\0" in text or _is_undecodable(text):
        return "the path has characters that no ONNX file can hold", "rename the file or the folder"
    if not os.path.basename(text) or os.path.basename(text) in (os.curdir, os.pardir):
        return "that is a folder", f"add a name of a file: {os.path.join(text, 'model.onnx')!r}"
    return None


def _is_undecodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _fault_of_folder(path: Path) -> tuple[str, str] | None:
    folder = path.parent
    if folder.is_dir():
        return None
    if os.path.lexists(folder):
        return f"{os.fspath(folder)!r} is no folder", "choose another folder"
    return f"the folder {os.fspath(folder)!r} does not exist", "make it first, or correct the path"


def _fault_of_files(path: Path, external_data: bool) -> tuple[str, str] | None:
    for file in (path, data_path_of(path)) if external_data else (path,):
        name = os.fspath(file)
        try:
            mode = os.stat(file).st_mode
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(mode) and file == path:
            return "that is a folder", f"add a name of a file: {os.fspath(path / 'model.onnx')!r}"
        if stat.S_ISDIR(mode):
            return f"its weights need the name {name!r}, which a folder has", "choose another name"
        if not stat.S_ISREG(mode):
            return f"{name!r} is no regular file", "name a regular file; for a stream, save to an io.BytesIO"
        if not os.access(file, os.W_OK):
            return f"{name!r} is read-only", "make it writable, remove it, or choose another name"
    return None
