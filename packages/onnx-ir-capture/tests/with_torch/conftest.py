"""What the tests that need torch share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import onnx_ir as ir
import pytest
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import aliases_of, verify
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram


@pytest.fixture
def import_program() -> Callable[[torch.export.ExportedProgram], CapturedProgram]:
    """Import of a program that must give no finding and a valid dialect graph."""
    return _captured


@pytest.fixture
def assert_same() -> Callable[[object, object], None]:
    """Comparison of results: structure, types, dtypes and every bit of the values."""
    return _assert_same


@pytest.fixture
def run_eager() -> Callable[[Callable[..., object], tuple[object, ...], Mapping[str, object]], object]:
    """Runs a copy of a model on copies of arguments, without gradients."""
    return _eager


@pytest.fixture
def assert_marks_hold() -> Callable[[CapturedProgram, tuple[object, ...], Mapping[str, object]], None]:
    """Checks that calls share memory with their inputs only where their marks say so, in a real run."""
    return _assert_marks_hold


def _captured(program: torch.export.ExportedProgram) -> CapturedProgram:
    diagnostics = DiagnosticContext("test", "1")
    result = import_exported_program(program, diagnostics)
    assert [finding.message for finding in diagnostics] == []
    verify(result.model)
    return result


def _eager(model: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
    model, args, kwargs = copy.deepcopy((model, args, dict(kwargs)))
    with torch.no_grad():
        return model(*args, **kwargs)


def _assert_same(actual: object, wanted: object) -> None:
    leaves, spec = pytree.tree_flatten(actual)
    wanted_leaves, wanted_spec = pytree.tree_flatten(wanted)
    assert spec == wanted_spec
    for leaf, wanted_leaf in zip(leaves, wanted_leaves, strict=True):
        assert type(leaf) is type(wanted_leaf)
        if isinstance(leaf, torch.Tensor):
            assert (leaf.dtype, leaf.shape) == (wanted_leaf.dtype, wanted_leaf.shape)
            assert torch.equal(leaf, wanted_leaf) or torch.allclose(leaf, wanted_leaf, 0, 0, equal_nan=True)
        else:
            assert leaf == wanted_leaf


def _assert_marks_hold(
    program: CapturedProgram, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> None:
    seen: dict[ir.Value, object] = {}
    for weight in program.model.graph.initializers.values():
        seen[weight] = getattr(weight.const_value, "raw", None)
    leaves = pytree.tree_leaves((args, dict(kwargs)))
    for spec, leaf in zip(program.inputs, leaves, strict=True):
        if spec.value is not None:
            seen[spec.value] = leaf
    run_program(program, args, kwargs, observer=seen.__setitem__, protect=False)
    for node in program.model.graph:
        if node.domain == "prim" or "views" not in node.attributes:
            continue
        given = [seen.get(value) if value is not None else None for value in node.inputs]
        for index, output in enumerate(node.outputs):
            sources = {source for at, source in aliases_of(node).views if at == index}
            allowed = _storages([given[source] for source in sources])
            foreign = _storages(given) - allowed
            assert not _storages(seen[output]) & foreign, node


def _storages(value: object) -> set[int]:
    """Identities of the memory behind a tensor or a list of them."""
    tensors = [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]
    return {tensor.untyped_storage()._cdata for tensor in tensors}
