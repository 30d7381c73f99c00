"""Operator schemas, and the alias marks that follow from them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import Aliases, OpName

__all__ = ["DROPOUTS", "alias_marks", "may_alias_silently", "name_of", "without_casts"]


def name_of(op: torch._ops.OpOverload[..., object]) -> OpName:
    """The dialect's name of an operator overload; ``default`` is the empty overload."""
    schema = op._schema
    domain, _, name = schema.name.partition("::")
    return OpName(domain, name, schema.overload_name)


# Norms in training mode write the running statistics though their schemas do not say so.
_STATISTICS = (3, 4)
_WRITES_STATISTICS = frozenset(
    [
        "aten::_batch_norm_impl_index",
        "aten::batch_norm",
        "aten::cudnn_batch_norm",
        "aten::instance_norm",
        "aten::miopen_batch_norm",
        "aten::native_batch_norm",
    ]
)
_TRAINING_FLAG = 5

DROPOUTS = frozenset(
    ["aten::dropout", "aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout"]
)
"""Dropouts give their input itself where they have nothing to do, and their schemas do not say so."""

# These may give an input, or a view of one, depending on dtypes and sizes; their schemas do not say so.
_HIDDEN_VIEWS: Mapping[str, int] = {
    "aten::atleast_1d": 0,
    "aten::atleast_2d": 0,
    "aten::atleast_3d": 0,
    "aten::broadcast_tensors": 0,
    "aten::cartesian_prod": 0,
    "aten::einsum": 1,
    "aten::meshgrid": 0,
    "aten::sum_to_size": 0,
    "aten::type_as": 0,
    "aten::unsafe_chunk": 0,
    "aten::unsafe_split": 0,
    "aten::unsafe_split_with_sizes": 0,
}


def may_alias_silently(op: torch._ops.OpOverload[..., object]) -> bool:
    """Whether the operator may give back its argument, or a view of it, though its schema denies it."""
    return op._schema.name in DROPOUTS or op._schema.name in _HIDDEN_VIEWS


@functools.cache
def _schema_marks(op: torch._ops.OpOverload[..., object]) -> Aliases:
    arguments, returns = op._schema.arguments, op._schema.returns
    mutates, views = [], []
    for position, argument in enumerate(arguments):
        info = argument.alias_info
        if info is None:
            continue
        if info.is_write:
            mutates.append(position)
        views += [
            (index, position)
            for index, result in enumerate(returns)
            if result.alias_info is not None
            and (result.alias_info.before_set & info.before_set or "*" in info.after_set)
        ]
    return Aliases(tuple(mutates), tuple(views))


def alias_marks(op: torch._ops.OpOverload[..., object], given: Sequence[object], outputs: int) -> Aliases:
    """What a call reads, writes and aliases.

    Args:
        op: the operator that is called.
        given: its arguments in schema order: constants, and FX nodes for run-time values.
        outputs: number of values the call gives; a returned list counts as its members.
    """
    marks = _schema_marks(op)
    if any(given[position] is None for position in marks.mutates):
        written = tuple(position for position in marks.mutates if given[position] is not None)
        marks = marks._replace(mutates=written)
    name = op._schema.name
    if name in DROPOUTS:
        probability, training = given[1], given[2]
        # A constant only, and not by ==, since an FX node is neither.
        does_nothing = training is False or (isinstance(probability, int | float) and probability == 0)
        return Aliases((), ((0, 0),)) if does_nothing else marks
    if name in _HIDDEN_VIEWS:
        return Aliases((), tuple((index, _HIDDEN_VIEWS[name]) for index in range(outputs)))
    if name in _WRITES_STATISTICS and given[_TRAINING_FLAG] is not False:
        written = tuple(position for position in _STATISTICS if given[position] is not None)
        return Aliases(written, marks.views)
    if len(op._schema.returns) == 1 and outputs != 1:
        views = tuple((index, source) for index in range(outputs) for _, source in marks.views)
        return Aliases(marks.mutates, views)
    return marks


# Operators whose schemas say "may be the input itself", and which are not when the dtype changes.
_CASTS = frozenset(["aten::to", "aten::type_as"])


def without_casts(
    op: torch._ops.OpOverload[..., object],
    marks: Aliases,
    inputs: Sequence[ir.Value],
    outputs: Sequence[ir.Value],
) -> Aliases:
    """``marks`` without the views that cannot be: a cast to another dtype gives a fresh tensor."""
    if op._schema.name not in _CASTS:
        return marks
    views = tuple((out, source) for out, source in marks.views if outputs[out].dtype == inputs[source].dtype)
    return Aliases(marks.mutates, views)
