"""``verify_onnx_program`` and ``assert_onnx_program``."""

from __future__ import annotations

import json
import math

import onnx_ir as ir
import pytest
import torch

import onnx_export
from onnx_export import VerificationInfo


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 5)

    def forward(self, x: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = torch.relu(self.fc(x))
        return y * scale, y.argmax(1)


X, SCALE = torch.randn(2, 3), torch.tensor(2.0)


def exported() -> onnx_export.ONNXProgram:
    shapes = {"x": {0: "batch"}, "scale": None}
    return onnx_export.export(
        Net().eval(), (X,), kwargs={"scale": SCALE}, dynamic_shapes=shapes, verbose=False
    )


def broken(program: onnx_export.ONNXProgram) -> onnx_export.ONNXProgram:
    bias = program.model.graph.initializers["fc.bias"]
    bias.const_value = ir.tensor(torch.full((5,), 9.0).numpy(), name="fc.bias")
    program.release()
    return program


def test_outputs_are_compared_on_the_example() -> None:
    infos = onnx_export.verify_onnx_program(exported())
    assert [info.name for info in infos] == ["mul", "argmax"]
    assert [info.actual_dtype for info in infos] == [torch.float32, torch.int64]
    assert all(info.max_abs_diff < 1e-5 and info.expected_dtype == info.actual_dtype for info in infos)


def test_outputs_are_compared_on_other_inputs() -> None:
    found = onnx_export.verify_onnx_program(exported(), (torch.randn(7, 3),), {"scale": torch.tensor(3.0)})
    assert all(info.max_abs_diff < 1e-5 for info in found)


def test_differences_are_told_and_not_raised() -> None:
    product, _ = onnx_export.verify_onnx_program(broken(exported()))
    assert product.max_abs_diff > 1
    assert product.max_rel_diff > 0.1
    assert product.abs_diff_hist[0].sum() == 10


def test_intermediate_values_show_where_it_begins() -> None:
    infos = onnx_export.verify_onnx_program(broken(exported()), compare_intermediates=True)
    assert [info.name for info in infos] == ["linear", "relu", "mul", "argmax"]
    assert all(info.max_abs_diff > 1 for info in infos[:3])
    infos = onnx_export.verify_onnx_program(exported(), compare_intermediates=True)
    assert all(info.max_abs_diff < 1e-5 for info in infos)


def test_buffers_that_a_run_changes_are_as_before() -> None:
    class Counter(torch.nn.Module):
        count: torch.Tensor

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count.add_(1)
            return x + self.count

    model = Counter().eval()
    program = onnx_export.export(model, (torch.ones(2),), verbose=False)
    for _ in range(2):
        assert [info.max_abs_diff for info in onnx_export.verify_onnx_program(program)] == [0.0]
    assert model.count.item() == 0


@pytest.mark.parametrize("backend", ["onnxruntime", "reference"])
def test_assertion(backend: str) -> None:
    program = exported()
    onnx_export.assert_onnx_program(program, backend=backend)  # type: ignore[arg-type]  # a parameter
    with pytest.raises(AssertionError, match="output mul: Tensor-likes are not close"):
        onnx_export.assert_onnx_program(broken(program), backend=backend)  # type: ignore[arg-type]  # a parameter
    onnx_export.assert_onnx_program(
        program, rtol=0, atol=1e3, args=(torch.zeros(1, 3),), kwargs={"scale": SCALE}
    )


def test_assertion_of_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="by TorchExportNonStrictStrategy, not by JitTraceConvertStrategy"):
        onnx_export.assert_onnx_program(exported(), strategy="JitTraceConvertStrategy")
    with pytest.raises(ValueError, match="backend='tvm' is unknown"):
        onnx_export.assert_onnx_program(exported(), backend="tvm")  # type: ignore[arg-type]  # what is tested


def test_numbers_of_a_comparison() -> None:
    info = VerificationInfo.from_tensors(
        "x", torch.tensor([1.0, math.nan, math.inf]), torch.tensor([1.5] * 3)
    )
    assert (info.max_abs_diff, info.max_rel_diff) == (math.inf, math.inf)
    same = torch.tensor([math.nan, math.inf, -math.inf])
    assert VerificationInfo.from_tensors("x", same, same.clone()).max_abs_diff == 0
    assert VerificationInfo.from_tensors("x", torch.ones(2), torch.ones(3)).max_abs_diff == math.inf
    assert VerificationInfo.from_tensors("x", torch.ones(0), torch.ones(0)).max_rel_diff == 0
    number = VerificationInfo.from_tensors("x", 4, 5)
    assert number.asdict()["max_abs_diff"] == 1
    assert json.loads(json.dumps(number.asdict()))["expected_dtype"] == "torch.int64"
    assert len(number.abs_diff_hist[0]) == 9
    half = VerificationInfo.from_tensors("x", torch.ones(2).half(), torch.ones(2).half() * 2)
    assert half.max_rel_diff == pytest.approx(1)
    unsigned = VerificationInfo.from_tensors(
        "x", torch.tensor([0], dtype=torch.uint8), torch.tensor([1], dtype=torch.uint8)
    )
    assert unsigned.max_abs_diff == 1
