"""One finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from onnx_diagnostics._locations import Location
from onnx_diagnostics._rules import Level, Rule

if TYPE_CHECKING:
    from onnx_diagnostics._fixes import Fix
    from onnx_diagnostics._stacks import Stack

__all__ = ["Diagnostic", "PropertyValue", "frozen_properties"]

PropertyValue: TypeAlias = (
    "str | int | float | bool | Sequence[PropertyValue] | Mapping[str, PropertyValue] | None"
)
"""What a property of a diagnostic may hold: everything that JSON can say."""


@dataclass(frozen=True)
class Diagnostic:
    """One finding; `DiagnosticContext.report` makes them.

    Attributes:
        rule: the kind of finding.
        level: how much it matters, here.
        message: what was found.
        location: where, or None when the finding is about the whole.
        related: other places that explain it.
        properties: further facts for programs, such as the opset that was asked for.
        advice: what the user can do about it; may be empty.
        stacks: how the program came there.
        fixes: changes of the source that would remove it, each by itself.
        fingerprint: what a log that was read knows the finding by; None lets the writer find it out.
    """

    rule: Rule
    level: Level
    message: str
    location: Location | None = None
    related: tuple[Location, ...] = ()
    properties: Mapping[str, PropertyValue] = field(default_factory=dict, hash=False)
    advice: str = ""
    stacks: tuple[Stack, ...] = ()
    fixes: tuple[Fix, ...] = ()
    fingerprint: str | None = None


def frozen_properties(properties: Mapping[str, PropertyValue]) -> dict[str, PropertyValue]:
    """Copy properties, so that no later change of the caller's lists reaches a finding.

    Raises:
        TypeError: a key is no string, or a value is nothing that JSON can say.
        ValueError: `tags` holds anything but distinct strings, which SARIF reserves it for (section 3.8.2).
    """
    copy = _frozen_mapping(properties)
    tags = copy.get("tags", ())
    if (
        not isinstance(tags, tuple)
        or not all(isinstance(tag, str) for tag in tags)
        or len(set(tags)) < len(tags)
    ):
        raise ValueError("the property 'tags' holds a list of distinct strings")
    return copy


def _frozen_mapping(properties: Mapping[str, PropertyValue]) -> dict[str, PropertyValue]:
    return {_key(key): _frozen(key, value) for key, value in properties.items()}


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"names of properties are strings, got {key!r}")


def _frozen(key: str, value: PropertyValue) -> PropertyValue:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return _frozen_mapping(value)
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(key, item) for item in value)
    raise TypeError(f"property {key!r} holds a {type(value).__name__}, which JSON cannot say")
