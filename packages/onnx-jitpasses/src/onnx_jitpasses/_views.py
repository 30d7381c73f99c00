"""Calls that give a view of a tensor: how to look again, and how a write to the view changes the tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import onnx_ir as ir

from onnx_ir_capture.dialect import ListType, items_of, known_constant, same_constant
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import viewed
from onnx_jitpasses._words import words

__all__ = ["Step", "is_same_step", "obstacle_of", "replay", "step_of", "write_back"]

Parent = Callable[[], ir.Value]
"""The tensor that a view was taken of; what is not asked for is not computed."""

_WriteBack = Callable[["Emission", "Step", Parent, ir.Value], ir.Value]

_END = 2**63 - 1
_JOINED = "onnx_jitpasses.joined"


class Step(NamedTuple):
    """One view: the call that took it, which of its inputs it looks at, and which output it is."""

    node: ir.Node
    position: int
    output: int

    def argument(self, position: int) -> ir.Value:
        """An argument of the call.

        Raises:
            ValueError: it is not there, which the verifier excludes.
        """
        value = self.node.inputs[position] if position < len(self.node.inputs) else None
        if value is None:
            raise ValueError(f"{self.node.op_type} has no input {position}")
        return value


def step_of(node: ir.Node, output: int, are_marks_exact: bool) -> Step | None:
    """The step that gives ``output``; None if it may be another tensor, or is a view of no known form.

    Args:
        node: a call.
        output: number of the output.
        are_marks_exact: whether a mark says "is a view", not just "may be one".
    """
    sources = {position for result, position in viewed(node) if result == output}
    if node.domain != "aten" or len(sources) != 1 or node.op_type not in _FORMS:
        return None
    if not are_marks_exact and node.op_type in _PERHAPS:
        return None
    return Step(node, sources.pop(), output)


def replay(step: Step, value: ir.Value, emission: Emission) -> ir.Value:
    """Take the same view of ``value``, a tensor of the same shape."""
    pieces = _pieces_of(value, step)
    if pieces is not None:
        return pieces[step.output]
    inputs = [
        value if position == step.position else given for position, given in enumerate(step.node.inputs)
    ]
    return emission.copy(step.node, inputs)[step.output]


def write_back(step: Step, parent: Parent, new: ir.Value, emission: Emission) -> ir.Value:
    """The tensor that the view was taken of, after ``new`` was written to the view."""
    return _FORMS[step.node.op_type](emission, step, parent, new)


def is_same_step(one: Step, other: Step) -> bool:
    """Whether both look at the same elements in the same order, given the same tensor."""
    first, second = one.node, other.node
    if (first.op_type, first.overload, *one[1:]) != (second.op_type, second.overload, *other[1:]):
        return False
    if len(first.inputs) != len(second.inputs):
        return False
    pairs = zip(first.inputs, second.inputs, strict=True)
    return all(position == one.position or _is_same_argument(*pair) for position, pair in enumerate(pairs))


def _is_same_argument(one: ir.Value | None, other: ir.Value | None) -> bool:
    if one is other:
        return True
    if one is None or other is None:
        return False
    if same_constant(one, other):
        return True
    items, others = items_of(one), items_of(other)
    if items is None or others is None or len(items) != len(others):
        return False
    return all(map(_is_same_argument, items, others))


def obstacle_of(step: Step) -> str | None:
    """Why a write to the view is not defined or not known; None if it can be written back."""
    name = step.node.op_type
    if name in _EXPANSIONS and not _keeps_shape(step):
        return f"elements of %{step.node.outputs[0].name} share memory with each other"
    if name == "unfold" and not _has_gaps(step):
        return f"elements of %{step.node.outputs[0].name} may share memory with each other"
    if step.node.overload == "dtype" and name == "view":
        return "the tensor is written through a view of its bits"
    if name == "permute" and _constants(step.argument(1)) is None:
        return "the order of its axes is not known"
    return None


def _keeps_shape(step: Step) -> bool:
    before, after = step.argument(step.position).shape, step.node.outputs[step.output].shape
    return before is not None and before == after


def _has_gaps(step: Step) -> bool:
    size, stride = known_constant(step.argument(2)), known_constant(step.argument(3))
    return isinstance(size, int) and isinstance(stride, int) and size <= stride


def _constants(value: ir.Value) -> list[int] | None:
    """The ints of a list; None if one of them is known at run time only."""
    items = items_of(value)
    if items is None:
        return None
    found = [known_constant(item) for item in items]
    ints = [item for item in found if isinstance(item, int)]
    return ints if len(ints) == len(found) else None


def _same(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    del emission, step, parent
    return new


def _reshape(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    del step
    like = parent()
    return emission.call("aten::reshape_as", [new, like], like, views=True)


def _own_inverse(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    del parent
    inputs = [new, *step.node.inputs[1:]]
    return emission.call(step.node, inputs, step.argument(0), views=True)


def _permute(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    del parent
    order = _constants(step.argument(1)) or []
    places = [axis % len(order) for axis in order]
    inverse = [places.index(axis) for axis in range(len(order))]
    return emission.call("aten::permute", [new, emission.ints(inverse)], step.argument(0), views=True)


def _movedim(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    del parent
    inputs = [new, step.argument(2), step.argument(1)]
    return emission.call(step.node, inputs, step.argument(0), views=True)


def _select(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    whole = parent()
    return emission.call("aten::select_scatter", [whole, new, *step.node.inputs[1:]], whole)


def _slice(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    whole = parent()
    return emission.call("aten::slice_scatter", [whole, new, *step.node.inputs[1:]], whole)


def _diagonal(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    whole = parent()
    return emission.call("aten::diagonal_scatter", [whole, new, *step.node.inputs[1:]], whole)


def _narrow(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    whole = parent()
    dim, start, length = step.node.inputs[1:4]
    first, count = known_constant(step.argument(2)), known_constant(step.argument(3))
    end: ir.Value | int
    if isinstance(first, int) and isinstance(count, int):
        # Counted from the back, the end may be the very last element, whose number would be 0.
        end = _END if first < 0 and first + count == 0 else first + count
    else:
        end = emission.call("aten::add.int", [start, length], step.argument(3))
    return emission.call("aten::slice_scatter", [whole, new, dim, start, end, 1], whole)


def _member(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    """Cut again, and join with the new piece among the others."""
    whole = parent()
    known = _pieces_of(whole, step)
    pieces = list(known or emission.copy(step.node, [whole, *step.node.inputs[1:]]))
    pieces[step.output] = new
    joined = emission.list(pieces, ListType(ir.TensorType(new.dtype or ir.DataType.UNDEFINED)))
    name = "aten::stack" if step.node.op_type == "unbind" else "aten::cat"
    axis = step.argument(len(step.node.inputs) - 1)
    written = emission.call(name, [joined, axis], whole)
    written.meta[_JOINED] = (step, pieces)
    return written


def _pieces_of(value: ir.Value, step: Step) -> Sequence[ir.Value] | None:
    """What the call of ``step`` gives for a tensor that was joined of just that; None for another."""
    found: tuple[Step, Sequence[ir.Value]] | None = value.meta.get(_JOINED)
    if found is None or not is_same_step(found[0]._replace(output=step.output), step):
        return None
    return found[1]


def _placed(emission: Emission, step: Step, parent: Parent, new: ir.Value) -> ir.Value:
    """Write by the numbers of the elements, where no operator is the opposite of the view."""
    whole = parent()
    flat, line = ir.Shape([None]), emission.ints([-1])
    count = emission.call("aten::numel", [whole], emission.number())
    numbers = emission.call("aten::arange", [count, None, None, None, None], emission.numbers(flat))
    numbers = emission.call("aten::reshape_as", [numbers, whole], emission.numbers(whole.shape))
    view = step.node.outputs[step.output]
    seen = emission.call(
        step.node, [numbers, *step.node.inputs[1:]], emission.numbers(view.shape), views=True
    )
    index = emission.call("aten::reshape", [seen, line], emission.numbers(flat))
    indices = emission.list([index], ListType(index.type or ir.TensorType(ir.DataType.INT64)))
    like = emission.like(whole, flat)
    elements, source = (emission.call("aten::reshape", [value, line], like) for value in (whole, new))
    written = emission.call("aten::index_put", [elements, indices, source, False], like)
    return emission.call("aten::reshape_as", [written, whole], whole)


# Views of other sizes or strides of the same elements in the same order.
_RESHAPES = words(
    """
    _reshape_alias _unsafe_view flatten ravel reshape reshape_as squeeze unflatten unsqueeze view view_as
    """
)
_PIECES = words(
    """
    chunk split split_with_sizes tensor_split unbind unsafe_chunk unsafe_split unsafe_split_with_sizes
    """
)
_EXPANSIONS = words("broadcast_to expand expand_as")
# They give their argument itself where they have nothing to do, and a copy otherwise.
_PERHAPS = words(
    """
    alpha_dropout contiguous dropout feature_alpha_dropout feature_dropout flatten ravel reshape reshape_as
    to type_as
    """
)
_SAME = words(
    """
    alias alpha_dropout contiguous detach dropout feature_alpha_dropout feature_dropout lift_fresh positive
    to type_as
    """
)

_FORMS: Mapping[str, _WriteBack] = {
    **dict.fromkeys(_SAME | _EXPANSIONS, _same),
    **dict.fromkeys(_RESHAPES, _reshape),
    **dict.fromkeys(words("mH mT numpy_T swapaxes swapdims t transpose"), _own_inverse),
    "permute": _permute,
    "movedim": _movedim,
    "select": _select,
    "slice": _slice,
    "narrow": _narrow,
    "diagonal": _diagonal,
    **dict.fromkeys(_PIECES, _member),
    "unfold": _placed,
}
