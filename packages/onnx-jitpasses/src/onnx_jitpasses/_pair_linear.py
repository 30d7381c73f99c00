"""What is linear in complex tensors: sums, and products of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import TorchDType, constant_value, is_constant
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._pair_arithmetic import absolute, conjugate, to_real
from onnx_jitpasses._pair_call import PARTS, PairCall, Rewrite

__all__ = ["LINEAR"]

_COMPLEX_NAMES = ("complex64", "complex128")


def _part_of(call: PairCall, value: ir.Value, index: int) -> ir.Value:
    """Of an argument the parts with this index; what is not complex as it is."""
    if call.is_pair(value):
        return call.component(value, index)
    if is_constant(value):
        found = constant_value(value)
        is_complex_dtype = isinstance(found, TorchDType) and found.name in _COMPLEX_NAMES
        return call.held(call.part) if is_complex_dtype else value
    return value


def _apart(call: PairCall) -> ir.Value:
    """The same call on real and imaginary parts alone; on one tensor where the result is real."""
    value, dims = call.tensor(0), call.dims(call.output)

    def on_part(first: ir.Value, index: int, like: ir.Value) -> ir.Value:
        rest = [None if given is None else _part_of(call, given, index) for given in call.node.inputs[1:]]
        return call.emission.call(call.node, [first, *rest], like)

    if call.output.dtype not in PARTS:
        # The dtype is asked for, or a complex tensor only lends its shape.
        first = to_real(call, value) if call.is_pair(value) else value
        return on_part(first, 0, call.real_like(dims, call.output.dtype))
    pair = call.pair(value)
    return call.join(*(on_part(call.component(pair, index), index, call.real_like(dims)) for index in (0, 1)))


def _pad(call: PairCall) -> ir.Value:
    """What stands at the edges is real, and 0 in the imaginary parts."""
    position = 3 if call.node.op_type == "pad" else 2
    number = None if call.is_none(position) else call.number(call.tensor(position))
    if number not in (None, 0):
        raise call.refuse("it pads with another number than 0")
    return _apart(call)


def _reduction(op: str) -> Rewrite:
    def rewrite(call: PairCall) -> ir.Value:
        overload, rank = call.node.overload, call.rank(call.tensor(0))
        if overload not in ("", "dim", "dim_IntList"):
            raise call.refuse("it names its dimensions")
        is_complex = call.output.dtype in PARTS
        value = call.pair(call.tensor(0)) if is_complex else to_real(call, call.tensor(0))
        if rank == 0:
            return call.same(value)
        is_whole = overload == "" or call.is_none(1) or not call.integers(1)
        dims = list(range(rank)) if is_whole else [call.axis(value, dim) for dim in call.integers(1)]
        keeps = bool(overload) and call.constant(2) is True
        inputs: list[Argument] = [value, call.ints(dims), keeps, None if is_complex else call.dtype]
        sizes = call.dims(call.output)
        like = call.pair_like(sizes) if is_complex else call.real_like(sizes, call.output.dtype)
        return call.call(op, inputs, like)

    return rewrite


def _norm(call: PairCall) -> Sequence[ir.Value]:
    """The norm of the absolute values, in the dtype of the result, which a complex dtype asks for."""
    parts = call.cast(call.tensor(0), call.dtype)
    none = call.held(None)
    dtypes = {
        position: none
        for position, value in enumerate(call.node.inputs)
        if value is not None and is_constant(value) and isinstance(constant_value(value), TorchDType)
    }
    return call.copy({0: absolute(call, call.mark(parts)), **dtypes})


def _variance(call: PairCall) -> ir.Value:
    """The sum of the variances of both parts."""
    parts = [
        call.emission.call(call.node, [call.component(call.tensor(0), index), *call.node.inputs[1:]], like)
        for index, like in ((0, call.output), (1, call.output))
    ]
    return call.call("aten::add.Tensor", [*parts, 1], call.output)


def _matmul(call: PairCall) -> ir.Value:
    return _product(call, call.tensor(0), call.tensor(1))


def _vdot(call: PairCall) -> ir.Value:
    one = call.tensor(0)
    return _product(call, conjugate(call, one) if call.is_pair(one) else one, call.tensor(1))


# What is called on the parts.
_OPS = {
    **{name: f"aten::{name}" for name in ("bmm", "dot", "linear", "matmul", "mm", "mv", "outer")},
    "vdot": "aten::dot",
}


def _product(call: PairCall, one: ir.Value, other: ir.Value) -> ir.Value:
    """The product of the call's kind: of the parts of one tensor with those of the other."""
    (a, b), (c, d) = call.components(one), call.components(other)
    like = call.real_like(call.dims(call.output))

    def times(left: ir.Value, right: ir.Value) -> ir.Value:
        if call.node.op_type == "einsum":
            return call.call("aten::einsum", [call.tensor(0), call.list([left, right]), None], like)
        rest: list[ir.Value | None] = [None] if call.node.op_type == "linear" else []
        return call.call(_OPS[call.node.op_type], [left, right, *rest], like)

    if b is None or d is None:
        # One of them is complex, or nobody had asked.
        return call.join(times(a, c), times(a if b is None else b, c if d is None else d))
    real = call.call("aten::sub.Tensor", [times(a, c), times(b, d), 1], like)
    return call.join(real, call.call("aten::add.Tensor", [times(a, d), times(b, c), 1], like))


def _einsum(call: PairCall) -> ir.Value:
    operands = call.items(1)
    if len(operands) == 2:
        return _product(call, *operands)
    if len(operands) != 1:
        raise call.refuse("it takes more than two tensors")
    like = call.real_like(call.dims(call.output))
    parts = [part for part in call.components(operands[0]) if part is not None]
    return call.join(
        *(call.call("aten::einsum", [call.tensor(0), call.list([part]), None], like) for part in parts)
    )


def _linear(call: PairCall) -> ir.Value:
    product = _product(call, call.tensor(0), call.tensor(1))
    bias = call.tensor(2)
    if is_constant(bias):
        return product
    like = call.pair_like(call.dims(call.output))
    return call.call("aten::add.Tensor", [product, call.pair(bias), 1], like)


LINEAR: Mapping[str, Rewrite] = {
    "bmm": _matmul,
    "constant_pad_nd": _pad,
    "cumsum": _apart,
    "diag_embed": _apart,
    "diagonal": _apart,
    "dot": _matmul,
    "einsum": _einsum,
    "expand_as": _apart,
    "fft_fftshift": _apart,
    "fft_ifftshift": _apart,
    "gather": _apart,
    "linalg_vector_norm": _norm,
    "linear": _linear,
    "masked_select": _apart,
    "matmul": _matmul,
    "mean": _reduction("aten::mean.dim"),
    "mm": _matmul,
    "mv": _matmul,
    "norm": _norm,
    "outer": _matmul,
    "pad": _pad,
    "repeat_interleave": _apart,
    "reshape_as": _apart,
    "roll": _apart,
    "sum": _reduction("aten::sum.dim_IntList"),
    "take_along_dim": _apart,
    "tril": _apart,
    "triu": _apart,
    "unfold": _apart,
    "var": _variance,
    "view_as": _apart,
    "vdot": _vdot,
}
"""Rewrites by the operator's name."""
