"""Whatever the facts of an export are, a log keeps them, and both reports can be made of it."""

from __future__ import annotations

import html.parser
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from onnx_diagnostics import DiagnosticContext, Invocation, Level, Location, Rule, parse_sarif, sarif_text
from onnx_export._report import ExportFacts, facts_of, properties_of
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
from onnx_export._report._render import render_html, render_markdown

# Halves of surrogate pairs are no text of a log; all else may come from models and file systems.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBER = st.integers(0, 10**15)
SHAPE = st.none() | st.lists(TEXT, max_size=3).map(tuple)
COUNTS = st.dictionaries(TEXT, NUMBER, max_size=3)
TENSORS = st.lists(st.builds(TensorFact, TEXT, TEXT, SHAPE), max_size=2).map(tuple)
SECONDS = st.floats(0, 1e6)
STAGE = st.builds(
    StageFact,
    TEXT | st.sampled_from(["capture", "lowering"]),
    SECONDS,
    st.none() | NUMBER,
    st.none() | NUMBER,
    st.booleans(),
)
FACTS = st.builds(
    ExportFacts,
    model=TEXT,
    route=TEXT,
    opset=NUMBER,
    options=st.dictionaries(TEXT, TEXT, max_size=2),
    versions=st.dictionaries(TEXT, TEXT, max_size=2),
    failure=st.none() | st.builds(Failure, TEXT, TEXT, TEXT),
    stages=st.lists(STAGE, max_size=3).map(tuple),
    examples=TENSORS,
    inputs=TENSORS,
    outputs=TENSORS,
    dimensions=st.lists(st.builds(DimensionFact, TEXT, st.integers(), st.none() | NUMBER), max_size=2).map(
        tuple
    ),
    modules=st.lists(st.builds(ModuleFact, TEXT, TEXT, NUMBER), max_size=2).map(tuple),
    operators=st.lists(
        st.builds(OperatorFact, TEXT, NUMBER, st.none() | NUMBER, st.none() | COUNTS, COUNTS), max_size=3
    ).map(tuple),
    nodes=COUNTS,
    weights=st.lists(st.builds(WeightFact, TEXT, TEXT, TEXT, SHAPE, NUMBER), max_size=20).map(tuple),
    comparisons=st.lists(
        st.builds(ComparisonFact, TEXT, TEXT, st.floats(allow_nan=False), TEXT), max_size=25
    ).map(tuple),
    verified=st.booleans(),
    files=st.lists(st.builds(FileFact, TEXT, NUMBER), max_size=2).map(tuple),
)
FINDING = st.tuples(
    st.sampled_from([Level.ERROR, Level.WARNING, Level.NOTE, Level.NONE]),
    TEXT,
    st.none() | st.tuples(TEXT.filter(bool), st.none() | st.integers(1, 99), TEXT),
)


class WellFormed(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@settings(deadline=None)
@given(FACTS, st.lists(FINDING, max_size=9), st.booleans())
def test_every_export_has_its_reports(
    facts: ExportFacts,
    findings: list[tuple[Level, str, tuple[str, int | None, str] | None]],
    successful: bool,
) -> None:
    context = DiagnosticContext("onnx-export", "1.0")
    rule = Rule("LOW900", "test", Level.ERROR, "{text}", advice="{text}")
    for level, text, place in findings:
        location = None if place is None else Location.at(place[0], place[1], snippet=place[2], op=place[2])
        context.report(rule, level=level, text=text, location=location, related=[location or Location()])
    log = sarif_text(context.run(invocation=Invocation(successful), properties=properties_of(facts)))
    runs = parse_sarif(log)
    assert facts_of(runs[0].properties) == facts
    page, markdown = render_html(runs), render_markdown(runs)
    parser = WellFormed()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert page.count("<script") == 0
    for text in (page, markdown):
        assert re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text) is None
        # A table is one as long as every row has the cells of its head.
    for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        rows = table.splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
