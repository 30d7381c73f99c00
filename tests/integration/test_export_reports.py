"""The reports of an export: log, Markdown and HTML, for what worked and for what failed."""

from __future__ import annotations

import html.parser
import inspect
import json
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

import onnx_export
from onnx_diagnostics import (
    CaptureError,
    OnnxExporterError,
    UnsupportedOperatorError,
    VerificationError,
    read_sarif,
)
from onnx_export._report import ExportFacts, facts_of
from onnx_export.cli import main

SECRET = 0.123456789

LIBRARY = torch.library.Library("reports", "DEF")  # registered as long as this module
LIBRARY.define("halved(Tensor x) -> Tensor")
LIBRARY.impl("halved", lambda x: x * 0.5, "CompositeImplicitAutograd")
for opaque in ("hidden", "veiled"):
    LIBRARY.define(f"{opaque}(Tensor x) -> Tensor")
    LIBRARY.impl(opaque, torch.clone, "CPU")
    LIBRARY.impl(opaque, torch.empty_like, "Meta")


class Small(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 5)
        self.drop = torch.nn.Dropout()
        torch.nn.init.constant_(self.fc.weight, SECRET)
        torch.nn.init.constant_(self.fc.bias, SECRET)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.drop(torch.relu(self.fc(x))).reshape(-1)
        return y


class Failing(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.ops.reports.hidden(self.fc(x))  # <first> | line
        z: torch.Tensor = torch.ops.reports.veiled(y) + torch.ops.reports.hidden(x)  # second
        return z


class Branching(torch.nn.Module):
    def forward(self, x: torch.Tensor, scale: float) -> torch.Tensor:
        if x.sum() > 0:
            return x * scale
        return x


class Report:
    """What one export left in its folder."""

    def __init__(self, folder: Path) -> None:
        (log,) = folder.glob("*.sarif")
        stem = str(log).removesuffix(".sarif")
        self.log = log
        self.markdown = Path(f"{stem}.report.md").read_text(encoding="utf-8")
        self.html = Path(f"{stem}.report.html").read_text(encoding="utf-8")
        self.page = Path(f"{stem}.report.html")
        (run,) = read_sarif(log)
        self.successful = run.successful
        facts = facts_of(run.properties)
        assert facts is not None
        self.facts: ExportFacts = facts

    def both(self, *texts: str) -> None:
        """Each text stands in both reports, as it is shown."""
        shown = shown_text(self.html)
        for text in texts:
            assert text in self.markdown
            assert text in shown


class _Shown(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)


def parsed(page: str) -> _Shown:
    parser = _Shown()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def shown_text(page: str) -> str:
    return "".join(parsed(page).texts)


def line_of(text: str) -> int:
    lines, start = inspect.getsourcelines(Failing.forward)
    return start + next(i for i, line in enumerate(lines) if line.rstrip().endswith(text))


def exported(folder: Path, **options: object) -> Report:
    program = onnx_export.export(
        Small().eval(),
        (torch.full((2, 3), SECRET),),
        dynamic_shapes={"x": {0: "rows"}},
        report=True,
        artifacts_dir=folder,
        verbose=False,
        **options,  # type: ignore[arg-type]  # passed on
    )
    report = Report(folder)
    assert (program.log_path, program.report_path) == (str(report.log), str(report.page))
    return report


def failed(folder: Path) -> Report:
    with pytest.raises(UnsupportedOperatorError) as caught:
        onnx_export.export(Failing(), (torch.randn(3, 3),), report=True, artifacts_dir=folder, verbose=False)
    found = Report(folder)
    assert caught.value.log_path == str(found.log)
    assert caught.value.report_path == str(found.page)
    assert str(found.page) in str(caught.value)
    return found


def test_an_export_tells_inputs_outputs_operators_and_weights(tmp_path: Path) -> None:
    report = exported(tmp_path, f=tmp_path / "small.onnx", verify=True)
    facts = report.facts
    assert report.successful
    assert facts.failure is None
    assert (facts.model, facts.route, facts.opset) == ("Small", "torch.export", onnx_export.DEFAULT_OPSET)
    (x,), (y,) = facts.inputs, facts.outputs
    assert (x.name, x.dtype, x.shape) == ("x", "float32", ("rows", "3"))
    assert (y.dtype, y.shape) == ("float32", ("5*rows",))
    assert [(d.name, d.lower, d.upper) for d in facts.dimensions] == [("rows", 0, None)]
    by_name = {operator.op: operator for operator in facts.operators}
    linear = by_name["aten::linear"]
    assert (linear.captured, linear.cleaned) == (1, 1)
    assert linear.translated == {"onnx-torchlib": 1}
    assert linear.nodes == {"Gemm": 1}
    assert by_name["aten::dropout"].cleaned == 0
    assert facts.nodes["Gemm"] == 1
    assert [(w.name, w.kind, w.shape, w.nbytes) for w in facts.weights if w.kind == "parameter"] == [
        ("fc.weight", "parameter", ("5", "3"), 60),
        ("fc.bias", "parameter", ("5",), 20),
    ]
    (file,) = facts.files
    assert (file.name, file.nbytes) == ("small.onnx", (tmp_path / "small.onnx").stat().st_size)
    report.both(
        "Exported and verified: Small", "aten::linear", "onnx-torchlib", "[rows, 3]", "fc.weight", "80"
    )
    report.both("small.onnx")


def test_every_stage_has_its_time_and_memory(tmp_path: Path) -> None:
    facts = exported(tmp_path, f=tmp_path / "small.onnx", verify=True).facts
    names = [stage.name for stage in facts.stages]
    assert names == ["capture", "passes", "lowering", "finish", "check", "verify", "save"]
    for stage in facts.stages:
        assert stage.finished
        assert stage.seconds >= 0
        assert stage.peak is None or stage.peak > 1e6
        assert stage.growth is None or stage.growth >= 0


def test_each_output_is_compared_at_each_size(tmp_path: Path) -> None:
    report = exported(tmp_path, verify=True)
    facts = report.facts
    assert len(facts.comparisons) >= 2
    assert {found.output for found in facts.comparisons} == {facts.outputs[0].name}
    assert all(found.difference < 1e-5 and not found.problem for found in facts.comparisons)
    report.both(f"All {len(facts.comparisons)} comparisons agree", "the example's sizes", "rows=1")


def test_without_verification_the_report_says_so(tmp_path: Path) -> None:
    report = exported(tmp_path)
    assert not report.facts.verified
    report.both("Exported: Small", "It was not compared with PyTorch: export it with verify=True")


def test_no_value_of_a_weight_or_an_input_is_in_a_report(tmp_path: Path) -> None:
    report = exported(tmp_path, verify=True)
    for text in (report.log.read_text(encoding="utf-8"), report.markdown, report.html):
        assert "0.1234" not in text


def test_a_failed_export_lists_what_cannot_be_exported_with_its_lines(tmp_path: Path) -> None:
    report = failed(tmp_path)
    assert not report.successful
    report.both(
        "Not exported: Failing",
        "Operators that cannot be exported: ",
        "reports::hidden",
        "reports::veiled",
        f"test_export_reports.py:{line_of('first> | line')}",
        f"test_export_reports.py:{line_of('second')}",
        "y = torch.ops.reports.hidden(self.fc(x))",
        "2 not translated",
    )
    assert "<first> | line" in shown_text(report.html)
    failure = report.facts.failure
    assert failure is not None
    assert (failure.error, failure.stage) == ("UnsupportedOperatorError", "lowering")
    assert [stage.finished for stage in report.facts.stages] == [True, True, False]
    by_name = {operator.op: operator.translated for operator in report.facts.operators}
    assert by_name["aten::linear"] == {"onnx-torchlib": 1}
    assert by_name["reports::veiled"] == {}


def test_a_failed_capture_tells_what_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(CaptureError):
        onnx_export.export(
            Branching(),
            (torch.ones(2, 3), SECRET),
            fallback=False,
            report=True,
            artifacts_dir=tmp_path,
            verbose=False,
        )
    report = Report(tmp_path)
    assert [(e.name, e.dtype, e.shape) for e in report.facts.examples] == [
        ("args[0]", "float32", ("2", "3")),
        ("args[1]", "float", None),
    ]
    assert report.facts.operators == ()
    report.both("Not exported: Branching", "args[0]", "if x.sum() > 0:", "test_export_reports.py:")
    assert "0.1234" not in report.html


def test_an_argument_that_is_wrong_leaves_a_report_too(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="opset_version"):
        onnx_export.export(
            Small(),
            (torch.ones(2, 3),),
            opset_version=1000,
            report=True,
            artifacts_dir=tmp_path,
            verbose=False,
        )
    report = Report(tmp_path)
    report.both("Not exported: Small", "opset_version")


def test_a_path_that_cannot_be_written_is_told_in_the_report(tmp_path: Path) -> None:
    with pytest.raises(OnnxExporterError):
        exported(tmp_path, f=tmp_path / "none" / "model.onnx")
    Report(tmp_path).both("Not exported: Small", "EXP020")


def test_a_difference_is_told_per_output_and_with_its_operator(tmp_path: Path) -> None:
    def wrong(op: object, self: object) -> object:
        return op.Add(op.Relu(self), 1.0)  # type: ignore[attr-defined]  # has every operator of ONNX

    with pytest.raises(VerificationError):
        exported(tmp_path, verify=True, custom_translation_table={torch.ops.aten.relu.default: wrong})
    report = Report(tmp_path)
    facts = report.facts
    assert facts.failure is not None
    assert facts.failure.stage == "verify"
    assert facts.comparisons
    assert all("by up to 1" in found.problem for found in facts.comparisons)
    assert facts.nodes["Add"] == 1
    count = len(facts.comparisons)
    report.both(
        "Differs from PyTorch: Small", f"{count} of {count} comparisons differ", "EXP011", "aten::relu"
    )
    by_name = {operator.op: operator.translated for operator in facts.operators}
    assert by_name["aten::relu"] == {"custom_translation_table": 1}


def test_operators_say_whose_translation_served(tmp_path: Path) -> None:
    class Mixed(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = torch.ops.reports.halved(torch.ops.prims.sinh(x))
            return y

    onnx_export.export(
        Mixed().eval(), (torch.rand(2, 3),), report=True, artifacts_dir=tmp_path, verbose=False
    )
    report = Report(tmp_path)
    translated = {operator.op: operator.translated for operator in report.facts.operators}
    assert translated == {
        "prims::sinh": {"onnxscript's torch_lib": 1},
        "reports::halved": {"decomposition": 1},
    }
    report.both("onnxscript's torch_lib", "decomposition")


def test_options_that_are_not_the_default_are_told(tmp_path: Path) -> None:
    def relu(op: object, self: object) -> object:
        return op.Relu(self)  # type: ignore[attr-defined]  # has every operator of ONNX

    facts = exported(
        tmp_path, optimize=False, custom_translation_table={torch.ops.aten.relu.default: relu}
    ).facts
    assert facts.options == {
        "dynamic_shapes": "{'x': {0: 'rows'}}",
        "custom_translation_table": "aten.relu.default",
        "optimize": "False",
    }


def test_a_trace_has_a_report(tmp_path: Path) -> None:
    onnx_export.export(
        Small().eval(), (torch.ones(2, 3),), dynamo=False, report=True, artifacts_dir=tmp_path, verbose=False
    )
    report = Report(tmp_path)
    assert report.facts.route == "torch.jit"
    report.both("captured by torch.jit", "aten::linear", "onnx-symbolics")


def test_the_page_loads_nothing_and_suits_light_and_dark(tmp_path: Path) -> None:
    page = failed(tmp_path).html
    for loader in ("<script", "<link", "<img", "url(", "@import", "<iframe"):
        assert loader not in page
    assert all(link.startswith("https://") for link in parsed(page).links)
    assert "prefers-color-scheme: dark" in page


def test_the_command_line_makes_the_same_of_the_log(tmp_path: Path) -> None:
    report = failed(tmp_path)
    for name, wanted in (("a.md", report.markdown), ("a.html", report.html)):
        result = CliRunner().invoke(
            main, ["report", str(report.log), "--output", str(tmp_path / name)], catch_exceptions=False
        )
        assert result.exit_code == 0, result.output
        assert (tmp_path / name).read_text(encoding="utf-8") == wanted


def test_report_and_sarif_of_the_command_line(tmp_path: Path) -> None:
    source = "import torch\ndef build():\n    return torch.nn.Linear(3, 5).eval(), (torch.ones(2, 3),)\n"
    (tmp_path / "model.py").write_text(source, encoding="utf-8")
    log, folder = tmp_path / "model.sarif", tmp_path / "reports"
    result = CliRunner().invoke(
        main,
        [
            "export",
            f"{tmp_path / 'model.py'}:build",
            str(tmp_path / "model.onnx"),
            "--sarif",
            str(log),
            "--report",
            str(folder),
        ],
        catch_exceptions=False,
    )
    assert result.exit_code == 0, result.output
    report = Report(folder)
    assert f"wrote {report.page}" in result.output
    written = json.loads(log.read_text(encoding="utf-8"))["runs"][0]["properties"]
    assert written == json.loads(report.log.read_text(encoding="utf-8"))["runs"][0]["properties"]
    report.both("Exported: Linear", "aten::linear")


def test_without_report_no_log_has_facts_and_no_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = onnx_export.export(Small().eval(), (torch.ones(2, 3),), verbose=False)
    assert list(tmp_path.iterdir()) == []
    assert program.log_path is None
    assert program.report_path is None


def test_a_scripted_model_has_the_name_of_its_class(tmp_path: Path) -> None:
    onnx_export.export(
        torch.jit.script(Small().eval()),
        (torch.ones(2, 3),),
        report=True,
        artifacts_dir=tmp_path,
        verbose=False,
    )
    assert Report(tmp_path).facts.model == "Small"


def test_calls_are_counted_by_module(tmp_path: Path) -> None:
    facts = exported(tmp_path).facts
    modules = {module.path: (module.class_name.rpartition(".")[2], module.calls) for module in facts.modules}
    assert modules == {"fc": ("Linear", 1), "": ("Small", 2), "drop": ("Dropout", 1)}
    assert sum(operator.captured for operator in facts.operators) == 4
