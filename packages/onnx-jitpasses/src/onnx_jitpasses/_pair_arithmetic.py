"""Complex arithmetic on pairs of real numbers.

A real number is not given the zero for its imaginary part that torch gives it: an infinity times that zero is
NaN, and finite numbers are the same without it, at half the cost. The calls that differ so tell of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import onnx_ir as ir

from onnx_ir_capture.dialect import TorchDType
from onnx_jitpasses._pair_call import PairCall, Rewrite

__all__ = ["ARITHMETIC", "absolute", "conjugate", "product", "to_real"]

_NOT_FINITE = "for numbers with an infinite or NaN part it may give other parts than PyTorch"
_NOT_FINITE_OR_ZERO = f"over zero, and {_NOT_FINITE}"


def _view_as_real(call: PairCall) -> ir.Value:
    return call.same(call.tensor(0))


def _view_as_complex(call: PairCall) -> ir.Value:
    return call.same(call.tensor(0))


def _complex(call: PairCall) -> ir.Value:
    return call.join(*_broadcast(call, call.cast(call.tensor(0)), call.cast(call.tensor(1))))


def _polar(call: PairCall) -> ir.Value:
    length, angle = (call.cast(call.tensor(position)) for position in (0, 1))
    like = call.real_like(call.dims(call.output))
    cosine, sine = (call.call(f"aten::{name}", [angle], angle) for name in ("cos", "sin"))
    return call.join(*(call.call("aten::mul.Tensor", [length, part], like) for part in (cosine, sine)))


def _broadcast(call: PairCall, *values: ir.Value) -> list[ir.Value]:
    """Real tensors, of which some are smaller than the result, in its shape."""
    like = call.real_like(call.dims(call.output))
    if all(value.shape == like.shape for value in values):
        return list(values)
    found = []
    for value in values:
        others = [other for other in values if other is not value]
        for other in others:
            # Zeros of the other's shape would make NaN of infinities; the condition only lends its shape.
            always = call.call(
                "aten::ones_like", [other, TorchDType("bool"), *[None] * 4], _bool_like(call, other)
            )
            value = call.call("aten::where.self", [always, value, value], like)
        found.append(value)
    return found


def _real(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    return call.component(value, 0) if call.is_pair(value) else call.same(value)


def _imag(call: PairCall) -> ir.Value:
    return call.component(call.tensor(0), 1)


def _abs(call: PairCall) -> ir.Value:
    return absolute(call, call.tensor(0))


def absolute(call: PairCall, pair: ir.Value) -> ir.Value:
    """The absolute values of pairs."""
    real, imaginary = call.component(pair, 0), call.component(pair, 1)
    return call.call("aten::hypot", [real, imaginary], real)


def _angle(call: PairCall) -> ir.Value:
    pair = call.tensor(0)
    real, imaginary = call.component(pair, 0), call.component(pair, 1)
    return call.call("aten::atan2", [imaginary, real], real)


def _conj(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    return conjugate(call, value) if call.is_pair(value) else call.same(value)


def conjugate(call: PairCall, pair: ir.Value) -> ir.Value:
    """The conjugates of pairs."""
    imaginary = call.component(pair, 1)
    return call.join(call.component(pair, 0), call.call("aten::neg", [imaginary], imaginary))


def to_real(call: PairCall, pair: ir.Value) -> ir.Value:
    """Pairs in the real dtype of the result: the real part, as booleans whether a part is not zero."""
    dtype = call.dtype
    if dtype.name != "bool":
        return call.cast(call.component(pair, 0), dtype)
    found = [
        call.call("aten::ne.Scalar", [part, 0], _bool_like(call, part))
        for part in (call.component(pair, 0), call.component(pair, 1))
    ]
    return call.call("aten::logical_or", found, found[0])


def _neg(call: PairCall) -> ir.Value:
    pair = call.tensor(0)
    return call.call("aten::neg", [pair], pair)


def _mul(call: PairCall) -> ir.Value:
    one, other = call.tensor(0), call.tensor(1)
    if call.number(one) is not None:
        one, other = other, one
    number = call.number(other)
    if not (call.is_pair(one) and call.is_pair(other)):
        call.limit(_NOT_FINITE)
    if number is not None:
        return _times_number(call, one, number)
    return product(call, one, other)


def _times_number(call: PairCall, value: ir.Value, number: int | float | complex) -> ir.Value:
    dims = call.dims(call.output)
    if not isinstance(number, complex):
        return call.call("aten::mul.Tensor", [call.pair(value), number], call.pair_like(dims))
    real, imaginary = call.components(value)
    like = call.real_like(dims)

    def times(part: ir.Value, factor: float) -> ir.Value:
        return call.call("aten::mul.Tensor", [part, factor], like)

    if imaginary is None:
        return call.join(times(real, number.real), times(real, number.imag))
    if number.real == 0:
        return call.join(times(imaginary, -number.imag), times(real, number.imag))
    inner = call.call("aten::sub.Tensor", [times(real, number.real), times(imaginary, number.imag), 1], like)
    outer = call.call("aten::add.Tensor", [times(real, number.imag), times(imaginary, number.real), 1], like)
    return call.join(inner, outer)


def product(call: PairCall, one: ir.Value, other: ir.Value) -> ir.Value:
    """The product of two tensors, of which one at least is complex.

    With a real factor each part is multiplied by it alone: for finite numbers the same as with the zero that
    torch takes for its imaginary part.
    """
    dims = call.dims(call.output)
    if call.is_pair(one) and call.is_pair(other):
        return _bilinear(call, one, other, "aten::mul.Tensor")
    pair, real = (one, other) if call.is_pair(one) else (other, one)
    factor = call.trailing(call.cast(real))
    return call.mark(call.call("aten::mul.Tensor", [call.widened(pair), factor], call.pair_like(dims)))


def _bilinear(call: PairCall, one: ir.Value, other: ir.Value, op: str) -> ir.Value:
    like = call.real_like(call.dims(call.output))
    (a, b), (c, d) = call.components(one), call.components(other)
    if b is None or d is None:
        raise call.refuse("an argument is real")
    ac, bd, ad, bc = (call.call(op, factors, like) for factors in ((a, c), (b, d), (a, d), (b, c)))
    real = call.call("aten::sub.Tensor", [ac, bd, 1], like)
    return call.join(real, call.call("aten::add.Tensor", [ad, bc, 1], like))


def _add(call: PairCall) -> ir.Value:
    return _sum(call, "aten::add.Tensor", call.tensor(0), call.tensor(1))


def _sub(call: PairCall) -> ir.Value:
    return _sum(call, "aten::sub.Tensor", call.tensor(0), call.tensor(1))


def _rsub(call: PairCall) -> ir.Value:
    """The second argument less alpha times the first."""
    return _sum(call, "aten::sub.Tensor", call.tensor(1), call.tensor(0))


def _sum(call: PairCall, op: str, one: ir.Value, other: ir.Value) -> ir.Value:
    """A sum or difference. Also a part of 0 is added: it makes 0 of -0, and so another angle."""
    alpha = call.constant(2) if len(call.node.inputs) > 2 else 1
    if not isinstance(alpha, int | float):
        raise call.refuse("alpha is complex")
    # torch multiplies by alpha as a complex number, also by 1.
    call.limit(_NOT_FINITE)
    inputs = [call.pair(one), call.pair(other), alpha]
    return call.call(op, inputs, call.pair_like(call.dims(call.output)))


def _div(call: PairCall) -> ir.Value:
    one, other = call.tensor(0), call.tensor(1)
    if call.node.overload.endswith("_mode") and not call.is_none(2):
        raise call.refuse("complex quotients are not rounded")
    call.limit(_NOT_FINITE_OR_ZERO)
    number = call.number(other)
    dims = call.dims(call.output)
    if isinstance(number, complex) and number != 0:
        return _times_number(call, one, 1 / number)
    if number is not None:
        divisor = number.real if isinstance(number, complex) else number
        return call.call("aten::div.Tensor", [call.pair(one), divisor], call.pair_like(dims))
    if not call.is_pair(other):
        parts = call.trailing(call.cast(other))
        return call.call("aten::div.Tensor", [call.pair(one), parts], call.pair_like(dims))
    return _quotient(call, one if call.number(one) is None else call.pair(one), other)


def _quotient(call: PairCall, one: ir.Value, other: ir.Value) -> ir.Value:
    """Both sides over the greater part of the divisor, or squares of large numbers would overflow.

    Over zero the parts are divided by it one by one, as torch does.
    """
    c, d = call.components(other)
    if d is None:
        raise call.refuse("an argument is real")
    absolutes = [call.call("aten::abs", [part], part) for part in (c, d)]
    scale = call.call("aten::maximum", absolutes, c)
    is_zero = call.call("aten::eq.Scalar", [scale, 0], _bool_like(call, scale))
    c, d = (call.call("aten::div.Tensor", [part, scale], c) for part in (c, d))
    c, d = (
        call.call("aten::masked_fill.Scalar", [part, is_zero, instead], c)
        for part, instead in ((c, 1.0), (d, 0.0))
    )
    squares = [call.call("aten::mul.Tensor", [part, part], c) for part in (c, d)]
    norm = call.call("aten::add.Tensor", [*squares, 1], c)
    norm = call.call("aten::mul.Tensor", [norm, scale], c)
    minus = call.call("aten::neg", [d], d)
    top = product(call, one, call.join(c, minus))
    return call.call("aten::div.Tensor", [top, call.trailing(norm)], call.pair_like(call.dims(call.output)))


def _reciprocal(call: PairCall) -> ir.Value:
    call.limit(_NOT_FINITE_OR_ZERO)
    pair = call.tensor(0)
    real = call.component(pair, 0)
    return _quotient(call, call.call("aten::ones_like", [real, *[None] * 5], real), pair)


def _exp(call: PairCall) -> ir.Value:
    pair = call.tensor(0)
    real, imaginary = call.component(pair, 0), call.component(pair, 1)
    length = call.call("aten::exp", [real], real)
    cosine, sine = (call.call(f"aten::{name}", [imaginary], real) for name in ("cos", "sin"))
    return call.join(*(call.call("aten::mul.Tensor", [length, part], real) for part in (cosine, sine)))


def _log(call: PairCall) -> ir.Value:
    length = _abs(call)
    return call.join(call.call("aten::log", [length], length), _angle(call))


def _square(call: PairCall) -> ir.Value:
    return product(call, call.tensor(0), call.tensor(0))


def _pow(call: PairCall) -> ir.Value:
    base, exponent = call.tensor(0), call.number(call.tensor(1))
    if not call.is_pair(base) or exponent not in (1, 2, 3):
        raise call.refuse("of the powers of complex numbers, the first three can be had")
    result = call.same(base) if exponent == 1 else product(call, base, base)
    return product(call, call.mark(result), base) if exponent == 3 else result


def _sgn(call: PairCall) -> ir.Value:
    """The number over its absolute value, and zero for zero."""
    pair = call.tensor(0)
    length = absolute(call, pair)
    is_zero = call.call("aten::eq.Scalar", [length, 0], _bool_like(call, length))
    divisor = call.call("aten::masked_fill.Scalar", [length, is_zero, 1.0], length)
    return call.call("aten::div.Tensor", [pair, call.trailing(divisor)], pair)


def _where(call: PairCall) -> ir.Value:
    condition = call.trailing(call.tensor(0))
    pairs = [call.pair(call.tensor(position)) for position in (1, 2)]
    return call.call("aten::where.self", [condition, *pairs], call.pair_like(call.dims(call.output)))


def _masked_fill(call: PairCall) -> ir.Value:
    mask = call.trailing(call.tensor(1))
    pairs = [call.pair(call.tensor(position)) for position in (2, 0)]
    return call.call("aten::where.self", [mask, *pairs], call.pair_like(call.dims(call.output)))


def _isnan(call: PairCall) -> ir.Value:
    return _any(call, "aten::isnan")


def _isinf(call: PairCall) -> ir.Value:
    return _any(call, "aten::isinf")


def _any(call: PairCall, op: str) -> ir.Value:
    pair = call.tensor(0)
    found = [call.call(op, [call.component(pair, index)], _bool_like(call, call.output)) for index in (0, 1)]
    return call.call("aten::logical_or", found, call.output)


def _bool_like(call: PairCall, value: ir.Value) -> ir.Value:
    return call.real_like(call.dims(value), ir.DataType.BOOL)


def _log_base(base: float) -> Rewrite:
    def rewrite(call: PairCall) -> ir.Value:
        pair = call.mark(_log(call))
        return call.call("aten::mul.Tensor", [pair, 1 / math.log(base)], pair)

    return rewrite


ARITHMETIC: Mapping[str, Rewrite] = {
    "_conj": _conj,
    "_conj_physical": _conj,
    "abs": _abs,
    "absolute": _abs,
    "add": _add,
    "angle": _angle,
    "complex": _complex,
    "conj": _conj,
    "conj_physical": _conj,
    "div": _div,
    "divide": _div,
    "exp": _exp,
    "imag": _imag,
    "isinf": _isinf,
    "isnan": _isnan,
    "log": _log,
    "log10": _log_base(10),
    "log2": _log_base(2),
    "masked_fill": _masked_fill,
    "mul": _mul,
    "multiply": _mul,
    "neg": _neg,
    "negative": _neg,
    "polar": _polar,
    "pow": _pow,
    "real": _real,
    "reciprocal": _reciprocal,
    "rsub": _rsub,
    "sgn": _sgn,
    "square": _square,
    "sub": _sub,
    "subtract": _sub,
    "true_divide": _div,
    "view_as_complex": _view_as_complex,
    "view_as_complex_copy": _view_as_complex,
    "view_as_real": _view_as_real,
    "view_as_real_copy": _view_as_real,
    "where": _where,
}
"""Rewrites by the operator's name."""
