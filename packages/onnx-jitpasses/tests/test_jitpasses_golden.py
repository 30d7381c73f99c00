"""Each pass on the programs of ``golden/<pass>``: the printed graph before and after.

A file holds the program, a line of dashes, and what the pass makes of it, or ``---- unchanged``. Comments say
what the case shows. A new case is written with anything behind the dashes; the failing test prints the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import onnx_ir as ir
import pytest

import onnx_jitpasses as jit
from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import findings, parse_program, print_program, verify
from onnx_jitpasses.pipeline import PIPELINE

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*/*.txt"))
CASES = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")


def whole_pipeline(model: ir.Model) -> ir.passes.PassResult:
    results = [step.kind.create(DiagnosticContext("test", "1"))(model) for step in PIPELINE]
    return ir.passes.PassResult(model, any(result.modified for result in results))


PASSES: Mapping[str, Callable[[ir.Model], ir.passes.PassResult]] = {
    "attribute_state": jit.AttributeState(keep_state=True),
    "batch_statistics": jit.BatchStatistics(),
    "common_subexpressions": jit.CommonSubexpressions(),
    "complex_to_pairs": jit.ComplexToPairs(),
    "dead_code": jit.DeadCode(),
    "dead_code_and_weights": jit.DeadCode(drop_weights=True),
    "eval_mode": jit.EvalMode(),
    "fold_constants": jit.FoldConstants(),
    "functional_lists": jit.FunctionalLists(),
    "functionalize": jit.Functionalize(keep_state=True),
    "hand_in": jit.HandIn(),
    "optional_values": jit.OptionalValues(),
    "pipeline": whole_pipeline,
    "ranges": jit.Ranges(),
    "remove_assertions": jit.RemoveAssertions(),
    "remove_no_ops": jit.RemoveNoOps(),
    "remove_raises": jit.RemoveRaises(),
    "resolve_branches": jit.ResolveBranches(),
    "resolve_scripts": jit.ResolveScripts(),
    "size_lists": jit.SizeLists(),
    "split_tuples": jit.SplitTuples(),
    "stand_ins": jit.StandIns(),
    "unique_names": jit.UniqueNames(),
    "unpack_quantized": jit.UnpackQuantized(),
    "unpack_tuples": jit.UnpackTuples(),
    "unroll_loops": jit.UnrollLoops(),
    "view_to_reshape": jit.ViewToReshape(),
}


def read(path: Path) -> tuple[str, str]:
    """The program before and after, in the printer's own text."""
    before, _, after = path.read_text(encoding="utf-8").partition("\n----")
    printed = print_program(parse_program(before), max_elements=8)
    if after.strip() == "unchanged":
        return printed, printed
    return printed, print_program(parse_program(after), max_elements=8)


@CASES
def test_golden(path: Path) -> None:
    before, after = read(path)
    model = parse_program(before)
    result = PASSES[path.parent.name](model)
    assert print_program(model, max_elements=8) == after
    # The text does not show how often a constant stands in the graph.
    assert result.modified or before == after
    verify(model)


@CASES
def test_a_second_run_changes_nothing(path: Path) -> None:
    model = parse_program(read(path)[0])
    run = PASSES[path.parent.name]
    run(model)
    once = print_program(model, max_elements=8)
    result = run(model)
    assert print_program(model, max_elements=8) == once
    assert not result.modified


@CASES
def test_cases_are_programs(path: Path) -> None:
    before, _ = read(path)
    faults = findings(parse_program(before))
    # Equal names in two blocks are what the pass is for.
    assert path.parent.name == "unique_names" or not faults


def test_every_pass_has_cases_and_one_with_nothing_to_do() -> None:
    with_nothing = {path.parent.name for path in FILES if path.stem == "nothing"}
    assert with_nothing == PASSES.keys()
    for name in with_nothing:
        before, after = read(GOLDEN / name / "nothing.txt")
        assert before == after
        assert not PASSES[name](parse_program(before)).modified
