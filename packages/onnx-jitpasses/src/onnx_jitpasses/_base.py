"""What all passes of this package have in common: a model of the dialect in, the same model out."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_jitpasses._graphs import all_values, has_writes
from onnx_jitpasses._words import words

__all__ = ["DialectPass", "Guarantee", "reads_strides"]

_Pass = TypeVar("_Pass", bound="DialectPass")


class Guarantee(enum.Enum):
    """What a pass may need of a program, and another one ensure."""

    NO_WRITES = "no node writes a value in place"
    UNIQUE_NAMES = "no two values have the same name"


class DialectPass(ir.passes.InPlacePass):
    """A pass over a program of the torch dialect.

    ``needs`` is what must hold before, ``gives`` what holds after. What a pass does not list in ``breaks``
    it leaves as it is. ``requires`` and ``ensures`` check the first two on the model at hand, the pipeline
    checks all three before it runs anything.
    """

    needs: ClassVar[frozenset[Guarantee]] = frozenset()
    gives: ClassVar[frozenset[Guarantee]] = frozenset()
    breaks: ClassVar[frozenset[Guarantee]] = frozenset()

    @classmethod
    def create(cls: type[_Pass], diagnostics: DiagnosticContext) -> _Pass:
        """The pass as the pipeline runs it; one that reports takes the context."""
        del diagnostics
        return cls()

    def requires(self, model: ir.Model) -> None:
        """Check what the pass needs.

        Raises:
            onnx_ir.passes.PreconditionError: it does not hold.
        """
        for guarantee in self.needs:
            if not _HOLDS[guarantee](model.graph):
                raise ir.passes.PreconditionError(f"{type(self).__name__} needs that {guarantee.value}")

    def ensures(self, model: ir.Model) -> None:
        """Check what the pass promises.

        Raises:
            onnx_ir.passes.PostconditionError: it does not hold.
        """
        for guarantee in self.gives:
            if not _HOLDS[guarantee](model.graph):
                raise ir.passes.PostconditionError(f"{type(self).__name__} ensures that {guarantee.value}")


# Operators whose result or success depends on strides, by name; `view` on a dtype goes by its overload.
_STRIDE_READERS = words(
    """
    _reshape_alias _unsafe_view as_strided as_strided_ as_strided_copy as_strided_scatter is_contiguous
    is_non_overlapping_and_dense resize_ set_ storage_offset stride sym_storage_offset sym_stride view
    view_as view_as_complex view_as_complex_copy
    """
)


def reads_strides(node: ir.Node) -> bool:
    """Whether the node depends on how a tensor lies in memory."""
    return node.domain == "aten" and node.op_type in _STRIDE_READERS


def _names_are_unique(graph: ir.Graph) -> bool:
    names = [value.name for value in all_values(graph)]
    return None not in names and "" not in names and len(set(names)) == len(names)


_HOLDS: Mapping[Guarantee, Callable[[ir.Graph], bool]] = {
    Guarantee.NO_WRITES: lambda graph: not has_writes(graph),
    Guarantee.UNIQUE_NAMES: _names_are_unique,
}
