"""Random numbers: other ones in every run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    chosen_classes,
    dtype_of,
    exponential_numbers,
    normal_numbers,
    promote,
    promoted_dtype,
    random_integers,
    random_order,
    truth_by_chance,
    uniform_numbers,
)
from onnx_torchlib import Op, translator

__all__ = [
    "bernoulli",
    "bernoulli_p",
    "bernoulli_tensor",
    "cauchy",
    "exponential",
    "geometric",
    "log_normal",
    "multinomial",
    "normal_float_float",
    "normal_float_tensor",
    "normal_functional",
    "normal_tensor_float",
    "normal_tensor_tensor",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randint_like_low_dtype",
    "randint_low",
    "randn",
    "randn_like",
    "randperm",
    "uniform",
]


_INT64 = 4
"""The number that schemas have for the dtype."""


def _integer(dtype: ir.DataType | int | None) -> ir.DataType:
    return dtype if isinstance(dtype, ir.DataType) else ir.DataType.INT64


@translator("aten::rand")
def rand(
    op: Op,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return uniform_numbers(op, size, dtype or op.default_float)


@translator("aten::randn")
def randn(
    op: Op,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return normal_numbers(op, size, dtype or op.default_float)


@translator("aten::rand_like")
def rand_like(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return uniform_numbers(op, self, dtype or dtype_of(op, self))


@translator("aten::randn_like")
def randn_like(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return normal_numbers(op, self, dtype or dtype_of(op, self))


@translator("aten::randint.low")
def randint_low(
    op: Op,
    low: SymInt,
    high: SymInt,
    size: Sequence[SymInt],
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return random_integers(op, size, low, high, _integer(dtype))


@translator("aten::randint")
def randint(
    op: Op,
    high: SymInt,
    size: Sequence[SymInt],
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return random_integers(op, size, 0, high, _integer(dtype))


@translator("aten::randint_like.low_dtype")
def randint_like_low_dtype(
    op: Op,
    self: Value,
    low: SymInt,
    high: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return random_integers(op, self, low, high, dtype or dtype_of(op, self))


@translator("aten::randint_like")
def randint_like(
    op: Op,
    self: Value,
    high: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return random_integers(op, self, 0, high, dtype or dtype_of(op, self))


@translator("aten::randperm")
def randperm(
    op: Op,
    n: SymInt,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return op.cast(random_order(op, n), _integer(dtype))


@translator("aten::bernoulli")
def bernoulli(op: Op, self: Value, generator: object = None) -> Value:
    """bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"""
    return truth_by_chance(op, self, dtype_of(op, self))


@translator("aten::bernoulli.p")
def bernoulli_p(op: Op, self: Value, p: float = 0.5, generator: object = None) -> Value:
    """bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"""
    drawn = op.Less(uniform_numbers(op, self, ir.DataType.DOUBLE), p)
    return op.cast(drawn, dtype_of(op, self))


@translator("aten::bernoulli.Tensor")
def bernoulli_tensor(op: Op, self: Value, p: Value, generator: object = None) -> Value:
    """bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor"""
    return truth_by_chance(op, op.Expand(p, op.Shape(self)), dtype_of(op, self))


@translator("aten::multinomial")
def multinomial(
    op: Op, self: Value, num_samples: SymInt, replacement: bool = False, generator: object = None
) -> Value:
    """multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor"""
    return chosen_classes(op, self, num_samples, replacement=replacement)


def _stretched(op: Op, mean: Value | float, std: Value | float) -> Value:
    """Normally distributed numbers, one for each element that mean and deviation come to together."""
    center, spread = promote(op, mean, std, dtype=promoted_dtype((mean, std), op.default_float))
    shape = op.Add(center, spread)
    return op.Add(op.Mul(normal_numbers(op, shape, dtype_of(op, shape)), spread), center)


@translator("aten::normal.Tensor_Tensor")
def normal_tensor_tensor(op: Op, mean: Value, std: Value, generator: object = None) -> Value:
    """normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"""
    return _stretched(op, mean, std)


@translator("aten::normal.Tensor_float")
def normal_tensor_float(op: Op, mean: Value, std: float = 1.0, generator: object = None) -> Value:
    """normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"""
    return _stretched(op, mean, std)


@translator("aten::normal.float_Tensor")
def normal_float_tensor(op: Op, mean: float, std: Value, generator: object = None) -> Value:
    """normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"""
    return _stretched(op, mean, std)


@translator("aten::normal.float_float")
def normal_float_float(
    op: Op,
    mean: float,
    std: float,
    size: Sequence[SymInt],
    generator: object = None,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    numbers = normal_numbers(op, size, dtype or op.default_float)
    return op.Add(op.Mul(numbers, std), mean)


@translator("aten::normal_functional")
def normal_functional(
    op: Op, self: Value, mean: float = 0.0, std: float = 1.0, generator: object = None
) -> Value:
    """normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor"""
    return op.Add(op.Mul(normal_numbers(op, self, dtype_of(op, self)), std), mean)


@translator("aten::uniform")
def uniform(op: Op, self: Value, from_: float = 0.0, to: float = 1.0, generator: object = None) -> Value:
    """uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor"""
    return op.Add(op.Mul(uniform_numbers(op, self, dtype_of(op, self)), to - from_), from_)


@translator("aten::exponential")
def exponential(op: Op, self: Value, lambd: float = 1.0, generator: object = None) -> Value:
    """exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor"""
    return exponential_numbers(op, self, lambd, dtype_of(op, self))


@translator("aten::cauchy")
def cauchy(op: Op, self: Value, median: float = 0.0, sigma: float = 1.0, generator: object = None) -> Value:
    """cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor"""
    angle = op.Mul(op.Sub(uniform_numbers(op, self, ir.DataType.DOUBLE), 0.5), math.pi)
    numbers = op.Add(op.Mul(op.Div(op.Sin(angle), op.Cos(angle)), sigma), median)
    return op.cast(numbers, dtype_of(op, self))


@translator("aten::geometric")
def geometric(op: Op, self: Value, p: float, generator: object = None) -> Value:
    """geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor"""
    if p == 1:
        return op.cast(op.Expand(op.constant(1), op.Shape(self)), dtype_of(op, self))
    waits = exponential_numbers(op, self, -math.log1p(-p), ir.DataType.DOUBLE)
    return op.cast(op.Ceil(waits), dtype_of(op, self))


@translator("aten::log_normal")
def log_normal(op: Op, self: Value, mean: float = 1.0, std: float = 2.0, generator: object = None) -> Value:
    """log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor"""
    return op.Exp(normal_functional(op, self, mean, std))
