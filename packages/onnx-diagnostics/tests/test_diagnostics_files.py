from __future__ import annotations

import errno
import linecache
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from onnx_diagnostics import PhysicalLocation, Region, write_text_atomically
from onnx_diagnostics._files import Workspace


def _text(folder: Path, region: Region, content: bytes) -> str | None:
    (folder / "source.py").write_bytes(content)
    return Workspace(str(folder)).text(PhysicalLocation("source.py", region))


def test_paths_inside_are_relative_and_percent_encoded() -> None:
    workspace = Workspace("/w")
    assert workspace.base_uri == "file:///w/"
    assert workspace.relative_uri("/w/my model/é:#?%.py") == "my%20model/%C3%A9%3A%23%3F%25.py"
    assert workspace.relative_uri("sub/./x/../model.py") == "sub/model.py"


def test_paths_outside_are_absolute() -> None:
    workspace = Workspace("/w")
    for path in ("/w2/a b.py", "../w2/a b.py"):
        assert workspace.relative_uri(path) is None
        assert workspace.absolute_uri(path) == "file:///w2/a%20b.py"


def test_root_as_workspace() -> None:
    workspace = Workspace("/")
    assert workspace.base_uri == "file:///"
    assert workspace.relative_uri("/a/b.py") == "a/b.py"


def test_file_reached_through_a_link_is_inside(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    assert Workspace(str(tmp_path / "link")).relative_uri(str(real / "a.py")) == "a.py"


@pytest.mark.parametrize("path", ["a\udc80.py", f"a{chr(0xD800)}.py", "a\0.py", "a\nb.py"])
def test_odd_names_have_a_uri_and_no_text(path: str) -> None:
    workspace = Workspace("/w")
    uri = workspace.relative_uri(path)
    assert uri is not None
    assert uri.isascii()
    assert uri.isprintable()
    assert workspace.text(PhysicalLocation(path, Region(1))) is None


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/.venv/lib/python3.11/site-packages/transformers/models/bert.py",
        "/usr/lib/python3/dist-packages/transformers/models/bert.py",
        "/w/.venv/lib/python3.12/site-packages/transformers/models/bert.py",
    ],
)
def test_installed_file_has_the_same_name_everywhere(path: str) -> None:
    assert Workspace("/w").portable_name(path) == "transformers/models/bert.py"


def test_portable_names_of_other_files(tmp_path: Path) -> None:
    package = tmp_path / "top" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    workspace = Workspace("/w")
    assert workspace.portable_name("/w/sub/model.py") == "sub/model.py"
    assert workspace.portable_name(str(package / "model.py")) == "top/inner/model.py"
    assert workspace.portable_name("/elsewhere/model.py") == "model.py"
    assert workspace.portable_name("/usr/lib/python3.11/json/decoder.py") == "json/decoder.py"
    assert workspace.portable_name("<eval_with_key>.3") == workspace.portable_name("<eval_with_key>.4")


def test_text_of_lines_and_columns(tmp_path: Path) -> None:
    content = "first = 1\n    é = second(x)\nthird\n".encode()
    assert _text(tmp_path, Region(2), content) == "    é = second(x)"
    assert _text(tmp_path, Region(2, 5, None, 6), content) == "é"
    assert _text(tmp_path, Region(2, 9), content) == "second(x)"
    assert _text(tmp_path, Region(1, 9, 3, 6), content) == "1\n    é = second(x)\nthird"


@pytest.mark.parametrize("region", [Region(9), Region(1, None, 9), Region(1, 4)])
def test_region_that_the_file_does_not_have_is_without_text(tmp_path: Path, region: Region) -> None:
    assert _text(tmp_path, region, b"x\n") is None


def test_lines_are_counted_as_python_counts_them(tmp_path: Path) -> None:
    # str.splitlines would end lines at the form feed and the file separator, too.
    assert _text(tmp_path, Region(3), b"a\x0c\x1cb\r\nc\rthird\n") == "third"


def test_declared_and_broken_encodings(tmp_path: Path) -> None:
    assert _text(tmp_path, Region(2), b"# -*- coding: latin-1 -*-\n\xe9\n") == "é"
    assert _text(tmp_path, Region(1), b"\xef\xbb\xbfx = 1\n") == "x = 1"
    assert _text(tmp_path, Region(1), b"x = '\xff'\n") == "x = '\ufffd'"
    assert _text(tmp_path, Region(2), b"# coding: no-such-coding\nx\n") == "x"


def test_very_long_text_is_not_quoted(tmp_path: Path) -> None:
    assert _text(tmp_path, Region(1), b"x" * 2001) is None
    assert _text(tmp_path, Region(1), b"x" * 2000) == "x" * 2000


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    # Opening a pipe that nobody writes to would wait for ever.
    os.mkfifo(tmp_path / "pipe.py")
    assert Workspace(str(tmp_path)).text(PhysicalLocation("pipe.py", Region(1))) is None


def test_cells_of_a_notebook_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        linecache.cache, "/tmp/ipykernel_1/2.py", (4, None, ["x = 1\n"], "/tmp/ipykernel_1/2.py")
    )
    monkeypatch.setitem(linecache.cache, "<cell 1>", (4, None, ["y = 1\n"], "<cell 1>"))
    workspace = Workspace("/w")
    assert workspace.text(PhysicalLocation("/tmp/ipykernel_1/2.py", Region(1))) == "x = 1"
    assert workspace.first_line(PhysicalLocation("<cell 1>", Region(1))) == "y = 1"


def test_given_snippet_counts_above_the_file(tmp_path: Path) -> None:
    location = PhysicalLocation("gone.py", Region(3), "  given\nmore")
    workspace = Workspace(str(tmp_path))
    assert workspace.text(location) == "  given\nmore"
    assert workspace.first_line(location) == "given"


def _failing_chunks() -> Iterator[str]:
    yield "half"
    raise RuntimeError("stop")


def test_write_makes_a_new_file_with_the_usual_mode(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        write_text_atomically(tmp_path / "log.sarif", ["é\n", "b\n"])
    finally:
        os.umask(umask)
    assert (tmp_path / "log.sarif").read_bytes() == "é\nb\n".encode()
    assert stat.S_IMODE((tmp_path / "log.sarif").stat().st_mode) == 0o644
    assert os.listdir(tmp_path) == ["log.sarif"]


def test_failure_while_writing_leaves_the_older_file(tmp_path: Path) -> None:
    target = tmp_path / "log.sarif"
    target.write_text("old")
    with pytest.raises(RuntimeError, match="stop"):
        write_text_atomically(target, _failing_chunks())
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["log.sarif"]


def test_failure_while_replacing_leaves_the_older_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: str, target: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", source, None, target)

    target = tmp_path / "log.sarif"
    target.write_text("old")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="cannot write the file: No space left") as caught:
        write_text_atomically(target, ["new"])
    assert caught.value.filename == str(target)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["log.sarif"]


def test_missing_folder_is_named_as_the_caller_named_it(tmp_path: Path) -> None:
    target = tmp_path / "missing" / "log.sarif"
    with pytest.raises(FileNotFoundError, match="cannot write the file") as caught:
        write_text_atomically(target, ["text"])
    assert caught.value.filename == str(target)


@pytest.mark.parametrize("name", ["", "/", "/new/"])
def test_folder_given_as_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(IsADirectoryError, match="cannot write the file"):
        write_text_atomically(f"{tmp_path}{name}", ["text"])
    assert os.listdir(tmp_path) == []


def test_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.sarif").write_text("old")
    (tmp_path / "link.sarif").symlink_to("real.sarif")
    write_text_atomically(tmp_path / "link.sarif", ["new"])
    assert (tmp_path / "link.sarif").is_symlink()
    assert (tmp_path / "real.sarif").read_text() == "new"


def test_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to(os.devnull)
    write_text_atomically(tmp_path / "null", ["text"])
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_longest_file_name_is_possible(tmp_path: Path) -> None:
    name = "x" * os.pathconf(tmp_path, "PC_NAME_MAX")
    write_text_atomically(tmp_path / name, ["text"])
    assert os.listdir(tmp_path) == [name]
