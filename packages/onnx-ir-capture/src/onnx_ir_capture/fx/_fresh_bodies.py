"""Bodies of control flow in torch.export, each compiled for its own sizes."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
from types import FunctionType

from onnx_ir_capture.fx._replaced import Function, is_captured_here, replaced_while_capturing

__all__ = ["bodies_compiled_afresh"]


def bodies_compiled_afresh() -> AbstractContextManager[None]:
    """Meanwhile torch compiles what it runs ``scan``, ``cond`` and their like by anew for each call.

    It keeps what it compiled before, by the code of its own function, and looks whether that fits again. An
    answer that compares a dynamic size with the fixed one of an earlier capture makes it a constant.
    """
    home = importlib.import_module("torch._higher_order_ops.utils")
    return replaced_while_capturing(home, "_hop_compile_and_call", _afresh)


def _afresh(original: Function) -> Function:
    def compile_and_call(function: object, *arguments: object) -> object:
        if is_captured_here() and isinstance(function, FunctionType):
            function = _copied(function)
        return original(function, *arguments)

    return compile_and_call


def _copied(function: FunctionType) -> FunctionType:
    """The same function with code of its own."""
    copied = FunctionType(
        function.__code__.replace(),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied
