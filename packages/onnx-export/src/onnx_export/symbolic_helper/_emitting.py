"""Operators whose forms changed between opsets, written in the form of the target."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics import GraphContext
from onnx_export.symbolic_helper._dtypes import JitScalarType, _is_fp, _try_get_scalar_type
from onnx_export.symbolic_helper._errors import (
    SymbolicValueError,
    _onnx_opset_unsupported,
    _unimplemented,
)
from onnx_export.symbolic_helper._values import (
    _get_tensor_rank,
    _is_none,
    _maybe_get_const,
    _maybe_get_scalar,
    _parse_arg,
)

__all__ = [
    "_argmin_argmax_helper",
    "_flatten_helper",
    "_generate_wrapped_number",
    "_maybe_cast_to_type",
    "_numel_helper",
    "_op_with_optional_float_cast",
    "_optional_input_placeholder_tensor",
    "_reducesum_helper",
    "_reshape_helper",
    "_select_helper",
    "_size_helper",
    "_slice_helper",
    "_sort_helper",
    "_squeeze_helper",
    "_topk_helper",
    "_unsqueeze_helper",
    "check_training_mode",
]

# The opsets at which these operators took another form.
_AXES_AS_INPUT = 13
_SLICE_BY_INPUTS = 10
_TOPK_BY_INPUT = 10
_TOPK_SMALLEST = 11
_RESHAPE_TO_NOTHING = 14
_LAST_OF_EQUALS = 12


def _vector(g: GraphContext, numbers: object) -> torch._C.Value:
    """A value, or a constant of integers."""
    if isinstance(numbers, torch._C.Value):
        return numbers
    return g.op("Constant", value_t=torch.tensor(numbers, dtype=torch.int64))


def _optional_input_placeholder_tensor(g: GraphContext) -> torch._C.Value:
    """What stands for an input that is left out before others."""
    return g.op("prim::Constant").setType(torch._C.OptionalType.ofTensor())


def _reshape_helper(
    g: GraphContext, input: torch._C.Value, shape: object, allowzero: int = 0
) -> torch._C.Value:
    """``input`` in another shape, a value or a list of sizes.

    Args:
        g: where to.
        input: the tensor.
        shape: the sizes; -1 follows from the others.
        allowzero: 1 lets a 0 mean the size 0, and not that of the input.
    """
    sizes = _vector(g, _maybe_get_const(shape, "is"))
    if g.opset >= _RESHAPE_TO_NOTHING:
        return g.op("Reshape", input, sizes, allowzero_i=allowzero)
    if allowzero:
        _onnx_opset_unsupported("Reshape with allowzero=1", g.opset, _RESHAPE_TO_NOTHING, input)
    return g.op("Reshape", input, sizes)


def _slice_helper(
    g: GraphContext,
    input: torch._C.Value,
    axes: object,
    starts: object,
    ends: object,
    steps: object = None,
) -> torch._C.Value:
    """A part of ``input``; lists of integers, or from opset 10 on also values."""
    if g.opset >= _SLICE_BY_INPUTS:
        bounds = [_vector(g, _maybe_get_const(given, "is")) for given in (starts, ends, axes)]
        rest = [] if _is_none(steps) else [_vector(g, _maybe_get_const(steps, "is"))]
        return g.op("Slice", input, *bounds, *rest)
    if not _is_none(steps) and any(step != 1 for step in _constants(steps, "steps")):
        _onnx_opset_unsupported("a slice with steps", g.opset, _SLICE_BY_INPUTS, input)
    return g.op(
        "Slice",
        input,
        axes_i=_constants(axes, "axes"),
        starts_i=_constants(starts, "starts"),
        ends_i=_constants(ends, "ends"),
    )


def _constants(given: object, name: str) -> list[int]:
    found = _parse_arg(given, "is", name)
    if not isinstance(found, Sequence):
        raise SymbolicValueError(f"{name} must be a list of integers, got {found!r}")
    return [int(item) for item in found]


def _with_axes(
    g: GraphContext, op_name: str, input: torch._C.Value, axes: Sequence[object]
) -> torch._C.Value:
    """An operator whose axes became an input at opset 13."""
    if axes and isinstance(axes[0], torch._C.Value):
        if g.opset < _AXES_AS_INPUT:
            _onnx_opset_unsupported(f"{op_name} with computed axes", g.opset, _AXES_AS_INPUT, input)
        computed = axes[0]
        if _get_tensor_rank(computed) == 0:
            computed = _unsqueeze_helper(g, computed, [0])
        return g.op(op_name, input, computed)
    if g.opset >= _AXES_AS_INPUT:
        return g.op(op_name, input, _vector(g, list(axes)))
    return g.op(op_name, input, axes_i=list(axes))


def _unsqueeze_helper(g: GraphContext, input: torch._C.Value, axes_i: Sequence[object]) -> torch._C.Value:
    """``input`` with further dimensions of size 1; no axes, no node."""
    return _with_axes(g, "Unsqueeze", input, axes_i) if axes_i else input


def _squeeze_helper(g: GraphContext, input: torch._C.Value, axes_i: Sequence[object]) -> torch._C.Value:
    """``input`` without these dimensions, whose sizes are 1."""
    return _with_axes(g, "Squeeze", input, axes_i)


def _reducesum_helper(
    g: GraphContext,
    input: torch._C.Value,
    axes_i: object = None,
    keepdims_i: object = 1,
    noop_with_empty_axes_i: int = 0,
) -> torch._C.Value:
    """The sum over axes, a value or a list; None is all of them."""
    keepdims = _maybe_get_const(keepdims_i, "i")
    if g.opset < _AXES_AS_INPUT:
        axes = None if _is_none(axes_i) else _constants(axes_i, "axes")
        return g.op("ReduceSum", input, axes_i=axes, keepdims_i=keepdims)
    given = [] if axes_i is None or axes_i == [] else [_vector(g, axes_i)]
    return g.op(
        "ReduceSum", input, *given, keepdims_i=keepdims, noop_with_empty_axes_i=noop_with_empty_axes_i
    )


def _select_helper(
    g: GraphContext, self: torch._C.Value, dim: int, index: object, apply_reshape: bool = True
) -> torch._C.Value:
    """The entries at ``index`` along ``dim``; the dimension stays, with one entry for a single index."""
    number = _maybe_get_scalar(index)
    if not isinstance(number, torch._C.Value):
        found = number.item() if isinstance(number, torch.Tensor) else number
        return g.op("Gather", self, _vector(g, [found]), axis_i=dim)
    places = number
    if apply_reshape and _get_tensor_rank(places) == 0:
        places = _reshape_helper(g, places, [1])
    if _try_get_scalar_type(places) not in (JitScalarType.INT64, JitScalarType.INT):
        places = g.op("Cast", places, to_i=ir.DataType.INT64)
    return g.op("Gather", self, places, axis_i=dim)


def _size_helper(g: GraphContext, self: torch._C.Value, dim: object) -> torch._C.Value:
    """The size of a dimension, a number."""
    shape = g.op("Shape", self)
    axis = dim if isinstance(dim, torch._C.Value) else g.op("Constant", value_t=torch.tensor(dim))
    return g.op("Gather", shape, axis, axis_i=0)


def _numel_helper(g: GraphContext, self: torch._C.Value) -> torch._C.Value:
    """The number of elements."""
    return g.op("ReduceProd", g.op("Shape", self), keepdims_i=0)


def _flatten_helper(
    g: GraphContext, input: torch._C.Value, start_dim: int, end_dim: int, dim: int
) -> torch._C.Value:
    """``input``, which has ``dim`` dimensions, with those from ``start_dim`` to ``end_dim`` as one."""
    shape = g.op("Shape", input)
    parts = [_slice_helper(g, shape, [0], [0], [start_dim]), _vector(g, [-1])]
    if end_dim < dim - 1:
        parts.append(_slice_helper(g, shape, [0], [end_dim + 1], [sys.maxsize]))
    return _reshape_helper(g, input, g.op("Concat", *parts, axis_i=0))


def _topk_helper(
    g: GraphContext,
    input: torch._C.Value,
    k: object,
    dim: int,
    largest: bool = True,
    sorted: bool = False,
    out: object = None,
) -> tuple[torch._C.Value, ...]:
    """The ``k`` greatest elements along ``dim``, or the smallest ones from opset 11 on, and their places."""
    if not _is_none(out):
        _unimplemented("topk", "it writes into out")
    if g.opset < _TOPK_SMALLEST and not largest:
        _onnx_opset_unsupported("topk of the smallest", g.opset, _TOPK_SMALLEST, input)
    number = _maybe_get_const(k, "i")
    if g.opset < _TOPK_BY_INPUT:
        if not isinstance(number, int):
            _onnx_opset_unsupported("topk with a computed k", g.opset, _TOPK_BY_INPUT, input)
        return _several(g.op("TopK", input, axis_i=dim, k_i=number, outputs=2))
    if isinstance(number, torch._C.Value):
        count = _reshape_helper(g, number, [1])
        if _try_get_scalar_type(count) != JitScalarType.INT64:
            count = g.op("Cast", count, to_i=ir.DataType.INT64)
    else:
        count = _vector(g, [number])
    if g.opset < _TOPK_SMALLEST:
        return _several(g.op("TopK", input, count, outputs=2, axis_i=dim))
    found = g.op("TopK", input, count, outputs=2, axis_i=dim, largest_i=int(largest), sorted_i=int(sorted))
    return _several(found)


def _sort_helper(
    g: GraphContext, input: torch._C.Value, dim: int, descending: bool = True, out: object = None
) -> tuple[torch._C.Value, ...]:
    """The elements in order along ``dim``, and their places."""
    size = g.op("Gather", g.op("Shape", input), _vector(g, [dim]), axis_i=0)
    return _topk_helper(g, input, size, dim, largest=bool(descending), sorted=True, out=out)


def _several(values: torch._C.Value | tuple[torch._C.Value, ...]) -> tuple[torch._C.Value, ...]:
    return values if isinstance(values, tuple) else (values,)


def _argmin_argmax_helper(
    g: GraphContext, input: torch._C.Value, dim: object, keepdim: object, op_name: str
) -> torch._C.Value:
    """The places of the least or greatest elements, by the operator ``op_name``; the first of equal ones."""
    last = 0 if g.opset >= _LAST_OF_EQUALS else None
    keeps = bool(_maybe_get_const(keepdim, "b"))
    if not _is_none(dim):
        axis = _parse_arg(dim, "i", "dim", op_name)
        return g.op(op_name, input, axis_i=axis, keepdims_i=keeps, select_last_index_i=last)
    flat = _reshape_helper(g, input, [-1])
    place = g.op(op_name, flat, axis_i=0, keepdims_i=0, select_last_index_i=last)
    if not keeps:
        return place
    rank = g.op("Shape", g.op("Shape", input))
    return g.op("Reshape", place, g.op("ConstantOfShape", rank, value_t=torch.ones(1, dtype=torch.int64)))


def _generate_wrapped_number(g: GraphContext, scalar: int | float | bool) -> torch._C.Value:
    """A constant for a number of Python's; it does not widen what it is combined with."""
    dtype = torch.float64 if isinstance(scalar, float) else None
    return g.op("Constant", value_t=torch.tensor(scalar, dtype=dtype))


def _maybe_cast_to_type(g: GraphContext, value: torch._C.Value, jit_type: JitScalarType) -> torch._C.Value:
    """``value`` as this dtype; no node where it has it."""
    if JitScalarType.from_value(value, JitScalarType.UNDEFINED) == jit_type:
        return value
    return g.op("Cast", value, to_i=jit_type.onnx_type())


def _op_with_optional_float_cast(
    g: GraphContext,
    op_name: str,
    *args: torch._C.Value,
    opset_before: int | None = None,
    target_float_t: JitScalarType = JitScalarType.FLOAT,
    **kwargs: object,
) -> torch._C.Value:
    """An operator that takes floats only below an opset: integers become floats, and the result integers.

    Args:
        g: where to.
        op_name: the operator.
        args: its inputs, which have one dtype.
        opset_before: the first opset at which the operator takes integers; None for no such opset.
        target_float_t: the dtype in between.
        kwargs: its attributes.
    """
    dtype = JitScalarType.from_value(args[0])
    if _is_fp(args[0]) or (opset_before is not None and g.opset >= opset_before):
        return g.op(op_name, *args, outputs=1, **kwargs)
    floats = [_maybe_cast_to_type(g, value, target_float_t) for value in args]
    return g.op("Cast", g.op(op_name, *floats, outputs=1, **kwargs), to_i=dtype.onnx_type())


def check_training_mode(op_train_mode: int, op_name: str) -> None:
    """Warn of an operator that is exported as it is while a model is trained."""
    if op_train_mode:
        warnings.warn(f"{op_name} is exported in training mode, as the model calls it", stacklevel=2)
