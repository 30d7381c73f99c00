"""Fourier transforms of pairs: calls of ``prim::dft``.

``prim::dft(Tensor self, SymInt? length, int dim, bool inverse, bool onesided)`` is ONNX's DFT: the last
dimension of ``self`` holds pairs, or real numbers alone, and the dimension is cut or filled with zeros to the
length. The inverse is over the length.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import TorchDType, scalar_type
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._pair_arithmetic import conjugate
from onnx_jitpasses._pair_call import PairCall, Rewrite

__all__ = [
    "FOURIER",
    "Scale",
    "Size",
    "calculated",
    "complex_to_complex",
    "complex_to_real",
    "real_to_complex",
    "size_of",
]

Size = int | ir.Value
"""A size: known, or computed at run time."""


class Scale(enum.IntEnum):
    """By what sums are divided; the numbers are those of torch's own operators."""

    NONE = 0
    ROOT = 1
    LENGTH = 2


# ``norm`` of a forward transform; for the inverse "backward" and "forward" change places.
_FORWARD = {None: Scale.NONE, "backward": Scale.NONE, "ortho": Scale.ROOT, "forward": Scale.LENGTH}
_INVERSE = {None: Scale.LENGTH, "backward": Scale.LENGTH, "ortho": Scale.ROOT, "forward": Scale.NONE}


def _norm(call: PairCall, position: int, *, inverse: bool) -> Scale:
    name = call.constant(position)
    scales = _INVERSE if inverse else _FORWARD
    if name is not None and not isinstance(name, str):
        raise call.refuse("its norm is no word")
    return scales[name]


def _signal(call: PairCall, value: ir.Value) -> ir.Value:
    """The tensor in the dtype of the result: torch transforms integers as floats."""
    return call.widened(value) if call.is_pair(value) else call.cast(value)


def size_of(call: PairCall, value: ir.Value, dim: int) -> Size:
    """The size of a tensor along a dimension that is counted from the front."""
    size = call.dims(value)[dim]
    return size if isinstance(size, int) else call.call("aten::sym_size.int", [value, dim], _number())


def calculated(call: PairCall, name: str, one: Size, other: Size) -> Size:
    """A sum, difference, product or floored quotient of two sizes."""
    if isinstance(one, int) and isinstance(other, int):
        return {"add": one + other, "sub": one - other, "mul": one * other}.get(name, one // (other or 1))
    return call.call(f"aten::{name}.int", [one, other], _number())


def _number() -> ir.Value:
    return ir.Value(name="size", type=scalar_type("int"), shape=ir.Shape(()))


def _transformed(
    call: PairCall, value: ir.Value, dim: int, length: Size | None, *, inverse: bool, onesided: bool = False
) -> ir.Value:
    """The transform along one dimension, as pairs."""
    dims = list(call.dims(value))
    size = dims[dim] if length is None else length
    if isinstance(size, ir.Value):
        size = ir.SymbolicDim(None)
    if onesided:
        size = size // 2 + 1 if isinstance(size, int) else ir.SymbolicDim(None)
    dims[dim] = size
    pair = value if call.is_pair(value) else call.trailing(value)
    like = call.real_like([*dims, 2], value.dtype)
    return call.mark(call.call("prim::dft", [pair, length, dim, inverse, onesided], like))


def _scaled(
    call: PairCall, value: ir.Value, sizes: Sequence[Size], scale: Scale, *, inverse: bool
) -> ir.Value:
    """A transform as it should be scaled: a forward one is a sum, an inverse one divided by the sizes."""
    if scale is (Scale.LENGTH if inverse else Scale.NONE):
        return value
    total: Size = 1
    for size in sizes:
        total = calculated(call, "mul", total, size)
    op = "aten::mul.Tensor" if inverse else "aten::div.Tensor"
    factor: Argument
    if isinstance(total, int):
        factor = math.sqrt(total) if scale is Scale.ROOT else float(total)
    else:
        zero_d = call.real_like([], value.dtype)
        factor = call.call("aten::scalar_tensor", [total, call.part, None, None, None], zero_d)
        factor = call.call("aten::sqrt", [factor], zero_d) if scale is Scale.ROOT else factor
    result = call.call(op, [value, factor], value)
    return call.mark(result) if call.is_pair(value) else result


_Axes = Sequence[tuple[int, Size | None]]


def _sizes(call: PairCall, value: ir.Value, axes: _Axes) -> list[Size]:
    return [size_of(call, value, dim) if length is None else length for dim, length in axes]


def complex_to_complex(
    call: PairCall, value: ir.Value, axes: _Axes, scale: Scale, *, inverse: bool
) -> ir.Value:
    """The transform along ``axes``."""
    sizes = _sizes(call, value, axes)
    result = value
    for dim, length in axes:
        result = _transformed(call, result, dim, length, inverse=inverse)
    return _scaled(call, result if axes else call.pair(value), sizes, scale, inverse=inverse)


def real_to_complex(
    call: PairCall, value: ir.Value, axes: _Axes, scale: Scale, *, onesided: bool = True
) -> ir.Value:
    """The forward transform of a real tensor, of which half is enough along the last of the axes."""
    if call.is_pair(value):
        raise call.refuse("it takes real tensors")
    sizes = _sizes(call, value, axes)
    *others, (last, length) = axes
    result = _transformed(call, value, last, length, inverse=False, onesided=onesided)
    for dim, further in others:
        result = _transformed(call, result, dim, further, inverse=False)
    return _scaled(call, result, sizes, scale, inverse=False)


def complex_to_real(call: PairCall, value: ir.Value, axes: _Axes, scale: Scale) -> ir.Value:
    """The inverse of :func:`real_to_complex`; the length of the last axis is that of the result.

    What is left out of the spectrum is the conjugate of what is there. The real part of a sum with it is that
    of twice the one half; but what stands for itself, at both ends, counts once.
    """
    pair = value if call.is_pair(value) else call.pair(value)
    *others, (last, length) = axes
    if length is None:
        half = calculated(call, "sub", size_of(call, pair, last), 1)
        length = calculated(call, "mul", half, 2)
    sizes = [*_sizes(call, pair, others), length]
    for dim, further in others:
        pair = _transformed(call, pair, dim, further, inverse=True)
    pair = _half(call, pair, last, length)
    weighted = _multiplied(call, pair, _weights(call, size_of(call, pair, last), length), last)
    result = call.component(_transformed(call, weighted, last, length, inverse=True), 0)
    return _scaled(call, result, sizes, scale, inverse=True)


def _half(call: PairCall, pair: ir.Value, dim: int, length: Size) -> ir.Value:
    """What counts of a spectrum for a signal of the length."""
    count = calculated(call, "add", calculated(call, "floordiv", length, 2), 1)
    dims = list(call.dims(pair))
    size = dims[dim]
    if isinstance(size, int) and isinstance(count, int) and size <= count:
        return pair
    is_known = isinstance(size, int) and isinstance(count, int)
    dims[dim] = count if is_known and isinstance(count, int) else ir.SymbolicDim(None)
    like = call.real_like([*dims, 2], pair.dtype)
    return call.mark(call.call("aten::slice.Tensor", [pair, dim, 0, count, 1], like))


def _weights(call: PairCall, count: Size, length: Size) -> ir.Value:
    dims: list[int | ir.SymbolicDim] = [count if isinstance(count, int) else ir.SymbolicDim(None)]
    ints, bools = call.real_like(dims, ir.DataType.INT64), call.real_like(dims, ir.DataType.BOOL)
    index = call.call("aten::arange.start", [0, count, TorchDType("int64"), None, None, None], ints)
    first = call.call("aten::eq.Scalar", [index, 0], bools)
    doubled = call.call("aten::mul.Tensor", [index, 2], ints)
    middle = call.call("aten::eq.Scalar", [doubled, length], bools)
    single = call.cast(call.call("aten::logical_or", [first, middle], bools))
    return call.call("aten::rsub.Scalar", [single, 2, 1], call.real_like(dims))


def _multiplied(call: PairCall, pair: ir.Value, factors: ir.Value, dim: int) -> ir.Value:
    """Pairs times real factors along a dimension."""
    behind = call.rank(pair) - dim
    shape = [*call.dims(factors), *[1] * behind]
    wide = call.call("aten::reshape", [factors, call.ints([-1, *[1] * behind])], call.real_like(shape))
    return call.mark(call.call("aten::mul.Tensor", [pair, wide], pair))


_FindAxes = Callable[[PairCall, ir.Value], _Axes]


def _one_axis(call: PairCall, value: ir.Value) -> _Axes:
    """The axis of a call with the arguments ``n`` and ``dim``."""
    return [(call.axis(value, call.integer(2)), _length(call, call.tensor(1)))]


def _length(call: PairCall, value: ir.Value) -> Size | None:
    number = call.number(value)
    if isinstance(number, int):
        return None if number == -1 else number
    return None if value.type == scalar_type("None") else value


def _axes(call: PairCall, value: ir.Value) -> _Axes:
    """The axes of a call with the arguments ``s`` and ``dim``, either of which may be None."""
    lengths = None if call.is_none(1) else [_length(call, item) for item in call.items(1)]
    rank = call.rank(value)
    if not call.is_none(2):
        dims = [call.axis(value, dim) for dim in call.integers(2)]
    else:
        dims = list(range(0 if lengths is None else rank - len(lengths), rank))
    return list(zip(dims, [None] * len(dims) if lengths is None else lengths, strict=True))


def _fft(axes: _FindAxes, *, inverse: bool) -> Rewrite:
    def rewrite(call: PairCall) -> ir.Value:
        value = _signal(call, call.tensor(0))
        scale = _norm(call, 3, inverse=inverse)
        return complex_to_complex(call, value, axes(call, value), scale, inverse=inverse)

    return rewrite


def _rfft(axes: _FindAxes) -> Rewrite:
    def rewrite(call: PairCall) -> ir.Value:
        value = _signal(call, call.tensor(0))
        return real_to_complex(call, value, axes(call, value), _norm(call, 3, inverse=False))

    return rewrite


def _irfft(axes: _FindAxes) -> Rewrite:
    def rewrite(call: PairCall) -> ir.Value:
        value = _signal(call, call.tensor(0))
        return complex_to_real(call, value, axes(call, value), _norm(call, 3, inverse=True))

    return rewrite


def _hfft(call: PairCall) -> ir.Value:
    value = call.pair(call.tensor(0))
    return complex_to_real(
        call, conjugate(call, value), _one_axis(call, value), _norm(call, 3, inverse=False)
    )


def _ihfft(call: PairCall) -> ir.Value:
    value = _signal(call, call.tensor(0))
    scale = _norm(call, 3, inverse=True)
    return conjugate(call, real_to_complex(call, value, _one_axis(call, value), scale))


def _scale(call: PairCall, position: int) -> Scale:
    return Scale(call.integer(position))


def _r2c(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    axes = [(call.axis(value, dim), None) for dim in call.integers(1)]
    return real_to_complex(call, value, axes, _scale(call, 2), onesided=call.constant(3) is True)


def _c2c(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    axes = [(call.axis(value, dim), None) for dim in call.integers(1)]
    return complex_to_complex(call, value, axes, _scale(call, 2), inverse=call.constant(3) is not True)


def _c2r(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    *others, last = [call.axis(value, dim) for dim in call.integers(1)]
    axes = [*((dim, None) for dim in others), (last, _length(call, call.tensor(3)))]
    return complex_to_real(call, value, axes, _scale(call, 2))


FOURIER: Mapping[str, Rewrite] = {
    "_fft_c2c": _c2c,
    "_fft_c2r": _c2r,
    "_fft_r2c": _r2c,
    "fft_fft": _fft(_one_axis, inverse=False),
    "fft_fft2": _fft(_axes, inverse=False),
    "fft_fftn": _fft(_axes, inverse=False),
    "fft_hfft": _hfft,
    "fft_ifft": _fft(_one_axis, inverse=True),
    "fft_ifft2": _fft(_axes, inverse=True),
    "fft_ifftn": _fft(_axes, inverse=True),
    "fft_ihfft": _ihfft,
    "fft_irfft": _irfft(_one_axis),
    "fft_irfft2": _irfft(_axes),
    "fft_irfftn": _irfft(_axes),
    "fft_rfft": _rfft(_one_axis),
    "fft_rfft2": _rfft(_axes),
    "fft_rfftn": _rfft(_axes),
}
"""Rewrites by the operator's name."""
