"""The demo from model to report."""

from __future__ import annotations

from pathlib import Path

import onnx
from rich.console import Console

from onnx_diagnostics import DiagnosticContext
from onnx_export.__about__ import __version__
from onnx_export._artifacts import sarif_log
from onnx_export._export import export
from onnx_export._report import Recorder
from onnx_export.demo._compare import compare, onnx_runtime
from onnx_export.demo._model import SentenceEmbedder, Tokens, load_model, load_tokenizer, tokenize
from onnx_export.demo._report import new_console, show_comparison, show_files, show_neighbours
from onnx_export.demo._sentences import SENTENCES

__all__ = ["run"]

_MODEL, _DATA, _LOG = "minilm.onnx", "minilm.onnx.data", "minilm.sarif"
_REPORT = "minilm.report.html"


def run(folder: Path) -> bool:
    """Export the model to ``folder``, run the file there, and print what comes out.

    Returns:
        Whether the file agrees with PyTorch.

    Raises:
        OnnxExporterError: the model cannot be exported; the log in ``folder`` has the details.
    """
    console = new_console()
    console.print("[bold]all-MiniLM-L6-v2[/bold]: token ids to normalised sentence embeddings")
    model, tokenizer = load_model(), load_tokenizer()
    _export(model, tokenize(tokenizer, SENTENCES[:2]), folder, console)
    alone = [tokenize(tokenizer, [sentence]) for sentence in SENTENCES]
    batches = [tokenize(tokenizer, SENTENCES), *alone]
    comparison = compare(onnx_runtime(folder / _MODEL), model, batches)
    show_neighbours(console, SENTENCES, [ids.shape[1] for ids, _ in alone], comparison)
    agrees = show_comparison(console, comparison)
    show_files(console, [folder / name for name in (_MODEL, _DATA, _LOG, _REPORT)])
    return agrees


def _export(model: SentenceEmbedder, example: Tokens, folder: Path, console: Console) -> None:
    """Write the model and its log to ``folder``, and check the file as it is on disk."""
    diagnostics = DiagnosticContext("onnx-export", __version__)
    dynamic = {0: "batch", 1: "sequence"}
    with Recorder() as recorder, sarif_log(diagnostics, folder / _LOG, recorder, reports=True):
        program = export(
            model,
            example,
            folder / _MODEL,
            output_names=["embedding"],
            dynamic_shapes={"input_ids": dynamic, "attention_mask": dynamic},
            verify=True,
            diagnostics=diagnostics,
        )
    onnx.checker.check_model(folder / _MODEL, full_check=True)
    console.print(f"exported and checked: {program!r}", markup=False, soft_wrap=True)
