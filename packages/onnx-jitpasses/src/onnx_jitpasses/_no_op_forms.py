"""Which calls give back their first argument: as it is, or in another place of memory."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    ConstantValue,
    Layout,
    MemoryFormat,
    ScalarType,
    TorchDType,
    constant_value,
    is_constant,
    is_plain_tensor,
    items_of,
    op_name,
)
from onnx_jitpasses._words import words

__all__ = ["NoOp", "no_op"]


class NoOp(enum.Enum):
    """What a call without effect on the numbers gives."""

    SAME = "the argument itself, or a view that has its memory, sizes and strides"
    COPY = "the argument's numbers, perhaps in other memory or with other strides"


_Form = Callable[[ir.Node], NoOp | None]

# The largest int64 stands for "to the end".
_END = 2**63 - 1

_ALWAYS_SAME = words("alias detach detach_ lift_fresh positive")
_ALWAYS_COPY = words("clone contiguous lift_fresh_copy resolve_conj resolve_neg")
_DROPOUTS = words("alpha_dropout dropout feature_alpha_dropout feature_dropout")
# No-ops if and only if the shape stays.
_SHAPES = words(
    """
    _unsafe_view broadcast_to expand expand_as flatten narrow reshape reshape_as squeeze unflatten view
    view_as
    """
)
_REPEATS = words("repeat tile")
_PADS = words("constant_pad_nd pad")


def no_op(node: ir.Node) -> NoOp | None:
    """What the call gives back of its first argument; None if it computes something.

    Shapes and dtypes are what the capture noted on the values; where they are unknown, so is the answer.
    """
    if len(node.outputs) != 1 or not node.inputs or node.inputs[0] is None:
        return None
    if node.domain == "prim":
        return NoOp.SAME if node.op_type == "Identity" else None
    if node.domain != "aten":
        return None
    form = _FORMS.get(node.op_type)
    return None if form is None else form(node)


def _constants(node: ir.Node, *positions: int) -> list[ConstantValue] | None:
    """The arguments at ``positions``; None if one is known at run time only."""
    return _all_constants([node.inputs[position] for position in positions])


def _all_constants(values: Sequence[ir.Value | None]) -> list[ConstantValue] | None:
    if any(value is None or not is_constant(value) for value in values):
        return None
    return [constant_value(value) for value in values if value is not None]


def _has_same_shape(node: ir.Node) -> bool:
    before, after = node.inputs[0], node.outputs[0]
    if before is None or before.shape is None or after.shape is None or len(before.shape) != len(after.shape):
        return False
    return all(
        one == other and not (isinstance(one, ir.SymbolicDim) and one.value is None)
        for one, other in zip(before.shape, after.shape, strict=True)
    )


def _has_same_dtype(node: ir.Node) -> bool:
    before, after = node.inputs[0], node.outputs[0]
    if before is None or not is_plain_tensor(before.type) or not is_plain_tensor(after.type):
        return False
    return before.dtype == after.dtype and before.dtype != ir.DataType.UNDEFINED


def _same(node: ir.Node) -> NoOp | None:
    del node
    return NoOp.SAME


def _copy(node: ir.Node) -> NoOp | None:
    del node
    return NoOp.COPY


def _dropout(node: ir.Node) -> NoOp | None:
    return NoOp.SAME if _constants(node, 2) == [False] else None


def _shape(node: ir.Node) -> NoOp | None:
    # view.dtype reads bits; the other overloads speak of shapes only.
    if node.overload in ("dtype", "Dimname") or not _has_same_shape(node):
        return None
    return NoOp.SAME


def _repeat(node: ir.Node) -> NoOp | None:
    return NoOp.COPY if _has_same_shape(node) else None


def _pad(node: ir.Node) -> NoOp | None:
    # The shape does not tell: [1, -1] moves the elements by one.
    sizes = _list_constants(node.inputs[1])
    return NoOp.COPY if sizes is not None and not any(sizes) else None


def _list_constants(value: ir.Value | None) -> Sequence[ConstantValue] | None:
    items = items_of(value)
    return None if items is None else _all_constants(items)


def _permute(node: ir.Node) -> NoOp | None:
    dims = _list_constants(node.inputs[1])
    return NoOp.SAME if dims is not None and list(dims) == list(range(len(dims))) else None


def _transpose(node: ir.Node) -> NoOp | None:
    dims = _constants(node, 1, 2)
    return NoOp.SAME if node.overload == "int" and dims is not None and dims[0] == dims[1] else None


def _slice(node: ir.Node) -> NoOp | None:
    """Full range: by its bounds, or since as many elements are left as there were."""
    if node.overload != "Tensor" or _constants(node, 4) != [1]:
        return None
    bounds = _constants(node, 2, 3)
    is_full = bounds is not None and bounds[0] in (None, 0) and (bounds[1] is None or bounds[1] == _END)
    return NoOp.SAME if is_full or _has_same_shape(node) else None


def _type_as(node: ir.Node) -> NoOp | None:
    return NoOp.SAME if _has_same_dtype(node) else None


# Positions of dtype, layout, pin_memory, copy and memory_format by overload; None where there is no such
# argument. That of a device is not asked for: the dialect's types do not know where a tensor is.
_TO: Mapping[str, tuple[int | None, int | None, int | None, int | None, int]] = {
    "aten::to.dtype": (1, None, None, 3, 4),
    "aten::to.device": (2, None, None, 4, 5),
    "aten::to.dtype_layout": (1, 2, 4, 6, 7),
    "aten::to.other": (None, None, None, 3, 4),
    "aten::_to_copy": (1, 2, 4, None, 6),
}


def _to(node: ir.Node) -> NoOp | None:
    name = str(op_name(node))
    if name not in _TO or not _has_same_dtype(node):
        return None
    dtype, layout, pin_memory, copy, memory_format = _TO[name]
    asked = [position for position in _TO[name] if position is not None]
    given = _constants(node, *asked)
    if given is None:
        return None
    arguments = dict(zip(asked, given, strict=True))
    if dtype is not None and not isinstance(arguments[dtype], TorchDType | None):
        return None
    if layout is not None and arguments[layout] not in (None, Layout("strided")):
        return None
    if pin_memory is not None and arguments[pin_memory]:
        return None
    is_kept = arguments[memory_format] in (None, MemoryFormat("preserve_format"))
    copies = name == "aten::_to_copy" or (copy is not None and arguments[copy] is True)
    return NoOp.SAME if is_kept and not copies else NoOp.COPY


def _times_one(node: ir.Node) -> NoOp | None:
    """Exact for every number, -0.0 and NaN too."""
    return _neutral(node, 1, is_exact_on_floats=True)


def _plus_zero(node: ir.Node) -> NoOp | None:
    """Not for floats: -0.0 + 0 is 0.0."""
    return _neutral(node, 0, is_exact_on_floats=False)


def _neutral(node: ir.Node, number: int, is_exact_on_floats: bool) -> NoOp | None:
    given = _constants(node, 1) if len(node.inputs) > 1 else None
    if given is None or isinstance(given[0], complex) or given[0] != number:
        return None
    before, after = node.inputs[0], node.outputs[0]
    if before is not None and isinstance(before.type, ScalarType):
        is_int = before.type.kind == "int" and before.type == after.type
        return NoOp.SAME if is_int else None
    if node.overload not in ("Tensor", "Scalar") or not _has_same_dtype(node):
        return None
    is_integer = after.dtype is not None and after.dtype.is_integer()
    return NoOp.COPY if is_integer or is_exact_on_floats else None


_FORMS: Mapping[str, _Form] = {
    **dict.fromkeys(_ALWAYS_SAME, _same),
    **dict.fromkeys(_ALWAYS_COPY, _copy),
    **dict.fromkeys(_DROPOUTS, _dropout),
    **dict.fromkeys(_SHAPES, _shape),
    **dict.fromkeys(_REPEATS, _repeat),
    **dict.fromkeys(_PADS, _pad),
    "permute": _permute,
    "transpose": _transpose,
    "slice": _slice,
    "type_as": _type_as,
    "to": _to,
    "_to_copy": _to,
    "mul": _times_one,
    "div": _times_one,
    "floordiv": _times_one,
    "add": _plus_zero,
    "sub": _plus_zero,
}
