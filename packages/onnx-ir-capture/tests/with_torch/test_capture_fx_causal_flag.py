"""Attention whose causal flag is a condition on dynamic sizes."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from onnx_diagnostics import DiagnosticContext, Level
from onnx_ir_capture.fx import capture
from onnx_ir_capture.interpreter import run_program


class Attention(torch.nn.Module):
    """Causal for more than ``least`` queries, as language models are for more than one token."""

    def __init__(self, least: int) -> None:
        super().__init__()
        self.least = least

    def forward(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(query, key, value, is_causal=query.shape[2] > self.least)


def tensors(queries: int, keys: int) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(queries)
    query, key, value = (torch.randn(2, 3, size, 4, generator=generator) for size in (queries, keys, keys))
    return query, key, value


@pytest.mark.parametrize("least", [1, 4])
@pytest.mark.parametrize("example", [1, 3, 7])
def test_flag_follows_the_size(least: int, example: int) -> None:
    diagnostics = DiagnosticContext("test", "1")
    shapes = ({2: "queries"}, {2: "keys"}, {2: "keys"})
    model = Attention(least).eval()
    program = capture(model, tensors(example, 5), dynamic_shapes=shapes, diagnostics=diagnostics)
    assert [found for found in diagnostics.diagnostics if found.level > Level.NOTE] == []
    for queries in (1, 2, 4, 5, 9):
        args = tensors(queries, 6)
        torch.testing.assert_close(run_program(program, args), model(*args))


def test_calls_outside_of_a_capture_are_torchs_own() -> None:
    args = tensors(3, 3)
    expected = F.scaled_dot_product_attention(*args, is_causal=True)
    capture(Attention(1).eval(), args, diagnostics=DiagnosticContext("test", "1"))
    torch.testing.assert_close(Attention(1)(*args), expected)
