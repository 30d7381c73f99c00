"""Programs of torch.export in files."""

from __future__ import annotations

import contextlib
import os
import zipfile
from collections.abc import Iterator

import torch

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export.rules import UNREADABLE_PROGRAM
from onnx_ir_capture.torchscript import load_archive

__all__ = ["holds_script", "load_program", "load_script"]


def load_program(
    path: str | os.PathLike[str], diagnostics: DiagnosticContext
) -> torch.export.ExportedProgram:
    """Read what ``torch.export.save`` wrote.

    Nothing is unpickled unless the file is an archive of torch.export.

    Raises:
        OnnxExporterError: there is no such file, it holds something else, or it is damaged.
    """
    fault = _fault(path)
    if fault:
        raise _refusal(path, fault, diagnostics)
    with _damage_reported(path, diagnostics):
        return torch.export.load(path)


def holds_script(path: str | os.PathLike[str]) -> bool:
    """Whether the file is an archive of ``torch.jit.save``."""
    if not os.path.isfile(path) or not zipfile.is_zipfile(path):
        return False
    names, is_whole = _contents(path)
    return is_whole and "constants.pkl" in names and any(name.startswith("code/") for name in names)


def load_script(path: str | os.PathLike[str], diagnostics: DiagnosticContext) -> torch.jit.ScriptModule:
    """Read what ``torch.jit.save`` wrote, to the CPU.

    Raises:
        OnnxExporterError: it is damaged, or made by a newer torch.
    """
    with _damage_reported(path, diagnostics):
        return load_archive(path)


@contextlib.contextmanager
def _damage_reported(path: str | os.PathLike[str], diagnostics: DiagnosticContext) -> Iterator[None]:
    """Refuse the file for whatever a damaged archive makes torch raise, which has no class of its own."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        reason = f"it is damaged, or of another version of torch ({said})"
        raise _refusal(path, reason, diagnostics) from error


def _contents(path: str | os.PathLike[str]) -> tuple[list[str], bool]:
    """Names in an archive, below its folder, and whether they begin where the file does."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    names = [member.filename.partition("/")[2] for member in members]
    # An archive inside of it, such as that of the example inputs, is found where the end was cut off.
    return names, bool(members) and min(member.header_offset for member in members) == 0


def _refusal(path: str | os.PathLike[str], reason: str, diagnostics: DiagnosticContext) -> OnnxExporterError:
    found = diagnostics.report(UNREADABLE_PROGRAM, path=os.fspath(path), reason=reason)
    return OnnxExporterError("the program could not be read", (found,))


def _fault(path: str | os.PathLike[str]) -> str:
    """What keeps the file from being an archive of torch.export; empty if nothing does."""
    if not os.path.exists(path):
        return "there is no such file"
    if not os.path.isfile(path):
        return "it is no file"
    if os.path.getsize(path) == 0:
        return "it is empty"
    if not zipfile.is_zipfile(path):
        return "the end of it is missing" if _begins_as_archive(path) else "it is no archive"
    names, is_whole = _contents(path)
    if names and not is_whole:
        return "the end of it is missing"
    if any(name.startswith("models/") and name.endswith(".json") for name in names):
        return ""
    if any(name.startswith("data/aotinductor/") for name in names):
        return "it holds a model that torch._inductor has compiled, and no program"
    if "constants.pkl" in names:
        return "it holds TorchScript"
    if "data.pkl" in names:
        return "it holds a pickled object, such as a state_dict, and no program"
    return "it is an archive of something else"


def _begins_as_archive(path: str | os.PathLike[str]) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"PK\3\4"
