"""Places where no model can be saved, each with one clear error before any work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export._saving import check_destination
from onnx_export.rules import UNUSABLE_DESTINATION


def refused(destination: str | os.PathLike[str]) -> str:
    diagnostics = DiagnosticContext("test", "1")
    with pytest.raises(OnnxExporterError) as caught:
        check_destination(destination, diagnostics)
    assert caught.value.diagnostics == diagnostics.diagnostics
    [finding] = diagnostics
    assert finding.rule is UNUSABLE_DESTINATION
    assert finding.advice
    assert repr(os.fspath(destination)) in str(caught.value)
    return str(caught.value)


def test_a_good_place_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.onnx").write_bytes(b"old")
    for destination in ("new.onnx", tmp_path / "new", "old.onnx", os.path.join(os.curdir, "ünï.onnx")):
        assert check_destination(destination) == Path(destination)
    assert os.listdir(tmp_path) == ["old.onnx"]
    assert (tmp_path / "old.onnx").read_bytes() == b"old"


def test_empty() -> None:
    assert "the path is empty" in refused("")


def test_missing_folder(tmp_path: Path) -> None:
    assert f"the folder {os.fspath(tmp_path / 'no')!r} does not exist" in refused(
        tmp_path / "no" / "model.onnx"
    )


def test_file_as_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert "is no folder" in refused(tmp_path / "file" / "model.onnx")


@pytest.mark.parametrize("ending", ["", os.sep, os.sep + os.curdir])
def test_folder_as_file(tmp_path: Path, ending: str) -> None:
    text = refused(os.fspath(tmp_path) + ending)
    assert "that is a folder" in text
    assert "model.onnx" in text


def test_folder_in_the_place_of_the_data(tmp_path: Path) -> None:
    (tmp_path / "model.onnx.data").mkdir()
    assert "its weights need the name" in refused(tmp_path / "model.onnx")


def test_data_that_is_not_written_needs_no_place(tmp_path: Path) -> None:
    (tmp_path / "model.onnx.data").mkdir()
    assert check_destination(tmp_path / "model.onnx", external_data=False) == tmp_path / "model.onnx"


def test_device_is_not_replaced() -> None:
    assert "is no regular file" in refused(os.devnull)


def test_name_too_long(tmp_path: Path) -> None:
    assert "File name too long" in refused(tmp_path / ("x" * 253))


@pytest.mark.parametrize("name", ["nul\0.onnx", "surrogate\udc80.onnx"])
def test_characters_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    assert "characters" in refused(os.path.join(tmp_path, name))


def test_read_only_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"old")
    path.chmod(0o444)
    # Root may write everything; the answer for everyone else is given instead.
    monkeypatch.setattr(os, "access", lambda file, mode: os.stat(file).st_mode & 0o200 != 0)
    assert "is read-only" in refused(path)


def test_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str | os.PathLike[str]) -> None:
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(os, "mkdir", refuse)
    assert "Permission denied" in refused(tmp_path / "model.onnx")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system in which nobody can write")
def test_file_system_that_cannot_be_written_to() -> None:
    text = refused("/proc/model.onnx")
    assert "the folder '/proc' cannot be written to" in text
    assert ".tmp" not in text


@pytest.mark.parametrize("destination", [b"model.onnx", None, 3])
def test_no_path(destination: object) -> None:
    with pytest.raises(TypeError):
        check_destination(destination)  # type: ignore[arg-type]  # what the test is about
