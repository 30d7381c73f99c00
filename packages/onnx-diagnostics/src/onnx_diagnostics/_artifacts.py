"""The files that a log mentions, each with its index."""

from __future__ import annotations

from onnx_diagnostics._artifact import Artifact
from onnx_diagnostics._diagnostic import PropertyValue
from onnx_diagnostics._files import Workspace

__all__ = ["BASE_ID", "ArtifactTable"]

BASE_ID = "SRCROOT"
"""Name of the folder that relative URIs of a log begin in."""


class ArtifactTable:
    """Gives files their index in the log in the order of mention, so that results can be streamed."""

    def __init__(self, workspace: Workspace) -> None:
        """Begin with no file.

        Args:
            workspace: knows the URIs.
        """
        self.workspace = workspace
        self._index: dict[tuple[str, bool], int] = {}
        self._roles: dict[int, str] = {}

    def add(self, artifact: Artifact) -> None:
        """Mention a file with its role."""
        index = self._index_of(*self._uri(artifact.path))
        if artifact.role is not None:
            self._roles[index] = artifact.role

    def location(self, path: str) -> dict[str, PropertyValue]:
        """Return the artifactLocation (3.4) of a file."""
        uri, relative = self._uri(path)
        base: dict[str, PropertyValue] = {"uriBaseId": BASE_ID} if relative else {}
        return {"uri": uri, **base, "index": self._index_of(uri, relative)}

    def described(self) -> list[PropertyValue]:
        """Return the artifacts (3.24) that were mentioned."""
        return [self._described(*key, index) for key, index in self._index.items()]

    def _uri(self, path: str) -> tuple[str, bool]:
        """The URI of a file, and whether it is a relative one."""
        relative = self.workspace.relative_uri(path)
        return (self.workspace.absolute_uri(path), False) if relative is None else (relative, True)

    def _index_of(self, uri: str, relative: bool) -> int:
        return self._index.setdefault((uri, relative), len(self._index))

    def _described(self, uri: str, relative: bool, index: int) -> PropertyValue:
        base: dict[str, PropertyValue] = {"uriBaseId": BASE_ID} if relative else {}
        described: dict[str, PropertyValue] = {"location": {"uri": uri, **base, "index": index}}
        if index in self._roles:
            described["roles"] = [self._roles[index]]
        if uri.endswith(".py"):
            described["sourceLanguage"] = "python"
        return described
