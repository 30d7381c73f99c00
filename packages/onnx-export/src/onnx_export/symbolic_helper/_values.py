"""What values are: constants, lists, None, and their types."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from onnx_export._torch_symbolics._attributes import attribute_of
from onnx_export.symbolic_helper._errors import SymbolicValueError

__all__ = [
    "_get_const",
    "_get_dim_for_cross",
    "_get_tensor_dim_size",
    "_get_tensor_rank",
    "_get_tensor_sizes",
    "_is_constant",
    "_is_list",
    "_is_none",
    "_is_onnx_constant",
    "_is_packed_list",
    "_is_scalar_list",
    "_is_tensor",
    "_is_tensor_list",
    "_is_tuple_construct",
    "_is_value",
    "_maybe_get_const",
    "_maybe_get_scalar",
    "_node_get",
    "_parse_arg",
    "_scalar",
    "_unpack_list",
    "_unpack_tuple",
]


def _is_value(x: object) -> bool:
    """Whether it is a value of the graph, and no object of Python's."""
    return isinstance(x, torch._C.Value)


def _is_none(x: object) -> bool:
    """Whether it is None, or a value that stands for it."""
    return x is None or (isinstance(x, torch._C.Value) and x.node().mustBeNone())


def _is_onnx_constant(value: torch._C.Value) -> bool:
    """Whether the value is a constant that ONNX can hold."""
    return value.node().kind() == "onnx::Constant"


def _is_constant(value: object) -> bool:
    """Whether it is known now: an object of Python's, or a constant of the graph."""
    if not isinstance(value, torch._C.Value):
        return True
    return value.node().kind() in ("onnx::Constant", "prim::Constant")


def _is_tensor(x: torch._C.Value) -> bool:
    """Whether the value is a tensor."""
    return isinstance(x.type(), torch._C.TensorType)


def _is_list(x: torch._C.Value) -> bool:
    """Whether the value is of a list's type."""
    return isinstance(x.type(), torch._C.ListType)


def _is_tensor_list(x: torch._C.Value) -> bool:
    """Whether the value is a list of tensors."""
    kind = x.type()
    return isinstance(kind, torch._C.ListType) and isinstance(kind.getElementType(), torch._C.TensorType)


def _is_scalar_list(x: torch._C.Value) -> bool:
    """Whether the value is a list whose elements ONNX has a type for."""
    kind = x.type()
    if not isinstance(kind, torch._C.ListType):
        return False
    element = kind.getElementType()
    is_number = element.kind() in ("IntType", "FloatType", "BoolType")
    return is_number or (isinstance(element, torch._C.TensorType) and element.dtype() is not None)


def _is_packed_list(list_value: object) -> bool:
    """Whether the items of a list are known one by one, so that :func:`_unpack_list` gives them."""
    return isinstance(list_value, torch._C.Value) and list_value.node().kind() == "prim::ListConstruct"


def _is_tuple_construct(x: torch._C.Value) -> bool:
    """Whether the items of a tuple are known one by one."""
    return x.node().kind() == "prim::TupleConstruct"


def _unpack_list(list_value: torch._C.Value) -> list[torch._C.Value]:
    """The items of a list.

    Raises:
        SymbolicValueError: they are not known one by one.
    """
    if not _is_packed_list(list_value):
        raise SymbolicValueError("the items of a list are wanted that is made in one piece", list_value)
    return list(list_value.node().inputs())


def _unpack_tuple(tuple_value: torch._C.Value) -> tuple[torch._C.Value, ...]:
    """The items of a tuple.

    Raises:
        SymbolicValueError: they are not known one by one.
    """
    if not _is_tuple_construct(tuple_value):
        raise SymbolicValueError("the items of a tuple are wanted that is made in one piece", tuple_value)
    return tuple(tuple_value.node().inputs())


def _node_get(node: torch._C.Node, key: str) -> object:
    """An attribute of a node."""
    return attribute_of(node, key)


def _parse_arg(value: object, desc: str, arg_name: str | None = None, node_name: str | None = None) -> object:
    """A constant as the object that ``desc`` names; see :func:`parse_args`.

    Raises:
        SymbolicValueError: the value is computed at run time, or is of another kind.
    """
    if desc in ("none", "v") or not isinstance(value, torch._C.Value):
        return value
    node = value.node()
    if node.mustBeNone():
        return None
    if _is_packed_list(value) and desc in ("is", "fs"):
        return [_converted(_held(item, arg_name, node_name), desc[0], item) for item in node.inputs()]
    return _converted(_held(value, arg_name, node_name), desc, value)


def _held(value: torch._C.Value, arg_name: str | None, node_name: str | None) -> object:
    node = value.node()
    if node.kind() == "prim::Constant":
        found: object = value.toIValue()
        return found
    if node.kind() != "onnx::Constant":
        what = "a value" if arg_name is None else f"the argument {arg_name!r}"
        where = "" if node_name is None else f" of {node_name}"
        raise SymbolicValueError(f"{what}{where} is computed at run time, and only a constant will do", value)
    return _node_get(node, next(iter(node.attributeNames())))


def _converted(held: object, desc: str, value: torch._C.Value) -> object:
    if desc == "t":
        return held
    if desc == "s":
        return str(held)
    if desc in ("is", "fs"):
        items: object = held.flatten().tolist() if isinstance(held, torch.Tensor) else held
        listed: Sequence[object] = items if isinstance(items, list | tuple) else [items]
        return [_converted(item, desc[0], value) for item in listed]
    number = held.item() if isinstance(held, torch.Tensor) and held.numel() == 1 else held
    if not isinstance(number, int | float):
        raise SymbolicValueError(f"one number is wanted, where the constant is {held!r}", value)
    if desc == "b":
        return bool(number)
    if desc in ("i", "f"):
        return int(number) if desc == "i" else float(number)
    raise SymbolicValueError(f"{desc!r} is no kind of argument: v, i, is, f, fs, b, s, t or none", value)


def _maybe_get_const(value: object, descriptor: str) -> object:
    """A constant as :func:`_parse_arg` gives it; anything else as it is."""
    if isinstance(value, torch._C.Value) and _is_onnx_constant(value):
        return _parse_arg(value, descriptor)
    return value


def _maybe_get_scalar(value: object) -> object:
    """The tensor of a constant without dimensions; anything else as it is."""
    held = _maybe_get_const(value, "t")
    return held if isinstance(held, torch.Tensor) and held.ndim == 0 else value


def _get_const(value: object, desc: str, arg_name: str) -> object:
    """A constant as :func:`_parse_arg` gives it.

    Raises:
        SymbolicValueError: it is computed at run time.
    """
    return _parse_arg(value, desc, arg_name)


def _scalar(x: object) -> int | float | bool | complex | None:
    """The number in a tensor without dimensions; None for anything else."""
    if not isinstance(x, torch.Tensor) or x.ndim:
        return None
    number: object = x.item()
    return number if isinstance(number, int | float | complex) else None


def _get_tensor_rank(x: torch._C.Value) -> int | None:
    """The number of dimensions, None if it is not known."""
    kind = x.type()
    return kind.dim() if isinstance(kind, torch._C.TensorType) else None


def _get_tensor_sizes(x: torch._C.Value, allow_nonstatic: bool = True) -> list[int | None] | None:
    """The sizes, with None for those that vary; None if not even their number is known.

    Args:
        x: a tensor.
        allow_nonstatic: False gives None where a size varies.
    """
    kind = x.type()
    sizes = kind.varyingSizes() if isinstance(kind, torch._C.TensorType) else None
    if sizes is None or (not allow_nonstatic and None in sizes):
        return None
    return sizes


def _get_tensor_dim_size(x: torch._C.Value, dim: int) -> int | None:
    """The size of a dimension, None where it varies or is not known."""
    sizes = _get_tensor_sizes(x)
    return sizes[dim] if sizes else None


def _get_dim_for_cross(x: torch._C.Value, dim: int | None) -> int | None:
    """The dimension that ``torch.cross`` works on: the given one, or the first of size 3."""
    sizes = _get_tensor_sizes(x)
    if sizes is None:
        raise SymbolicValueError("the number of dimensions is not known", x)
    if dim is None:
        return next((axis for axis, size in enumerate(sizes) if size == 3), None)
    return dim + len(sizes) if dim == -1 else dim
