"""Operator schemas, and the alias marks that follow from them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping

import torch

from onnx_ir_capture.dialect import Aliases, OpName

__all__ = ["PYTHON_OPERATORS", "alias_marks", "name_of"]

# Arithmetic on symbolic sizes comes as Python functions; TorchScript has overloads for the same.
# The entry is (name, whether the result is a float by nature).
PYTHON_OPERATORS: Mapping[object, OpName] = {
    operator.add: OpName("aten", "add", "int"),
    operator.sub: OpName("aten", "sub", "int"),
    operator.mul: OpName("aten", "mul", "int"),
    operator.floordiv: OpName("aten", "floordiv", "int"),
    operator.mod: OpName("aten", "remainder", "int"),
    operator.truediv: OpName("aten", "div", "int"),
    operator.pow: OpName("aten", "pow", "int"),
    operator.neg: OpName("aten", "neg", "int"),
    operator.eq: OpName("aten", "eq", "int"),
    operator.ne: OpName("aten", "ne", "int"),
    operator.lt: OpName("aten", "lt", "int"),
    operator.le: OpName("aten", "le", "int"),
    operator.gt: OpName("aten", "gt", "int"),
    operator.ge: OpName("aten", "ge", "int"),
    operator.and_: OpName("aten", "__and__", "bool"),
    operator.or_: OpName("aten", "__or__", "bool"),
    torch.sym_max: OpName("prim", "max", "int"),
    torch.sym_min: OpName("prim", "min", "int"),
    torch.sym_not: OpName("aten", "__not__"),
    torch.sym_float: OpName("aten", "Float", "Scalar"),
    torch.sym_int: OpName("aten", "Int", "Scalar"),
    torch.sym_ite: OpName("prim", "ite"),
    torch.sym_sqrt: OpName("aten", "sqrt", "float"),
    round: OpName("aten", "round", "Scalar"),
}


def name_of(op: torch._ops.OpOverload[..., object]) -> OpName:
    """The dialect's name of an operator overload; ``default`` is the empty overload."""
    schema = op._schema
    domain, _, name = schema.name.partition("::")
    return OpName(domain, name, schema.overload_name)


# Batch norm in training mode writes the running statistics though its schema does not say so.
_HIDDEN_WRITES: Mapping[str, tuple[int, ...]] = {
    "aten::batch_norm": (3, 4),
    "aten::native_batch_norm": (3, 4),
    "aten::instance_norm": (3, 4),
}
_TRAINING_FLAG = 5


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


def alias_marks(
    op: torch._ops.OpOverload[..., object], constant: Callable[[int], object], outputs: int
) -> Aliases:
    """What a call reads, writes and aliases.

    Args:
        op: the operator that is called.
        constant: the Python constant given for an argument position, None for a run-time value.
        outputs: number of values the call gives; a returned list counts as its members.
    """
    marks = _schema_marks(op)
    name = op._schema.name
    if name in ("aten::dropout", "aten::feature_dropout", "aten::alpha_dropout") and constant(2) is False:
        # In eval mode dropout returns its input itself, and its schema does not say so.
        return Aliases((), ((0, 0),))
    if name in _HIDDEN_WRITES and constant(_TRAINING_FLAG) is not False:
        return Aliases(_HIDDEN_WRITES[name], marks.views)
    if len(op._schema.returns) == 1 and outputs != 1:
        views = tuple((index, source) for index in range(outputs) for _, source in marks.views)
        return Aliases(marks.mutates, views)
    return marks
