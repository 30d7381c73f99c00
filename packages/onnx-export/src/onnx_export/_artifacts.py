"""Files that an export leaves on request beside the model: log, reports, exported program, profile."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import torch

from onnx_diagnostics import (
    DiagnosticContext,
    DiagnosticError,
    Invocation,
    Run,
    parse_sarif,
    sarif_text,
    write_sarif,
    write_text_atomically,
)
from onnx_export._report import Recorder, properties_of
from onnx_export._staging import try_folder

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
    started = datetime.now(timezone.utc)

    def write(error: BaseException | None) -> None:
        invocation = Invocation(error is None, started, datetime.now(timezone.utc))
        properties = None if recorder is None else properties_of(recorder.facts(error))
        run = diagnostics.run(invocation=invocation, properties=properties)
        write_sarif(run, path)
        if reports:
            written = _write_reports(run, os.fspath(path).removesuffix(".sarif"))
            if recorder is not None:
                recorder.report_path = written
            if isinstance(error, DiagnosticError):
                error.report_path = written

    try:
        yield
    except BaseException as error:
        try:
            write(error)
        except OSError as reason:
            _add_note(error, f"The log could not be written: {reason}")
        else:
            if isinstance(error, DiagnosticError):
                error.log_path = os.fspath(path)
        raise
    write(None)


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

    def exported_program(self, program: torch.export.ExportedProgram | None) -> None:
        """Save the program of torch.export."""
        if program is not None:
            torch.export.save(program, self.path(".pt2"))

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
