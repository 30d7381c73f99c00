from __future__ import annotations

import logging

import pytest

from onnx_diagnostics import Level, Rule, RuleSet


def _rule(code: str = "ABC001", name: str = "unused-input", message: str = "found {what}") -> Rule:
    return Rule(code, name, Level.NOTE, message)


def test_levels_are_ordered_as_logging_orders_them() -> None:
    assert sorted(Level) == [Level.NONE, Level.NOTE, Level.WARNING, Level.ERROR]
    assert [Level.NOTE, Level.WARNING, Level.ERROR] == [logging.INFO, logging.WARNING, logging.ERROR]


def test_levels_have_the_names_of_sarif() -> None:
    assert [level.sarif_name for level in Level] == ["none", "note", "warning", "error"]


@pytest.mark.parametrize(
    "code", ["A001", "ABCDE001", "abc001", "ABC01", "ABC0001", "ABC-001", "ABC001\n", ""]
)
def test_malformed_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="capitals and three digits"):
        _rule(code=code)


@pytest.mark.parametrize(
    "name", ["UnusedInput", "unused_input", "unused--input", "-unused", "unused-", "1st", ""]
)
def test_malformed_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="kebab-case"):
        _rule(name=name)


@pytest.mark.parametrize("message", ["{}", "{0}", "{a.b}", "{a[0]}", "{a:{b}}"])
def test_placeholder_that_is_no_plain_name_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match="plain name"):
        _rule(message=message)


@pytest.mark.parametrize("message", ["{a", "a}"])
def test_malformed_template_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match="malformed"):
        _rule(message=message)


def test_placeholder_named_like_an_argument_of_report_is_refused() -> None:
    with pytest.raises(ValueError, match="argument of report"):
        _rule(message="at {location}")


@pytest.mark.parametrize("uri", ["docs/rules/ABC001.md", "https://a b", ""])
def test_relative_or_broken_help_uri_is_refused(uri: str) -> None:
    with pytest.raises(ValueError, match="absolute URI"):
        Rule("ABC001", "unused-input", Level.NOTE, "found", help_uri=uri)


def test_rules_share_an_address_that_names_the_code() -> None:
    rule = Rule("ABC001", "unused-input", Level.NOTE, "found", help_uri="https://example.org/{code}.md")
    assert rule.help_uri == "https://example.org/ABC001.md"


def test_empty_message_is_refused() -> None:
    with pytest.raises(ValueError, match="empty message"):
        _rule(message=" ")


def test_format_fills_message_and_advice() -> None:
    rule = Rule("ABC001", "small-size", Level.NOTE, "{{{size:>3}}}", advice="raise {name!r}")
    assert rule.placeholders == {"size", "name"}
    assert rule.format({"size": 7, "name": "n"}) == ("{  7}", "raise 'n'")


def test_format_names_what_is_missing_and_what_is_surplus() -> None:
    with pytest.raises(
        TypeError, match=r"ABC001 \(unused-input\) needs a value for what and has no placeholder who"
    ):
        _rule().format({"who": 1})


def test_rule_set_is_ordered_by_code() -> None:
    first, second = _rule("ABC001", "first"), _rule("ABC002", "second")
    rules = RuleSet("ABC", (second, first))
    assert list(rules) == [first, second]
    assert len(rules) == 2
    assert rules["ABC002"] is second
    assert first in rules
    assert _rule("ABC001", "other") not in rules


def test_rule_set_refuses_a_code_twice() -> None:
    with pytest.raises(ValueError, match="rule code ABC001 is used twice"):
        RuleSet("ABC", (_rule(name="first"), _rule(name="second")))


def test_rule_set_refuses_a_name_twice() -> None:
    with pytest.raises(ValueError, match="'unused-input' is used twice"):
        RuleSet("ABC", (_rule("ABC001"), _rule("ABC002")))


@pytest.mark.parametrize("prefix", ["AB", "XYZ"])
def test_rule_set_refuses_the_code_of_another_prefix(prefix: str) -> None:
    with pytest.raises(ValueError, match="does not belong"):
        RuleSet(prefix, (_rule(),))


def test_rule_set_refuses_a_malformed_prefix() -> None:
    with pytest.raises(ValueError, match="two to four capitals"):
        RuleSet("low", ())


def test_unknown_code_lists_the_known_ones() -> None:
    with pytest.raises(KeyError, match="it has ABC001"):
        RuleSet("ABC", (_rule(),))["ABC009"]
