"""Files that an export leaves on request beside the model: log, reports, exported program, profile."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import sys
import warnings
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import torch

from onnx_diagnostics import (
    Artifact,
    DiagnosticContext,
    DiagnosticError,
    Invocation,
    Run,
    parse_sarif,
    sarif_text,
    write_sarif,
    write_text_atomically,
)
from onnx_export._destination import explained
from onnx_export._report import Recorder, properties_of
from onnx_export._staging import try_folder
from onnx_export._without_values import run_without_values

__all__ = ["Artifacts", "sarif_log"]


@contextlib.contextmanager
def sarif_log(
    diagnostics: DiagnosticContext,
    path: str | os.PathLike[str] | None,
    recorder: Recorder | None = None,
    *,
    reports: bool = False,
) -> Iterator[None]:
    """Write the SARIF log to ``path`` when the block ends, however it ends; an error then names the file.

    Values of tensors that the text of an exception holds are left out of the log; the exception keeps them.

    Args:
        diagnostics: what the block reports to.
        path: the file, or None for no log.
        recorder: has the facts of the export, which the log then has, too.
        reports: write the reports for people beside the log, ``.report.md`` and ``.report.html`` in place of
            ``.sarif``.

    Raises:
        OSError: the log cannot be written. An error of the block goes before that, with a note of it.
    """
    if path is None:
        yield
        return
    log = _Log(diagnostics, os.fspath(path), recorder, reports)
    try:
        yield
    except BaseException as error:
        try:
            log.write(error)
        except OSError as reason:
            _add_note(error, f"The log could not be written: {reason}")
        raise
    log.write(None)


@dataclasses.dataclass
class _Log:
    """A log that is written when an export ends, and what is made of it."""

    diagnostics: DiagnosticContext
    path: str
    recorder: Recorder | None
    reports: bool
    started: datetime = dataclasses.field(default_factory=lambda: datetime.now(timezone.utc))

    def write(self, error: BaseException | None) -> None:
        """Write the files; ``error``, which ended the export, names them afterwards."""
        run = run_without_values(self._run(error))
        write_sarif(run, self.path)
        if isinstance(error, DiagnosticError):
            error.log_path = self.path
        if not self.reports:
            return
        page = _write_reports(run, self.path.removesuffix(".sarif"))
        if self.recorder is not None:
            self.recorder.report_path = page
        if isinstance(error, DiagnosticError):
            error.report_path = page

    def _run(self, error: BaseException | None) -> Run:
        invocation = Invocation(error is None, self.started, datetime.now(timezone.utc))
        if self.recorder is None:
            return self.diagnostics.run(invocation=invocation)
        return self.diagnostics.run(
            invocation=invocation,
            artifacts=[Artifact(path, "resultFile") for path in self.recorder.files],
            properties=properties_of(self.recorder.facts(error)),
        )


def _write_reports(run: Run, stem: str) -> str:
    """Write what the log says for people; the path of what a browser opens."""
    # The templates' engine takes a while to load, and few exports write reports.
    from onnx_export._report._render import render_html, render_markdown

    # What a report shows is what the log has: the command line makes the same of it.
    runs = parse_sarif(sarif_text(run))
    write_text_atomically(f"{stem}.report.md", [render_markdown(runs)], kind="report")
    page = f"{stem}.report.html"
    write_text_atomically(page, [render_html(runs)], kind="report")
    return page


def _add_note(error: BaseException, text: str) -> None:
    if sys.version_info >= (3, 11):
        error.add_note(text)
    else:
        warnings.warn(text, RuntimeWarning, stacklevel=2)


class Artifacts:
    """Names and writes the files of one export in ``folder``, which is made when it is first needed."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        # Two exports in one second have files of their own.
        now = datetime.now()
        self._stamp = f"{now:%Y-%m-%d_%H-%M-%S_%f}"

    def path(self, suffix: str) -> str:
        """Path of the artifact with this suffix."""
        if os.path.exists(self._folder) and not os.path.isdir(self._folder):
            raise ValueError(f"artifacts_dir={self._folder!r} is a file; give a folder")
        try:
            os.makedirs(self._folder, exist_ok=True)
        except OSError as error:
            raise ValueError(f"artifacts_dir={self._folder!r} cannot be made: {error.strerror}") from error
        try:
            try_folder(Path(self._folder))
        except OSError as error:
            raise ValueError(
                f"artifacts_dir={self._folder!r} cannot be written to: {error.strerror}"
            ) from error
        return os.path.join(self._folder, f"onnx_export_{self._stamp}{suffix}")

    def exported_program(
        self, program: torch.export.ExportedProgram | None, diagnostics: DiagnosticContext
    ) -> None:
        """Save the program of torch.export.

        Raises:
            OnnxExporterError: it cannot be written, and nothing of it is left.
        """
        if program is None:
            return
        content = io.BytesIO()
        # By itself torch ends the process where a disk is full.
        torch.export.save(program, content)
        path = Path(self.path(".pt2"))
        with explained(path, diagnostics), contextlib.ExitStack() as half_written:
            half_written.callback(path.unlink, missing_ok=True)
            path.write_bytes(content.getbuffer())
            half_written.pop_all()

    @contextlib.contextmanager
    def profile(self, wanted: bool) -> Iterator[None]:
        """Write a profile of the block as text, if it is wanted.

        Raises:
            ImportError: pyinstrument is not installed.
        """
        if not wanted:
            yield
            return
        try:
            from pyinstrument import Profiler  # an extra: only who profiles needs it
        except ImportError as error:
            raise ImportError("profile needs pyinstrument: pip install 'onnx-export[profile]'") from error
        profiler = Profiler()
        with profiler:
            yield
        with open(self.path("_profile.txt"), "w", encoding="utf-8") as file:
            file.write(profiler.output_text(unicode=True))
