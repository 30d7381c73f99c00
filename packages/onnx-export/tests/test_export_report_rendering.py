"""Reports made of a log alone: hostile names, logs of other programs, damaged ones, and facts in a log."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path

import markdown_it
import pytest
from click.testing import CliRunner, Result

from onnx_diagnostics import (
    DiagnosticContext,
    Invocation,
    Level,
    Location,
    PropertyValue,
    Rule,
    Run,
    parse_sarif,
    sarif_text,
    write_sarif,
)
from onnx_export._report import FACTS_KEY, ExportFacts, FactsError, facts_of, properties_of
from onnx_export._report._facts import (
    ComparisonFact,
    DimensionFact,
    Failure,
    FileFact,
    ModuleFact,
    OperatorFact,
    StageFact,
    TensorFact,
    WeightFact,
)
from onnx_export._report._render import (
    markdown_cell,
    markdown_code,
    markdown_text,
    render_html,
    render_markdown,
)
from onnx_export._report._words import memory, sizes
from onnx_export.cli import main
from onnx_export.rules import DIFFERENCE_NOT_LOCALISED, NO_OUTPUTS, REPORT_ADVICE, VERIFICATION_MISMATCH

HOSTILE = (
    "<script>alert(1)</script>",
    "a|b",
    "a`b``c",
    "`a`",
    "*a* _b_ ~~c~~",
    "[x](https://example.com)",
    "a\\|b",
    "a\\",
    "&lt;",
    "# a",
    "{{ 7 * 7 }}{% if %}",
    "<!-- a",
    "\"' onload=x",
    "![x](y)",
    "snake_case_name",
)
STEERING = ("a\x1b[31mb", "a\u202eb", "a\x00b", "a\u2028b", "a\udc80b")

FACTS = ExportFacts(
    model="Model",
    route="torch.export",
    opset=20,
    options={"verify": "True"},
    versions={"torch": "2.13"},
    failure=Failure("VerificationError", "it differs", "verify"),
    stages=(StageFact("capture", 0.5, 2 * 10**9, None, True), StageFact("verify", 1.5, None, 0, False)),
    examples=(TensorFact("args[0]", "int", None),),
    inputs=(TensorFact("x", "float32", ("n", "3")),),
    outputs=(TensorFact("y", "float32", ()),),
    dimensions=(DimensionFact("n", 2, 64),),
    modules=(ModuleFact("fc", "Linear", 1),),
    operators=(
        OperatorFact("aten::linear", 2, 1, {"onnx-torchlib": 1}, {"Gemm": 1}),
        OperatorFact("aten::view", 1, None, None, {}),
    ),
    nodes={"Gemm": 1},
    weights=(WeightFact("w", "parameter", "float32", ("3",), 12),),
    comparisons=(ComparisonFact("y", "n=3", float("inf"), "NaN stands in other places"),),
    verified=True,
    files=(FileFact("model.onnx", 10),),
)


def run_of(facts: ExportFacts | None, *, successful: bool = False) -> Run:
    context = DiagnosticContext("onnx-export", "1.0")
    properties = None if facts is None else properties_of(facts)
    return read_again(context.run(invocation=Invocation(successful), properties=properties))


def read_again(run: Run) -> Run:
    (found,) = parse_sarif(sarif_text(run))
    return found


def rendered(markdown: str) -> str:
    """As HTML, with names in it as they are shown."""
    return html.unescape(markdown_it.MarkdownIt().render(markdown))


def cells(markdown: str) -> list[str]:
    """The texts of all cells of the tables, as a reader sees them."""
    tables = markdown_it.MarkdownIt("commonmark").enable("table").render(markdown)
    found = re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", tables, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in found]


def texts(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "\n", page))


def test_facts_go_through_a_log_unchanged() -> None:
    assert facts_of(run_of(FACTS).properties) == FACTS


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_shows_as_it_is(name: str) -> None:
    shown = " ".join(name.split())
    assert rendered(markdown_text(name)) == f"<p>{shown}</p>\n"
    assert rendered(f"x {markdown_code(name)}") == f"<p>x <code>{shown}</code></p>\n"
    facts = ExportFacts(
        model=name, inputs=(TensorFact(name, name, (name,)),), nodes={name: 3}, options={name: name}
    )
    run = run_of(facts, successful=True)
    in_cells = cells(render_markdown([run]))
    assert in_cells.count(shown) == 5
    assert f"[{shown}]" in in_cells
    page = render_html([run])
    assert "<script" not in page
    assert texts(page).count(name) >= 6


@pytest.mark.parametrize("name", STEERING)
def test_no_control_character_reaches_a_report(name: str) -> None:
    facts = ExportFacts(
        model=name, inputs=(TensorFact(name, name, None),), nodes={name: 1}, versions={name: name}
    )
    context = DiagnosticContext("onnx-export", "1.0")
    place = Location.at(f"{name}.py", 1, module=name, function=name, snippet=name)
    context.report(NO_OUTPUTS, returned=name, location=place)
    run = context.run(properties=properties_of(facts))
    for text in (*map(render_markdown, ([run],)), *map(render_html, ([run],))):
        assert all(line.isprintable() or "\t" in line for line in text.splitlines())
        text.encode()


def test_a_table_cell_holds_a_bar() -> None:
    assert cells(f"| a |\n| --- |\n| {markdown_cell('x|y')} |\n")[1:] == ["x|y"]


def test_links_are_those_of_the_web_alone() -> None:
    hostile = Rule("TST001", "test", Level.ERROR, "bad", help_uri="javascript:alert(1)")
    good = Rule("TST002", "test", Level.ERROR, "bad", help_uri="https://example.com/TST002")
    context = DiagnosticContext("other", "1.0")
    context.report(hostile)
    context.report(good)
    run = context.run()
    assert "javascript:" not in render_html([run])
    assert "javascript:" not in render_markdown([run])
    assert '<a href="https://example.com/TST002">TST002</a>' in render_html([run])
    assert "[TST002](https://example.com/TST002)" in render_markdown([run])


def test_a_log_of_another_program_shows_its_findings() -> None:
    context = DiagnosticContext("other-checker", "2.0")
    rule = Rule("TST001", "line-too-long", Level.WARNING, "line too long")
    context.report(rule, location=Location.at("a.py", 3))
    run = read_again(context.run())
    for text in (render_markdown([run]), texts(render_html([run]))):
        assert "line too long" in text
        assert "a.py:3" in text
        assert "other-checker 2.0" in text
        assert "Succeeded" in text
        assert "Export" not in text


def test_facts_of_a_later_version_are_left_out() -> None:
    properties: Mapping[str, PropertyValue] = {FACTS_KEY: {"version": 2, "model": 5}}
    assert facts_of(properties) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "1"}, r"onnx_export\.version is a str, where an integer is needed"),
        ({"model": None}, r"onnx_export\.model is missing, where a text is needed"),
        ({"stages": [3]}, r"onnx_export\.stages\[0\] is a int, where an object is needed"),
        ({"inputs": {}}, r"onnx_export\.inputs is a dict, where a list is needed"),
        ({"nodes": {"Gemm": True}}, r"onnx_export\.nodes\.Gemm is a bool, where an integer is needed"),
        ({"nodes": []}, r"onnx_export\.nodes is a list, where an object is needed"),
        ({"verified": 1}, r"onnx_export\.verified is a int, where true or false is needed"),
        (
            {"comparisons": [{"output": "", "sizes": "", "difference": "much", "problem": ""}]},
            r"comparisons\[0\]\.difference is a str, where a number is needed",
        ),
    ],
)
def test_damaged_facts_are_told_with_their_place(change: dict[str, PropertyValue], message: str) -> None:
    found = properties_of(FACTS)[FACTS_KEY]
    assert isinstance(found, dict)
    with pytest.raises(FactsError, match=message):
        facts_of({FACTS_KEY: {**found, **change}})


def test_outputs_that_differ_stand_in_the_table_alone() -> None:
    context = DiagnosticContext("onnx-export", "1.0")
    context.report(
        VERIFICATION_MISMATCH, output="y", sizes="n=3", difference="by a lot", advice=REPORT_ADVICE
    )
    context.report(DIFFERENCE_NOT_LOCALISED, sizes="n=3", reason="it grows", advice="look at the sums")
    run = read_again(context.run(invocation=Invocation(False), properties=properties_of(FACTS)))
    text = render_markdown([run])
    assert text.startswith("# ❌ Differs from PyTorch: Model\n\nit differs\n")
    assert "What to mend" not in text
    assert "by a lot" not in text
    assert f"What to do: {REPORT_ADVICE}." in text
    assert "it grows" in text
    assert "| `y` | n=3 | inf | ❌ NaN stands in other places |" in text


@pytest.mark.parametrize(
    ("failure", "headline"),
    [
        (Failure("ValueError", "opset_version must be\na number", ""), "ValueError: opset_version must be"),
        (Failure("KeyboardInterrupt", "", "capture"), "KeyboardInterrupt"),
    ],
)
def test_an_exception_without_findings_is_the_headline(failure: Failure, headline: str) -> None:
    text = render_markdown([run_of(ExportFacts(failure=failure))])
    assert text.startswith(f"# ❌ Not exported\n\n{headline}\n")


def test_many_errors_are_told_in_a_line_each() -> None:
    context = DiagnosticContext("onnx-export", "1.0")
    for number in range(40):
        context.report(NO_OUTPUTS, returned=f"output {number}", location=Location.at("m.py", number + 1))
    page = render_html([read_again(context.run())])
    assert page.count("<article") == 6
    assert page.count("</article>") == 6
    for number in range(6, 40):
        message = f"the model returns output {number}, so its file would compute nothing"
        assert re.search(rf"<summary>{message} <code class=.faint.>m.py:{number + 1} </code></summary>", page)


def test_several_runs_stand_one_after_the_other() -> None:
    runs = [run_of(ExportFacts(model="First"), successful=True), run_of(ExportFacts(model="Second"))]
    text = render_markdown(runs)
    assert text.index("# ✅ Exported: First") < text.index("# ❌ Not exported: Second")
    assert render_html(runs).count("<header") == 2


def test_an_empty_log_has_a_report() -> None:
    assert render_markdown([]) == "\n"
    assert "</html>" in render_html([])


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (123456, "123 kB"), (2 * 10**9, "2.0 GB"), (None, "")],
)
def test_bytes_have_units(nbytes: int | None, text: str) -> None:
    assert memory(nbytes) == text


@pytest.mark.parametrize(
    ("lower", "upper", "text"), [(0, None, "of any size"), (2, None, "from 2"), (2, 64, "from 2 to 64")]
)
def test_dimensions_have_ranges(lower: int, upper: int | None, text: str) -> None:
    assert sizes(DimensionFact("n", lower, upper)) == text


def log_of(folder: Path, facts: ExportFacts) -> Path:
    path = folder / "log.sarif"
    context = DiagnosticContext("onnx-export", "1.0")
    write_sarif(context.run(invocation=Invocation(False), properties=properties_of(facts)), path)
    return path


def report(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


@pytest.mark.parametrize(
    ("options", "start"),
    [
        ([], "onnx-export 1.0 failed, 0 findings\n"),
        (["--format", "text"], "onnx-export 1.0 failed, 0 findings\n"),
        (["--format", "markdown"], "# ❌ Differs from PyTorch: Model\n"),
        (["--format", "html"], "<!DOCTYPE html>\n"),
    ],
)
def test_the_command_line_has_three_forms(tmp_path: Path, options: list[str], start: str) -> None:
    result = report(str(log_of(tmp_path, FACTS)), *options)
    assert result.exit_code == 0, result.output
    assert result.output.startswith(start)


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("a.html", [], "<!DOCTYPE html>"),
        ("a.md", [], "# "),
        ("a.txt", [], "onnx-export 1.0"),
        ("a.txt", ["--format", "html"], "<!DOCTYPE html>"),
    ],
)
def test_the_name_of_the_output_says_what_it_is(
    tmp_path: Path, name: str, options: list[str], start: str
) -> None:
    output = tmp_path / name
    result = report(str(log_of(tmp_path, FACTS)), "--output", str(output), *options)
    assert result.output == f"wrote {output}\n"
    assert output.read_text(encoding="utf-8").startswith(start)


def test_the_log_is_not_overwritten_by_its_report(tmp_path: Path) -> None:
    log = log_of(tmp_path, FACTS)
    before = log.read_bytes()
    result = report(str(log), "--output", f"{tmp_path}/./log.sarif")
    assert result.exit_code == 2
    assert "is the log itself" in result.output
    assert log.read_bytes() == before


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = report(str(log_of(tmp_path, FACTS)), "--output", str(tmp_path / "none" / "a.html"))
    assert result.exit_code == 1
    assert "cannot write the report: No such file or directory" in result.output


def test_a_damaged_log_is_told_with_its_file_and_place(tmp_path: Path) -> None:
    log = log_of(tmp_path, FACTS)
    log.write_text(log.read_text(encoding="utf-8").replace('"opset": 20', '"opset": "20"'), encoding="utf-8")
    result = report(str(log), "--format", "html")
    assert result.exit_code == 1
    assert result.output == (
        f"Error: {log}: the log's property onnx_export.opset is a str, where an integer is needed\n"
    )
