"""Calls on quantized tensors as calls on floats: out of integers, and back to integers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ConstantValue, TorchDType, is_constant, items_of, known_constant
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._quantized_call import Grid, QuantizedCall, QuantizedRewrite
from onnx_jitpasses._quantized_grids import average, plus_number, times_number
from onnx_jitpasses._words import words

__all__ = ["ON_THE_SAME_GRID", "PACKS", "REWRITES", "UNTOUCHED"]


@dataclasses.dataclass(frozen=True)
class _Fixed:
    """An argument that is always the same."""

    value: ConstantValue


def _arguments(call: QuantizedCall, given: Sequence[int | _Fixed]) -> list[Argument]:
    return [at.value if isinstance(at, _Fixed) else call.real(call.tensor(at)) for at in given]


def _to_grid(op: str, given: Sequence[int | _Fixed], grid: int, *, relu: bool = False) -> QuantizedRewrite:
    """Some of the arguments go to ``op``, and its result to the grid that the others say from ``grid`` on."""

    def rewrite(call: QuantizedCall) -> ir.Value:
        result = call.call(op, _arguments(call, given))
        return call.quantized(_rectified(call, result, relu), call.result_grid(grid))

    return rewrite


def _kept_grid(op: str, given: Sequence[int | _Fixed]) -> QuantizedRewrite:
    """Some of the arguments go to ``op``, and its result to the grid of the first."""

    def rewrite(call: QuantizedCall) -> ir.Value:
        return call.quantized(call.call(op, _arguments(call, given)), call.grid(0))

    return rewrite


def _rectified(call: QuantizedCall, value: ir.Value, relu: bool) -> ir.Value:
    return call.call("aten::relu", [value], value) if relu else value


def _same_call(call: QuantizedCall) -> ir.Value:
    """The call itself on floats, to the grid of its first argument."""
    inputs: list[Argument] = [call.real(call.tensor(at)) for at in range(len(call.node.inputs))]
    result = call.emission.call(call.node, inputs, call.floating())
    return call.quantized(result, call.grid(0))


def _fixed_grid(scale: float, zero_point: int) -> QuantizedRewrite:
    """Functions with values in a known range, which torch puts on a grid for just that."""

    def rewrite(call: QuantizedCall) -> ir.Value:
        inputs: list[Argument] = [call.real(call.tensor(0))]
        if call.output.dtype != ir.DataType.UINT8:
            raise Unsupported("its grid is known for unsigned integers only")
        result = call.emission.call(call.node, inputs, call.floating())
        return call.quantized(result, Grid(scale, zero_point))

    return rewrite


# Into the grid, and out of it


def _quantize_per_tensor(call: QuantizedCall) -> ir.Value:
    return call.quantized(call.tensor(0), Grid(call.tensor(1), call.tensor(2)))


def _quantize_per_channel(call: QuantizedCall) -> ir.Value:
    return call.quantized(call.tensor(0), _channel_grid(call))


def _channel_grid(call: QuantizedCall) -> Grid:
    axis = call.constant(3)
    if not isinstance(axis, int):
        raise Unsupported("its axis is no int")
    dtype = call.tensor(2).dtype
    if dtype is None or not dtype.is_integer():
        raise Unsupported("its zero points are no integers")
    return Grid(call.tensor(1), call.tensor(2), axis)


def _made_per_tensor(call: QuantizedCall) -> ir.Value:
    return call.on_grid(call.same(call.tensor(0)), Grid(call.tensor(1), call.tensor(2)))


def _made_per_channel(call: QuantizedCall) -> ir.Value:
    return call.on_grid(call.same(call.tensor(0)), _channel_grid(call))


def _dequantize(call: QuantizedCall) -> ir.Value:
    value = call.tensor(0)
    real = call.real(value)
    return call.same(value) if real is value else real


def _integers(call: QuantizedCall) -> ir.Value:
    call.grid(0)
    return call.same(call.tensor(0))


def _scale(call: QuantizedCall) -> ir.Value:
    return _number(call, call.grid(0).scale)


def _zero_point(call: QuantizedCall) -> ir.Value:
    return _number(call, call.grid(0).zero_point)


def _number(call: QuantizedCall, number: Argument) -> ir.Value:
    return call.same(number if isinstance(number, ir.Value) else call.held(number))


# With packed weights


def _linear(*, relu: bool = False) -> QuantizedRewrite:
    def rewrite(call: QuantizedCall) -> ir.Value:
        return call.quantized(_rectified(call, _product(call), relu), call.result_grid(2))

    return rewrite


def _product(call: QuantizedCall) -> ir.Value:
    weight, bias = call.packed(1)
    return call.call("aten::linear", [call.real(call.tensor(0)), call.real(weight), bias])


def _linear_leaky_relu(call: QuantizedCall) -> ir.Value:
    result = call.call("aten::leaky_relu", [_product(call), call.tensor(4)])
    return call.quantized(result, call.result_grid(2))


def _linear_tanh(call: QuantizedCall) -> ir.Value:
    return call.quantized(call.call("aten::tanh", [_product(call)]), call.result_grid(2))


def _linear_of_16_bits(*, relu: bool = False) -> QuantizedRewrite:
    """Weights of 16 bits, products and sums of 32."""

    def rewrite(call: QuantizedCall) -> ir.Value:
        weight, bias = call.packed(1)
        result = call.call("aten::linear", [call.tensor(0), weight, bias])
        return _rectified(call, result, relu)

    return rewrite


def _linear_dynamic(*, relu: bool = False) -> QuantizedRewrite:
    """The input goes to the grid of its own range, of 7 bits if ``reduce_range`` says so.

    Source: ``ChooseQuantizationParams`` of FBGEMM.
    """

    def rewrite(call: QuantizedCall) -> ir.Value:
        weight, bias = call.packed(1)
        most = 127 if call.constant(2) is True else 255
        like = ir.Value(name=call.output.name, type=call.output.type, shape=ir.Shape(()))
        value = call.tensor(0)
        low = call.call("aten::clamp_max", [call.call("aten::min", [value], like), 0], like)
        high = call.call("aten::clamp_min", [call.call("aten::max", [value], like), 0], like)
        span = call.call("aten::sub.Tensor", [high, low, 1], like)
        scale = call.call("aten::div.Tensor", [span, most], like)
        scale = call.call("aten::clamp_min", [scale, _LEAST_SCALE], like)
        steps = call.call("aten::div.Tensor", [call.call("aten::neg", [low], like), scale], like)
        rounded = call.call("aten::clamp_max", [call.call("aten::round", [steps], like), most], like)
        number = ir.Value(name=call.output.name, type=ir.TensorType(ir.DataType.INT64), shape=ir.Shape(()))
        zero_point = call.call("aten::to.dtype", [rounded, TorchDType("int64"), False, False, None], number)
        real = call.rounded(value, Grid(scale, zero_point), most)
        result = call.call("aten::linear", [real, call.real(weight), bias])
        return _rectified(call, result, relu)

    return rewrite


_LEAST_SCALE = 6.1e-5


def _convolution(
    axes: int, *, settings: int = 1, relu: bool = False, added: bool = False
) -> QuantizedRewrite:
    """A convolution; ``settings`` is where the arguments say the grid of the result from."""

    def rewrite(call: QuantizedCall) -> ir.Value:
        position = 2 if added else 1
        weight, bias, stride, padding, dilation, groups = call.packed(position)
        value, kernel = call.real(call.tensor(0)), _kernel(call, weight, axes)
        inputs = [value, kernel, bias, *(_sizes(call, sizes, axes) for sizes in (stride, padding, dilation))]
        result = call.call(f"aten::conv{axes}d", [*inputs, groups])
        if added:
            result = call.call("aten::add.Tensor", [result, call.real(call.tensor(1)), 1])
        return call.quantized(_rectified(call, result, relu), call.result_grid(settings))

    return rewrite


def _transposed_convolution(axes: int) -> QuantizedRewrite:
    def rewrite(call: QuantizedCall) -> ir.Value:
        weight, bias, stride, padding, output_padding, dilation, groups = call.packed(1)
        value, kernel = call.real(call.tensor(0)), _kernel(call, weight, axes)
        sizes = [_sizes(call, given, axes) for given in (stride, padding, output_padding)]
        inputs = [value, kernel, bias, *sizes, groups, _sizes(call, dilation, axes)]
        op = "aten::conv_transpose1d" if axes == 1 else f"aten::conv_transpose{axes}d.input"
        return call.quantized(call.call(op, inputs), call.result_grid(2))

    return rewrite


def _kernel(call: QuantizedCall, weight: ir.Value, axes: int) -> ir.Value:
    """The weight as floats; one for a single axis is packed with a further one of size 1 before it."""
    real = call.real(weight)
    if axes > 1:
        return real
    shape = None if weight.shape is None else ir.Shape([*weight.shape[:2], *weight.shape[3:]])
    like = ir.Value(name=weight.name, type=real.type, shape=shape)
    return call.emission.call("aten::squeeze.dim", [real, 2], like, views=True)


def _sizes(call: QuantizedCall, sizes: ir.Value, axes: int) -> ir.Value:
    """The list of sizes for the axes of the call, which are the last of those that are packed."""
    items = [known_constant(item) for item in items_of(sizes) or ()]
    return call.emission.ints([item for item in items[-axes:] if isinstance(item, int)])


# With several tensors


def _cat(*, relu: bool = False) -> QuantizedRewrite:
    def rewrite(call: QuantizedCall) -> ir.Value:
        items = call.tensors([call.real(item) for item in call.items(0)])
        joined = call.call("aten::cat", [items, call.tensor(1)])
        if is_constant(call.tensor(2)) and known_constant(call.tensor(2)) is None:
            raise Unsupported("it is given no scale for its result")
        return call.quantized(_rectified(call, joined, relu), call.result_grid(2))

    return rewrite


def _cat_as_the_first(call: QuantizedCall) -> ir.Value:
    items = call.tensors([call.real(item) for item in call.items(0)])
    return call.quantized(call.call("aten::cat", [items, call.tensor(1)]), call.grid_of_items(0))


_NONE, _NO, _ONE = _Fixed(None), _Fixed(False), _Fixed(1)
_NORMALIZED = (0, 1, 2, 3, 4, _NO, _Fixed(0.1), 5, _NO)

# By the part of the name before _relu.
_RECTIFIED: Mapping[str, tuple[str, Sequence[int | _Fixed], int]] = {
    "add": ("aten::add.Tensor", (0, 1, _ONE), 2),
    "batch_norm": ("aten::batch_norm", _NORMALIZED, 6),
    "batch_norm1d": ("aten::batch_norm", _NORMALIZED, 6),
    "batch_norm2d": ("aten::batch_norm", _NORMALIZED, 6),
    "batch_norm3d": ("aten::batch_norm", _NORMALIZED, 6),
    "mul": ("aten::mul.Tensor", (0, 1), 2),
}

_ON_GRIDS: Mapping[str, tuple[str, Sequence[int | _Fixed], int]] = {
    "celu": ("aten::celu", (0, 3), 1),
    "elu": ("aten::elu", (0, 3, 4, 5), 1),
    "group_norm": ("aten::group_norm", (0, 1, 2, 3, 4, _NO), 5),
    "hardswish": ("aten::hardswish", (0,), 1),
    "instance_norm": ("aten::instance_norm", (0, 1, 2, _NONE, _NONE, _Fixed(True), _Fixed(0.1), 3, _NO), 4),
    "layer_norm": ("aten::layer_norm", (0, 1, 2, 3, 4, _NO), 5),
    "leaky_relu": ("aten::leaky_relu", (0, 1), 3),
    "matmul": ("aten::matmul", (0, 1), 2),
    "prelu": ("aten::prelu", (0, 1), 2),
    "sigmoid": ("aten::sigmoid", (0,), 1),
    "softmax": ("aten::softmax.int", (0, 1, _NONE), 2),
}

_KEPT: Mapping[str, tuple[str, Sequence[int | _Fixed]]] = {
    "clamp": ("aten::clamp", (0, 1, 2)),
    "max_pool1d": ("aten::max_pool1d", (0, 1, 2, 3, 4, 5)),
    "max_pool2d": ("aten::max_pool2d", (0, 1, 2, 3, 4, 5)),
    "relu6": ("aten::hardtanh", (0, _Fixed(0.0), _Fixed(6.0))),
    "threshold": ("aten::threshold", (0, 1, 2)),
}

_SAME_CALLS = words(
    """
    aten::clamp aten::clamp_max aten::clamp_min aten::elu aten::hardtanh aten::leaky_relu aten::max_pool1d
    aten::max_pool2d aten::max_pool3d aten::relu aten::relu6
    """
)

_AVERAGES = words(
    """
    aten::adaptive_avg_pool2d aten::adaptive_avg_pool3d aten::avg_pool2d aten::avg_pool3d aten::mean
    aten::mean.dim aten::upsample_bilinear2d aten::upsample_bilinear2d.vec
    """
)

REWRITES: Mapping[str, QuantizedRewrite] = {
    "aten::_make_per_channel_quantized_tensor": _made_per_channel,
    "aten::_make_per_tensor_quantized_tensor": _made_per_tensor,
    "aten::cat": _cat_as_the_first,
    "aten::dequantize.self": _dequantize,
    "aten::dequantize.tensor": _dequantize,
    "aten::hardsigmoid": _fixed_grid(1 / 256, 0),
    "aten::int_repr": _integers,
    "aten::q_scale": _scale,
    "aten::q_zero_point": _zero_point,
    "aten::quantize_per_channel": _quantize_per_channel,
    "aten::quantize_per_tensor": _quantize_per_tensor,
    "aten::quantize_per_tensor.tensor_qparams": _quantize_per_tensor,
    "aten::sigmoid": _fixed_grid(1 / 256, 0),
    "aten::tanh": _fixed_grid(2 / 256, 128),
    "quantized::cat": _cat(),
    "quantized::cat_relu": _cat(relu=True),
    "quantized::conv1d": _convolution(1, settings=2),
    "quantized::conv1d_relu": _convolution(1, settings=2, relu=True),
    "quantized::conv2d.new": _convolution(2, settings=2),
    "quantized::conv2d_add": _convolution(2, settings=3, added=True),
    "quantized::conv2d_add_relu": _convolution(2, settings=3, added=True, relu=True),
    "quantized::conv2d_relu.new": _convolution(2, settings=2, relu=True),
    "quantized::conv3d.new": _convolution(3, settings=2),
    "quantized::conv3d_relu.new": _convolution(3, settings=2, relu=True),
    "quantized::conv_transpose1d": _transposed_convolution(1),
    "quantized::conv_transpose2d": _transposed_convolution(2),
    "quantized::conv_transpose3d": _transposed_convolution(3),
    "quantized::linear": _linear(),
    "quantized::linear_dynamic": _linear_dynamic(),
    "quantized::linear_dynamic_fp16": _linear_of_16_bits(),
    "quantized::linear_leaky_relu": _linear_leaky_relu,
    "quantized::linear_relu": _linear(relu=True),
    "quantized::linear_relu_dynamic": _linear_dynamic(relu=True),
    "quantized::linear_relu_dynamic_fp16": _linear_of_16_bits(relu=True),
    "quantized::linear_tanh": _linear_tanh,
    **{f"quantized::{name}": _to_grid(*form) for name, form in {**_RECTIFIED, **_ON_GRIDS}.items()},
    **{f"quantized::{name}_relu": _to_grid(*form, relu=True) for name, form in _RECTIFIED.items()},
    **{f"quantized::{name}": _kept_grid(*form) for name, form in _KEPT.items()},
    **dict.fromkeys(_SAME_CALLS, _same_call),
    **dict.fromkeys(_AVERAGES, average),
    "quantized::add_scalar": plus_number(),
    "quantized::add_scalar_relu": plus_number(relu=True),
    "quantized::mul_scalar": times_number(),
    "quantized::mul_scalar_relu": times_number(relu=True),
}
"""What makes the result of a call, by its name."""

PACKS = words(
    """
    conv2d_prepack conv3d_prepack conv_transpose2d_prepack conv_transpose3d_prepack linear_prepack
    linear_prepack_fp16
    """
)
"""Operators of the domain ``quantized`` that only pack weights."""

ON_THE_SAME_GRID = words(
    """
    alias channel_shuffle chunk clone contiguous detach expand expand_as flatten flip gather index_select
    movedim narrow permute pixel_shuffle pixel_unshuffle repeat repeat_interleave reshape roll select slice
    split split_with_sizes squeeze swapaxes swapdims t transpose unbind unflatten unsqueeze
    upsample_nearest1d upsample_nearest2d upsample_nearest3d view view_as
    """
)
"""Operators of ATen that only move elements, so that they do the same to integers."""

UNTOUCHED = words("dim len numel size sym_numel sym_size")
"""Operators of ATen that read nothing but sizes."""
