"""Modules that know how to be exported, and the older name of ``export()``."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import onnx_export


class Sum(onnx_export.ExportableModule):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y

    def example_arguments(self) -> tuple[tuple[object, ...], dict[str, object] | None]:
        return (torch.ones(2, 3),), {"y": torch.ones(2, 3)}

    def dynamic_shapes(self) -> object:
        return {"x": {0: "batch"}, "y": {0: "batch"}}

    def input_names(self) -> list[str]:
        return ["left", "right"]

    def output_names(self) -> list[str]:
        return ["sum"]


def test_a_module_brings_examples_shapes_and_names(tmp_path: Path) -> None:
    module = Sum().eval()
    program = module.to_onnx(f=tmp_path / "sum.onnx", opset_version=18, verbose=False, verify=True)
    assert repr(program).endswith(
        "(left: FLOAT[batch, 3], right: FLOAT[batch, 3]) -> (sum: FLOAT[batch, 3]))"
    )
    assert program.model.graph.opset_imports[""] == 18
    assert (tmp_path / "sum.onnx").exists()
    assert repr(onnx_export.export(module, verbose=False, opset_version=18)) == repr(program)


def test_what_is_given_goes_first() -> None:
    program = Sum().eval().to_onnx(input_names=["a", "b"], dynamic_shapes={"x": {}, "y": {}}, verbose=False)
    assert repr(program).endswith("(a: FLOAT[2, 3], b: FLOAT[2, 3]) -> (sum: FLOAT[2, 3]))")
    x = torch.ones(5)
    program = onnx_export.export(Sum().eval(), (x, x), verbose=False)
    assert [value.name for value in program.model.graph.inputs] == ["x", "y"]


def test_examples_are_a_must() -> None:
    class Without(onnx_export.ExportableModule):
        pass

    with pytest.raises(TypeError, match="example_arguments"):
        vars(onnx_export)["ExportableModule"].__new__(Without)


def test_examples_of_another_form_are_refused() -> None:
    class Wrong(Sum):
        def example_arguments(self) -> tuple[tuple[object, ...], dict[str, object] | None]:
            return torch.ones(2), torch.ones(2)  # type: ignore[return-value]  # what is tested

    with pytest.raises(TypeError, match=r"Wrong\.example_arguments\(\) must return \(args, kwargs\)"):
        Wrong().to_onnx()


def test_the_older_name() -> None:
    linear, x = torch.nn.Linear(3, 2).eval(), torch.ones(1, 3)
    with pytest.warns(DeprecationWarning, match="dynamo_export is deprecated"):
        program = onnx_export.dynamo_export(linear, input=x)
    torch.testing.assert_close(program(input=x)[0], linear(x).detach())
    with pytest.warns(DeprecationWarning, match="dynamo"), pytest.raises(TypeError, match="export_options"):
        onnx_export.dynamo_export(linear, x, export_options=None)
