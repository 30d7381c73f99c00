"""A caller's own translations, given as ``custom_translation_table``."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import onnx_ir as ir
import torch

from onnx_export._domain_nodes import schema_signature
from onnx_export._onnxscript import is_onnxscript_function
from onnx_export._script_calls import ScriptTranslation
from onnx_ir_capture.contracts import Lowering, Unsupported, Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit.schemas import MIN_OPSET
from onnx_ir_capture.fx import PYTHON_OPERATORS, python_operator
from onnx_ir_capture.lowering import Argument, bind
from onnx_torchlib import Op, TranslatorTable

__all__ = ["CustomTranslation", "Translator", "custom_table"]

Translator: TypeAlias = Callable[..., object]
"""A translation of one operator.

Either it takes ``op`` and the operator's arguments, as onnx-torchlib's translators do; or it is a function of
onnxscript, compiled by ``@onnxscript.script`` or plain Python that calls operators of onnxscript's opsets.
It returns the operator's outputs.
"""

CustomTranslation: TypeAlias = Translator | Sequence[Translator]
"""A translator, or several: where one refuses a call, the next is tried."""


def custom_table(table: Mapping[object, CustomTranslation]) -> TranslatorTable:
    """The caller's translations as a table that is asked first.

    Args:
        table: operator to translation. An operator is an overload such as ``torch.ops.aten.add.Tensor``, a
            name without overload such as ``torch.ops.aten.add``, which means all of them that the table does
            not name, or a function on sizes such as ``torch.sym_max``.

    Raises:
        TypeError: a key is no operator, or a value no function.
    """
    custom = TranslatorTable("custom_translation_table")
    named: set[OpName] = set()
    # What is named exactly goes before what is named by the way.
    for target, translation in sorted(table.items(), key=lambda item: _is_packet(item[0])):
        functions = list(translation) if isinstance(translation, list | tuple) else [translation]
        for op, overload in _operators(target):
            if op in named:
                continue
            named.add(op)
            function = _translation(target, overload, functions)
            custom.add(Lowering(str(op), function, MIN_OPSET, custom.name, custom=True))
    return custom


def _is_packet(target: object) -> bool:
    return isinstance(target, torch._ops.OpOverloadPacket)


def _operators(target: object) -> Iterator[tuple[OpName, torch._ops.OpOverload[..., object] | None]]:
    """The operators of the dialect that a key means, with torch's overload where there is one."""
    if isinstance(target, torch._ops.OpOverloadPacket):
        for overload in target.overloads():
            yield from _operators(getattr(target, overload))
    elif isinstance(target, torch._ops.OpOverload):
        schema = target._schema
        domain, _, name = schema.name.partition("::")
        yield OpName(domain, name, schema.overload_name), target
    elif isinstance(target, torch.library.CustomOpDef):
        yield from _operators(target._opoverload)
    elif callable(target) and target in PYTHON_OPERATORS:
        kinds = itertools.product(("int", "float", "bool"), repeat=2)
        names = [python_operator(target, some) for pair in kinds for some in (pair[:1], pair)]
        yield from ((name, None) for name in dict.fromkeys(names) if name is not None)
    else:
        raise TypeError(
            "custom_translation_table: a key is an operator such as torch.ops.aten.add.Tensor or "
            f"torch.ops.aten.add, got {target!r}"
        )


def _translation(
    target: object, overload: torch._ops.OpOverload[..., object] | None, functions: Sequence[object]
) -> Callable[..., Value | Sequence[Value]]:
    if not functions:
        raise TypeError(f"custom_translation_table: the list for {target} is empty")
    adapted = [_adapted(target, overload, function) for function in functions]
    return adapted[0] if len(adapted) == 1 else _Alternatives(adapted, overload)


def _adapted(
    target: object, overload: torch._ops.OpOverload[..., object] | None, function: object
) -> Callable[..., Value | Sequence[Value]]:
    if not callable(function) or isinstance(function, type):
        raise TypeError(
            f"custom_translation_table: the value for {target} must be a function, or a list of functions, "
            f"got {function!r} of class {type(function).__qualname__}"
        )
    if is_onnxscript_function(function) or next(iter(inspect.signature(function).parameters), None) != "op":
        return ScriptTranslation(function, overload)
    return _Own(function)


class _Own:
    """A function that is written as onnx-torchlib's translators are."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.__wrapped__ = function
        self.__qualname__ = self.__name__ = _name(function)
        # What the driver reads of a function.
        self.__signature__ = inspect.signature(function)
        self.__annotations__ = getattr(function, "__annotations__", {})

    def __call__(self, op: Op, *arguments: object) -> Value | Sequence[Value]:
        result = self.__wrapped__(op, *arguments)
        if isinstance(result, ir.Value):
            return result
        if not isinstance(result, list | tuple):
            raise TypeError(f"it returned {result!r}, which is no value of the graph")
        return result


class _Alternatives:
    """Several translations of one operator, of which the first that does not refuse a call serves."""

    def __init__(
        self,
        functions: Sequence[Callable[..., Value | Sequence[Value]]],
        overload: torch._ops.OpOverload[..., object] | None,
    ) -> None:
        self._functions = functions
        self.__qualname__ = self.__name__ = " or ".join(_name(function) for function in functions)
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}

    def __call__(self, op: Op, *arguments: Argument) -> Value | Sequence[Value]:
        mark = op.frame.mark
        refusals: dict[str, Unsupported] = {}
        for function in self._functions:
            try:
                return function(op, *bind(function, arguments))
            except Unsupported as refusal:
                op.frame.discard_created(mark)
                refusals[f"{_name(function)}: {refusal.reason}"] = refusal
        firsts = [refusal.from_opset for refusal in refusals.values() if refusal.from_opset is not None]
        raise Unsupported("; ".join(refusals), min(firsts, default=None))


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
