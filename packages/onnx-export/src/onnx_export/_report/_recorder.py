"""Keeps the facts of one export while it goes on."""

from __future__ import annotations

import dataclasses
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar, Token
from pathlib import Path

from onnx_diagnostics import DiagnosticError
from onnx_export._compared_runs import Comparison
from onnx_export._destination import data_path_of
from onnx_export._program import ONNXProgram
from onnx_export._report._facts import ComparisonFact, ExportFacts, Failure, FileFact, StageFact
from onnx_export._report._gather import (
    calls_by_operator,
    dimension_facts,
    example_facts,
    model_name,
    module_facts,
    node_counts,
    nodes_by_origin,
    operator_facts,
    value_facts,
    versions,
    weight_facts,
)
from onnx_export._report._memory import peak_memory
from onnx_export._request import Request
from onnx_export._staging import refers_to
from onnx_export._watching import Watch
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.lowering import LoweredProgram
from onnx_ir_capture.program import CapturedProgram

__all__ = ["Recorder"]


class Recorder(Watch):
    """Collects what a report tells. Programs are read when they come by, and are not kept.

    While it is entered, :meth:`current` gives it to an export that it was not handed to.

    Attributes:
        report_path: the report for people, once it is written.
        files: the model's files, once they are written.
    """

    def __init__(self) -> None:
        self.report_path: str | None = None
        self.files: tuple[str, ...] = ()
        self._facts = ExportFacts(versions=versions())
        self._stage = ""
        self._peak = peak_memory()
        self._captured: Mapping[OpName, int] = {}
        self._cleaned: Mapping[OpName, int] | None = None
        self._translated: Mapping[OpName, Mapping[str, int]] | None = None
        self._token: Token[Recorder | None] | None = None

    @staticmethod
    def current() -> Recorder | None:
        """The recorder that is entered here."""
        return _CURRENT.get()

    def __enter__(self) -> Recorder:
        self._token = _CURRENT.set(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._token is not None:
            _CURRENT.reset(self._token)

    def facts(self, error: BaseException | None = None) -> ExportFacts:
        """What is known by now.

        Args:
            error: what ended the export.
        """
        if error is None:
            return self._facts
        message = error.message if isinstance(error, DiagnosticError) else str(error)
        failure = Failure(type(error).__name__, message, self._stage)
        return dataclasses.replace(self._facts, failure=failure)

    def requested(self, request: Request) -> None:
        """Note what is exported, and the example inputs."""
        self._facts = dataclasses.replace(
            self._facts,
            model=model_name(request.model),
            examples=example_facts(request.args, request.kwargs),
        )

    def configured(
        self, opset: int, function: Callable[..., object], arguments: Mapping[str, object]
    ) -> None:
        """Note the arguments that shape the file and are not the default."""
        words = {
            name: _in_words(arguments[name])
            for name, parameter in inspect.signature(function).parameters.items()
            if name not in _APART and arguments[name] is not parameter.default
        }
        self._facts = dataclasses.replace(
            self._facts, opset=opset, options=words, verified=bool(arguments["verify"])
        )

    def begin(self, stage: str) -> None:
        """``stage`` begins."""
        self._stage = stage

    def end(self, stage: str, seconds: float, *, finished: bool) -> None:
        """``stage`` ends."""
        before, self._peak = self._peak, peak_memory()
        growth = None if before is None or self._peak is None else self._peak - before
        fact = StageFact(stage, round(seconds, 4), self._peak, growth, finished)
        self._facts = dataclasses.replace(self._facts, stages=(*self._facts.stages, fact))
        if finished:
            self._stage = ""

    def captured(self, program: CapturedProgram) -> None:
        """Note the captured graph."""
        graph = program.model.graph
        self._captured = calls_by_operator(program)
        self._facts = dataclasses.replace(
            self._facts,
            route=program.route,
            inputs=value_facts(graph.inputs),
            outputs=value_facts(graph.outputs),
            dimensions=dimension_facts(program.dimensions),
            modules=module_facts(program),
            operators=operator_facts(self._captured, None, None, {}),
            weights=weight_facts(graph, program.weights),
        )

    def cleaned(self, program: CapturedProgram) -> None:
        """Note what the passes left."""
        self._cleaned = calls_by_operator(program)
        operators = operator_facts(self._captured, self._cleaned, None, {})
        self._facts = dataclasses.replace(self._facts, operators=operators)

    def lowered(self, program: LoweredProgram) -> None:
        """Note what translated what."""
        self._translated = program.translated
        operators = operator_facts(self._captured, self._cleaned, self._translated, {})
        self._facts = dataclasses.replace(self._facts, operators=operators)

    def built(self, program: ONNXProgram) -> None:
        """Note the finished model."""
        model, captured = program.model, program.program
        self._facts = dataclasses.replace(
            self._facts,
            inputs=value_facts(model.graph.inputs),
            outputs=value_facts(model.graph.outputs),
            operators=operator_facts(self._captured, self._cleaned, self._translated, nodes_by_origin(model)),
            nodes=node_counts(model),
            weights=weight_facts(model.graph, captured.weights),
        )

    def compared(self, comparisons: Iterable[Comparison]) -> None:
        """Note how the outputs compare with PyTorch's."""
        facts = tuple(
            ComparisonFact(found.output, found.where, found.largest_difference, found.problem)
            for found in comparisons
        )
        self._facts = dataclasses.replace(self._facts, comparisons=facts)

    def saved(self, path: str | os.PathLike[str]) -> None:
        """Note the files of the model."""
        model = Path(os.fsdecode(path))
        data = data_path_of(model)
        files = (model, data) if refers_to(model, data.name) else (model,)
        self.files = tuple(os.fspath(file) for file in files)
        facts = tuple(FileFact(file.name, file.stat().st_size) for file in files)
        self._facts = dataclasses.replace(self._facts, files=facts)


_CURRENT: ContextVar[Recorder | None] = ContextVar("onnx_export_recorder", default=None)

# Arguments that do not shape the file, or have a place of their own in a report.
_APART = frozenset(
    ("args", "artifacts_dir", "diagnostics", "f", "kwargs", "model", "opset_version", "report", "verbose")
)
_LONGEST = 300


def _in_words(value: object) -> str:
    """A choice as it was written, as far as that is short; a table by operators as the list of them."""
    if isinstance(value, Mapping) and not all(isinstance(key, str) for key in value):
        text = ", ".join(map(str, value))
    else:
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
