"""The pass :class:`UniqueNames`."""

from __future__ import annotations

import re
from collections.abc import Iterable

import onnx_ir as ir

from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._graphs import all_values

__all__ = ["UniqueNames"]

# onnx_ir gives these to values without a name.
_MADE_UP = re.compile(r"val_\d+")
_SHORT = {"Constant": "const", "ListConstruct": "list", "TupleConstruct": "tuple"}


class UniqueNames(DialectPass):
    """Gives every value a name that no other value has, over all blocks.

    Inputs, outputs and weights of the graph keep theirs. Of others with one name the first keeps it and the
    rest get ``_1``, ``_2`` …; a value without a name of its own is called after its operator. A second run
    changes nothing.
    """

    gives = frozenset([Guarantee.UNIQUE_NAMES])

    def requires(self, model: ir.Model) -> None:
        """Check that the names that must stay are distinct.

        Raises:
            onnx_ir.passes.PreconditionError: two inputs, outputs or weights have one name, or none.
        """
        names: set[str] = set()
        for value in _fixed(model.graph):
            if not value.name or value.name in names:
                raise ir.passes.PreconditionError(
                    f"an input, output or weight has no name, or that of another one: {value.name!r}"
                )
            names.add(value.name)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        fixed = _fixed(model.graph)
        seen = {value.name for value in fixed}
        values = [value for value in all_values(model.graph) if value not in fixed]
        # A new name must not be one that a later value has, or that one would have to change, too.
        taken = seen.union(value.name for value in values)
        counts: dict[str, int] = {}
        modified = False
        for value in values:
            name = value.name
            if not name or name in seen or _MADE_UP.fullmatch(name):
                value.name = name = _new_name(_stem(value), taken, counts)
                modified = True
            seen.add(name)
            taken.add(name)
        return ir.passes.PassResult(model, modified)


def _fixed(graph: ir.Graph) -> dict[ir.Value, None]:
    values: Iterable[ir.Value] = (*graph.inputs, *graph.initializers.values(), *graph.outputs)
    return dict.fromkeys(values)


def _stem(value: ir.Value) -> str:
    if value.name and not _MADE_UP.fullmatch(value.name):
        return value.name
    node = value.producer()
    if node is None:
        return "argument"
    return _SHORT.get(node.op_type, node.op_type)


def _new_name(stem: str, taken: set[str | None], counts: dict[str, int]) -> str:
    """``stem``, or the first ``stem_1``, ``stem_2`` … that is free. Counts go on from call to call."""
    if stem not in taken:
        return stem
    count = counts.get(stem, 0) + 1
    while f"{stem}_{count}" in taken:
        count += 1
    counts[stem] = count
    return f"{stem}_{count}"
