"""Normalisations and norms."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    batch_normalized,
    batch_normalized_for_inference,
    batch_normalized_with_statistics,
    batch_normalized_with_update,
    group_normalized,
    group_normalized_with_moments,
    instance_normalized,
    layer_normalized,
    layer_normalized_with_moments,
    rms_normalized,
    vector_norm,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "batch_norm",
    "frobenius_norm",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "linalg_vector_norm",
    "native_batch_norm_legit_functional",
    "native_batch_norm_legit_no_stats",
    "native_batch_norm_legit_no_training",
    "native_group_norm",
    "native_layer_norm",
    "norm",
    "norm_dim",
    "norm_dim_dtype",
    "norm_dtype",
    "rms_norm",
]


@symbolic("aten::layer_norm")
def layer_norm(
    g: SymbolicContext,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
    cudnn_enable: bool = True,
) -> Value:
    """layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor"""
    return layer_normalized(g, input, normalized_shape, weight, bias, eps)


@symbolic("aten::native_layer_norm")
def native_layer_norm(
    g: SymbolicContext,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None,
    bias: Value | None,
    eps: float,
) -> tuple[Value, Value, Value]:
    """native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)"""
    return layer_normalized_with_moments(g, input, normalized_shape, weight, bias, eps)


@symbolic("aten::rms_norm")
def rms_norm(
    g: SymbolicContext,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    eps: float | None = None,
) -> Value:
    """rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"""
    return rms_normalized(g, input, normalized_shape, weight, eps)


@symbolic("aten::batch_norm")
def batch_norm(
    g: SymbolicContext,
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
    return batch_normalized(g, input, weight, bias, running_mean, running_var, training, eps)


@symbolic("aten::_native_batch_norm_legit_no_training")
def native_batch_norm_legit_no_training(
    g: SymbolicContext,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value]:
    """_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)"""
    return batch_normalized_for_inference(g, input, weight, bias, running_mean, running_var, eps)


@symbolic("aten::_native_batch_norm_legit_functional")
def native_batch_norm_legit_functional(
    g: SymbolicContext,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value, Value, Value]:
    """_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)"""
    return batch_normalized_with_update(
        g, input, weight, bias, running_mean, running_var, training, momentum, eps
    )


@symbolic("aten::_native_batch_norm_legit.no_stats")
def native_batch_norm_legit_no_stats(
    g: SymbolicContext,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value]:
    """_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"""
    return batch_normalized_with_statistics(g, input, weight, bias, eps)


@symbolic("aten::instance_norm")
def instance_norm(
    g: SymbolicContext,
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
    return instance_normalized(g, input, weight, bias, running_mean, running_var, use_input_stats, eps)


@symbolic("aten::group_norm")
def group_norm(
    g: SymbolicContext,
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
    cudnn_enabled: bool = True,
) -> Value:
    """group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor"""
    return group_normalized(g, input, num_groups, weight, bias, eps)


@symbolic("aten::native_group_norm")
def native_group_norm(
    g: SymbolicContext,
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
    return group_normalized_with_moments(g, input, weight, bias, group, eps)


@symbolic("aten::linalg_vector_norm")
def linalg_vector_norm(
    g: SymbolicContext,
    self: Value,
    ord: Scalar = 2,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return vector_norm(g, self, ord, dim, keepdim, dtype)


@symbolic("aten::norm.Scalar")
def norm(g: SymbolicContext, self: Value, p: Scalar = 2) -> Value:
    """norm.Scalar(Tensor self, Scalar p=2) -> Tensor"""
    return linalg_vector_norm(g, self, p)


@symbolic("aten::norm.ScalarOpt_dim")
def norm_dim(
    g: SymbolicContext, self: Value, p: Scalar | None, dim: Sequence[int], keepdim: bool = False
) -> Value:
    """norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor"""
    return linalg_vector_norm(g, self, 2 if p is None else p, dim, keepdim)


@symbolic("aten::norm.ScalarOpt_dtype")
def norm_dtype(g: SymbolicContext, self: Value, p: Scalar | None, dtype: ir.DataType) -> Value:
    """norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"""
    return linalg_vector_norm(g, self, 2 if p is None else p, dtype=dtype)


@symbolic("aten::norm.ScalarOpt_dim_dtype")
def norm_dim_dtype(
    g: SymbolicContext, self: Value, p: Scalar | None, dim: Sequence[int], keepdim: bool, dtype: ir.DataType
) -> Value:
    """norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor"""
    return linalg_vector_norm(g, self, 2 if p is None else p, dim, keepdim, dtype)


@symbolic("aten::frobenius_norm.dim")
def frobenius_norm(g: SymbolicContext, self: Value, dim: Sequence[int], keepdim: bool = False) -> Value:
    """frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"""
    return vector_norm(g, self, 2, dim, keepdim)
