"""The example on the page of each rule triggers the rule."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import enum
import functools
import io
import re
import types
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import onnx_ir as ir
import pytest
import torch

import onnx_export
import onnx_export.rules
from onnx_diagnostics import DiagnosticContext, DiagnosticError, Rule
from onnx_ir_capture.rules import CAPTURE_RULES, LOWERING_RULES
from onnx_jitpasses.rules import PASS_RULES
from onnx_torchlib import TranslatorTable

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "rules"
RULES = [*CAPTURE_RULES, *LOWERING_RULES, *PASS_RULES, *onnx_export.rules.EXPORT_RULES]
CODES = [rule.code for rule in RULES]


@dataclasses.dataclass(frozen=True)
class Setting:
    """What a page leaves out, as Python: statements before, and how the model is exported behind.

    ``error`` is what the example ends with, where that is an ordinary exception.
    """

    args: str = "(x,)"
    before: str = ""
    options: str = ""
    error: type[Exception] = DiagnosticError


X = "x = torch.rand(4, 3)\nargs = (x,)\n"
RELU = f"{X}model = torch.nn.ReLU()\n"
LINEAR = f"{X}model = torch.nn.Linear(3, 3)\n"
ROWS = "dynamic_shapes=({0: 'batch'},)"

SETTINGS: Mapping[str, Setting] = {
    "CAP001": Setting(),
    "CAP002": Setting(options=ROWS),
    "CAP003": Setting(),
    "CAP004": Setting(before=LINEAR),
    "CAP005": Setting(),
    "CAP006": Setting(),
    "CAP007": Setting(before=f"{X}y = x\nmodel = torch.nn.Bilinear(3, 3, 2)\n"),
    "CAP008": Setting(),
    "CAP009": Setting(before=f"{X}y = x\n"),
    "CAP010": Setting(options=ROWS),
    "CAP011": Setting(before=f"{X}Net = torch.nn.Dropout\n"),
    "CAP012": Setting(before=LINEAR),
    "CAP013": Setting("(torch.rand(3, 4),)", options="dynamic_shapes=({0: 'a', 1: 'b'},)"),
    "CAP014": Setting(before=f"{LINEAR}ids = mask = x\n"),
    "CAP015": Setting(options="dynamo=False"),
    "CAP016": Setting(),
    "CAP017": Setting("([x, x, x],)"),
    "CAP018": Setting(),
    "CAP019": Setting("(x, torch.ones(3))"),
    "LOW001": Setting(),
    "LOW002": Setting(),
    "LOW003": Setting(before=RELU),
    "LOW004": Setting(before=RELU),
    "LOW005": Setting("(torch.rand(3, 3),)"),
    "LOW006": Setting(),
    "LOW007": Setting(),
    "JIT001": Setting("(torch.rand(3, 3),)"),
    "JIT002": Setting(),
    "JIT003": Setting(before=f"{X}model = torch.nn.Dropout()\n"),
    "JIT004": Setting(),
    "JIT005": Setting("(torch.rand(3, 3, dtype=torch.complex64),)"),
    "JIT006": Setting("(x, 8000)"),
    "JIT007": Setting(),
    "JIT008": Setting("(x, torch.tensor(2))", options="dynamic_shapes=({0: 'batch'}, None)"),
    "EXP001": Setting(before=RELU),
    "EXP002": Setting(before=RELU),
    "EXP003": Setting(before=RELU),
    "EXP004": Setting(),
    "EXP005": Setting(),
    "EXP006": Setting(),
    "EXP007": Setting(before="x = torch.rand(1, 3, 8, 8)\n"),
    "EXP008": Setting(
        "(x, torch.tensor([0, 3]))", options="dynamic_shapes=({0: 'n'}, {0: 'k'}), verify=True"
    ),
    "EXP009": Setting(),
    "EXP010": Setting(),
    "EXP011": Setting(before=f"{X}model = torch.nn.Softmax(-1)\n"),
    "EXP012": Setting(options="verify=True"),
    "EXP013": Setting("(x.double(),)"),
    "EXP014": Setting("(torch.rand(1000, 500),)"),
    "EXP015": Setting("(x, x)"),
    "EXP016": Setting(),
    "EXP017": Setting("([x], x)"),
    "EXP018": Setting(before=RELU, error=ValueError),
    "EXP020": Setting(before=RELU),
    "EXP021": Setting(before=f"{LINEAR}fill_the_disk()\n"),
    "EXP022": Setting(before="args = (torch.rand(4, 2),)\n"),
    "EXP025": Setting(before=LINEAR),
    "EXP026": Setting(),
}


# Their examples take three gigabytes.
ELSEWHERE = {
    "EXP023": "packages/onnx-export/tests/test_export_saving_files.py",
    "EXP024": "packages/onnx-export/tests/test_export_saving_files.py",
}


class TrainingMode(enum.IntEnum):
    """torch.onnx's, of which the value counts."""

    EVAL = 0
    PRESERVE = 1


class Runner:
    """Runs an example; ``diagnostics`` has what its exports find."""

    def __init__(self, setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
        self.diagnostics = DiagnosticContext("onnx-export", "0")
        self._setting = setting
        self._monkeypatch = monkeypatch
        self.names: dict[str, object] = {
            "Exporter": functools.partial(onnx_export.Exporter, diagnostics=self.diagnostics),
            "F": torch.nn.functional,
            "TrainingMode": TrainingMode,
            "TranslatorTable": TranslatorTable,
            "__name__": "example",
            "diagnostics": self.diagnostics,
            "export": self._export,
            "fill_the_disk": self._fill_the_disk,
            "io": io,
            "ir": ir,
            "np": np,
            "torch": torch,
        }
        self.names["onnx_export"] = types.SimpleNamespace(export=self.names["export"])

    def _export(self, *args: object, **options: object) -> object:
        function: Callable[..., object] = onnx_export.export
        return function(*args, **{"verbose": False, "diagnostics": self.diagnostics, **options})

    def _exec(self, code: str | types.CodeType) -> None:
        # What was found is in the context, too.
        with contextlib.suppress(DiagnosticError, self._setting.error):
            exec(code, self.names)

    def _fill_the_disk(self) -> None:
        usage = types.SimpleNamespace(total=10**9, used=10**9, free=0)
        self._monkeypatch.setattr("shutil.disk_usage", lambda path: usage)

    def run(self, text: str, path: Path) -> None:
        """Run an example as the file ``path``, and export the model that it defines if it does not itself."""
        path.write_text(text, encoding="utf-8")
        self._exec(f"x = torch.rand(4, 3)\n{self._setting.before}")
        for statement in ast.parse(text, str(path)).body:
            if "export(model" in ast.unparse(statement) and "model" not in self.names:
                self.names["model"] = self._model()
            self._exec(compile(ast.Module([statement], []), str(path), "exec", dont_inherit=True))
        if "export(" not in text and "capture(" not in text:
            self.names["model"] = self._model()
            self._exec(f"export(model, {self._setting.args}, {self._setting.options})")

    def _model(self) -> object:
        forward = self.names.get("forward")
        if isinstance(forward, types.FunctionType):
            return type("Example", (torch.nn.Module,), {"forward": forward})().eval()
        if forward is not None:
            return forward
        classes = [kind for kind in self.names.values() if isinstance(kind, type)]
        (kind,) = [kind for kind in classes if issubclass(kind, torch.nn.Module)][-1:]
        return kind().eval()


def example(code: str) -> str:
    """The example of a rule's page."""
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    found = re.search(r"^## Example\n.*?^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_every_rule_has_an_example_that_is_run() -> None:
    assert sorted([*SETTINGS, *ELSEWHERE]) == sorted(CODES)
    constants = vars(onnx_export.rules).items()
    for code, path in ELSEWHERE.items():
        (name,) = (name for name, rule in constants if isinstance(rule, Rule) and rule.code == code)
        assert f"is {name}" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("code", SETTINGS)
@pytest.mark.filterwarnings("ignore")
def test_the_example_of_the_page_triggers_the_rule(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner = Runner(SETTINGS[code], monkeypatch)
    runner.run(example(code), tmp_path / "example.py")
    assert code in {found.rule.code for found in runner.diagnostics}
