"""Symbolic functions in the place of translators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_export._domain_nodes import element_kind, schema_signature
from onnx_export._torch_symbolics._arguments import argument_value
from onnx_export._torch_symbolics._context import GraphContext
from onnx_export._torch_symbolics._graph import ScratchGraph
from onnx_export._torch_symbolics._results import results_of
from onnx_export._torch_symbolics._settings import settings_of_torch
from onnx_export._torch_symbolics._types import script_type
from onnx_ir_capture.contracts import Value
from onnx_ir_capture.interpreter import AutogradCall
from onnx_torchlib import Op

__all__ = ["AutogradSymbolic", "SchemaSymbolic"]

_NO_NAMES: Mapping[str, int] = {}


class SchemaSymbolic:
    """A function that is registered for an operator: one value for each argument of the schema.

    Args:
        function: the symbolic function.
        overload: the operator.
        versions: versions of the domains that the function writes.
    """

    def __init__(
        self,
        function: Callable[..., object],
        overload: torch._ops.OpOverload[..., object],
        versions: Mapping[str, int],
    ) -> None:
        self.__wrapped__ = function
        self.__qualname__ = self.__name__ = _name(function)
        # What the driver reads of a function.
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}
        self._schema = overload._schema
        self._versions = versions

    def __call__(self, op: Op, *arguments: object) -> Sequence[Value]:
        scratch = ScratchGraph(op, self._versions)
        values = [
            argument_value(scratch, argument, element_kind(formal))
            for argument, formal in zip(arguments, self._schema.arguments, strict=True)
        ]
        named = self._outputs(len(op.frame.expected))
        return _run(scratch, self.__wrapped__, self._schema.name, values, values, named)

    def _outputs(self, count: int) -> Mapping[str, int]:
        """``_outputs``, for a function that wants to know how many tensors its list is unpacked into."""
        is_list = [isinstance(result.type, torch._C.ListType) for result in self._schema.returns] == [True]
        if not is_list or "_outputs" not in inspect.signature(self.__wrapped__).parameters:
            return _NO_NAMES
        return {"_outputs": count}


class AutogradSymbolic:
    """``symbolic`` of an autograd function: values for tensors, and everything else as it is.

    Args:
        call: the call of the function.
        versions: versions of the domains that ``symbolic`` writes.
    """

    def __init__(self, call: AutogradCall, versions: Mapping[str, int]) -> None:
        self.__wrapped__ = call.symbolic
        self.__qualname__ = self.__name__ = _name(call.symbolic)
        # Positional only: the arguments have no names that all functions share.
        kind = inspect.Parameter.POSITIONAL_ONLY
        names = ["op", *(f"input_{place}" for place in call.places)]
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        self.__annotations__: dict[str, object] = {}
        self._call = call
        self._versions = versions

    def __call__(self, op: Op, *inputs: object) -> Sequence[Value]:
        scratch = ScratchGraph(op, self._versions)
        values = [argument_value(scratch, given, "Tensor") for given in inputs]
        arguments = self._call.with_inputs(values)
        kind = f"autograd::{self._call.function.__name__}"
        return _run(scratch, self.__wrapped__, kind, values, arguments, _NO_NAMES)


def _run(
    scratch: ScratchGraph,
    function: Callable[..., object],
    kind: str,
    values: Sequence[torch._C.Value],
    arguments: Sequence[object],
    named: Mapping[str, int],
) -> list[ir.Value]:
    """What the function writes for a call of the operator ``kind``."""
    expected = scratch.op.frame.expected
    call = scratch.graph.create(kind, list(values), len(expected))
    for output, wanted in zip(call.outputs(), expected, strict=True):
        output.setType(script_type(wanted.dtype, wanted.shape))
    g = GraphContext(scratch, call)
    with settings_of_torch(scratch.op.opset):
        result = function(g, *arguments, **named)
    return results_of(scratch, result, expected)


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", type(function).__qualname__))
