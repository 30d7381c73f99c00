"""Captures of recurrent networks leave torch's own kernels as they were, for others and for afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_impls import FAST_OP_IMPLEMENTATIONS
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import any_number_of_steps, capture
from onnx_ir_capture.program import CapturedProgram

ATEN = torch.ops.aten
OPERATORS = (ATEN.lstm.input, ATEN.gru.input, ATEN.rnn_tanh.input, ATEN.rnn_relu.input)
TIME, BATCH, FEATURES, HIDDEN = 5, 3, 7, 11


@pytest.fixture(autouse=True)
def kernels_stay() -> Iterator[None]:
    before = [dict(op.py_kernels) for op in OPERATORS]
    yield
    assert [dict(op.py_kernels) for op in OPERATORS] == before
    assert not set(OPERATORS) & set(FAST_OP_IMPLEMENTATIONS)
    assert traced_steps() == TIME


def traced_steps() -> int:
    """How often torch's own kernel takes a step in a trace without the context."""
    net = torch.nn.GRU(FEATURES, HIDDEN)
    trace = make_fx(lambda x: net(x)[0], tracing_mode="fake", _allow_non_fake_inputs=True)
    with enable_python_dispatcher():
        calls = trace(torch.randn(TIME, BATCH, FEATURES)).graph.nodes
    return sum(node.target is ATEN.tanh.default for node in calls)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.LSTM(FEATURES, HIDDEN)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = self.layer(x)[0]
        return output


class Fails(Net):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        super().forward(x)
        raise ValueError("on purpose")


def captured(model: torch.nn.Module, strict: bool = False) -> CapturedProgram:
    return capture(
        model.eval(),
        (torch.randn(TIME, BATCH, FEATURES),),
        dynamic_shapes=({0: "time", 1: "batch"},),
        diagnostics=DiagnosticContext("test", "0"),
        strict=strict,
    )


@pytest.mark.parametrize("strict", [False, True])
def test_one_call(strict: bool) -> None:
    program = captured(Net(), strict)
    assert [node.op_type for node in program.model.graph].count("lstm") == 1
    assert str(program.model.graph.outputs[0].shape) == f"[time,batch,{HIDDEN}]"


def test_kernels_are_restored_after_a_failure() -> None:
    with pytest.raises(CaptureError, match="on purpose"):
        captured(Fails())


def test_captures_inside_each_other() -> None:
    with any_number_of_steps():
        captured(Net())
        assert captured(Net()).model.graph.outputs[0].shape is not None


def test_other_threads_are_left_alone() -> None:
    found: list[int] = []
    with any_number_of_steps():
        thread = threading.Thread(target=lambda: found.append(traced_steps()))
        thread.start()
        thread.join()
    assert found == [TIME]


def test_values_are_computed_meanwhile() -> None:
    net, x = Net().eval(), torch.randn(TIME, BATCH, FEATURES)
    expected = net(x)
    with any_number_of_steps():
        torch.testing.assert_close(net(x), expected)


def test_a_trace_below_the_call_is_left_alone() -> None:
    with any_number_of_steps():
        assert traced_steps() == TIME


def test_results_are_as_torch_has_them() -> None:
    """Types, sizes and strides of the fake results are those of torch's own kernels."""
    for batch_first in (False, True):
        net = torch.nn.LSTM(FEATURES, HIDDEN, 2, bidirectional=True, batch_first=batch_first, proj_size=2)
        with FakeTensorMode(allow_non_fake_inputs=True):
            x = torch.empty(TIME, BATCH, FEATURES)
            output, states = net(x)
            expected = [(t.shape, t.stride(), t.dtype) for t in (output, *states)]
        with FakeTensorMode(allow_non_fake_inputs=True), any_number_of_steps():
            output, states = net(torch.empty(TIME, BATCH, FEATURES))
            assert [(t.shape, t.stride(), t.dtype) for t in (output, *states)] == expected
