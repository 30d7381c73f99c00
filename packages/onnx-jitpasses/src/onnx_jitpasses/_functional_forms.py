"""In-place operators of ATen and the functional operators that compute the same.

Source: aten/src/ATen/native/native_functions.yaml, torch 2.13: an operator ``f_`` and an operator ``f`` of
the same overload and arguments. Those whose functional form is named otherwise stand in ``_RENAMED``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import NamedTuple

import onnx_ir as ir

from onnx_ir_capture.dialect import OpName, op_name
from onnx_jitpasses._words import words

__all__ = ["FunctionalForm", "ResultType", "functional_form"]


class ResultType(enum.Enum):
    """How the dtype of a functional operator's result follows from its arguments."""

    SELF = "as the first argument"
    PROMOTED = "as torch promotes the tensors among its arguments"
    BOOL = "bool"
    SUM = "int64 for integers, else as the first argument"


class FunctionalForm(NamedTuple):
    """What stands for an in-place call: the operator, its result's dtype, and where it may be used.

    ``nones`` is the number of None arguments to add. ``is_view`` says that the result shares the memory of
    the first argument, since only sizes and strides change. ``is_elementwise`` says that each element of the
    result depends on the same place of each argument alone, so that an argument may be the written one.
    """

    op: OpName
    result: ResultType
    nones: int = 0
    is_view: bool = False
    is_elementwise: bool = False


# Elementwise, and the result has the dtype of the first argument.
_UNARY = words(
    """
    abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not
    ceil celu clamp clamp_max clamp_min clip cos cosh deg2rad digamma elu erf erfc erfinv exp exp2 expm1 fix
    floor frac gelu hardsigmoid hardswish hardtanh i0 leaky_relu lgamma log log10 log1p log2 logit mish
    mvlgamma nan_to_num neg negative rad2deg reciprocal relu relu6 round rsqrt selu sgn sigmoid sign silu sin
    sinc sinh sqrt square tan tanh threshold trunc
    """
)
# Elementwise, and the tensors among the arguments are promoted.
_PROMOTED = words(
    """
    add addcdiv addcmul arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
    bitwise_xor clamp clamp_max clamp_min clip copysign div divide floor_divide fmod gcd heaviside hypot lcm
    lerp mul multiply nextafter pow remainder sub subtract true_divide xlogy
    """
)
_BOOL = words(
    """
    eq ge greater greater_equal gt le less less_equal logical_and logical_not logical_or logical_xor lt ne
    not_equal
    """
)
_SUM = frozenset(["cumprod", "cumsum"])
# Not elementwise, or random; the result has the dtype of the first argument.
_SELF = words(
    """
    _index_put_impl addbmm addmm addmv addr alpha_dropout baddbmm cauchy copy dropout exponential
    feature_alpha_dropout feature_dropout fill geometric index_add index_copy index_fill index_put
    index_reduce log_normal masked_fill masked_scatter put random renorm rrelu scatter scatter_add
    scatter_reduce tril triu uniform
    """
)
_VIEWS = frozenset(["detach", "squeeze", "swapaxes", "swapdims", "t", "transpose", "unsqueeze"])

# What Python's ``&=`` calls, and its like.
_AUGMENTED = {
    OpName("aten", f"__i{name}__", overload): FunctionalForm(
        OpName("aten", f"__{name}__", overload), ResultType.PROMOTED, is_elementwise=True
    )
    for name in ("and", "or", "xor", "lshift", "rshift")
    for overload in ("Tensor", "Scalar")
}

_RENAMED: Mapping[OpName, FunctionalForm] = {
    **_AUGMENTED,
    OpName("aten", "zero_"): FunctionalForm(OpName("aten", "zeros_like"), ResultType.SELF, nones=5),
    OpName("aten", "normal_"): FunctionalForm(OpName("aten", "normal_functional"), ResultType.SELF),
    OpName("aten", "bernoulli_", "float"): FunctionalForm(OpName("aten", "bernoulli", "p"), ResultType.SELF),
    OpName("aten", "pow_", "Tensor"): FunctionalForm(
        OpName("aten", "pow", "Tensor_Tensor"), ResultType.PROMOTED, is_elementwise=True
    ),
    OpName("aten", "pow_", "Scalar"): FunctionalForm(
        OpName("aten", "pow", "Tensor_Scalar"), ResultType.SELF, is_elementwise=True
    ),
    OpName("aten", "floor_divide_", "Tensor"): FunctionalForm(
        OpName("aten", "floor_divide"), ResultType.PROMOTED, is_elementwise=True
    ),
    OpName("aten", "transpose_"): FunctionalForm(
        OpName("aten", "transpose", "int"), ResultType.SELF, is_view=True
    ),
}


# Overloads that only TorchScript knows, of operators whose others have a functional form.
_WITHOUT_FORM = frozenset(
    [
        OpName("aten", "copy_", "Tensor"),
        OpName("aten", "copy_", "float"),
        OpName("aten", "copy_", "int"),
        OpName("aten", "_index_put_impl_", "hacked_twin"),
    ]
)


def functional_form(node: ir.Node) -> FunctionalForm | None:
    """The form of an in-place call, by its name; None where the operator has none that is known to be exact.

    The table speaks of calls that write their first argument and return it, which the caller checks.
    """
    op = op_name(node)
    if op in _RENAMED:
        return _RENAMED[op]
    name = op.name[:-1]
    if op.domain != "aten" or not op.name.endswith("_") or op in _WITHOUT_FORM:
        return None
    functional = OpName("aten", name, op.overload)
    if name in _VIEWS:
        return FunctionalForm(functional, ResultType.SELF, is_view=True)
    for names, result, is_elementwise in _TABLE:
        if name in names:
            return FunctionalForm(functional, result, is_elementwise=is_elementwise)
    return None


_TABLE = (
    (_PROMOTED, ResultType.PROMOTED, True),
    (_UNARY, ResultType.SELF, True),
    (_BOOL, ResultType.BOOL, True),
    (_SUM, ResultType.SUM, False),
    (_SELF, ResultType.SELF, False),
)
