"""Models that change buffers and inputs: changes dropped with a finding, or kept as inputs and outputs."""

from __future__ import annotations

from pathlib import Path

import onnx
import onnx_ir as ir
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError


class Counter(torch.nn.Module):
    """Counts its calls, keeps a running sum, and writes to its input."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = torch.nn.Buffer(torch.tensor(3))
        self.total = torch.nn.Buffer(torch.tensor([1.0, 2.0, 4.0]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls.add_(1)
        self.total[1:] += x.sum(0)[1:]
        x.mul_(2)
        return x + self.total * self.calls


def export(model: torch.nn.Module, x: torch.Tensor, keep_state: bool = False) -> onnx_export.ONNXProgram:
    return onnx_export.export(model, (x,), dynamic_shapes={"x": {0: "rows"}}, keep_state=keep_state)


def test_changes_are_dropped_with_a_warning_that_names_them() -> None:
    with pytest.warns(UserWarning, match="JIT002"):
        program = export(Counter(), torch.randn(5, 3))
    messages = [finding.message for finding in program.diagnostics if finding.rule.code == "JIT002"]
    assert len(messages) == 3
    assert [name for name in ("%calls", "%total", "%x") if any(name in message for message in messages)] == [
        *("%calls", "%total", "%x")
    ]
    assert len(program.model.graph.inputs) == 1
    x = torch.randn(7, 3)
    torch.testing.assert_close(program(x)[0], Counter()(x.clone()))


def test_changes_are_kept_as_inputs_and_outputs(tmp_path: Path) -> None:
    program = export(Counter(), torch.randn(5, 3), keep_state=True)
    program.save(tmp_path / "counter.onnx")
    model = onnx.load(tmp_path / "counter.onnx")
    onnx.checker.check_model(model, full_check=True)
    assert [value.name for value in model.graph.input] == ["x", "calls", "total"]
    assert [value.name for value in model.graph.output][1:] == ["calls_out", "total_out", "x_out"]
    assert not model.graph.initializer or {"calls", "total"}.isdisjoint(
        w.name for w in model.graph.initializer
    )
    eager, x = Counter(), torch.randn(7, 3)
    given = x.clone()
    expected = [eager(given), eager.calls, eager.total, given]
    for found, wanted in zip(program(x), expected, strict=True):
        torch.testing.assert_close(found, wanted)
    initial = {variable.input: variable.initial for variable in program.state}
    assert list(initial) == ["calls", "total", "x"]
    assert initial["x"] is None
    torch.testing.assert_close(initial["total"], torch.tensor([1.0, 2.0, 4.0]))


def test_a_cache_of_zeros_takes_no_room_in_the_metadata() -> None:
    class Cache(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cache = torch.nn.Buffer(torch.zeros(64, 64))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.cache[0] = x
            return self.cache.sum(0)

    program = onnx_export.export(Cache(), (torch.randn(64),), keep_state=True)
    assert sum(map(len, program.model.metadata_props.values())) < 500
    (variable,) = program.state
    assert variable.initial is not None
    torch.testing.assert_close(variable.initial, torch.zeros(64, 64))


def test_state_of_a_program_that_is_functional_already() -> None:
    exported = torch.export.export(Counter(), (torch.randn(5, 3),)).run_decompositions()
    program = onnx_export.export(exported, keep_state=True)
    assert [variable.output for variable in program.state] == ["calls_out", "total_out", "x_out"]
    eager, x = Counter(), torch.randn(5, 3)
    given = x.clone()
    expected = [eager(given), eager.calls, eager.total, given]
    for found, wanted in zip(program(x), expected, strict=True):
        torch.testing.assert_close(found, wanted)


class Out(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros(3, 4)
        torch.add(x, 1, out=y)
        return y * 2


def test_what_cannot_be_proven_goes_through_torch() -> None:
    x = torch.randn(3, 4)
    program = onnx_export.export(Out(), (x,))
    assert any(finding.rule.code == "EXP005" for finding in program.diagnostics)
    assert not any(finding.rule.code == "JIT001" for finding in program.diagnostics)
    other = torch.randn(3, 4)
    torch.testing.assert_close(program(other)[0], Out()(other))


class WritesDropped(torch.nn.Module):
    """torch's functionalization loses this write: einsum gave a view without saying so."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.clone()
        z = torch.einsum("ij->ji", y)
        z.add_(1)
        return y


def test_what_torch_would_get_wrong_is_not_given_to_it() -> None:
    x = torch.randn(3, 4)
    with pytest.raises(ConversionError, match="may share memory"):
        onnx_export.export(WritesDropped(), (x,))


def test_weights_that_share_memory_are_not_taken_for_two() -> None:
    class Shared(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.whole = torch.nn.Buffer(torch.zeros(4))
            self.part = torch.nn.Buffer(self.whole[:2])

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.part.add_(1)
            return x + self.whole

    with pytest.raises(ConversionError, match="shares memory"):
        onnx_export.export(Shared(), (torch.randn(4),))


def test_a_graph_without_writes_has_no_state() -> None:
    program = onnx_export.export(torch.nn.Linear(2, 3), (torch.randn(5, 2),), keep_state=True)
    assert program.state == ()
    assert isinstance(program.model, ir.Model)
