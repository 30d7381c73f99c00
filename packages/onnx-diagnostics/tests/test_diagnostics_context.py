from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from onnx_diagnostics import DiagnosticContext, Level, Location, PropertyValue, Rule, RuleSet

UNUSED = Rule("TST001", "unused-input", Level.NOTE, "input {name} is unused", advice="drop {name}")
BROKEN = Rule("TST002", "broken-node", Level.ERROR, "node {name} is broken")
RULES = RuleSet("TST", (UNUSED, BROKEN))


@pytest.fixture
def context() -> DiagnosticContext:
    return DiagnosticContext("checker", "1.0")


def test_report_records_and_returns_the_finding(context: DiagnosticContext) -> None:
    place, other = Location.at("a.py", 1), Location.at("b.py", 2)
    found = context.report(
        UNUSED, location=place, level=Level.WARNING, related=[other], properties={"opset": 20}, name="mask"
    )
    assert list(context) == [found]
    assert (found.rule, found.level, found.message) == (UNUSED, Level.WARNING, "input mask is unused")
    assert (found.location, found.related, found.advice) == (place, (other,), "drop mask")
    assert found.properties == {"opset": 20}


def test_level_is_the_rules_own_unless_told(context: DiagnosticContext) -> None:
    assert context.report(UNUSED, name="mask").level is Level.NOTE


def test_notes_are_no_errors(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="mask")
    assert not context.has_errors
    assert context.errors == ()


def test_errors_and_rules_are_told_apart(context: DiagnosticContext) -> None:
    note = context.report(UNUSED, name="mask")
    error = context.report(BROKEN, name="relu")
    assert context.has_errors
    assert context.errors == (error,)
    assert context.of(UNUSED) == (note,)
    assert context.diagnostics == (note, error)


def test_missing_placeholder_is_an_error_and_records_nothing(context: DiagnosticContext) -> None:
    with pytest.raises(TypeError, match=r"TST001 \(unused-input\) needs a value for name"):
        context.report(UNUSED)
    assert context.diagnostics == ()


def test_two_rules_with_one_code_are_refused(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="mask")
    with pytest.raises(ValueError, match="TST001 is used twice, by 'unused-input' and by 'other'"):
        context.child().report(Rule("TST001", "other", Level.NOTE, "other"))
    assert len(context.diagnostics) == 1


def test_an_equal_rule_from_a_reloaded_module_is_the_same_rule(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="mask")
    context.report(
        Rule(UNUSED.code, UNUSED.name, UNUSED.level, UNUSED.message, advice=UNUSED.advice), name="x"
    )
    assert len(context.of(UNUSED)) == 2


def test_current_location_is_used_innermost_first(context: DiagnosticContext) -> None:
    outer, inner, own = (Location.at("a.py", line) for line in (1, 2, 3))
    with context.at(outer):
        with context.at(inner):
            assert context.report(UNUSED, name="x").location == inner
            assert context.report(UNUSED, name="x", location=own).location == own
        assert context.report(UNUSED, name="x").location == outer
    assert context.report(UNUSED, name="x").location is None


def test_current_location_ends_with_an_exception(context: DiagnosticContext) -> None:
    with pytest.raises(KeyError), context.at(Location.at("a.py", 1)):
        raise KeyError
    assert context.current_location is None


def test_location_is_found_out_only_when_something_is_reported(context: DiagnosticContext) -> None:
    asked: list[int] = []

    def find() -> Location:
        asked.append(1)
        return Location.at("a.py", 7)

    with context.at(find):
        assert asked == []
        assert context.report(UNUSED, name="x").location == Location.at("a.py", 7)
    assert asked == [1]


def test_at_is_a_decorator_and_may_be_used_again(context: DiagnosticContext) -> None:
    @context.at(Location.at("a.py", 1))
    def count_down(number: int) -> None:
        if number:
            count_down(number - 1)
        context.report(UNUSED, name=number)

    count_down(2)
    count_down(0)
    assert [found.location for found in context] == [Location.at("a.py", 1)] * 4
    assert context.current_location is None


def test_child_collects_for_its_parents_too(context: DiagnosticContext) -> None:
    context.report(BROKEN, name="before")
    stage = context.child()
    with context.at(Location.at("a.py", 1)):
        note = stage.child().report(UNUSED, name="x")
    assert stage.diagnostics == (note,)
    assert not stage.has_errors
    assert [found.message for found in context] == ["node before is broken", "input x is unused"]
    assert note.location == Location.at("a.py", 1)
    assert stage.tool == context.tool


def test_iteration_is_over_what_was_there_when_it_began(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="x")
    for _ in context:
        context.report(UNUSED, name="y")
    assert len(context.diagnostics) == 2


def test_threads_lose_nothing_and_have_their_own_locations(context: DiagnosticContext) -> None:
    start = Barrier(4)

    def work(thread: int) -> None:
        start.wait()
        for line in range(1, 201):
            with context.at(Location.at(f"{thread}.py", line)):
                context.report(UNUSED, name=f"{thread}:{line}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(context.diagnostics) == 800
    for found in context:
        assert found.location is not None
        assert found.message == f"input {str(found.location.file)[:-3]}:{found.location.line} is unused"


def test_later_changes_of_the_callers_lists_do_not_reach_a_finding(context: DiagnosticContext) -> None:
    names: list[PropertyValue] = ["a"]
    found = context.report(UNUSED, name="x", properties={"names": names, "more": {"names": names}})
    names.append("b")
    assert found.properties == {"names": ("a",), "more": {"names": ("a",)}}


def test_findings_can_be_put_into_sets(context: DiagnosticContext) -> None:
    pair = {context.report(UNUSED, name="x", properties={"a": [1]}) for _ in range(2)}
    assert len(pair) == 1


def test_properties_that_json_cannot_say_are_refused(context: DiagnosticContext) -> None:
    with pytest.raises(TypeError, match="'weight' holds a set"):
        context.report(UNUSED, name="x", properties={"weight": {1}})  # type: ignore[dict-item]  # on purpose
    with pytest.raises(TypeError, match="names of properties are strings"):
        context.report(UNUSED, name="x", properties={"a": {1: 2}})  # type: ignore[dict-item]  # on purpose


@pytest.mark.parametrize("tags", ["a", 1, ["a", "a"], ["a", 1]])
def test_tags_are_what_sarif_wants(context: DiagnosticContext, tags: PropertyValue) -> None:
    with pytest.raises(ValueError, match="distinct strings"):
        context.report(UNUSED, name="x", properties={"tags": tags})
    assert context.report(UNUSED, name="x", properties={"tags": ["a", "b"]}).properties["tags"] == ("a", "b")


def test_a_tool_has_a_name_and_a_version() -> None:
    with pytest.raises(ValueError, match="name and a version"):
        DiagnosticContext("checker", "")
