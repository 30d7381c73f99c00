"""Programs of torch.export in files."""

from __future__ import annotations

import os
import zipfile

import torch

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export.rules import UNREADABLE_PROGRAM

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
    try:
        return torch.export.load(path)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        # Whatever a damaged archive makes torch raise: there is no class of its own for it.
        said = " ".join(str(error).split()) or type(error).__name__
        reason = f"it is damaged, or of another version of torch ({said})"
        raise _refusal(path, reason, diagnostics) from error


def holds_script(path: str | os.PathLike[str]) -> bool:
    """Whether the file is an archive of ``torch.jit.save``."""
    if not os.path.isfile(path) or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    names = {member.filename.partition("/")[2] for member in members}
    is_whole = bool(members) and min(member.header_offset for member in members) == 0
    return is_whole and "constants.pkl" in names and any(name.startswith("code/") for name in names)


def load_script(path: str | os.PathLike[str], diagnostics: DiagnosticContext) -> torch.jit.ScriptModule:
    """Read what ``torch.jit.save`` wrote, to the CPU.

    Raises:
        OnnxExporterError: it is damaged, or made by a newer torch.
    """
    try:
        loaded: object = torch.jit.load(os.fspath(path), map_location="cpu")
    except (OSError, MemoryError):
        raise
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        reason = f"it is damaged, or of another version of torch ({said})"
        raise _refusal(path, reason, diagnostics) from error
    if not isinstance(loaded, torch.jit.ScriptModule):
        raise _refusal(path, "it holds no script module", diagnostics)
    return loaded


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
