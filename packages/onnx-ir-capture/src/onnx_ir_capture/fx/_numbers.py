"""Arithmetic on symbolic sizes: Python functions in an FX graph, TorchScript's scalar operators here."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence

import torch
from torch.fx.experimental.symbolic_shapes import cast_symbool_to_symint_guardless

from onnx_ir_capture.dialect import OpName

__all__ = ["PYTHON_OPERATORS", "python_operator"]

PYTHON_OPERATORS: Mapping[object, OpName] = {
    operator.add: OpName("aten", "add", "int"),
    operator.sub: OpName("aten", "sub", "int"),
    operator.mul: OpName("aten", "mul", "int"),
    operator.floordiv: OpName("aten", "floordiv", "int"),
    operator.mod: OpName("aten", "remainder", "int"),
    operator.truediv: OpName("aten", "div", "int"),
    operator.pow: OpName("aten", "pow", "int_to_int"),
    operator.neg: OpName("aten", "neg", "int"),
    operator.abs: OpName("prim", "abs", "int"),
    operator.lshift: OpName("aten", "__lshift__", "int"),
    operator.rshift: OpName("aten", "__rshift__", "int"),
    operator.eq: OpName("aten", "eq", "int"),
    operator.ne: OpName("aten", "ne", "int"),
    operator.lt: OpName("aten", "lt", "int"),
    operator.le: OpName("aten", "le", "int"),
    operator.gt: OpName("aten", "gt", "int"),
    operator.ge: OpName("aten", "ge", "int"),
    operator.and_: OpName("aten", "__and__", "int"),
    operator.or_: OpName("aten", "__or__", "int"),
    operator.not_: OpName("aten", "__not__"),
    math.ceil: OpName("aten", "ceil", "int"),
    math.floor: OpName("aten", "floor", "int"),
    # TorchScript's int() drops the fraction, and there is no trunc of numbers.
    math.trunc: OpName("aten", "Int", "Scalar"),
    round: OpName("aten", "round", "Scalar"),
    torch.sym_max: OpName("prim", "max", "int"),
    torch.sym_min: OpName("prim", "min", "int"),
    torch.sym_not: OpName("aten", "__not__"),
    torch.sym_float: OpName("aten", "Float", "Scalar"),
    torch.sym_int: OpName("aten", "Int", "Scalar"),
    torch.sym_sqrt: OpName("aten", "sqrt", "int"),
    cast_symbool_to_symint_guardless: OpName("aten", "Int", "bool"),
    # The one name that is not TorchScript's: its if is a block, and this takes both values.
    torch.sym_ite: OpName("prim", "ite"),
}
"""The operator for integers; :func:`python_operator` takes the overload that fits others."""

_MIXED = {("int", "float"): "int_float", ("float", "int"): "float_int"}
# TorchScript divides a mix of numbers by its overload for any two of them.
_MIXED_DIVISION = ""

# Operators that some kinds of numbers do not have; all others take ints and floats, also mixed.
_ON_INTEGERS = frozenset(["__lshift__", "__rshift__"])
_ON_INTEGERS_AND_BOOLS = frozenset(["__and__", "__or__"])
_ON_BOOLS_TOO = frozenset(["eq", "ne"])
_ON_BOOLS = frozenset([OpName("aten", "__not__"), OpName("aten", "Int", "bool")])


def python_operator(function: object, kinds: Sequence[str]) -> OpName | None:
    """TorchScript's operator for a Python function on numbers.

    Args:
        function: a key of :data:`PYTHON_OPERATORS`.
        kinds: ``int``, ``float`` or ``bool`` for each argument.

    Returns:
        The operator, or None where there is none for these arguments.
    """
    operator_name = PYTHON_OPERATORS[function]
    if function is round and len(kinds) != 1:
        return None
    if operator_name in _ON_BOOLS:
        return operator_name if set(kinds) == {"bool"} else None
    if operator_name.overload not in ("int", "int_to_int"):
        return operator_name
    overload = _overload(operator_name, kinds)
    return None if overload is None else operator_name._replace(overload=overload)


def _overload(name: OpName, kinds: Sequence[str]) -> str | None:
    distinct = set(kinds)
    if distinct == {"int"}:
        return name.overload
    if distinct == {"bool"}:
        return "bool" if name.name in _ON_INTEGERS_AND_BOOLS | _ON_BOOLS_TOO else None
    if name.name in _ON_INTEGERS_AND_BOOLS | _ON_INTEGERS:
        return None
    if distinct == {"float"}:
        return "float"
    mixed = _MIXED.get((kinds[0], kinds[-1]))
    return _MIXED_DIVISION if mixed is not None and name.name == "div" else mixed
