"""Writing a run as SARIF 2.1.0 (OASIS standard, errata 01)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from onnx_diagnostics._artifacts import ArtifactTable
from onnx_diagnostics._atomic import write_text_atomically
from onnx_diagnostics._context import DiagnosticContext
from onnx_diagnostics._diagnostic import PropertyValue
from onnx_diagnostics._files import Workspace
from onnx_diagnostics._run import Run
from onnx_diagnostics._sarif_objects import plain, result_object, run_head

__all__ = ["iter_sarif", "sarif_text", "write_sarif"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_ON_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def write_sarif(source: DiagnosticContext | Run, path: str | os.PathLike[str]) -> None:
    """Write a SARIF 2.1.0 log; equal runs give equal bytes, and one result takes one line.

    The file is whole or, after a failure, as it was before.

    Args:
        source: the run; a context stands for `context.run()`.
        path: the file, by convention `*.sarif`.

    Raises:
        OSError: it cannot be written.
    """
    write_text_atomically(path, iter_sarif(source), kind="log")


def sarif_text(source: DiagnosticContext | Run) -> str:
    """Return the text that `write_sarif` writes."""
    return "".join(iter_sarif(source))


def iter_sarif(source: DiagnosticContext | Run) -> Iterator[str]:
    """Yield the text that `write_sarif` writes in small pieces, so that long logs need no memory."""
    run = source if isinstance(source, Run) else source.run()
    files = ArtifactTable(Workspace(run.base))
    for artifact in run.artifacts:
        files.add(artifact)
    rules = run.described_rules
    index_of_code = {rule.code: index for index, rule in enumerate(rules)}
    yield f'{{\n  "$schema": {json.dumps(_SCHEMA)},\n  "version": "2.1.0",\n  "runs": [\n    {{\n'
    for key, value in run_head(run, rules, files).items():
        yield f"      {_block(key, value)},\n"
    yield '      "results": ['
    separator = "\n        "
    for diagnostic in run.diagnostics:
        result = result_object(diagnostic, index_of_code[diagnostic.rule.code], files)
        yield separator + _ON_ONE_LINE.encode(result)
        separator = ",\n        "
    yield f"\n      ],\n      {_block('artifacts', files.described())}"
    if run.properties:
        yield f",\n      {_block('properties', plain(run.properties))}"
    yield "\n    }\n  ]\n}\n"


def _block(key: str, value: PropertyValue) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    return f'"{key}": ' + text.replace("\n", "\n      ")
