"""Models that write in place: functional graphs give what eager gives, and leave what it leaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from golden._final_state import final_state
from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import verify
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.interpreter import Interpreter
from onnx_jitpasses.pipeline import run_pipeline

ROWS, COLUMNS = 3, 4


class Model(torch.nn.Module):
    """A function of a tensor and of two buffers."""

    def __init__(self, function: Callable[[Model, torch.Tensor], object]) -> None:
        super().__init__()
        self.buffer = torch.nn.Buffer(torch.zeros(ROWS, COLUMNS))
        self.count = torch.nn.Buffer(torch.tensor(0))
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(self, x)


def part(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y[:, 1:3] += 1
    y[-1] = 5
    y[::2, 0] *= y[1, 1]
    return y


def chain_of_views(_: Model, x: torch.Tensor) -> object:
    y = x * 2
    view = y.t()[1].unsqueeze(0)
    view.mul_(3)
    return y, view


def pieces(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    first, second = y.split(2, 1)
    first.add_(second)
    second.zero_()
    third = y.chunk(2, 1)[0]
    third.neg_()
    return y, first


def rows(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    for row in y.unbind(1):
        row.div_(2)
    return y


def diagonal(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y[:, :ROWS].diagonal().fill_(7)
    return y


def windows(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y.unfold(1, 2, 2).mul_(5)
    return y


def masks(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y[y > 0] = 0.5
    y[:, torch.tensor([0, 2])] += 1
    y.masked_fill_(x < -1, 9)
    return y


def other_sizes(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    row = y[0]
    y.unsqueeze_(0).transpose_(1, 2)
    row.add_(1)
    return y


def reshapes(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y.reshape(-1).add_(1)
    copied = y.t().reshape(-1)
    copied.add_(1)
    return y, copied


def casts(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    y.to(torch.float32).add_(1)
    other = y.double()
    other.add_(1)
    return y, other


def lists(_: Model, x: torch.Tensor) -> object:
    y = x.clone()
    members = [y, y[0:1]]
    y.add_(1)
    return torch.cat(members)


def expansion(_: Model, x: torch.Tensor) -> object:
    y = x[:, :1].clone()
    wide = y.expand(-1, COLUMNS)
    y.add_(1)
    return wide


def written_input(_: Model, x: torch.Tensor) -> object:
    x.add_(1)
    x[0] = 2
    return x * 2


def written_buffers(model: Model, x: torch.Tensor) -> object:
    model.count.add_(1)
    model.buffer[0] = x.sum(0)
    model.buffer[1:].mul_(2).add_(1)
    return x + model.buffer.sum(0), model.count


def written_in_a_region(model: Model, x: torch.Tensor) -> object:
    with torch.no_grad():
        model.buffer.add_(1)
        y = x * 2
        y[0] = 0
    return y + model.buffer.sum()


FUNCTIONS = [
    *(part, chain_of_views, pieces, rows, diagonal, windows, masks, other_sizes, reshapes, casts, lists),
    *(expansion, written_input, written_buffers, written_in_a_region),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_outputs_and_state_are_those_of_eager(function: Callable[[Model, torch.Tensor], object]) -> None:
    shapes = ({0: torch.export.Dim.DYNAMIC},) if function is not diagonal else None
    example = torch.randn(ROWS, COLUMNS)
    exported = torch.export.export(Model(function), (example,), dynamic_shapes=shapes)
    diagnostics = DiagnosticContext("test", "1")
    captured = import_exported_program(exported, diagnostics)
    result = run_pipeline(captured, diagnostics, keep_state=True).program
    verify(result.model)
    for size in (ROWS, 5) if shapes else (ROWS,):
        x = torch.randn(size, COLUMNS)
        eager, given = Model(function), x.clone()
        outcome = eager(given)
        outputs = list(outcome) if isinstance(outcome, tuple) else [outcome]
        expected = [*outputs, given, eager.buffer, eager.count]
        graph = result.model.graph
        weights = {"buffer": torch.zeros(ROWS, COLUMNS), "count": torch.tensor(0)}
        found = Interpreter(graph, weights=weights).run([x])
        held = {str(graph.inputs[0].name): x, **weights}
        for one, other in zip(final_state(result.model, found, len(outputs), held), expected, strict=True):
            assert isinstance(one, torch.Tensor)
            torch.testing.assert_close(one, other, rtol=0, atol=0)
