"""What a symbolic function raises where it cannot write a call."""

from __future__ import annotations

from typing import NoReturn

import torch

__all__ = [
    "SymbolicValueError",
    "_onnx_opset_unsupported",
    "_onnx_opset_unsupported_detailed",
    "_onnx_unsupported",
    "_unimplemented",
]


class SymbolicValueError(RuntimeError):
    """A symbolic function cannot write a call, or cannot use one of its values.

    Args:
        message: why.
        value: the value, which the message then names.
    """

    def __init__(self, message: str, value: torch._C.Value | None = None) -> None:
        place = "" if value is None else f" (%{value.debugName()}, made by {value.node().kind()})"
        super().__init__(message + place)
        self.value = value


def _unimplemented(op: str, msg: str, value: torch._C.Value | None = None) -> NoReturn:
    """Refuse a call of ``op``, with the reason."""
    raise SymbolicValueError(f"{op} cannot be exported: {msg}", value)


def _onnx_unsupported(op_name: str, value: torch._C.Value | None = None) -> NoReturn:
    """Refuse ``op_name`` altogether."""
    raise SymbolicValueError(f"{op_name} cannot be exported", value)


def _onnx_opset_unsupported(
    op_name: str, current_opset: int, supported_opset: int, value: torch._C.Value | None = None
) -> NoReturn:
    """Refuse ``op_name`` below the opset that has what it needs."""
    raise SymbolicValueError(
        f"{op_name} cannot be exported to opset {current_opset}; opset {supported_opset} can hold it", value
    )


def _onnx_opset_unsupported_detailed(
    op_name: str, current_opset: int, supported_opset: int, reason: str, value: torch._C.Value | None = None
) -> NoReturn:
    """Refuse ``op_name`` below the opset that has what it needs, with the reason."""
    raise SymbolicValueError(
        f"{op_name} cannot be exported to opset {current_opset}: {reason.rstrip('.')}; opset "
        f"{supported_opset} can hold it",
        value,
    )
