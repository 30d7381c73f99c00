"""Programs of torch.export in files."""

from __future__ import annotations

import os
import zipfile

import torch

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export.rules import UNREADABLE_PROGRAM

__all__ = ["load_program"]


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
    try:
        return torch.export.load(path)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        # Whatever a damaged archive makes torch raise: there is no class of its own for it.
        said = " ".join(str(error).split()) or type(error).__name__
        reason = f"it is damaged, or of another version of torch ({said})"
        raise _refusal(path, reason, diagnostics) from error


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
        return "it is no archive"
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    # An archive inside of it, such as that of the example inputs, is found where the end was cut off.
    if members and min(member.header_offset for member in members) > 0:
        return "the end of it is missing"
    names = [member.filename.partition("/")[2] for member in members]
    if any(name.startswith("models/") and name.endswith(".json") for name in names):
        return ""
    if any(name.startswith("data/aotinductor/") for name in names):
        return "it holds a model that torch._inductor has compiled, and no program"
    if "constants.pkl" in names:
        return "it holds TorchScript"
    if "data.pkl" in names:
        return "it holds a pickled object, such as a state_dict, and no program"
    return "it is an archive of something else"
