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
from onnx_symbolics import SymbolicContext, symbolic

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
    "randperm_10",
    "uniform",
]


_INT64 = 4
"""The number that schemas have for the dtype."""


def _integer(dtype: ir.DataType | int | None) -> ir.DataType:
    return dtype if isinstance(dtype, ir.DataType) else ir.DataType.INT64


@symbolic("aten::rand")
def rand(
    g: SymbolicContext,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return uniform_numbers(g, size, dtype or g.default_float)


@symbolic("aten::randn")
def randn(
    g: SymbolicContext,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return normal_numbers(g, size, dtype or g.default_float)


@symbolic("aten::rand_like")
def rand_like(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return uniform_numbers(g, self, dtype or dtype_of(g, self))


@symbolic("aten::randn_like")
def randn_like(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return normal_numbers(g, self, dtype or dtype_of(g, self))


@symbolic("aten::randint.low")
def randint_low(
    g: SymbolicContext,
    low: SymInt,
    high: SymInt,
    size: Sequence[SymInt],
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return random_integers(g, size, low, high, _integer(dtype))


@symbolic("aten::randint")
def randint(
    g: SymbolicContext,
    high: SymInt,
    size: Sequence[SymInt],
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return random_integers(g, size, 0, high, _integer(dtype))


@symbolic("aten::randint_like.low_dtype")
def randint_like_low_dtype(
    g: SymbolicContext,
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
    return random_integers(g, self, low, high, dtype or dtype_of(g, self))


@symbolic("aten::randint_like")
def randint_like(
    g: SymbolicContext,
    self: Value,
    high: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return random_integers(g, self, 0, high, dtype or dtype_of(g, self))


@symbolic("aten::randperm", since=10)
def randperm_10(
    g: SymbolicContext,
    n: SymInt,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return g.cast(random_order(g, n), _integer(dtype))


@symbolic("aten::bernoulli")
def bernoulli(g: SymbolicContext, self: Value, generator: object = None) -> Value:
    """bernoulli(Tensor self, *, Generator? generator=None) -> Tensor"""
    return truth_by_chance(g, self, dtype_of(g, self))


@symbolic("aten::bernoulli.p")
def bernoulli_p(g: SymbolicContext, self: Value, p: float = 0.5, generator: object = None) -> Value:
    """bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor"""
    drawn = g.Less(uniform_numbers(g, self, ir.DataType.DOUBLE), p)
    return g.cast(drawn, dtype_of(g, self))


@symbolic("aten::bernoulli.Tensor")
def bernoulli_tensor(g: SymbolicContext, self: Value, p: Value, generator: object = None) -> Value:
    """bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor"""
    return truth_by_chance(g, g.Expand(p, g.Shape(self)), dtype_of(g, self))


@symbolic("aten::multinomial")
def multinomial(
    g: SymbolicContext, self: Value, num_samples: SymInt, replacement: bool = False, generator: object = None
) -> Value:
    """multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor"""
    return chosen_classes(g, self, num_samples, replacement=replacement)


def _stretched(g: SymbolicContext, mean: Value | float, std: Value | float) -> Value:
    """Normally distributed numbers, one for each element that mean and deviation come to together."""
    center, spread = promote(g, mean, std, dtype=promoted_dtype((mean, std), g.default_float))
    shape = g.Add(center, spread)
    return g.Add(g.Mul(normal_numbers(g, shape, dtype_of(g, shape)), spread), center)


@symbolic("aten::normal.Tensor_Tensor")
def normal_tensor_tensor(g: SymbolicContext, mean: Value, std: Value, generator: object = None) -> Value:
    """normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor"""
    return _stretched(g, mean, std)


@symbolic("aten::normal.Tensor_float")
def normal_tensor_float(g: SymbolicContext, mean: Value, std: float = 1.0, generator: object = None) -> Value:
    """normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor"""
    return _stretched(g, mean, std)


@symbolic("aten::normal.float_Tensor")
def normal_float_tensor(g: SymbolicContext, mean: float, std: Value, generator: object = None) -> Value:
    """normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor"""
    return _stretched(g, mean, std)


@symbolic("aten::normal.float_float")
def normal_float_float(
    g: SymbolicContext,
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
    numbers = normal_numbers(g, size, dtype or g.default_float)
    return g.Add(g.Mul(numbers, std), mean)


@symbolic("aten::normal_functional")
def normal_functional(
    g: SymbolicContext, self: Value, mean: float = 0.0, std: float = 1.0, generator: object = None
) -> Value:
    """normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor"""
    return g.Add(g.Mul(normal_numbers(g, self, dtype_of(g, self)), std), mean)


@symbolic("aten::uniform")
def uniform(
    g: SymbolicContext, self: Value, from_: float = 0.0, to: float = 1.0, generator: object = None
) -> Value:
    """uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor"""
    return g.Add(g.Mul(uniform_numbers(g, self, dtype_of(g, self)), to - from_), from_)


@symbolic("aten::exponential")
def exponential(g: SymbolicContext, self: Value, lambd: float = 1.0, generator: object = None) -> Value:
    """exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor"""
    return exponential_numbers(g, self, lambd, dtype_of(g, self))


@symbolic("aten::cauchy")
def cauchy(
    g: SymbolicContext, self: Value, median: float = 0.0, sigma: float = 1.0, generator: object = None
) -> Value:
    """cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor"""
    angle = g.Mul(g.Sub(uniform_numbers(g, self, ir.DataType.DOUBLE), 0.5), math.pi)
    numbers = g.Add(g.Mul(g.Div(g.Sin(angle), g.Cos(angle)), sigma), median)
    return g.cast(numbers, dtype_of(g, self))


@symbolic("aten::geometric")
def geometric(g: SymbolicContext, self: Value, p: float, generator: object = None) -> Value:
    """geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor"""
    if p == 1:
        return g.cast(g.Expand(g.constant(1), g.Shape(self)), dtype_of(g, self))
    waits = exponential_numbers(g, self, -math.log1p(-p), ir.DataType.DOUBLE)
    return g.cast(g.Ceil(waits), dtype_of(g, self))


@symbolic("aten::log_normal")
def log_normal(
    g: SymbolicContext, self: Value, mean: float = 1.0, std: float = 2.0, generator: object = None
) -> Value:
    """log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor"""
    return g.Exp(normal_functional(g, self, mean, std))
