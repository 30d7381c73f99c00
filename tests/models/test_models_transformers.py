"""Models of transformers, exported with dynamic dimensions and compared with PyTorch at other sizes."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
import torch

import onnx_export
from models._wide import WIDE
from models._zoo import ZOO, Entry
from onnx_export.rules import SIZES_NOT_COMPARED
from onnx_ir_capture.emit.schemas import NEWEST_OPSET
from onnx_torchlib import TRANSLATORS


def exported(entry: Entry, opset: int, path: Path | None = None) -> onnx_export.ONNXProgram:
    torch.manual_seed(0)
    program = onnx_export.export(
        entry.make().eval(),
        (),
        path,
        kwargs=entry.inputs(),
        dynamic_shapes=entry.dynamic,
        opset_version=opset,
        use_torch_lib=False,
        verify=True,
        verbose=False,
    )
    assert not program.diagnostic_context.of(SIZES_NOT_COMPARED), "other sizes are part of the comparison"
    return program


@pytest.mark.parametrize("entry", WIDE, ids=lambda entry: entry.name)
def test_other_architectures(entry: Entry) -> None:
    exported(entry, 20)


@pytest.mark.parametrize("opset", [18, 20, NEWEST_OPSET])
@pytest.mark.parametrize("entry", ZOO, ids=lambda entry: entry.name)
def test_model_is_the_same_in_onnx_runtime(entry: Entry, opset: int, tmp_path: Path) -> None:
    program = exported(entry, opset, tmp_path / "model.onnx")
    onnx.checker.check_model(tmp_path / "model.onnx", full_check=True)
    assert program.model.graph.opset_imports == {"": opset}


@pytest.mark.parametrize("opset", [9, 11, 13, 17])
@pytest.mark.parametrize("entry", ZOO, ids=lambda entry: entry.name)
def test_model_at_an_old_opset(entry: Entry, opset: int) -> None:
    program = exported(entry, opset)
    assert program.model.graph.opset_imports == {"": opset}


@pytest.mark.parametrize("opset", [18, NEWEST_OPSET])
@pytest.mark.parametrize("name", ["bert-sdpa", "vit", "resnet-basic"])
def test_model_without_the_translators(name: str, opset: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By symbolic functions alone, which serve the opsets of the translators, too."""
    tables = tuple(table for table in onnx_export.DEFAULT_TABLES if table is not TRANSLATORS)
    monkeypatch.setattr("onnx_export._chosen_tables.DEFAULT_TABLES", tables)
    monkeypatch.setattr(TRANSLATORS, "find", _not_asked)
    (entry,) = (entry for entry in ZOO if entry.name == name)
    program = exported(entry, opset)
    assert program.model.graph.opset_imports == {"": opset}


def _not_asked(*_: object) -> None:
    raise AssertionError("the translators were asked")


@pytest.mark.parametrize("entry", ZOO, ids=lambda entry: entry.name)
def test_dimension_names_reach_the_file(entry: Entry) -> None:
    program = exported(entry, 20)
    for value in program.model.graph.inputs:
        assert value.shape is not None
        for axis, name in entry.dynamic[str(value.name)].items():
            assert str(value.shape[axis]) == name
