"""onnxscript's torch_lib, asked for what nothing else translates."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, DiagnosticContext, UnsupportedOperatorError
from onnx_export._torch_lib import TORCH_LIB
from onnx_ir_capture.contracts import Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.rules import LAST_RESORT
from onnx_torchlib import Op, TranslatorTable


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


X = torch.randn(5, 7)


def sinh(x: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = torch.ops.prims.sinh(torch.ops.prims.sinh(x))
    return result


def test_an_operator_that_onnxscript_alone_translates_is_exported_with_a_note() -> None:
    program = onnx_export.export(
        Model(sinh).eval(), (X,), dynamic_shapes={"x": {0: "n"}}, verify=True, verbose=False
    )
    (note,) = program.diagnostic_context.of(LAST_RESORT)
    assert "prims::sinh is translated by onnxscript's torch_lib" in note.message
    assert note.location is not None
    assert note.location.line == sinh.__code__.co_firstlineno + 1
    assert [str(dim) for dim in program.model.graph.outputs[0].shape or ()] == ["n", "7"]


def test_it_can_be_left_out() -> None:
    with pytest.raises(UnsupportedOperatorError, match="prims::sinh has no translation"):
        onnx_export.Exporter(fallbacks=()).export(Model(sinh).eval(), (X,))
    with pytest.raises(UnsupportedOperatorError):
        onnx_export.export(Model(sinh).eval(), (X,), use_torch_lib=False, verbose=False)
    onnx_export.Exporter(fallbacks=onnx_export.DEFAULT_FALLBACKS).export(Model(sinh).eval(), (X,))


def test_it_is_not_loaded_where_it_is_not_needed() -> None:
    code = (
        "import sys, torch, onnx_export; onnx_export.export(torch.nn.ReLU().eval(), (torch.ones(2),), "
        "verbose=False); print('onnxscript.function_libs.torch_lib' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_a_fault_in_it_is_reported_as_no_translation() -> None:
    table = TranslatorTable("of last resort")

    @table.register("prims::sinh", since=18)
    def raises(op: Op, self: Value) -> Value:
        op.Identity(self)
        raise RuntimeError("no such luck")

    with pytest.raises(UnsupportedOperatorError, match="prims::sinh has no translation"):
        onnx_export.Exporter(fallbacks=[table]).export(Model(sinh).eval(), (X,))


def test_what_a_table_refuses_is_not_asked_for_again() -> None:
    first, last = TranslatorTable("first"), TranslatorTable("of last resort")

    @first.register("prims::sinh", since=18)
    def refuses(op: Op, self: Value) -> Value:
        op.refuse("it would not be exact")

    @last.register("prims::sinh", since=18)
    def approximates(op: Op, self: Value) -> Value:
        return op.Identity(self)

    context = DiagnosticContext("test", "0")
    with pytest.raises(ConversionError, match="it would not be exact"):
        onnx_export.Exporter(tables=[first], fallbacks=[last], diagnostics=context).export(
            Model(sinh).eval(), (X,)
        )


@pytest.mark.parametrize("name", ["aten::special_erfcx", "aten::special_log_ndtr"])
def test_what_it_translates_for_small_numbers_only_is_not_taken_from_it(name: str) -> None:
    assert TORCH_LIB.find(OpName.parse(name), 20) is None
    assert TORCH_LIB.find(OpName.parse("aten::relu"), 20) is not None
