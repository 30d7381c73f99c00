"""Diagnostics as text for people."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from onnx_diagnostics._diagnostic import Diagnostic
from onnx_diagnostics._folders import current_folder, path_inside
from onnx_diagnostics._locations import Location, LogicalKind
from onnx_diagnostics._text import printable

__all__ = ["render_text"]

_INDENT = "    "


def render_text(
    diagnostics: Iterable[Diagnostic],
    *,
    max_groups: int | None = None,
    max_places: int | None = 10,
    max_explained: int | None = None,
    base: str | os.PathLike[str] | None = None,
) -> str:
    """Render diagnostics grouped by rule and message, the gravest first, with the places of each.

    Args:
        diagnostics: what to render; a `DiagnosticContext` will do.
        max_groups: how many groups to show before "and N more"; None is all.
        max_places: how many places of a group to show before "and N more"; None is all.
        max_explained: how many groups of a rule to show with advice and with the places that explain them;
            None is all. The others have their own places only.
        base: paths inside this folder are shown relative to it; the current folder if None.

    Returns:
        Lines without a newline at the end, empty for no diagnostics. Control characters are escaped.
    """
    groups: dict[tuple[str, int, str, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        key = (diagnostic.rule.code, diagnostic.level, diagnostic.message, diagnostic.advice)
        groups.setdefault(key, []).append(diagnostic)
    ordered = sorted(groups.values(), key=lambda group: -group[0].level)
    shown = ordered if max_groups is None else ordered[:max_groups]
    folder = current_folder() if base is None else os.path.abspath(base)
    lines = list(_lines(shown, max_places, max_explained, folder))
    hidden = sum(len(group) for group in ordered[len(shown) :])
    if hidden:
        lines.append(f"and {hidden} more diagnostics of {len(ordered) - len(shown)} other kinds")
    return "\n".join(lines)


def _lines(
    groups: list[list[Diagnostic]], max_places: int | None, max_explained: int | None, base: str
) -> Iterator[str]:
    of_rule: Counter[str] = Counter()
    for group in groups:
        code = group[0].rule.code
        of_rule[code] += 1
        yield from _group_lines(group, max_places, base)
        if max_explained is None or of_rule[code] <= max_explained:
            yield from _explanation(group, base)
    for code, count in of_rule.items():
        if max_explained is not None and count > max_explained:
            yield f"(of {code}, the advice on the other {count - max_explained} is left out)"


def _group_lines(group: list[Diagnostic], max_places: int | None, base: str) -> list[str]:
    first = group[0]
    message = _indented(first.message)
    lines = [f"{first.level.sarif_name} {first.rule.code} {first.rule.name}: {message}"]
    places = Counter(_place(diagnostic.location, base) for diagnostic in group if diagnostic.location)
    ordered = [text if count == 1 else f"{text}  ({count} times)" for text, count in places.items() if text]
    shown = ordered if max_places is None else ordered[:max_places]
    lines.extend(_INDENT + text for text in shown)
    if len(shown) < len(ordered):
        lines.append(f"{_INDENT}and {len(ordered) - len(shown)} more")
    return lines


def _explanation(group: list[Diagnostic], base: str) -> list[str]:
    """What else the findings of a group say: the places that explain a single one, and what to do."""
    first = group[0]
    lines: list[str] = []
    if len(group) == 1:
        lines.extend(_INDENT + text for text in _explaining_places(first, base))
    if first.advice:
        lines.append(f"{_INDENT}help: {_indented(first.advice)}")
    lines.extend(f"{_INDENT}fix: {_indented(text)}" for text in _fixes(group))
    page = first.rule.help_uri
    if page is not None and page.startswith(_OPENED):
        lines.append(f"{_INDENT}see: {page}")
    return lines


def _place(location: Location, base: str) -> str:
    """`file:line  module path (Class.function)  op`, of what is known, each once."""
    names = [location.module or "", _code_name(location), location.op or ""]
    others = [place.name for place in location.logical if place.kind not in _NAMED]
    return printable(
        "  ".join(text for text in (_file_line(location, base), *names, *others) if text)
    ).replace("\n", "\\n")


_SHOWN_PLACES = 2

# What a terminal opens; an address of another kind, such as a package URL, is for programs.
_OPENED = ("https://", "http://", "file://")

_NAMED = frozenset((LogicalKind.MODULE, LogicalKind.TYPE, LogicalKind.FUNCTION, LogicalKind.OPERATOR))


def _explaining_places(finding: Diagnostic, base: str) -> list[str]:
    """The first places that explain a finding; a whole stack through wrappers of libraries hides it."""
    places = [(place.message or "see also", place) for place in finding.related]
    places += [
        (stack.message or "called by way of", frame) for stack in finding.stacks for frame in stack.frames
    ]
    shown = [f"{_indented(message)}: {_place(place, base)}" for message, place in places[:_SHOWN_PLACES]]
    hidden = len(places) - len(shown)
    return [*shown, f"and {hidden} more places, which the log has"] if hidden else shown


def _fixes(group: list[Diagnostic]) -> list[str]:
    """What the fixes do, each once, since a group may stand for a hundred places."""
    return list(dict.fromkeys(fix.description for finding in group for fix in finding.fixes))


def _code_name(location: Location) -> str:
    name = location.name_of(LogicalKind.FUNCTION) or location.name_of(LogicalKind.TYPE)
    return f"({name})" if name else ""


def _file_line(location: Location, base: str) -> str:
    if location.file is None:
        return ""
    path = path_inside(location.file, base) or location.file
    return path if location.line is None else f"{path}:{location.line}"


def _indented(text: str) -> str:
    return printable(text).replace("\n", "\n" + _INDENT * 2)
