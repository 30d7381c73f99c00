"""What makes a finding the same finding on another machine, in another run, and after unrelated edits."""

from __future__ import annotations

import hashlib

from onnx_diagnostics._diagnostic import Diagnostic
from onnx_diagnostics._files import Workspace
from onnx_diagnostics._locations import Location

__all__ = ["FINGERPRINT_NAME", "fingerprint"]

FINGERPRINT_NAME = "ruleAndPlace/v1"
"""Key under `partialFingerprints`; its version rises whenever equal findings would get other values."""


def fingerprint(diagnostic: Diagnostic, workspace: Workspace) -> str:
    """Return 32 hexadecimal digits from the rule, the file, the text of the line and the logical names.

    The number of the line is left out: it changes when lines are added above. A finding without a place is
    known by its message.
    """
    if diagnostic.location is None:
        parts = [diagnostic.rule.code, diagnostic.message]
    else:
        parts = [diagnostic.rule.code, *_place_parts(diagnostic.location, workspace)]
    # The length in front keeps ("ab", "c") and ("a", "bc") apart.
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _place_parts(location: Location, workspace: Workspace) -> list[str]:
    parts = [f"{place.kind.value}={place.name}" for place in location.logical]
    if location.physical is not None:
        parts.append(workspace.portable_name(location.physical.path))
        parts.append(workspace.first_line(location.physical))
    return parts
