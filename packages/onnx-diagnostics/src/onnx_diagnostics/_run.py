"""The tool that found something, and one run of it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Tool"]


@dataclass(frozen=True)
class Tool:
    """The program that reports.

    Attributes:
        name: its name, such as `onnx-export`.
        version: its version.
        information_uri: absolute URI of its home page.

    Raises:
        ValueError: the name or the version is empty.
    """

    name: str
    version: str
    information_uri: str | None = None

    def __post_init__(self) -> None:
        if not self.name or not self.version:
            raise ValueError("a tool needs a name and a version")
