"""onnxscript's torch_lib as the table of last resort."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from onnx_export._script_calls import ScriptTranslation
from onnx_ir_capture.contracts import Lowering
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.interpreter import find_operator
from onnx_torchlib import BASE_OPSET, Op

__all__ = ["TORCH_LIB", "TorchLibTable"]


_INEXACT = frozenset({"aten::special_erfcx", "aten::special_log_ndtr"})
"""Products of what overflows and what vanishes: they give 0 or infinity where torch gives digits."""


class TorchLibTable:
    """Translations that onnxscript registers for PyTorch's own exporter; they load when one is looked up.

    They are written for programs whose operands have one dtype already, and for the opset 18.
    """

    def __init__(self) -> None:
        self._found: dict[OpName, Lowering] = {}

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return "onnxscript's torch_lib"

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The function that onnxscript registers for ``op``."""
        if opset < BASE_OPSET:
            return None
        if op not in self._found:
            function, overload = _functions().get(str(op)), find_operator(op)
            if function is None or overload is None:
                return None
            self._found[op] = Lowering(str(op), ScriptTranslation(function, overload), BASE_OPSET, self.name)
        return self._found[op]

    def first_opset(self, op: OpName) -> int | None:
        """The opset that onnxscript writes its functions for, if it has one for ``op``."""
        return BASE_OPSET if str(op) in _functions() else None

    def context(self, frame: GraphFrame) -> Op:
        """What the functions write to."""
        return Op(frame)


@functools.cache
def _functions() -> Mapping[str, Callable[..., object]]:
    # It takes a moment to load, and most programs never ask.
    from onnxscript.function_libs.torch_lib import ops, registration

    del ops  # imported for what it registers
    return {
        name: entry.overloads[0]
        for name, entry in registration.default_registry.items()
        if entry.overloads and name not in _INEXACT
    }


TORCH_LIB = TorchLibTable()
"""The one instance, which keeps what it found."""
