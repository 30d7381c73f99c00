"""Short-time Fourier transforms: those of the frames of a signal."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir

from onnx_jitpasses._emission import Argument
from onnx_jitpasses._pair_call import PARTS, Dims, PairCall, Rewrite
from onnx_jitpasses._pair_fourier import Scale, complex_to_complex, real_to_complex

__all__ = ["SHORT_TIME"]


def _setting(call: PairCall, position: int, default: int) -> int:
    return default if call.is_none(position) else call.integer(position)


def _flag(call: PairCall, position: int, default: bool) -> bool:
    return default if call.is_none(position) else call.constant(position) is True


def _window(call: PairCall, length: int) -> ir.Value | None:
    """The real window, with zeros on both sides up to the length of a frame; None for one of ones."""
    size = _setting(call, 3, length)
    before = (length - size) // 2
    window = None if call.is_none(4) else call.tensor(4)
    if window is None and size == length:
        return None
    if window is None:
        inputs: list[Argument] = [call.ints([size]), 1, call.part, None, None, None]
        window = call.call("aten::full", inputs, call.real_like([size]))
    if call.is_pair(window):
        raise call.refuse("its window is complex")
    window = call.cast(window)
    if size == length:
        return window
    pads = call.ints([before, length - size - before])
    return call.call("aten::constant_pad_nd", [window, pads, 0], call.real_like([length]))


def _framed(call: PairCall, signal: ir.Value, length: int, hop: int, window: ir.Value | None) -> ir.Value:
    """The frames of a real signal as its rows, times the window."""
    *batch, _ = call.dims(signal)
    like = call.real_like([*batch, _spectrum_dims(call)[-1], length])
    frames = call.call("aten::unfold", [signal, len(batch), length, hop], like)
    return frames if window is None else call.call("aten::mul.Tensor", [frames, window], like)


def _stft(call: PairCall) -> ir.Value:
    """The padding of ``center`` is in the program already, where it is not asked for by the call itself."""
    centered = call.node.overload == "center"
    flags = 7 if centered else 5
    if not call.is_none(flags + 3) and call.constant(flags + 3) is True:
        raise call.refuse("it aligns its frames to a shorter window")
    length = call.integer(1)
    hop, window = _setting(call, 2, length // 4), _window(call, length)
    real, imaginary = call.components(call.tensor(0))
    signals = [real] if imaginary is None else [real, imaginary]
    if centered and _flag(call, 5, True):
        signals = [_padded(call, signal, length // 2) for signal in signals]
    frames = [_framed(call, signal, length, hop, window) for signal in signals]
    scale = Scale.ROOT if _flag(call, flags, False) else Scale.NONE
    onesided = _flag(call, flags + 1, imaginary is None)
    axes = [(call.rank(frames[0]) - 1, None)]
    if imaginary is None:
        result = real_to_complex(call, frames[0], axes, scale, onesided=onesided)
    elif onesided:
        raise call.refuse("half of the spectrum is not enough for a complex signal")
    else:
        result = complex_to_complex(call, call.join(*frames), axes, scale, inverse=False)
    rank = call.rank(result)
    swapped = call.call(
        "aten::transpose.int", [result, rank - 2, rank - 1], call.pair_like(_spectrum_dims(call))
    )
    return call.mark(swapped)


def _spectrum_dims(call: PairCall) -> Dims:
    """The sizes of the result, which may be asked for as pairs."""
    dims = call.dims(call.output)
    return dims if call.output.dtype in PARTS else dims[:-1]


def _padded(call: PairCall, signal: ir.Value, by: int) -> ir.Value:
    mode = call.constant(6)
    *batch, size = call.dims(signal)
    like = call.real_like([*batch, size + 2 * by if isinstance(size, int) else ir.SymbolicDim(None)])
    pads = call.ints([by, by])
    if batch:
        return call.call("aten::pad", [signal, pads, mode, None], like)
    # Modes other than "constant" have a dimension in front of those that they pad.
    row = call.call("aten::unsqueeze", [signal, 0], call.real_like([1, size]))
    padded = call.call("aten::pad", [row, pads, mode, None], call.real_like([1, *call.dims(like)]))
    return call.call("aten::squeeze.dim", [padded, 0], like)


SHORT_TIME: Mapping[str, Rewrite] = {"stft": _stft}
"""Rewrites by the operator's name."""
