from __future__ import annotations

from pathlib import Path

import pytest

from onnx_diagnostics import Location, LogicalKind, LogicalLocation, PhysicalLocation, Region


def test_at_builds_both_halves() -> None:
    location = Location.at(
        Path("model.py"),
        12,
        5,
        end_column=9,
        module="encoder.layer.0",
        class_name="Attention",
        function="forward",
        op="aten::relu",
    )
    assert location.physical == PhysicalLocation("model.py", Region(12, 5, None, 9))
    assert location.logical == (
        LogicalLocation(LogicalKind.MODULE, "encoder.layer.0"),
        LogicalLocation(LogicalKind.TYPE, "Attention"),
        LogicalLocation(LogicalKind.FUNCTION, "Attention.forward"),
        LogicalLocation(LogicalKind.OPERATOR, "aten::relu"),
    )
    assert (location.file, location.line) == ("model.py", 12)
    assert (location.module, location.op) == ("encoder.layer.0", "aten::relu")


def test_qualified_name_of_a_method_is_kept() -> None:
    location = Location.named(class_name="Attention", function="Attention.forward")
    assert location.name_of(LogicalKind.FUNCTION) == "Attention.forward"


def test_named_has_no_file_and_empty_names_are_left_out() -> None:
    location = Location.named(module="", op="aten::relu")
    assert (location.file, location.line, location.module) == (None, None, None)
    assert location.logical == (LogicalLocation(LogicalKind.OPERATOR, "aten::relu"),)


def test_location_without_a_line_is_the_whole_file() -> None:
    location = Location.at("model.py")
    assert location.physical == PhysicalLocation("model.py")
    assert location.line is None


def test_innermost_name_of_a_kind_counts() -> None:
    outer, inner = (LogicalLocation(LogicalKind.MODULE, name) for name in ("encoder", "encoder.0"))
    assert Location(None, (outer, inner)).module == "encoder.0"


@pytest.mark.parametrize("numbers", [(0,), (-1,), (1, 0), (1, 1, 0), (1, 1, 1, 0)])
def test_numbers_count_from_one(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="counts from 1"):
        Region(*numbers)


@pytest.mark.parametrize("numbers", [(2, None, 1), (2, 5, 2, 4), (2, 5, None, 4)])
def test_region_that_ends_before_its_start_is_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="before its start"):
        Region(*numbers)


def test_region_may_end_at_a_smaller_column_of_a_later_line() -> None:
    assert Region(2, 5, 3, 1).last_line == 3


def test_empty_path_and_empty_name_are_refused() -> None:
    with pytest.raises(ValueError, match="file path"):
        PhysicalLocation("")
    with pytest.raises(ValueError, match="needs a name"):
        LogicalLocation(LogicalKind.MODULE, "")
