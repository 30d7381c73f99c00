"""Normalisations and norms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import dimension, least_size, promote_dtypes, rank_of, size_vector
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.reduce import amax, amin

__all__ = [
    "batch_norm",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "linalg_vector_norm",
    "native_batch_norm_legit_no_training",
    "native_group_norm",
    "native_layer_norm",
    "norm",
    "norm_dim",
    "norm_dim_dtype",
    "norm_dtype",
    "rms_norm",
]

_HALVES = (ir.DataType.FLOAT16, ir.DataType.BFLOAT16)


@translator("aten::layer_norm")
def layer_norm(
    op: Op,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
    cudnn_enable: bool = True,
) -> Value:
    """layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor"""
    dtype = _dtype(input)
    wide = _common(input, weight, bias)
    scale = weight if weight is not None else _filled(op, 1, normalized_shape, wide)
    scale, shift = op.cast(scale, wide), None if bias is None else op.cast(bias, wide)
    axis = -len(normalized_shape)
    # The statistics of half precision are taken in float32, those of float64 in float64, as torch does.
    stash = ir.DataType.DOUBLE if wide == ir.DataType.DOUBLE else ir.DataType.FLOAT
    result = op.LayerNormalization(
        op.cast(input, wide), scale, shift, axis=axis, epsilon=eps, stash_type=stash.value
    )
    return op.cast(result, dtype)


@translator("aten::native_layer_norm")
def native_layer_norm(
    op: Op,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None,
    bias: Value | None,
    eps: float,
) -> tuple[Value, Value, Value]:
    """native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)"""
    wide = _common(input, weight, bias)
    value = _at_least_float(op, op.cast(input, wide))
    axes = list(range(-len(normalized_shape), 0))
    mean, deviation = _moments(op, value, axes)
    rstd = op.Reciprocal(op.Sqrt(op.Add(op.ReduceMean(op.Mul(deviation, deviation), axes), eps)))
    result = layer_norm(op, input, normalized_shape, weight, bias, eps)
    return result, op.cast(mean, wide), op.cast(rstd, wide)


@translator("aten::rms_norm")
def rms_norm(
    op: Op,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    eps: float | None = None,
) -> Value:
    """rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"""
    value = _at_least_float(op, input)
    # Half precision, too, takes the epsilon of the dtype that it is computed in.
    epsilon = float(np.finfo(_dtype(value).numpy()).eps) if eps is None else eps
    axes = list(range(-len(normalized_shape), 0))
    mean = op.ReduceMean(op.Mul(value, value), axes)
    result = op.Mul(value, op.Reciprocal(op.Sqrt(op.Add(mean, epsilon))))
    if weight is not None:
        result = op.Mul(result, op.cast(weight, _dtype(result)))
    return op.cast(result, _dtype(input))


@translator("aten::batch_norm")
def batch_norm(
    op: Op,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Value:
    """batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor"""
    if training and running_mean is not None:
        op.refuse("it updates its running statistics (training=True); export the model in eval mode")
    if training:
        axes = [axis for axis in range(rank_of(op, input)) if axis != 1]
        return _by_own_moments(op, input, axes, weight, bias, eps)
    if running_mean is None or running_var is None:
        op.refuse("it has no running statistics to go by")
    dtype, wide = _dtype(input), _common(input, weight, bias, running_mean, running_var)
    channels = [dimension(op, running_mean, 0)]
    scale = weight if weight is not None else _filled(op, 1, channels, wide)
    shift = bias if bias is not None else _filled(op, 0, channels, wide)
    given = (op.cast(value, wide) for value in (input, scale, shift, running_mean, running_var))
    return op.cast(op.BatchNormalization(*given, epsilon=eps), dtype)


@translator("aten::_native_batch_norm_legit_no_training")
def native_batch_norm_legit_no_training(
    op: Op,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value]:
    """_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)"""
    result = batch_norm(op, input, weight, bias, running_mean, running_var, False, momentum, eps, False)
    # Torch saves no statistics here: on the CPU the other two results have no elements.
    nothing = op.constant([], _common(input, weight, bias, running_mean))
    return result, nothing, nothing


@translator("aten::instance_norm")
def instance_norm(
    op: Op,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Value:
    """instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor"""
    if not use_input_stats:
        return batch_norm(
            op, input, weight, bias, running_mean, running_var, False, momentum, eps, cudnn_enabled
        )
    if running_mean is not None:
        op.refuse("it updates its running statistics (use_input_stats=True); export the model in eval mode")
    if _dtype(input) == ir.DataType.FLOAT:
        channels = [dimension(op, input, 1)]
        scale = weight if weight is not None else _filled(op, 1, channels, ir.DataType.FLOAT)
        shift = bias if bias is not None else _filled(op, 0, channels, ir.DataType.FLOAT)
        return op.InstanceNormalization(input, scale, shift, epsilon=eps)
    return _by_own_moments(op, input, list(range(2, rank_of(op, input))), weight, bias, eps)


@translator("aten::group_norm")
def group_norm(
    op: Op,
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
    cudnn_enabled: bool = True,
) -> Value:
    """group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor"""
    dtype, rank = _dtype(input), rank_of(op, input)
    grouped = _grouped(op, input, num_groups)
    if dtype == ir.DataType.FLOAT:
        ones, zeros = (op.constant([number] * num_groups, dtype) for number in (1.0, 0.0))
        normal = op.InstanceNormalization(grouped, ones, zeros, epsilon=eps)
    else:
        normal = _normalized(op, _at_least_float(op, grouped), [2], eps)
    result = op.Reshape(normal, op.Shape(input), allowzero=1)
    return op.cast(_scaled_channels(op, result, weight, bias, rank), dtype)


@translator("aten::native_group_norm")
def native_group_norm(
    op: Op,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    N: SymInt,
    C: SymInt,
    HxW: SymInt,
    group: int,
    eps: float,
) -> tuple[Value, Value, Value]:
    """native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)"""
    wide = _common(input, weight, bias)
    grouped = _grouped(op, _at_least_float(op, op.cast(input, wide)), group)
    mean, deviation = _moments(op, grouped, [2])
    rstd = op.Reciprocal(op.Sqrt(op.Add(op.ReduceMean(op.Mul(deviation, deviation), [2]), eps)))
    mean, rstd = (op.cast(op.Squeeze(value, [2]), _dtype(input)) for value in (mean, rstd))
    return group_norm(op, input, group, weight, bias, eps), mean, rstd


def _grouped(op: Op, value: Value, groups: int) -> Value:
    """``value`` as batch, groups, and what is normalised together."""
    sizes = list(value.shape or ())[1:]
    constants = [size for size in sizes if isinstance(size, int)]
    if len(constants) == len(sizes) and 0 not in constants:
        return op.Reshape(value, [0, groups, math.prod(constants) // groups])
    if least_size(op, value, 0) > 0 and 0 not in constants:
        return op.Reshape(value, [0, groups, -1])
    # Next to a size of 0, a size of -1 could be any.
    members = op.Div(op.ReduceProd(op.Shape(value, start=1), keepdims=1), groups)
    return op.Reshape(value, op.Concat(op.Shape(value, end=1), [groups], members, axis=0), allowzero=1)


def _by_own_moments(
    op: Op, input: Value, axes: Sequence[int], weight: Value | None, bias: Value | None, eps: float
) -> Value:
    """Normalised over ``axes`` by the input's own mean and variance, then scaled by channel."""
    normal = _normalized(op, _at_least_float(op, input), axes, eps)
    return op.cast(_scaled_channels(op, normal, weight, bias, rank_of(op, input)), _dtype(input))


def _normalized(op: Op, value: Value, axes: Sequence[int], eps: float) -> Value:
    _, deviation = _moments(op, value, axes)
    variance = op.ReduceMean(op.Mul(deviation, deviation), list(axes))
    return op.Div(deviation, op.Sqrt(op.Add(variance, eps)))


def _moments(op: Op, value: Value, axes: Sequence[int]) -> tuple[Value, Value]:
    """The mean over ``axes``, and every element's distance from it."""
    mean = op.ReduceMean(value, list(axes))
    return mean, op.Sub(value, mean)


def _scaled_channels(op: Op, value: Value, weight: Value | None, bias: Value | None, rank: int) -> Value:
    """``value * weight + bias``, both one number per member of axis 1."""
    trailing = list(range(1, rank - 1))
    for factor, call in ((weight, op.Mul), (bias, op.Add)):
        if factor is not None:
            column = op.Unsqueeze(factor, trailing) if trailing else factor
            value = call(value, op.cast(column, _dtype(value)))
    return value


def _filled(op: Op, number: int, size: Sequence[SymInt], dtype: ir.DataType) -> Value:
    constants = [dim for dim in size if isinstance(dim, int)]
    if len(constants) == len(size):
        return op.constant(np.full(constants, number), dtype)
    return op.Expand(op.constant(number, dtype), size_vector(op, size))


def _common(*values: Value | None) -> ir.DataType:
    """The dtype to compute in: half-precision input may come with float32 weights."""
    return promote_dtypes([_dtype(value) for value in values if value is not None])


def _dtype(value: Value) -> ir.DataType:
    return value.dtype or ir.DataType.FLOAT


def _at_least_float(op: Op, value: Value) -> Value:
    """Half precision as float32, in which torch sums it up."""
    return op.cast(value, ir.DataType.FLOAT) if value.dtype in _HALVES else value


@translator("aten::linalg_vector_norm")
def linalg_vector_norm(
    op: Op,
    self: Value,
    ord: Scalar = 2,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    if isinstance(ord, ir.Value | complex):
        op.refuse("the order of the norm is not a constant")
    given = op.cast(self, dtype or _dtype(self))
    value = _at_least_float(op, given)
    if rank_of(op, value) == 0:
        # A reduction of one element; ONNX has no axis to name here.
        value, dim, keepdim = op.Reshape(value, [1]), [0], False
    result = _vector_norm(op, value, float(ord), list(dim) if dim else None, int(keepdim))
    return op.cast(result, _dtype(given))


def _vector_norm(op: Op, value: Value, order: float, axes: list[int] | None, keepdims: int) -> Value:
    if order == 2:
        return op.ReduceL2(value, axes, keepdims=keepdims)
    size = op.Abs(value)
    if order == 1:
        return op.ReduceSum(size, axes, keepdims=keepdims)
    if order == 0:
        return op.ReduceSum(op.Cast(op.Not(op.Equal(value, 0.0)), to=_dtype(value)), axes, keepdims=keepdims)
    if math.isinf(order):
        return (amax if order > 0 else amin)(op, size, axes or (), bool(keepdims))
    return op.Pow(op.ReduceSum(op.Pow(size, order), axes, keepdims=keepdims), 1.0 / order)


@translator("aten::norm.Scalar")
def norm(op: Op, self: Value, p: Scalar = 2) -> Value:
    """norm.Scalar(Tensor self, Scalar p=2) -> Tensor"""
    return linalg_vector_norm(op, self, p)


@translator("aten::norm.ScalarOpt_dim")
def norm_dim(op: Op, self: Value, p: Scalar | None, dim: Sequence[int], keepdim: bool = False) -> Value:
    """norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor"""
    return linalg_vector_norm(op, self, 2 if p is None else p, dim, keepdim)


@translator("aten::norm.ScalarOpt_dtype")
def norm_dtype(op: Op, self: Value, p: Scalar | None, dtype: ir.DataType) -> Value:
    """norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"""
    return linalg_vector_norm(op, self, 2 if p is None else p, dtype=dtype)


@translator("aten::norm.ScalarOpt_dim_dtype")
def norm_dim_dtype(
    op: Op, self: Value, p: Scalar | None, dim: Sequence[int], keepdim: bool, dtype: ir.DataType
) -> Value:
    """norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor"""
    return linalg_vector_norm(op, self, 2 if p is None else p, dim, keepdim, dtype)
