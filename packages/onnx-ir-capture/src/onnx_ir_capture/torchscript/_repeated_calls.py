"""Calls on fake tensors, run once per kind: the layers of a model repeat, and so do their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import OpName, op_name
from onnx_ir_capture.interpreter import call, find_operator

__all__ = ["RepeatedCalls", "may_repeat"]

_EACH_ANEW = frozenset(
    {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape, torch.Tag.inplace_view}
)


def may_repeat(nodes: Iterable[ir.Node]) -> bool:
    """Whether calls may share their results: none of the nodes gives a tensor in place another shape."""
    operators = (find_operator(op_name(node)) for node in nodes if node.domain == "aten")
    return not any(
        operator is not None
        and (torch.Tag.inplace_view in operator.tags or operator._schema.name in _RESHAPED_IN_PLACE)
        for operator in operators
    )


# The tag is missing from these.
_RESHAPED_IN_PLACE = frozenset({"aten::resize_", "aten::resize_as_", "aten::set_", "aten::set_data"})


class RepeatedCalls:
    """Runs operators on fake tensors; a call of the same shapes as an earlier one has the same result.

    A symbolic run of a fake tensor takes about a millisecond an operator, most of it for arithmetic of sizes.
    """

    def __init__(self) -> None:
        self._results: dict[object, object] = {}
        self._forms: dict[int, tuple[torch.Tensor, object]] = {}

    def __call__(self, name: OpName, inputs: Sequence[object]) -> object:
        """As :func:`onnx_ir_capture.interpreter.call`."""
        if not _is_repeatable(name):
            return call(name, inputs)
        try:
            key = (name, self._form(inputs))
        except TypeError:  # an argument without a form
            return call(name, inputs)
        if key not in self._results:
            self._results[key] = call(name, inputs)
        result = self._results[key]
        return list(result) if isinstance(result, list) else result  # the program may append to its own

    def _form(self, value: object) -> object:
        """What two arguments that lead to the same result have in common.

        Raises:
            TypeError: it is not known of such a value.
        """
        if isinstance(value, torch.Tensor):
            return self._tensor_form(value)
        if isinstance(value, list | tuple):
            return (type(value), *map(self._form, value))
        if isinstance(value, torch.SymInt):
            return ("size", value.node.expr)
        if value is None or isinstance(value, bool | int | float | str | torch.dtype | torch.device):
            return (type(value), value)
        if isinstance(value, torch.layout | torch.memory_format):
            return value
        raise TypeError(f"a {type(value).__name__} has no form")

    def _tensor_form(self, tensor: torch.Tensor) -> object:
        known = self._forms.get(id(tensor))
        if known is None:
            sizes = self._form([*tensor.shape, *tensor.stride(), tensor.storage_offset()])
            # The tensor is held, so that no other gets its id.
            known = self._forms[id(tensor)] = (tensor, (tensor.dtype, tensor.device, tensor.dim(), sizes))
        return known[1]


def _is_repeatable(name: OpName) -> bool:
    operator = find_operator(name) if name.domain == "aten" else None
    return operator is not None and not operator._schema.is_mutable and _EACH_ANEW.isdisjoint(operator.tags)
