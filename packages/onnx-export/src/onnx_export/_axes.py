"""Other names for the dynamic dimensions of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import onnx_ir as ir

__all__ = ["rename_axes"]

# A function of an expression, as in ``Max(s0, 2)``, is no name of a dimension.
_NAME = re.compile(r"\b[A-Za-z_]\w*\b(?!\()")


def rename_axes(model: ir.Model, mapping: Mapping[str | ir.SymbolicDim, str]) -> None:
    """Rename dimensions in all shapes of ``model``, also inside of expressions such as ``2*s1``.

    Raises:
        ValueError: a name is not that of a dimension, is no valid name, or would make two dimensions one.
    """
    names = {str(old.value if isinstance(old, ir.SymbolicDim) else old): new for old, new in mapping.items()}
    values = list(_values(model))
    known = {
        name
        for value in values
        for dim in value.shape or ()
        if isinstance(dim, ir.SymbolicDim) and dim.value is not None
        for name in (str(dim.value), *_NAME.findall(str(dim.value)))
    }
    _check(names, known)
    for value in values:
        if value.shape is None or value.shape.is_static():
            continue
        value.shape = ir.Shape([_renamed(dim, names) for dim in value.shape])


def _check(names: Mapping[str, str], known: set[str]) -> None:
    unknown = sorted(set(names) - known)
    if unknown:
        there = ", ".join(sorted(known)) or "none"
        raise ValueError(f"the model has no dimensions {', '.join(unknown)}; those that it has: {there}")
    wrong = [new for new in names.values() if not _NAME.fullmatch(new)]
    if wrong:
        raise ValueError(f"not a name for a dimension: {', '.join(map(repr, wrong))}")
    after = [names.get(name, name) for name in sorted(known)]
    twice = sorted({name for name in after if after.count(name) > 1})
    if twice:
        raise ValueError(f"two dimensions would be called {', '.join(twice)}")


def _renamed(dim: int | ir.SymbolicDim, names: Mapping[str, str]) -> int | str | None:
    if isinstance(dim, int) or dim.value is None:
        return dim if isinstance(dim, int) else None
    whole = str(dim.value)
    if whole in names:
        return names[whole]
    return _NAME.sub(lambda found: names.get(found.group(), found.group()), whole)


def _values(model: ir.Model) -> Iterator[ir.Value]:
    for graph in model.graphs():
        yield from graph.inputs
        for node in graph:
            yield from node.outputs
