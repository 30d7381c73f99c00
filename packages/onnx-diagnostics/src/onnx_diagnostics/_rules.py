"""Levels, rules and sets of rules."""

from __future__ import annotations

import enum
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Level", "Rule", "RuleSet", "claim_code"]

_CODE = re.compile(r"[A-Z]{2,4}\d{3}")
_PREFIX = re.compile(r"[A-Z]{2,4}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RESERVED = frozenset(("fixes", "level", "location", "properties", "related", "stacks"))
_ABSOLUTE_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x1f]+")


class Level(enum.IntEnum):
    """How much a diagnostic matters, in ascending order.

    The members are the four levels of SARIF 2.1.0, section 3.27.10. Their numbers are those of `logging`
    (DEBUG, INFO, WARNING, ERROR), so `logger.log(diagnostic.level, diagnostic.message)` works.
    """

    NONE = 10
    NOTE = 20
    WARNING = 30
    ERROR = 40

    @property
    def sarif_name(self) -> str:
        """The level as SARIF spells it: `none`, `note`, `warning` or `error`."""
        return self.name.lower()


@dataclass(frozen=True)
class Rule:
    """A kind of finding, with a code that never changes its meaning.

    Attributes:
        code: two to four capitals and three digits, such as `LOW001`.
        name: the readable twin of the code, in kebab-case, such as `unsupported-operator`.
        level: the level of a diagnostic that does not ask for another.
        message: what was found: a `str.format` template whose placeholders are plain names.
        help_uri: absolute URI of the page that explains the rule; `{code}` in it stands for the code, so that
            the rules of a package can share one.
        description: what the rule finds and why it matters; its first sentence stands alone.
        advice: what the user can do about it: a template over the same placeholders as `message`.

    Raises:
        ValueError: a field is malformed, or a placeholder is not a plain name.
    """

    code: str
    name: str
    level: Level
    message: str
    help_uri: str | None = None
    description: str = ""
    advice: str = ""

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise ValueError(
                f"rule code {self.code!r} must be two to four capitals and three digits: 'ABC123'"
            )
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"name {self.name!r} of rule {self.code} must be in kebab-case: 'unused-input'")
        if not self.message.strip():
            raise ValueError(f"rule {self.code} has an empty message")
        if self.help_uri is not None:
            object.__setattr__(self, "help_uri", self.help_uri.replace("{code}", self.code))
        if self.help_uri is not None and not _ABSOLUTE_URI.fullmatch(self.help_uri):
            raise ValueError(f"help_uri {self.help_uri!r} of rule {self.code} must be an absolute URI")
        _ = self.placeholders  # a broken template must fail where it is written, not where it is reported

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Names that `message` and `advice` need a value for."""
        fields = _template_fields(self, self.message) | _template_fields(self, self.advice)
        return frozenset(fields)

    def format(self, values: dict[str, object]) -> tuple[str, str]:
        """Fill in the message and the advice.

        Args:
            values: one value per placeholder.

        Returns:
            The message and the advice.

        Raises:
            TypeError: a placeholder has no value, or a value has no placeholder.
        """
        missing = sorted(self.placeholders - values.keys())
        surplus = sorted(values.keys() - self.placeholders)
        if missing or surplus:
            raise TypeError(f"rule {self.code} ({self.name}) {_mismatch(missing, surplus)}")
        return self.message.format_map(values), self.advice.format_map(values)


class RuleSet:
    """The closed set of rules that one package declares, in its `rules.py`.

    Example:
        UNUSED_INPUT = Rule("CAP001", "unused-input", Level.NOTE, "input {name!r} is never used")
        RULES = RuleSet("CAP", (UNUSED_INPUT,))
    """

    def __init__(self, prefix: str, rules: Iterable[Rule]) -> None:
        """Collect the rules.

        Args:
            prefix: the two to four capitals that every code of the package begins with.
            rules: the rules, in any order.

        Raises:
            ValueError: the prefix is malformed, a code has another prefix, or a code or name occurs twice.
        """
        if not _PREFIX.fullmatch(prefix):
            raise ValueError(f"rule prefix {prefix!r} must be two to four capitals")
        self._prefix = prefix
        self._by_code: dict[str, Rule] = {}
        names: set[str] = set()
        for rule in sorted(rules, key=lambda rule: rule.code):
            if rule.code[:-3] != prefix:
                raise ValueError(f"rule {rule.code} does not belong to the set of prefix {prefix}")
            if rule.code in self._by_code:
                raise ValueError(f"rule code {rule.code} is used twice")
            if rule.name in names:
                raise ValueError(f"rule name {rule.name!r} is used twice, again by {rule.code}")
            names.add(rule.name)
            self._by_code[rule.code] = rule

    @property
    def prefix(self) -> str:
        """The capitals that every code of the set begins with."""
        return self._prefix

    def __iter__(self) -> Iterator[Rule]:
        """Iterate over the rules by ascending code."""
        return iter(self._by_code.values())

    def __len__(self) -> int:
        """Count the rules."""
        return len(self._by_code)

    def __contains__(self, rule: object) -> bool:
        """Say whether the set declares this rule."""
        return isinstance(rule, Rule) and self._by_code.get(rule.code) == rule

    def __getitem__(self, code: str) -> Rule:
        """Return the rule of a code.

        Raises:
            KeyError: the set declares no such code; the text lists those that it does.
        """
        if code not in self._by_code:
            raise KeyError(f"no rule {code!r} in the set {self._prefix}: it has {', '.join(self._by_code)}")
        return self._by_code[code]

    def __repr__(self) -> str:
        return f"RuleSet({self._prefix!r}, {len(self)} rules)"


def claim_code(rules: dict[str, Rule], rule: Rule) -> None:
    """Enter a rule under its code.

    Args:
        rules: the rules so far, by code.
        rule: the rule to enter.

    Raises:
        ValueError: another rule has the code.
    """
    other = rules.setdefault(rule.code, rule)
    if other is not rule and other != rule:
        raise ValueError(f"rule code {rule.code} is used twice, by {other.name!r} and by {rule.name!r}")


def _template_fields(rule: Rule, template: str) -> set[str]:
    try:
        parts = [
            (field, spec) for _, field, spec, _ in string.Formatter().parse(template) if field is not None
        ]
    except ValueError as error:
        raise ValueError(f"template {template!r} of rule {rule.code} is malformed: {error}") from error
    for field, spec in parts:
        if not field.isidentifier() or "{" in (spec or ""):
            raise ValueError(f"placeholder {{{field}}} of rule {rule.code} must be a plain name")
        if field in _RESERVED:
            raise ValueError(f"placeholder {{{field}}} of rule {rule.code} is an argument of report()")
    return {field for field, _ in parts}


def _mismatch(missing: list[str], surplus: list[str]) -> str:
    texts = []
    if missing:
        texts.append(f"needs a value for {', '.join(missing)}")
    if surplus:
        texts.append(f"has no placeholder {', '.join(surplus)}")
    return " and ".join(texts)
