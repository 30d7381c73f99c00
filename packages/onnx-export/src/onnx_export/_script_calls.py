"""Functions of onnxscript in the place of translators: a call's arguments as such functions take them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import torch

from onnx_export._domain_nodes import PLACES, element_kind, schema_signature
from onnx_export._onnxscript import call_function
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

__all__ = ["ScriptTranslation"]


class ScriptTranslation:
    """A function that is written for onnxscript, as the translation of one operator.

    Arguments that have the schema's default are left to the function's own defaults, if it has any: such
    functions are written for calls that name only what they set.

    Args:
        function: made by ``onnxscript.script``, or plain Python that calls operators of onnxscript's opsets.
        overload: the operator; None for a function on numbers.
    """

    def __init__(
        self, function: Callable[..., object], overload: torch._ops.OpOverload[..., object] | None
    ) -> None:
        name = str(getattr(function, "__qualname__", type(function).__qualname__))
        self.__wrapped__ = function
        self.__qualname__ = self.__name__ = name
        # What the driver reads of a function.
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}
        self._parameters = inspect.signature(inspect.unwrap(function)).parameters
        self._formals = [] if overload is None else list(overload._schema.arguments)

    def __call__(self, op: Op, *arguments: object) -> Sequence[Value]:
        if not self._formals:
            return call_function(op, self.__wrapped__, arguments, {})
        given = list(zip(self._formals, arguments, strict=False))
        positional = self._positional(
            op, [(formal, value) for formal, value in given if not formal.kwarg_only]
        )
        named = {
            formal.name: value
            for formal, value in given
            if formal.kwarg_only and not self._is_left_out(op, formal, value)
        }
        return call_function(op, self.__wrapped__, positional, named)

    def _positional(self, op: Op, given: list[tuple[torch._C.Argument, object]]) -> list[object]:
        """The values without those at the end that the function does not need, or has no place for."""
        own = [
            parameter
            for parameter in self._parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        while given and _is_default(*given[-1]):
            if len(given) <= len(own) and own[len(given) - 1].default is inspect.Parameter.empty:
                break
            given = given[:-1]
        if len(given) > len(own) and not self._takes(inspect.Parameter.VAR_POSITIONAL):
            formal, value = given[len(own)]
            op.refuse(f"{self.__name__} has no parameter for {formal.name!r}, which is {value!r} here")
        return [value for _, value in given]

    def _is_left_out(self, op: Op, formal: torch._C.Argument, value: object) -> bool:
        own = self._parameters.get(formal.name)
        if own is not None:
            return own.default is not inspect.Parameter.empty and _is_default(formal, value)
        if element_kind(formal) in PLACES or _is_default(formal, value):
            return True
        if not self._takes(inspect.Parameter.VAR_KEYWORD):
            op.refuse(f"{self.__name__} has no parameter {formal.name!r}, which is {value!r} here")
        return False

    def _takes(self, kind: object) -> bool:
        return any(parameter.kind is kind for parameter in self._parameters.values())


def _is_default(formal: torch._C.Argument, value: object) -> bool:
    if not formal.has_default_value():
        return False
    default: object = formal.default_value
    if isinstance(value, list | tuple):
        return isinstance(default, list) and list(value) == default
    return (type(value) is type(default) and value == default) or element_kind(formal) in PLACES
