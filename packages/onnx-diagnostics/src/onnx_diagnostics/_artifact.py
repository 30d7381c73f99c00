"""Files that a run reads or writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Artifact", "ArtifactRole"]

ArtifactRole: TypeAlias = Literal[
    "analysisTarget", "attachment", "debugOutputFile", "referencedOnCommandLine", "resultFile"
]
"""What a file is to a run: roles of SARIF 2.1.0, section 3.24.6."""


@dataclass(frozen=True)
class Artifact:
    """A file that a run read or wrote; those that findings are in need not be told.

    Attributes:
        path: the file; a relative path is relative to the workspace.
        role: what it is to the run.

    Raises:
        ValueError: the path is empty.
    """

    path: str
    role: ArtifactRole | None = None

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("an artifact needs a file path")
