"""Lists whose length only run time knows, as ONNX sequences.

Where the items of a list are known, calls take them one by one, and no operator puts a list together. A list
that an if or a loop gives is a sequence, and the calls here are the ones that take it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ListType, OpName, TorchDType
from onnx_ir_capture.emit import Emitter
from onnx_ir_capture.lowering._binding import Argument
from onnx_ir_capture.lowering._numbers import number_value

__all__ = [
    "check_copy",
    "is_sequence",
    "lower_sequence_call",
    "sequence_of",
    "sequence_type",
    "takes_sequence",
]

# If and Loop take sequences from here on.
_FIRST = 13

# Identity does.
_FIRST_COPY = 14

_ITEM = "aten::__getitem__.t"

_Lowered = Callable[[Emitter, Sequence[Argument]], ir.Value]


def is_sequence(argument: Argument) -> bool:
    """Whether the argument is a list whose length only run time knows."""
    return isinstance(argument, ir.Value) and isinstance(argument.type, ir.SequenceType)


def takes_sequence(op: OpName, arguments: Sequence[Argument]) -> bool:
    """Whether the call is one of those here: a list, or the place in a list, is known at run time only."""
    if any(map(is_sequence, arguments)):
        return True
    return str(op) == _ITEM and isinstance(arguments[0], list) and isinstance(arguments[1], ir.Value)


def sequence_type(value: ir.Value) -> ir.SequenceType | None:
    """The ONNX type of a captured list of tensors or numbers; None for any other value.

    Raises:
        Unsupported: the program does not say what the list holds.
    """
    if not isinstance(value.type, ListType):
        return None
    dtype = value.type.elem_type.dtype
    if not isinstance(value.type.elem_type, ir.TensorType) or dtype == ir.DataType.UNDEFINED:
        raise Unsupported(f"it is not known what the list %{value.name} holds")
    return ir.SequenceType(ir.TensorType(dtype))


def sequence_of(emitter: Emitter, argument: Argument, value: ir.Value) -> ir.Value | None:
    """The sequence that holds what stands for the captured list ``value``; None if that is no list.

    Raises:
        Unsupported: ONNX has no such sequence at the opset, or none of what the list holds.
    """
    if not is_sequence(argument) and not isinstance(argument, list):
        return None
    type_ = sequence_type(value)
    if type_ is None:
        return None
    if emitter.opset < _FIRST:
        raise Unsupported(f"a list that changes in a loop or branch needs opset {_FIRST}")
    if isinstance(argument, ir.Value):
        return argument
    if not argument or not isinstance(argument, list):
        return emitter.SequenceEmpty(dtype=type_.elem_type.dtype)
    items = (_value(emitter, item) for item in argument)
    return emitter.SequenceConstruct(*(emitter.cast(item, type_.elem_type.dtype) for item in items))


def check_copy(emitter: Emitter, value: ir.Value) -> None:
    """Check that ONNX can copy a sequence, which a block does that gives a list as it is around it.

    Raises:
        Unsupported: not at this opset.
    """
    if emitter.opset < _FIRST_COPY:
        raise Unsupported(f"a branch that leaves the list %{value.name} as it is needs opset {_FIRST_COPY}")


def lower_sequence_call(emitter: Emitter, op: OpName, arguments: Sequence[Argument]) -> ir.Value:
    """The result of a call that takes a sequence.

    Raises:
        Unsupported: the operator takes no list of unknown length.
    """
    lowered = _CALLS.get(str(op))
    if lowered is None:
        raise Unsupported("it is given a list whose length only run time knows")
    return lowered(emitter, arguments)


def _value(emitter: Emitter, argument: Argument) -> ir.Value:
    found = number_value(emitter, argument)
    if found is None:
        raise Unsupported(f"the list holds {argument!r}, where ONNX has lists of tensors only")
    return found


def _join(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    """``one + other``, of which the other has known items; in any other form ONNX needs a loop."""
    one, other = arguments
    if not is_sequence(one) or not isinstance(other, list):
        raise Unsupported("it joins two lists, of which the second has a length that only run time knows")
    joined = _value(emitter, one)
    for item in other:
        joined = emitter.SequenceInsert(joined, _value(emitter, item))
    return joined


def _stack(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    sequence, axis = arguments
    return emitter.ConcatFromSequence(_value(emitter, sequence), axis=_constant(axis), new_axis=1)


def _concatenate(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    sequence, axis = arguments
    return emitter.ConcatFromSequence(_value(emitter, sequence), axis=_constant(axis))


def _tensor(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    """``torch.tensor`` of a list of numbers."""
    sequence, dtype = arguments[:2]
    numbers = emitter.ConcatFromSequence(_value(emitter, sequence), axis=0, new_axis=1)
    if isinstance(dtype, TorchDType):
        return emitter.cast(numbers, dtype.onnx)
    if numbers.dtype == ir.DataType.DOUBLE:
        raise Unsupported("its dtype is torch's default at run time; give it dtype=torch.float32")
    return numbers


def _item(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    sequence, position = arguments
    if not isinstance(position, int | ir.Value):
        raise Unsupported("its index is no number")
    if isinstance(sequence, list):
        sequence = emitter.SequenceConstruct(*(_value(emitter, item) for item in sequence))
    return emitter.SequenceAt(_value(emitter, sequence), position)


def _length(emitter: Emitter, arguments: Sequence[Argument]) -> ir.Value:
    return emitter.SequenceLength(_value(emitter, arguments[0]))


def _constant(argument: Argument) -> int:
    if not isinstance(argument, int):
        raise Unsupported("its dimension is computed at run time, and only a constant can be translated")
    return argument


_CALLS: Mapping[str, _Lowered] = {
    _ITEM: _item,
    "aten::add.t": _join,
    "aten::cat": _concatenate,
    "aten::len.t": _length,
    "aten::stack": _stack,
    "aten::tensor": _tensor,
}
