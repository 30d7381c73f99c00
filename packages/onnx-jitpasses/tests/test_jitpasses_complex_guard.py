"""A rewrite for pairs that gives another dtype or rank than it should is found at once."""

from __future__ import annotations

import onnx_ir as ir
import pytest

import onnx_jitpasses as jit
from onnx_diagnostics import ExporterInternalError
from onnx_ir_capture.dialect import parse_program
from onnx_jitpasses._pair_call import PairCall

TEXT = """
torch dialect 1
graph main(%z: c64[2, 3]) {
  %y: c64[2, 3] = aten::neg(%z)
  %x: f32[2, 3] = aten::real(%z) views(0->0)
  return %y, %x
}
"""


def too_few_dimensions(call: PairCall) -> ir.Value:
    return call.component(call.tensor(0), 0)


def too_many_dimensions(call: PairCall) -> ir.Value:
    return call.same(call.tensor(0))


def wrong_dtype(call: PairCall) -> ir.Value:
    return call.call("aten::isnan", [call.tensor(0)], call.real_like([2, 3, 2], ir.DataType.BOOL))


@pytest.mark.parametrize(
    ("op", "rewrite", "said"),
    [
        ("neg", too_few_dimensions, r"aten::neg, .* a FLOAT tensor of shape \[2,3\] for %y, which has 3 dim"),
        ("real", too_many_dimensions, r"aten::real, .* of shape \[2,3,2\] for %x, which has 2 dim"),
        ("neg", wrong_dtype, r"aten::neg, .* a BOOL tensor .* 3 dimensions of FLOAT"),
    ],
)
def test_the_fault_names_the_operator(
    monkeypatch: pytest.MonkeyPatch, op: str, rewrite: object, said: str
) -> None:
    rewrites = {"neg": too_many_dimensions, "real": too_few_dimensions, op: rewrite}
    monkeypatch.setattr("onnx_jitpasses._complex_to_pairs._REWRITES", rewrites)
    with pytest.raises(ExporterInternalError, match=said):
        jit.ComplexToPairs()(parse_program(TEXT))
