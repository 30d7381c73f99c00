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


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (TABLE, {"correction": 0}),
        (TABLE[0], {}),
        (TABLE * 9, {"fweights": torch.arange(1, 8), "aweights": TABLE[1].abs()}),
        (TABLE.to(torch.complex64) * 1j + TABLE.flip(0), {"aweights": TABLE[1].abs(), "correction": 2}),
        ((TABLE * 9).int(), {"correction": 9}),
    ],
)
@pytest.mark.filterwarnings("ignore:cov():UserWarning", "ignore:.*degrees of freedom")
def test_what_stands_in_computes_the_same(table: torch.Tensor, options: dict[str, object]) -> None:
    with covariance_of_any_values():
        kernel = torch.ops.aten.cov.default.py_kernels[torch._C.DispatchKey.CompositeImplicitAutograd]
        correlation = torch.ops.aten.corrcoef.default.py_kernels[
            torch._C.DispatchKey.CompositeImplicitAutograd
        ]
    torch.testing.assert_close(kernel(table, **options), torch.cov(table, **options), equal_nan=True)
    torch.testing.assert_close(correlation(table), torch.corrcoef(table), equal_nan=True)
