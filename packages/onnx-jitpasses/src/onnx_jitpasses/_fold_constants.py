"""The pass :class:`FoldConstants`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    ConstantValue,
    Device,
    ScalarType,
    TorchDType,
    constant_kind,
    is_constant,
    is_construct,
    items_of,
    known_constant,
    op_name,
)
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import make_constant, make_identity
from onnx_jitpasses._graphs import all_nodes, changes_shapes, is_written

__all__ = ["FoldConstants"]

_Number = bool | int | float | complex
_Function = Callable[..., object]


def _int(number: _Number) -> int:
    """Of floats, which may be NaN, torch and Python do not take the same maximum."""
    if not isinstance(number, int):
        raise TypeError(f"{number!r} is no int")
    return number


# By name, for the overloads that take numbers only. Operators are Python's: // rounds down, % has the
# divisor's sign.
_NUMBERS: Mapping[str, _Function] = {
    "aten::Bool": bool,
    "aten::Float": float,
    "aten::Int": int,
    "aten::__and__": operator.and_,
    "aten::__derive_index": lambda index, start, step: start + index * step,
    "aten::__not__": operator.not_,
    "aten::__or__": operator.or_,
    "aten::__range_length": lambda start, stop, step: len(range(start, stop, step)),
    "aten::__xor__": operator.xor,
    "aten::acos": math.acos,
    "aten::add": operator.add,
    "aten::asin": math.asin,
    "aten::atan": math.atan,
    "aten::ceil": math.ceil,
    "aten::cos": math.cos,
    "aten::cosh": math.cosh,
    "aten::degrees": math.degrees,
    "aten::div": operator.truediv,
    "aten::eq": operator.eq,
    "aten::exp": math.exp,
    "aten::floor": math.floor,
    "aten::floordiv": operator.floordiv,
    "aten::ge": operator.ge,
    "aten::gt": operator.gt,
    "aten::le": operator.le,
    "aten::log": math.log,
    "aten::log10": math.log10,
    "aten::lt": operator.lt,
    "aten::mul": operator.mul,
    "aten::ne": operator.ne,
    "aten::neg": operator.neg,
    "aten::pow": operator.pow,
    "aten::radians": math.radians,
    "aten::remainder": operator.mod,
    "aten::round": round,
    "aten::sin": math.sin,
    "aten::sinh": math.sinh,
    "aten::sqrt": math.sqrt,
    "aten::sub": operator.sub,
    "aten::tan": math.tan,
    "aten::tanh": math.tanh,
    "prim::abs": operator.abs,
    "prim::max": lambda one, other: max(_int(one), _int(other)),
    "prim::min": lambda one, other: min(_int(one), _int(other)),
}

_DTYPES = tuple(
    TorchDType(name)
    for name in (
        "float32", "float16", "bfloat16", "float64", "int64", "int32", "int16", "int8", "uint8", "bool",
        "complex64", "complex128",
    )
)  # fmt: skip

_SIZES = frozenset(["aten::sym_size.int", "aten::size.int"])
_INT64 = range(-(2**63), 2**63)


class FoldConstants(DialectPass):
    """Computes what follows from constants: arithmetic on numbers, sizes of fixed dimensions, list items.

    Numbers are Python's, as at run time. What raises (a division by zero), leaves 64 bits, or is of another
    kind than the program declares is left to run time. A list that a node changes is not looked into, and no
    tensor is: weights are never read.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        nodes = list(all_nodes(model.graph))
        # A value notes its tensor's shape where it was made, which holds only if no node changes that.
        has_shapes = not any(map(changes_shapes, nodes))
        inputs = {*model.graph.inputs, *model.graph.initializers.values()}
        modified = False
        for node in nodes:
            if len(node.outputs) == 1 and not is_constant(node.outputs[0]):
                modified |= _fold(node, has_shapes, inputs)
        return ir.passes.PassResult(model, modified)


def _fold(node: ir.Node, has_shapes: bool, inputs: Collection[ir.Value]) -> bool:
    output = node.outputs[0]
    item = _list_item(node)
    if item is not None:
        make_identity(node, item)
        return True
    if not isinstance(output.type, ScalarType):
        return False
    found: ConstantValue = _shape_number(node) if has_shapes else None
    found = _is_none(node, inputs) if found is None else found
    for compute in (_type_constant, _compared, _contained, _computed):
        found = compute(node) if found is None else found
    # Of another kind, it would be another argument to whoever reads it.
    if found is None or constant_kind(found) != output.type.kind:
        return False
    make_constant(node, found)
    return True


def _shape_number(node: ir.Node) -> int | None:
    """The size, rank or length that the node asks for, if it is fixed."""
    name = str(op_name(node))
    if name in _SIZES:
        return _size(node)
    if name == "aten::len.Tensor":
        return _first_size(node.inputs[0])
    return _length(node.inputs[0]) if name in ("aten::dim", "aten::len.t") else None


def _first_size(tensor: ir.Value | None) -> int | None:
    size = tensor.shape[0] if tensor is not None and tensor.shape else None
    return size if isinstance(size, int) else None


def _type_constant(node: ir.Node) -> ConstantValue:
    """What follows from the type of the argument; ONNX has no devices, so that all are the CPU."""
    name, value = str(op_name(node)), node.inputs[0] if node.inputs else None
    if name == "prim::device":
        return Device("cpu")
    if name == "prim::dtype" and value is not None and value.dtype not in (None, ir.DataType.UNDEFINED):
        return next((dtype for dtype in _DTYPES if dtype.onnx == value.dtype), None)
    return None


def _compared(node: ir.Node) -> bool | None:
    """What a comparison of two known dtypes or strings gives."""
    if node.domain != "aten" or node.op_type not in ("eq", "ne"):
        return None
    one, other = (known_constant(value) for value in node.inputs)
    if not any(isinstance(one, kind) and isinstance(other, kind) for kind in (TorchDType, str)):
        return None
    return (one == other) == (node.op_type == "eq")


def _is_none(node: ir.Node, inputs: Collection[ir.Value]) -> bool | None:
    """What ``x is None`` and ``x is not None`` give, where ``x`` is the same in every way to it."""
    if node.domain != "aten" or node.op_type not in ("__is__", "__isnot__") or len(node.inputs) != 2:
        return None
    nones = [_has_none(value, inputs) for value in node.inputs]
    if True not in nones or None in nones:
        return None
    return all(nones) == (node.op_type == "__is__")


def _has_none(value: ir.Value | None, inputs: Collection[ir.Value]) -> bool | None:
    """Whether the value is None; None itself where that depends on the way."""
    if value is None:
        return None
    if is_constant(value):
        return known_constant(value) is None
    producer = value.producer()
    if producer is None:
        return False if value in inputs else None
    if producer.domain == "prim" and producer.op_type == "Identity":
        return _has_none(producer.inputs[0], inputs)
    is_call = producer.domain == "aten" and producer.op_type != "__getitem__"
    return False if is_call or is_construct(producer) else None


def _contained(node: ir.Node) -> bool | None:
    """Whether a number is in a list, if all are known."""
    if node.domain != "aten" or node.op_type != "__contains__" or len(node.inputs) != 2:
        return None
    holder, item = node.inputs[0], known_constant(node.inputs[1])
    items = None if holder is None else _items(holder)
    if items is None or item is None or not all(known_constant(value) is not None for value in items):
        return None
    return item in [known_constant(value) for value in items]


def _computed(node: ir.Node) -> _Number | None:
    """What the node computes from numbers, if they are known."""
    op = op_name(node)
    function = _NUMBERS.get(f"{op.domain}::{op.name}")
    arguments = _numbers(node)
    if function is None or arguments is None:
        return None
    try:
        result = function(*arguments)
    except (ArithmeticError, ValueError, TypeError):
        return None
    if not isinstance(result, _Number):
        return None
    return None if isinstance(result, int) and result not in _INT64 else result


def _numbers(node: ir.Node) -> list[_Number] | None:
    """The arguments, if all are constant numbers."""
    found: list[_Number] = []
    for value in node.inputs:
        constant = known_constant(value)
        if not isinstance(constant, _Number):
            return None
        found.append(constant)
    return found if found else None


def _size(node: ir.Node) -> int | None:
    tensor, position = node.inputs[0], known_constant(node.inputs[1])
    if tensor is None or tensor.shape is None or not isinstance(position, int):
        return None
    if not -len(tensor.shape) <= position < len(tensor.shape):
        return None
    size = tensor.shape[position]
    return size if isinstance(size, int) else None


def _length(value: ir.Value | None) -> int | None:
    """Rank of a tensor, number of items of a list."""
    if value is None:
        return None
    items = _items(value)
    if items is not None:
        return len(items)
    is_tensor = isinstance(value.type, ir.TensorType) and not isinstance(value.type, ScalarType)
    return len(value.shape) if is_tensor and value.shape is not None else None


def _list_item(node: ir.Node) -> ir.Value | None:
    """The value that ``list[index]`` gives."""
    if node.domain != "aten" or node.op_type != "__getitem__" or len(node.inputs) != 2:
        return None
    holder, index = node.inputs[0], known_constant(node.inputs[1])
    items = None if holder is None else _items(holder)
    if items is None or not isinstance(index, int) or not -len(items) <= index < len(items):
        return None
    return items[index]


def _items(value: ir.Value) -> Sequence[ir.Value | None] | None:
    """Items of a list that the program puts together and never changes."""
    return None if is_written(value) or value.is_graph_output() else items_of(value)
