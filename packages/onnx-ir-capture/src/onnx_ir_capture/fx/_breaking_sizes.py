"""Sizes that break what a captured program was found to be limited to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy

from onnx_ir_capture.fx._assumptions import is_broken
from onnx_ir_capture.fx._dimensions import Dimensions, SizeFinding, condition_text
from onnx_ir_capture.program import CapturedProgram

__all__ = ["breaking_sizes", "broken_findings"]

_BEYOND = 17  # sizes above twice the example's that are tried; larger ones take their time


def breaking_sizes(program: CapturedProgram, example: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """A dimension with a size that breaks a condition on it alone which the capture reported or noted.

    What the user's ``Dim`` leaves out is not among them.

    Args:
        program: the program.
        example: the size of each dynamic dimension at capture.
    """
    dimensions = program.symbols
    if not isinstance(dimensions, Dimensions):
        return
    for finding in sorted(dimensions.findings, key=lambda each: not each.is_warning):
        symbols = finding.condition.free_symbols
        if len(symbols) != 1:
            continue
        (symbol,) = symbols
        for size in _nearest(example.get(str(symbol), 0)):
            if is_broken(finding.condition, {symbol: size}) and not _is_beyond(dimensions, symbol, size):
                yield str(symbol), size
                break


def _nearest(size: int) -> Iterator[int]:
    """Other sizes than this, nearest first; none where it is not known."""
    for step in range(1, size + _BEYOND if size else 0):
        yield from (other for other in (size - step, size + step) if other > 0)


def broken_findings(program: CapturedProgram, sizes: Mapping[str, int]) -> list[tuple[bool, str]]:
    """Whether there was a warning, and the words, of each condition that does not hold for ``sizes``."""
    dimensions = program.symbols
    if not isinstance(dimensions, Dimensions):
        return []
    broken = [finding for finding in dimensions.findings if _breaks(finding.condition, sizes)]
    return [(finding.is_warning, _words(finding)) for finding in broken]


def _breaks(condition: sympy.Basic, sizes: Mapping[str, int]) -> bool:
    known = {symbol: sizes[str(symbol)] for symbol in condition.free_symbols if str(symbol) in sizes}
    return is_broken(condition, known)


def _is_beyond(dimensions: Dimensions, symbol: sympy.Symbol, size: int) -> bool:
    return any(is_broken(limit, {symbol: size}) for limit in dimensions.asked)


def _words(finding: SizeFinding) -> str:
    place = "" if finding.location is None else f" of {finding.location.file}:{finding.location.line}"
    return f"the file holds only for {condition_text(finding.condition)}, as {finding.rule.code} tells{place}"
