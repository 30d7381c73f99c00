"""Arguments that have no effect on an export: each is told, and none is passed over in silence."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError

X = torch.randn(3, 5)
LAYER = torch.nn.Linear(5, 2).eval()
EXPORTED = torch.export.export(LAYER, (X,))


@pytest.mark.parametrize("argument", ["dynamic_shapes", "dynamic_axes"])
def test_dimensions_asked_of_an_exported_program_are_not_passed_over(argument: str) -> None:
    export: Callable[..., onnx_export.ONNXProgram] = onnx_export.export
    with pytest.warns(UserWarning, match=f"CAP012: {argument} is ignored, because an ExportedProgram"):
        export(EXPORTED, **{argument: {"nonsense": {0: "b"}}})


@pytest.mark.parametrize(
    ("args", "kwargs", "reason"),
    [
        ((torch.randn(3, 7),), None, "args .* input has size 7 instead of 5 in dimension 1"),
        ((X.double(),), None, "args .* input"),
        ((X, X), None, "args .* 2 arguments by position instead of 1"),
        ((), {"other": X}, "kwargs .* unknown: other"),
    ],
)
def test_arguments_that_do_not_fit_an_exported_program_are_told(
    args: tuple[torch.Tensor, ...], kwargs: dict[str, torch.Tensor] | None, reason: str
) -> None:
    with pytest.warns(UserWarning, match=reason.replace(" .* ", " has no effect: an ExportedProgram .*")):
        onnx_export.export(EXPORTED, args, kwargs=kwargs)


def test_arguments_that_fit_an_exported_program_are_no_matter() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        onnx_export.export(EXPORTED, (X + 1,))
        onnx_export.export(EXPORTED)


def test_a_trace_has_no_program_to_dump(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="dump_exported_program has no effect: the model was traced"):
        onnx_export.export(LAYER, (X,), dynamo=False, dump_exported_program=True, artifacts_dir=tmp_path)
    assert not list(tmp_path.iterdir())


def test_one_file_is_written_beside_a_folder_with_the_name_of_its_data(tmp_path: Path) -> None:
    (tmp_path / "m.onnx.data").mkdir()
    onnx_export.export(LAYER, (X,), tmp_path / "m.onnx", external_data=False)
    assert (tmp_path / "m.onnx").is_file()


@pytest.mark.parametrize("dynamo", [False, True])
def test_dynamic_axes_may_name_outputs(dynamo: bool) -> None:
    axes = {"x": {0: "batch"}, "linear": {0: "batch"}} if dynamo else {"x": {0: "batch"}, "y": {0: "batch"}}
    names = None if dynamo else ["y"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        program = onnx_export.export(
            LAYER,
            (X,),
            dynamo=dynamo,
            input_names=["x"],
            output_names=names,
            dynamic_axes=axes,
        )
    assert [str(dim) for dim in program.model.graph.outputs[0].shape or ()] == ["batch", "2"]


@pytest.mark.parametrize("dynamo", [False, True])
def test_dynamic_axes_of_what_is_neither_input_nor_output_are_told(dynamo: bool) -> None:
    with pytest.warns(
        UserWarning, match=r"dynamic_axes\['z'\] has no effect: .*inputs are x, and the outputs y"
    ):
        onnx_export.export(
            LAYER,
            (X,),
            dynamo=dynamo,
            input_names=["x"],
            output_names=["y"],
            dynamic_axes={"x": {0: "batch"}, "z": {0: "batch"}},
        )


def test_data_needs_its_place_where_it_is_written(tmp_path: Path) -> None:
    program = onnx_export.export(torch.nn.Linear(50, 50).eval(), (torch.randn(2, 50),))
    (tmp_path / "m.onnx.data").mkdir()
    with pytest.raises(OnnxExporterError, match="its weights need the name"):
        program.save(tmp_path / "m.onnx", external_data=True)
