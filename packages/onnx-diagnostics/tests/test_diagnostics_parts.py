"""Stacks, fixes, artifacts, invocations and contexts that are entered."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import tracemalloc
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from onnx_diagnostics import (
    Artifact,
    Diagnostic,
    DiagnosticContext,
    Fix,
    Invocation,
    Level,
    Location,
    PropertyValue,
    Region,
    Replacement,
    Rule,
    Run,
    Stack,
    Tool,
    render_text,
    sarif_text,
    write_sarif,
)

BROKEN = Rule("TST001", "broken", Level.ERROR, "{name} is broken")


@pytest.fixture
def context() -> DiagnosticContext:
    return DiagnosticContext("checker", "1.0")


def test_entered_contexts_nest(context: DiagnosticContext) -> None:
    assert DiagnosticContext.current() is None
    with context as entered:
        assert entered is context
        with context.child() as stage, context, stage:
            assert DiagnosticContext.current() is stage
        assert DiagnosticContext.current() is context
    assert DiagnosticContext.current() is None


def test_a_context_decorates_functions(context: DiagnosticContext) -> None:
    @context
    def check(depth: int) -> None:
        current = DiagnosticContext.current()
        assert current is context
        current.report(BROKEN, name=depth)
        if depth:
            check(depth - 1)

    check(2)
    assert len(context.diagnostics) == 3
    assert DiagnosticContext.current() is None


def test_an_exception_leaves_the_context_and_goes_on(context: DiagnosticContext) -> None:
    with pytest.raises(KeyError), context:
        raise KeyError
    assert DiagnosticContext.current() is None


def test_threads_and_tasks_enter_for_themselves() -> None:
    start = Barrier(2)

    def work(name: str) -> tuple[str, ...]:
        with DiagnosticContext(name, "1.0") as own:
            start.wait()
            current = DiagnosticContext.current()
            assert current is own
            current.report(BROKEN, name=name)
        return tuple(found.message for found in own)

    with DiagnosticContext("outer", "1.0"), ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, "ab")) == [("a is broken",), ("b is broken",)]

    async def task(name: str) -> DiagnosticContext | None:
        with DiagnosticContext(name, "1.0"):
            await asyncio.sleep(0)
            return DiagnosticContext.current()

    async def both() -> list[DiagnosticContext | None]:
        return list(await asyncio.gather(task("a"), task("b")))

    assert [found and found.tool.name for found in asyncio.run(both())] == ["a", "b"]


def _raise() -> None:
    raise ValueError("on purpose")


def test_the_stack_of_an_exception_is_innermost_first() -> None:
    with pytest.raises(ValueError, match="on purpose") as caught:
        _raise()
    stack = Stack.of_exception(caught.value, "raised here")
    functions = [frame.logical[0].name for frame in stack.frames]
    assert functions == ["_raise", "test_the_stack_of_an_exception_is_innermost_first"]
    assert stack.frames[0].line == _raise.__code__.co_firstlineno + 1
    assert stack.frames[0].file == __file__


def test_the_stack_of_a_frame_has_all_callers() -> None:
    frame = inspect.currentframe()
    assert frame is not None
    stack = Stack.of_frame(frame)
    assert stack.frames[0].line == frame.f_code.co_firstlineno + 3
    assert len(stack.frames) > 5


def test_stacks_and_fixes_that_say_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a frame"):
        Stack.of_exception(ValueError())
    with pytest.raises(ValueError, match="replaces nothing"):
        Fix("do it", ())
    with pytest.raises(ValueError, match="says what it does"):
        Fix.line("a.py", 1, "x", description="")
    with pytest.raises(ValueError, match="needs a file, got '<string>'"):
        Replacement("<string>", Region(1), "x")
    with pytest.raises(ValueError, match="needs a file path"):
        Artifact("")


def test_stacks_and_fixes_are_in_the_log_and_in_the_text(context: DiagnosticContext) -> None:
    stack = Stack((Location.at("/w/a.py", 3, function="f"), Location.at("/w/b.py", 5)))
    insertion = Replacement("/w/b.py", Region(1, 1, 1, 1), "import torch\n")
    fix = Fix("use relu", (Replacement("/w/a.py", Region(3), "relu(x)"), insertion))
    context.report(BROKEN, name="x", stacks=[stack, stack], fixes=[fix])
    (result,) = json.loads(sarif_text(context.run(base="/w")))["runs"][0]["results"]
    a, b = ({"uri": f"{name}.py", "uriBaseId": "SRCROOT", "index": index} for index, name in enumerate("ab"))
    (written,) = result["stacks"]
    assert [frame["location"]["physicalLocation"] for frame in written["frames"]] == [
        {"artifactLocation": a, "region": {"startLine": 3}},
        {"artifactLocation": b, "region": {"startLine": 5}},
    ]
    assert result["fixes"] == [
        {
            "description": {"text": "use relu"},
            "artifactChanges": [
                {
                    "artifactLocation": a,
                    "replacements": [
                        {"deletedRegion": {"startLine": 3}, "insertedContent": {"text": "relu(x)"}}
                    ],
                },
                {
                    "artifactLocation": b,
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
                            "insertedContent": {"text": "import torch\n"},
                        }
                    ],
                },
            ],
        }
    ]
    assert render_text(context, base="/w").splitlines() == [
        "error TST001 broken: x is broken",
        "    called by way of: a.py:3  (f)",
        "    called by way of: b.py:5",
        "    and 2 more places, which the log has",
        "    fix: use relu",
    ]


def test_an_invocation_has_the_command_line_without_the_home_folder(
    context: DiagnosticContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = os.path.abspath("/home/me")
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("USERPROFILE", home)
    words = (f"{home}/bin/check", f"--log={home}/my log.sarif", f"{home}nu/x", home, f"{home}:{home}/b")
    run = context.run(invocation=Invocation(True, exit_code=0, command_line=words))
    (invocation,) = json.loads(sarif_text(run))["runs"][0]["invocations"]
    assert invocation["arguments"] == ["--log=~/my log.sarif", f"{home}nu/x", "~", "~:~/b"]
    assert invocation["commandLine"].startswith("'~/bin/check' '--log=~/my log.sarif'")
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (0, True)


def test_files_are_listed_once_with_their_roles(context: DiagnosticContext) -> None:
    for line in (1, 2):
        context.report(BROKEN, name="x", location=Location.at("/w/model.py", line))
    artifacts = [Artifact("out.onnx", "resultFile"), Artifact("/w/model.py", "analysisTarget")]
    (run,) = json.loads(sarif_text(context.run(base="/w", artifacts=artifacts)))["runs"]
    assert run["artifacts"] == [
        {"location": {"uri": "out.onnx", "uriBaseId": "SRCROOT", "index": 0}, "roles": ["resultFile"]},
        {
            "location": {"uri": "model.py", "uriBaseId": "SRCROOT", "index": 1},
            "roles": ["analysisTarget"],
            "sourceLanguage": "python",
        },
    ]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [place["artifactLocation"]["index"] for place in places] == [1, 1]


def test_facts_about_the_run_are_kept(context: DiagnosticContext) -> None:
    facts: dict[str, PropertyValue] = {"stages": {"capture": 1.5}, "odd": float("inf")}
    (run,) = json.loads(sarif_text(context.run(properties=facts)))["runs"]
    assert run["properties"] == {"odd": "inf", "stages": {"capture": 1.5}}


class _Many(Collection[Diagnostic]):
    """Findings that are made when they are asked for; memory is traced while the last ones are."""

    def __init__(self, count: int, traced: int) -> None:
        self._count, self._traced = count, traced
        self.kept = self.most = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, item: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Diagnostic]:
        for number in range(self._count):
            if number == self._count - self._traced:
                tracemalloc.start()
            place = Location.at(f"/w/{number % 50}.py", number + 1, module=f"layer.{number}", op="aten::relu")
            yield Diagnostic(BROKEN, Level.ERROR, f"node {number} is broken", place)
        self.kept, self.most = tracemalloc.get_traced_memory()
        tracemalloc.stop()


def test_a_hundred_thousand_results_are_written_in_flat_memory(tmp_path: Path) -> None:
    # Tracing all of them would take six times as long, and each that is kept would show at the end, too.
    results = _Many(100_000, traced=10_000)
    write_sarif(Run(Tool("checker", "1.0"), results, rules=[BROKEN], base="/w"), tmp_path / "log.sarif")
    assert (tmp_path / "log.sarif").stat().st_size > 4 * 10**7
    assert results.kept < 2**16  # seven bytes a result
    assert results.most < 2**20
