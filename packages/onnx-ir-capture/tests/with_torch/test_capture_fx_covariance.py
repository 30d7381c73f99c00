"""Covariances in captures, none of which is asked for the values of its weights."""

from __future__ import annotations

import pytest
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import op_name
from onnx_ir_capture.fx import capture, covariance_of_any_values

TABLE = torch.randn(3, 7, generator=torch.Generator().manual_seed(0))


class Both(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.cov(x), torch.corrcoef(x)


@pytest.mark.parametrize("strict", [False, True])
def test_each_is_one_call(strict: bool) -> None:
    program = capture(
        Both(),
        (TABLE,),
        dynamic_shapes={"x": {0: "n", 1: "m"}},
        strict=strict,
        diagnostics=DiagnosticContext("covariance", "0"),
    )
    calls = [str(op_name(node)) for node in program.model.graph]
    assert [call for call in calls if call.startswith("aten")] == ["aten::cov", "aten::corrcoef"]


WEIGHTS, FREQUENCIES = TABLE[1].abs(), torch.arange(1, 8)


@pytest.mark.parametrize(
    ("table", "correction", "frequencies", "weights"),
    [
        (TABLE, 0, None, None),
        (TABLE[0], 1, None, None),
        (TABLE, 1, FREQUENCIES, WEIGHTS),
        (TABLE.to(torch.complex64) * 1j + TABLE.flip(0), 2, None, WEIGHTS),
        ((TABLE * 9).int(), 9, None, None),
    ],
)
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
def test_what_stands_in_computes_the_same(
    table: torch.Tensor, correction: int, frequencies: torch.Tensor | None, weights: torch.Tensor | None
) -> None:
    key, aten = torch._C.DispatchKey.CompositeImplicitAutograd, torch.ops.aten
    with covariance_of_any_values():
        covariance, correlation = (op.py_kernels[key] for op in (aten.cov.default, aten.corrcoef.default))
    options = {"correction": correction, "fweights": frequencies, "aweights": weights}
    wanted = aten.cov.default(table, **options)
    torch.testing.assert_close(covariance(table, **options), wanted, equal_nan=True)
    torch.testing.assert_close(correlation(table), torch.corrcoef(table), equal_nan=True)
