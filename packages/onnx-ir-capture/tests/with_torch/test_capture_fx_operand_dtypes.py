"""Calls on tensors of different dtypes, which PyTorch refuses and a capture alone would not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import FORWARD_RAISED

F = torch.nn.functional
PLACES = torch.tensor([0, 1, 2])
X, W, B = torch.rand(3, 3), torch.rand(3, 3), torch.rand(3)
Call = Callable[..., torch.Tensor]


class Calls(torch.nn.Module):
    def __init__(self, call: Call) -> None:
        super().__init__()
        self.call = call

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        return self.call(*tensors)


CALLS: Sequence[tuple[str, Call, Sequence[torch.Tensor]]] = [
    ("addmm", torch.addmm, (B, X, W)),
    ("linear", F.linear, (X, W, B)),
    ("matmul", torch.matmul, (X, B)),
    ("mm", torch.mm, (X, W)),
    ("mv", torch.mv, (X, B)),
    ("conv1d", F.conv1d, (X[None], torch.rand(2, 3, 2))),
    ("conv_transpose2d", F.conv_transpose2d, (X[None, None], W[None, None])),
    ("conv_transpose1d", F.conv_transpose1d, (X[None], W[:, :, None], B)),
    ("group_norm", lambda x, w, b: F.group_norm(x, 1, w, b), (X, B, B)),
    ("layer_norm", lambda x, w, b: F.layer_norm(x, (3,), w, b), (X, B, B)),
    ("batch_norm", F.batch_norm, (X, B, B, B, B)),
    ("lstm_cell", lambda x, w: torch.lstm_cell(x, (x, x), w, w)[0], (X, torch.rand(12, 3))),
    (
        "gru",
        lambda x, w: torch.gru(x, x[:1], [w, w], False, 1, 0.0, False, False, False)[0],
        (X[None], torch.rand(9, 3)),
    ),
    ("heaviside", torch.heaviside, (X, W)),
    ("index_put", lambda x, y: torch.index_put(x, (PLACES,), y), (X, W)),
    ("index_add", lambda x, y: torch.index_add(x, 0, PLACES, y), (X, W)),
    ("nll_loss_nd", lambda x, w: F.nll_loss(x, PLACES, w), (X, B)),
    ("binary_cross_entropy", F.binary_cross_entropy, (X, W)),
    ("linalg_cross", torch.linalg.cross, (X, W)),
]


@pytest.mark.parametrize(("name", "call", "tensors"), CALLS, ids=[name for name, _, _ in CALLS])
def test_dtypes_that_pytorch_refuses_are_refused_at_the_line(
    name: str, call: Call, tensors: Sequence[torch.Tensor]
) -> None:
    mixed = [tensors[0].double(), *tensors[1:]]
    with pytest.raises(RuntimeError):
        call(*mixed)
    with pytest.raises(CaptureError) as caught:
        capture(Calls(call).eval(), tuple(mixed), diagnostics=DiagnosticContext("test", "1"))
    (finding,) = caught.value.diagnostics
    assert finding.rule == FORWARD_RAISED
    assert f"{name} takes tensors of one dtype, not" in finding.message
    assert "float64 (" in finding.message
    assert "'tensors_0' (float64)" in finding.advice
    assert finding.location is not None
    assert finding.location.file == __file__


def test_dtypes_that_meet_inside_of_the_model_are_converted_there() -> None:
    def twice(x: torch.Tensor) -> torch.Tensor:
        return (x + 1) @ (x + 1).double()

    with pytest.raises(CaptureError, match=r"not float32 \(self\) and float64 \(other\)[\s\S]*y\.to\(x\.dt"):
        capture(twice, (X,), diagnostics=DiagnosticContext("test", "1"))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("gelu", F.gelu),
        ("hardshrink", F.hardshrink),
        ("lerp", lambda x: torch.lerp(x, x, 0.5)),
        ("logcumsumexp", lambda x: torch.logcumsumexp(x, 0)),
        ("smooth_l1_loss", lambda x: F.smooth_l1_loss(x, x)),
        ("cross_entropy_loss", lambda x: F.cross_entropy(x, x[0])),
    ],
)
def test_integers_that_pytorch_refuses_are_refused_at_the_line(name: str, call: Call) -> None:
    integers = torch.tensor([[0, 1, 2], [2, 1, 0], [1, 1, 1]])
    with pytest.raises(RuntimeError):
        call(integers)
    with pytest.raises(CaptureError, match=f"{name} takes tensors of floating point, not int64"):
        capture(Calls(call).eval(), (integers,), diagnostics=DiagnosticContext("test", "1"))


def test_an_exported_program_is_looked_at_too() -> None:
    exported = torch.export.export(torch.nn.Linear(3, 3), (X.double(),))
    with pytest.raises(CaptureError, match=r"linear takes tensors of one dtype"):
        capture(exported, diagnostics=DiagnosticContext("test", "1"))


@pytest.mark.parametrize(
    ("model", "example"),
    [
        (torch.nn.BatchNorm1d(3), X.half()),
        (torch.nn.LayerNorm(3), X.bfloat16()),
        (torch.nn.GroupNorm(1, 3), X.half()),
        (torch.nn.Linear(3, 3).double(), X.double()),
    ],
)
def test_dtypes_that_pytorch_takes_are_taken(model: torch.nn.Module, example: torch.Tensor) -> None:
    model.eval()(example)
    capture(model, (example,), diagnostics=DiagnosticContext("test", "1"))


def test_autocast_converts_what_it_runs() -> None:
    layer = torch.nn.Linear(3, 3)

    class Autocast(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.autocast("cpu", torch.bfloat16):
                return torch.mm(layer(layer(x)), x)

    capture(Autocast().eval(), (X,), diagnostics=DiagnosticContext("test", "1"))
