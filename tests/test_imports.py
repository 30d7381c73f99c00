"""What the sources may never import.

Read from their text, since a run shows nothing: torch itself imports torch.onnx.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(ROOT.glob("packages/*/src/**/*.py"))
DYNAMIC_IMPORTS = ("import_module", "__import__", "find_spec")


def dotted(node: ast.expr) -> str:
    """``a.b.c`` for a chain of attributes on a name, and the empty string for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := dotted(node.value)):
        return f"{base}.{node.attr}"
    return ""


def references(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, attribute chain and import by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.lineno, dotted(node)
        elif isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in DYNAMIC_IMPORTS:
            named = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
            yield from ((node.lineno, value) for value in named if isinstance(value, str))


def is_forbidden(name: str) -> bool:
    is_exporter = name == "torch.onnx" or name.startswith("torch.onnx.")
    is_onnx_pass = name.startswith("torch._C.") and "_jit_pass_onnx" in name
    return is_exporter or is_onnx_pass


def violations(text: str) -> list[tuple[int, str]]:
    return [(line, name) for line, name in references(ast.parse(text)) if is_forbidden(name)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sources_use_nothing_of_torch_onnx(path: Path) -> None:
    found = violations(path.read_text(encoding="utf-8"))
    assert not found, "PyTorch has deprecated its exporter and this one outlives it; do without " + ", ".join(
        f"{name} at {path}:{line}" for line, name in found
    )


@pytest.mark.parametrize(
    "text",
    [
        "import torch.onnx",
        "import torch.onnx.utils as u",
        "from torch import onnx",
        "from torch.onnx import export",
        "def f():\n    import torch\n    return torch.onnx.export",
        "import importlib\nimportlib.import_module('torch.onnx')",
        "import torch\ntorch._C._jit_pass_onnx_peephole",
        "from torch._C import _jit_pass_onnx",
    ],
)
def test_each_way_to_torch_onnx_is_noticed(text: str) -> None:
    assert violations(text)


@pytest.mark.parametrize("text", ["import torch, onnx", "import onnx\nonnx.checker", "'torch.onnx.export'"])
def test_torch_and_onnx_are_no_torch_onnx(text: str) -> None:
    assert not violations(text)


def test_diagnostics_imports_the_standard_library_only() -> None:
    source = ROOT / "packages" / "onnx-diagnostics" / "src"
    allowed = {*sys.stdlib_module_names, "onnx_diagnostics"}
    foreign = [
        f"{path}:{node.lineno}"
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module])
        if (name or "").partition(".")[0] not in allowed
    ]
    assert not foreign
