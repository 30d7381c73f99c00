"""Normalisations and norms in the dtypes and the order that torch computes them in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._dtypes import HALVES
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote_dtypes
from onnx_ir_capture.emit._reduction import axes_of, extremum_over
from onnx_ir_capture.emit._shapes import dimension, least_size, rank_of, size_vector

__all__ = [
    "batch_normalized",
    "batch_normalized_for_inference",
    "group_normalized",
    "group_normalized_with_moments",
    "instance_normalized",
    "layer_normalized",
    "layer_normalized_with_moments",
    "rms_normalized",
    "vector_norm",
]

_ALLOWZERO = 14


def layer_normalized(
    emitter: Emitter,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
) -> Value:
    """``input`` normalised over its last axes, as many as ``normalized_shape`` has."""
    dtype = _dtype(input)
    wide = _common(input, weight, bias)
    scale = weight if weight is not None else _filled(emitter, 1, normalized_shape, wide)
    scale, shift = emitter.cast(scale, wide), None if bias is None else emitter.cast(bias, wide)
    axis = -len(normalized_shape)
    # The statistics of half precision are taken in float32, those of float64 in float64, as torch does.
    stash = ir.DataType.DOUBLE if wide == ir.DataType.DOUBLE else ir.DataType.FLOAT
    result = emitter.LayerNormalization(
        emitter.cast(input, wide), scale, shift, axis=axis, epsilon=eps, stash_type=stash.value
    )
    return emitter.cast(result, dtype)


def layer_normalized_with_moments(
    emitter: Emitter,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None,
    bias: Value | None,
    eps: float,
) -> tuple[Value, Value, Value]:
    """The same with the mean and the reciprocal of the deviation."""
    wide = _common(input, weight, bias)
    value = _at_least_float(emitter, emitter.cast(input, wide))
    axes = list(range(-len(normalized_shape), 0))
    mean, deviation = _moments(emitter, value, axes)
    rstd = emitter.Reciprocal(
        emitter.Sqrt(emitter.Add(emitter.ReduceMean(emitter.Mul(deviation, deviation), axes), eps))
    )
    result = layer_normalized(emitter, input, normalized_shape, weight, bias, eps)
    return result, emitter.cast(mean, wide), emitter.cast(rstd, wide)


def rms_normalized(
    emitter: Emitter,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    eps: float | None = None,
) -> Value:
    """``input`` over the root of the mean square of its last axes."""
    value = _at_least_float(emitter, input)
    # Half precision, too, takes the epsilon of the dtype that it is computed in.
    epsilon = float(np.finfo(_dtype(value).numpy()).eps) if eps is None else eps
    axes = list(range(-len(normalized_shape), 0))
    mean = emitter.ReduceMean(emitter.Mul(value, value), axes)
    result = emitter.Mul(value, emitter.Reciprocal(emitter.Sqrt(emitter.Add(mean, epsilon))))
    if weight is not None:
        result = emitter.Mul(result, emitter.cast(weight, _dtype(result)))
    return emitter.cast(result, _dtype(input))


def batch_normalized(
    emitter: Emitter,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    training: bool,
    eps: float,
) -> Value:
    """``input`` normalised by channel: by running statistics, or in training by its own."""
    if training and running_mean is not None:
        emitter.refuse("it updates its running statistics (training=True); export the model in eval mode")
    if training:
        axes = [axis for axis in range(rank_of(emitter, input)) if axis != 1]
        return _by_own_moments(emitter, input, axes, weight, bias, eps)
    if running_mean is None or running_var is None:
        emitter.refuse("it has no running statistics to go by")
    dtype, wide = _dtype(input), _common(input, weight, bias, running_mean, running_var)
    channels = [dimension(emitter, running_mean, 0)]
    scale = weight if weight is not None else _filled(emitter, 1, channels, wide)
    shift = bias if bias is not None else _filled(emitter, 0, channels, wide)
    given = (emitter.cast(value, wide) for value in (input, scale, shift, running_mean, running_var))
    return emitter.cast(emitter.BatchNormalization(*given, epsilon=eps), dtype)


def batch_normalized_for_inference(
    emitter: Emitter,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    eps: float,
) -> tuple[Value, Value, Value]:
    """The result of inference, and two without elements."""
    result = batch_normalized(emitter, input, weight, bias, running_mean, running_var, False, eps)
    # Torch saves no statistics here: on the CPU the other two results have no elements.
    nothing = emitter.constant([], _common(input, weight, bias, running_mean))
    return result, nothing, nothing


def instance_normalized(
    emitter: Emitter,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    use_input_stats: bool,
    eps: float,
) -> Value:
    """``input`` normalised in each channel of each sample."""
    if not use_input_stats:
        return batch_normalized(emitter, input, weight, bias, running_mean, running_var, False, eps)
    if running_mean is not None:
        emitter.refuse(
            "it updates its running statistics (use_input_stats=True); export the model in eval mode"
        )
    if _dtype(input) == ir.DataType.FLOAT:
        channels = [dimension(emitter, input, 1)]
        scale = weight if weight is not None else _filled(emitter, 1, channels, ir.DataType.FLOAT)
        shift = bias if bias is not None else _filled(emitter, 0, channels, ir.DataType.FLOAT)
        return emitter.InstanceNormalization(input, scale, shift, epsilon=eps)
    return _by_own_moments(emitter, input, list(range(2, rank_of(emitter, input))), weight, bias, eps)


def group_normalized(
    emitter: Emitter,
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
) -> Value:
    """``input`` normalised over groups of channels in each sample."""
    dtype, rank = _dtype(input), rank_of(emitter, input)
    grouped = _grouped(emitter, input, num_groups)
    if dtype == ir.DataType.FLOAT:
        ones, zeros = (emitter.constant([number] * num_groups, dtype) for number in (1.0, 0.0))
        normal = emitter.InstanceNormalization(grouped, ones, zeros, epsilon=eps)
    else:
        normal = _normalized(emitter, _at_least_float(emitter, grouped), [2], eps)
    result = _reshaped(emitter, normal, emitter.Shape(input))
    return emitter.cast(_scaled_channels(emitter, result, weight, bias, rank), dtype)


def group_normalized_with_moments(
    emitter: Emitter,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    group: int,
    eps: float,
) -> tuple[Value, Value, Value]:
    """The same with each group's mean and reciprocal of the deviation."""
    wide = _common(input, weight, bias)
    grouped = _grouped(emitter, _at_least_float(emitter, emitter.cast(input, wide)), group)
    mean, deviation = _moments(emitter, grouped, [2])
    rstd = emitter.Reciprocal(
        emitter.Sqrt(emitter.Add(emitter.ReduceMean(emitter.Mul(deviation, deviation), [2]), eps))
    )
    mean, rstd = (emitter.cast(emitter.Squeeze(value, [2]), _dtype(input)) for value in (mean, rstd))
    return group_normalized(emitter, input, group, weight, bias, eps), mean, rstd


def _grouped(emitter: Emitter, value: Value, groups: int) -> Value:
    """``value`` as batch, groups, and what is normalised together."""
    sizes = list(value.shape or ())[1:]
    constants = [size for size in sizes if isinstance(size, int)]
    if len(constants) == len(sizes) and 0 not in constants:
        return emitter.Reshape(value, [0, groups, math.prod(constants) // groups])
    if least_size(emitter, value, 0) > 0 and 0 not in constants:
        return emitter.Reshape(value, [0, groups, -1])
    # Next to a size of 0, a size of -1 could be any.
    members = emitter.Div(emitter.ReduceProd(emitter.Shape(value, start=1), keepdims=1), groups)
    return _reshaped(emitter, value, emitter.Concat(emitter.Shape(value, end=1), [groups], members, axis=0))


def _reshaped(emitter: Emitter, value: Value, shape: Value) -> Value:
    """``value`` in the ``shape``, which may have a size of 0.

    Before opset 14 that size is read as a copy of the input's at the same place: the batch of none is, and
    where another axis is empty the runtime fails instead of giving a wrong result.
    """
    return emitter.Reshape(value, shape, allowzero=int(emitter.opset >= _ALLOWZERO))


def _by_own_moments(
    emitter: Emitter, input: Value, axes: Sequence[int], weight: Value | None, bias: Value | None, eps: float
) -> Value:
    """Normalised over ``axes`` by the input's own mean and variance, then scaled by channel."""
    normal = _normalized(emitter, _at_least_float(emitter, input), axes, eps)
    return emitter.cast(
        _scaled_channels(emitter, normal, weight, bias, rank_of(emitter, input)), _dtype(input)
    )


def _normalized(emitter: Emitter, value: Value, axes: Sequence[int], eps: float) -> Value:
    _, deviation = _moments(emitter, value, axes)
    variance = emitter.ReduceMean(emitter.Mul(deviation, deviation), list(axes))
    return emitter.Div(deviation, emitter.Sqrt(emitter.Add(variance, eps)))


def _moments(emitter: Emitter, value: Value, axes: Sequence[int]) -> tuple[Value, Value]:
    """The mean over ``axes``, and every element's distance from it."""
    mean = emitter.ReduceMean(value, list(axes))
    return mean, emitter.Sub(value, mean)


def _scaled_channels(
    emitter: Emitter, value: Value, weight: Value | None, bias: Value | None, rank: int
) -> Value:
    """``value * weight + bias``, both one number per member of axis 1."""
    trailing = list(range(1, rank - 1))
    for factor, call in ((weight, emitter.Mul), (bias, emitter.Add)):
        if factor is not None:
            column = emitter.Unsqueeze(factor, trailing) if trailing else factor
            value = call(value, emitter.cast(column, _dtype(value)))
    return value


def _filled(emitter: Emitter, number: int, size: Sequence[SymInt], dtype: ir.DataType) -> Value:
    constants = [dim for dim in size if isinstance(dim, int)]
    if len(constants) == len(size):
        return emitter.constant(np.full(constants, number), dtype)
    return emitter.Expand(emitter.constant(number, dtype), size_vector(emitter, size))


def _common(*values: Value | None) -> ir.DataType:
    """The dtype to compute in: half-precision input may come with float32 weights."""
    return promote_dtypes([_dtype(value) for value in values if value is not None])


def _dtype(value: Value) -> ir.DataType:
    return value.dtype or ir.DataType.FLOAT


def _at_least_float(emitter: Emitter, value: Value) -> Value:
    """Half precision as float32, in which torch sums it up."""
    return emitter.cast(value, ir.DataType.FLOAT) if value.dtype in HALVES else value


def vector_norm(
    emitter: Emitter,
    self: Value,
    ord: Scalar = 2,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """The norm of order ``ord`` over ``dim``, computed in ``dtype``."""
    if isinstance(ord, ir.Value | complex):
        emitter.refuse("the order of the norm is not a constant")
    given = emitter.cast(self, dtype or _dtype(self))
    value = _at_least_float(emitter, given)
    if rank_of(emitter, value) == 0:
        # A reduction of one element; ONNX has no axis to name here.
        value, dim, keepdim = emitter.Reshape(value, [1]), [0], False
    result = _vector_norm(emitter, value, float(ord), list(dim) if dim else None, int(keepdim))
    return emitter.cast(result, _dtype(given))


def _vector_norm(
    emitter: Emitter, value: Value, order: float, axes: list[int] | None, keepdims: int
) -> Value:
    if order == 2:
        return emitter.ReduceL2(value, axes, keepdims=keepdims)
    size = emitter.Abs(value)
    if order == 1:
        return emitter.ReduceSum(size, axes, keepdims=keepdims)
    if order == 0:
        return emitter.ReduceSum(
            emitter.Cast(emitter.Not(emitter.Equal(value, 0.0)), to=_dtype(value)), axes, keepdims=keepdims
        )
    if math.isinf(order):
        return extremum_over(
            emitter, size, axes_of(emitter, size, axes), largest=order > 0, keepdims=bool(keepdims)
        )
    return emitter.Pow(emitter.ReduceSum(emitter.Pow(size, order), axes, keepdims=keepdims), 1.0 / order)
