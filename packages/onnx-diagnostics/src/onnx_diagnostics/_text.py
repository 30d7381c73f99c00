"""Text that is safe to show and to store."""

from __future__ import annotations

import unicodedata

__all__ = ["encodable", "printable"]

# Control characters, line separators, and halves of surrogate pairs (undecodable bytes of file names).
_HIDDEN = frozenset(("Cc", "Cs", "Zl", "Zp"))
# Characters that reverse the direction of text, with which a name could pose as another.
_REVERSING = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def printable(text: str) -> str:
    r"""Replace characters that would steer a terminal or break an encoding by their escapes, `\x1b`."""
    if text.isprintable():
        return text
    # Line by line, since most texts that are not printable are so because of a newline.
    return "\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n"))


def _escaped(line: str) -> str:
    return "".join(_shown(char) for char in line)


def _shown(char: str) -> str:
    hidden = unicodedata.category(char) in _HIDDEN or unicodedata.bidirectional(char) in _REVERSING
    if char == "\t" or not hidden:
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def encodable(text: str) -> str:
    r"""Replace halves of surrogate pairs, which UTF-8 cannot hold, by their escapes, `\udc80`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
