"""``onnx-export ops``: what it lists is what the libraries hold."""

from __future__ import annotations

import pytest
import torch
from click.testing import CliRunner, Result

from onnx_export.cli import main
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.interpreter import find_operator
from onnx_symbolics import SYMBOLICS
from onnx_torchlib import TRANSLATORS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["ops", *arguments])


def rows(result: Result) -> dict[str, list[str]]:
    """The cells behind each operator, from columns that are two blanks apart."""
    assert result.exit_code == 0, result.output
    lines = [[cell for cell in line.split("  ") if cell] for line in result.stdout.splitlines()]
    return {line[0]: [cell.strip() for cell in line[1:]] for line in lines}


@pytest.mark.parametrize("opset", [9, 20])
def test_operators_stand_with_the_opsets_of_their_translations(opset: int) -> None:
    listed = rows(run("--opset", str(opset)))
    assert listed.pop("operator") == ["onnx-torchlib", "onnx-symbolics"]
    for name, cells in listed.items():
        for table, cell in zip((TRANSLATORS, SYMBOLICS), cells, strict=True):
            found = table.find(OpName.parse(name), opset)
            assert cell == ("-" if found is None else str(found.since))
    known = {
        lowering.op for table in (TRANSLATORS, SYMBOLICS) for lowering in table if lowering.since <= opset
    }
    assert len(listed) == len({str(OpName.parse(op)) for op in known})


def test_a_text_chooses_among_them() -> None:
    listed = rows(run("sum.dim_Int"))
    assert list(listed) == ["operator", "aten::sum.dim_IntList"]
    result = run("sum.dim_Int")
    assert result.stderr == "1 operator with a translation to opset 20\n"


def test_missing_ones_have_no_translation_and_all_of_core_aten_are_there() -> None:
    listed = rows(run("--missing"))
    assert listed.pop("operator") == ["of", "instead"]
    assert not [
        name for name in listed for table in (TRANSLATORS, SYMBOLICS) if table.find(OpName.parse(name), 20)
    ]
    names = list(listed)
    core = {name for name, cells in listed.items() if cells[0] == "core ATen"}
    assert set(names[: len(core)]) == core
    for text in torch._C._dispatch_get_all_op_names():
        op = find_operator(OpName.parse(text))
        if op is None or torch.Tag.core not in op.tags or op._schema.is_mutable:
            continue
        has = any(table.find(OpName.parse(text), 20) for table in (TRANSLATORS, SYMBOLICS))
        assert has is (str(OpName.parse(text)) not in core)


def test_what_an_export_does_instead_is_told() -> None:
    assert rows(run("--missing", "native_layer_norm_backward"))["aten::native_layer_norm_backward"] == [
        "core ATen",
        "taken apart",
    ]
    later = next(
        lowering
        for lowering in SYMBOLICS
        if SYMBOLICS.first_opset(OpName.parse(lowering.op)) not in (None, 9)
        and lowering.op.startswith("aten::")
        and TRANSLATORS.find(OpName.parse(lowering.op), 20)
        and find_operator(OpName.parse(lowering.op)) is not None
    )
    first = SYMBOLICS.first_opset(OpName.parse(later.op))
    listed = rows(run("--missing", "--opset", "9", later.op))
    assert f"opset {first} has it" in listed[str(OpName.parse(later.op))][1]


def test_an_opset_that_there_is_not_is_refused() -> None:
    result = run("--opset", "3")
    assert result.exit_code == 2
    assert "--opset" in result.output
    assert "from 7 to" in result.output
