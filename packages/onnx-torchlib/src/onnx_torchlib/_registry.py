"""The table of translators, and the decorator that fills it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import onnx_ir as ir

from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.lowering import OpRegistry
from onnx_torchlib._op import Op

__all__ = ["BASE_OPSET", "TRANSLATORS", "TranslatorTable", "translator"]

BASE_OPSET = 18
"""The lowest opset that translators serve."""

_Function = TypeVar("_Function", bound=Callable[..., "ir.Value | Sequence[ir.Value]"])


class TranslatorTable(OpRegistry):
    """Translators by operator overload and opset; its context is :class:`Op`."""

    def context(self, frame: GraphFrame) -> Op:
        """The ``op`` that translators write to."""
        return Op(frame)


TRANSLATORS = TranslatorTable("onnx-torchlib", package="onnx_torchlib.ops")
"""Every translator of this package; the rooms in ``onnx_torchlib.ops`` load when it is first asked."""


def translator(*ops: str, since: int = BASE_OPSET) -> Callable[[_Function], _Function]:
    """Register a translator for operator overloads such as ``aten::sum.dim_IntList``.

    A bare name is the default overload. Several overloads share a function only where one signature fits
    all. The function takes :class:`Op` and then the schema's arguments, in its order and by its names;
    their annotations say what may arrive (see ``onnx_ir_capture.contracts``).
    """
    return TRANSLATORS.register(*ops, since=since)
