"""Runs mypy over the other files here and compares its errors with their ``# expect-error: CODE`` comments.

Each file calls the public interface of one package: right calls must pass, and a wrong call must be rejected
with the code that its line's comment names (several are separated by commas). Nobody runs these files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from mypy import api

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CASES = sorted(path for path in HERE.glob("*.py") if not path.name.startswith("test_"))

_EXPECTED = re.compile(r"#\s*expect-error:\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*)")
_REPORTED = re.compile(r"^(?P<path>.+?):(?P<line>\d+): error: (?P<message>.+)  \[(?P<code>[\w-]+)\]$")

Found = Mapping[int, Counter[str]]
"""Error codes by line."""

Report = tuple[Mapping[Path, Found], str]
"""What mypy found in each file, and its whole output for the failure text."""


def expected_errors(path: Path) -> Found:
    found: dict[int, Counter[str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := _EXPECTED.search(line):
            found[number] = Counter(code.strip() for code in match["codes"].split(","))
    return found


def run_mypy(paths: list[Path], cache: Path) -> Report:
    # The cache is not shared: cached errors keep the paths, relative or not, of the run that found them.
    options = [
        "--config-file",
        str(ROOT / "mypy.ini"),
        "--no-error-summary",
        "--no-pretty",
        "--show-absolute-path",
        "--cache-dir",
        str(cache),
    ]
    output, fault, _ = api.run([*options, *map(str, paths)])
    assert not fault, fault
    found: dict[Path, dict[int, Counter[str]]] = {path: {} for path in paths}
    for line in output.splitlines():
        if match := _REPORTED.match(line):
            lines = found.setdefault(Path(match["path"]), {})
            lines.setdefault(int(match["line"]), Counter())[match["code"]] += 1
    return found, output


def differences(expected: Found, reported: Found) -> Iterator[str]:
    for line in sorted(expected.keys() | reported.keys()):
        wanted, got = expected.get(line, Counter[str]()), reported.get(line, Counter[str]())
        for code in (wanted - got).elements():
            yield f"line {line}: mypy accepts what should be rejected with [{code}]"
        for code in (got - wanted).elements():
            yield f"line {line}: mypy rejects with [{code}] what should pass"


@pytest.fixture(scope="module")
def mypy_report(monkeypatch_module: pytest.MonkeyPatch) -> Report:
    # mypy_path in mypy.ini is relative to where mypy runs.
    monkeypatch_module.chdir(ROOT)
    return run_mypy(CASES, ROOT / ".mypy_cache" / "typing")


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_calls_pass_or_are_rejected_as_the_comments_say(path: Path, mypy_report: Report) -> None:
    found, output = mypy_report
    problems = list(differences(expected_errors(path), found[path]))
    assert not problems, "\n".join([*problems, "mypy said:", output])


def test_mypy_finds_errors_nowhere_else(
    mypy_report: Report,
) -> None:
    found, output = mypy_report
    assert set(found) == set(CASES), output


def test_every_case_pins_a_right_and_a_wrong_call() -> None:
    assert CASES
    assert [path.name for path in CASES if not expected_errors(path)] == []


def test_the_comparison_notices_a_missing_and_a_surplus_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    case = tmp_path / "typing_probe.py"
    case.write_text(
        "x: int = 1  # expect-error: assignment\ny: str = 1\nz: str = 1  # expect-error: assignment\n"
    )
    found, _ = run_mypy([case], tmp_path / "cache")
    assert list(differences(expected_errors(case), found[case])) == [
        "line 1: mypy accepts what should be rejected with [assignment]",
        "line 2: mypy rejects with [assignment] what should pass",
    ]
