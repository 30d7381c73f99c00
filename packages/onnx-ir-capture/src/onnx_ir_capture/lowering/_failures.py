"""Why a call could not be lowered, until it is clear that nothing else can."""

from __future__ import annotations

import inspect
import traceback
import types
from collections.abc import Callable, Iterable
from typing import NamedTuple

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, Location
from onnx_ir_capture.contracts import Lowering, Unsupported
from onnx_ir_capture.dialect import OpName, op_name
from onnx_ir_capture.lowering._locations import call_stack, location_of
from onnx_ir_capture.rules import (
    CUSTOM_TRANSLATION_FAULT,
    LOWERING_FAULT,
    UNSUPPORTED_ARGUMENTS,
    UNSUPPORTED_OPERATOR,
)

__all__ = [
    "NoTranslation",
    "RefusedArguments",
    "TranslationFailure",
    "TranslationFault",
    "Untranslatable",
    "custom_translation",
    "mark_translated",
    "report_custom_fault",
    "translation_of",
]

_CUSTOM = "onnx_ir_capture.custom"
_TRANSLATED = "onnx_ir_capture.translated"


# Libraries that come with torch, whose operators are no one's to change.
_TORCH_DOMAINS = frozenset(["aten", "higher_order", "prim", "prims", "quantized", "torchvision"])


class TranslationFailure(Exception):
    """A call has no place in the ONNX graph."""

    def report(self, diagnostics: DiagnosticContext, node: ir.Node) -> None:
        """Report it at the line of ``node``."""
        raise NotImplementedError


class Untranslatable(TranslationFailure):
    """A failure that another way of translating may mend."""

    def because(self, reason: str) -> Untranslatable:
        """The same failure, with the reason why decomposition did not mend it."""
        raise NotImplementedError

    def as_part(self) -> str:
        """What failed, as the end of a sentence about the call that has it as a part of its decomposition."""
        raise NotImplementedError

    def in_short(self) -> str:
        """What failed, for a note on how it was mended."""
        raise NotImplementedError


class NoTranslation(Untranslatable):
    """No table holds the operator."""

    def __init__(self, op: OpName, opset: int, first: int | None = None, hint: str = "") -> None:
        super().__init__(op, opset, first, hint)
        self._op, self._opset, self._first = op, opset, first
        self._hint = hint

    def report(self, diagnostics: DiagnosticContext, node: ir.Node) -> None:
        """Report it at the line of ``node``."""
        diagnostics.report(
            UNSUPPORTED_OPERATOR,
            location=location_of(node),
            related=call_stack(node),
            op=self._op,
            opset=self._opset,
            hint=self._whole_hint(),
            advice=_advice(self._op, self._first),
        )

    def because(self, reason: str) -> NoTranslation:
        """The same failure, with the reason why decomposition did not mend it."""
        return NoTranslation(self._op, self._opset, self._first, f"{self._hint}; {reason}")

    def _whole_hint(self) -> str:
        later = "" if self._first is None else f"; it has one from opset {self._first}"
        return later + self._hint

    def as_part(self) -> str:
        """What failed, as the end of a sentence about the call that has it as a part of its decomposition."""
        return f"it decomposes into {self._op}, which has no translation either{self._whole_hint()}"

    def in_short(self) -> str:
        """What failed, for a note on how it was mended."""
        return f"it has no translation of its own to opset {self._opset}{self._whole_hint()}"


def _advice(op: OpName, first: int | None) -> str:
    if first is not None:
        return _raise_opset(first)
    python = f"torch.ops.{op.domain}.{op.name}.{op.overload or 'default'}"
    translate = f"translate it with custom_translation_table={{{python}: function}}"
    if op.domain in _TORCH_DOMAINS:
        return f"replace the call, or {translate}"
    return (
        f"{translate}, write it as a node of its own with custom_opsets={{{op.domain!r}: 1}}, or give it a "
        "CompositeImplicitAutograd kernel, which is exported in its place"
    )


def _raise_opset(first: int) -> str:
    return f"raise opset_version to {first} or more, or change the call"


class RefusedArguments(Untranslatable):
    """The operator's translation does not cover this call."""

    def __init__(self, op: OpName, refusal: Unsupported) -> None:
        super().__init__(op, refusal)
        self._op, self._reason, self._from_opset = op, refusal.reason, refusal.from_opset

    def report(self, diagnostics: DiagnosticContext, node: ir.Node) -> None:
        """Report it at the line of ``node``."""
        diagnostics.report(
            UNSUPPORTED_ARGUMENTS,
            location=location_of(node),
            related=call_stack(node),
            op=self._op,
            reason=self._reason,
            advice="change the call" if self._from_opset is None else _raise_opset(self._from_opset),
        )

    def because(self, reason: str) -> RefusedArguments:
        """The failure itself: what the translation does not cover is what the user has to know."""
        del reason
        return self

    def as_part(self) -> str:
        """What failed, as the end of a sentence about the call that has it as a part of its decomposition."""
        return f"it decomposes into {self._op}, which cannot be exported: {self._reason}"

    def in_short(self) -> str:
        """What failed, for a note on how it was mended."""
        return f"its own translation does not serve here, because {self._reason}"


class TranslationFault(TranslationFailure):
    """A translation raised, or contradicts the program."""

    def __init__(self, lowering: Lowering, error: Exception) -> None:
        super().__init__(lowering, error)
        self._lowering, self._error = lowering, error

    def report(self, diagnostics: DiagnosticContext, node: ir.Node) -> None:
        """Report it at the line of ``node``, as the caller's or as a table's."""
        op, place, stack = op_name(node), location_of(node), call_stack(node)
        reason = f"{type(self._error).__name__}: {self._error}"
        if self._lowering.custom:
            function, own = _described(self._lowering.function, self._error)
            stack = (*own, *stack)
            diagnostics.report(
                CUSTOM_TRANSLATION_FAULT,
                location=place,
                related=stack,
                op=op,
                function=function,
                reason=reason,
            )
            return
        table = self._lowering.table
        diagnostics.report(LOWERING_FAULT, location=place, related=stack, op=op, table=table, reason=reason)


class _CustomOrigin(NamedTuple):
    lowering: Lowering
    call: ir.Node


def mark_translated(call: ir.Node, lowering: Lowering, made: Iterable[ir.Node] = ()) -> None:
    """Note on a call what translated it, and on the nodes ``made`` for it where that is the caller's own."""
    call.meta[_TRANSLATED] = lowering
    if lowering.custom:
        for node in made:
            node.meta[_CUSTOM] = _CustomOrigin(lowering, call)


def translation_of(call: ir.Node) -> Lowering | None:
    """What translated a call when its program was lowered last; None where no table did."""
    lowering = call.meta.get(_TRANSLATED)
    return lowering if isinstance(lowering, Lowering) else None


def report_custom_fault(node: ir.Node, error: Exception, diagnostics: DiagnosticContext) -> bool:
    """Report what is wrong with an ONNX node as the fault of the caller's translation, if that made it."""
    origin = node.meta.get(_CUSTOM)
    if not isinstance(origin, _CustomOrigin):
        return False
    TranslationFault(origin.lowering, error).report(diagnostics, origin.call)
    return True


def custom_translation(node: ir.Node) -> tuple[str, tuple[Location, ...]] | None:
    """The caller's own translation of a call, or that which made an ONNX node.

    Returns:
        Its name with its line, and its place if that is known.
    """
    origin = node.meta.get(_CUSTOM)
    lowering = origin.lowering if isinstance(origin, _CustomOrigin) else translation_of(node)
    return _described(lowering.function) if lowering is not None and lowering.custom else None


def _described(
    function: Callable[..., object], error: Exception | None = None
) -> tuple[str, tuple[Location, ...]]:
    name, own = function.__qualname__, _own_line(function, error)
    return (name, ()) if own is None else (f"{name} ({own.file}:{own.line})", (own,))


def _own_line(function: Callable[..., object], error: Exception | None) -> Location | None:
    """Where in the file of ``function`` the error arose, or else where the function begins."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if not isinstance(code, types.CodeType):
        return None
    frames = traceback.extract_tb(None if error is None else error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == code.co_filename and frame.lineno]
    line = lines[-1] if lines else code.co_firstlineno
    return Location.at(code.co_filename, line, function=code.co_name, message="the translation")
