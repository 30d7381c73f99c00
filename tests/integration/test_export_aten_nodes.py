"""``operator_export_type``: operators of torch as nodes, for runtimes that have them."""

from __future__ import annotations

import enum
from collections.abc import Callable

import onnx
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, DiagnosticContext

LIBRARY = torch.library.Library("nodely", "DEF")  # registered as long as this module
LIBRARY.define("two(Tensor x, float by, int[] dims, Tensor? y=None) -> (Tensor, Tensor)")
LIBRARY.impl("two", lambda x, by, dims, y=None: (x * by, x.sum(dims)), "CompositeExplicitAutograd")


class Kind(enum.Enum):
    """As torch.onnx.OperatorExportTypes."""

    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


def exported(function: Callable[..., object], kind: object, **options: object) -> onnx_export.ONNXProgram:
    export: Callable[..., onnx_export.ONNXProgram] = onnx_export.export
    program = export(
        Model(function),
        (torch.rand(3, 5),),
        dynamo=False,
        operator_export_type=kind,
        **options,
    )
    onnx.checker.check_model(program.model_proto)
    return program


def bessel(x: torch.Tensor) -> torch.Tensor:
    """What onnx-symbolics and onnx-torchlib have nothing for."""
    return torch.relu(torch.special.bessel_j0(x))


def names(program: onnx_export.ONNXProgram) -> list[str]:
    return [f"{node.domain}::{node.op_type}" for node in program.model.graph]


def test_fallback_writes_what_has_no_translation() -> None:
    program = exported(bessel, Kind.ONNX_ATEN_FALLBACK)
    assert names(program) == ["org.pytorch.aten::ATen", "::Relu"]
    node = program.model.graph[0]
    assert node.attributes["operator"].as_string() == "special_bessel_j0"
    assert node.attributes["overload_name"].as_string() == ""
    assert node.outputs[0].shape == [3, 5]
    assert program.model.graph.opset_imports["org.pytorch.aten"] == 1


def test_all_of_torch_s_operators_as_nodes() -> None:
    program = exported(lambda x: torch.relu(x).sum(1), "ONNX_ATEN")
    assert names(program) == ["org.pytorch.aten::ATen"] * 2
    operators = [node.attributes["operator"].as_string() for node in program.model.graph]
    overloads = [node.attributes["overload_name"].as_string() for node in program.model.graph]
    assert list(zip(operators, overloads, strict=True)) == [("relu", ""), ("sum", "dim_IntList")]


def test_falling_through_keeps_the_names_of_operators() -> None:
    program = exported(lambda x: (bessel(x), torch.ops.nodely.two(x, 0.5, [1])), Kind.ONNX_FALLTHROUGH)
    assert names(program) == ["org.pytorch.aten::special_bessel_j0", "::Relu", "nodely::two"]
    two = program.model.graph[2]
    assert len(two.inputs) == 3, "what is left out at the end is no input"
    assert [output.shape for output in two.outputs] == [[3, 5], [3]]


def test_by_default_nothing_falls_through() -> None:
    for kind in (None, Kind.ONNX, "ONNX"):
        with pytest.raises(ConversionError, match="LOW001"):
            exported(bessel, kind, use_torch_lib=False)
    with pytest.raises(ConversionError, match="nodely::two"):
        exported(lambda x: torch.ops.nodely.two(x, 0.5, [1]), Kind.ONNX_ATEN_FALLBACK)


def test_what_it_may_be() -> None:
    with pytest.raises(ValueError, match=r"operator_export_type must be one of ONNX, ONNX_ATEN, .*got 'RAW'"):
        exported(torch.relu, "RAW")


def test_torch_export_knows_no_such_nodes() -> None:
    diagnostics = DiagnosticContext("tests", "0")
    export: Callable[..., onnx_export.ONNXProgram] = onnx_export.export
    with pytest.warns(DeprecationWarning, match="operator_export_type has no effect: only dynamo=False"):
        export(
            Model(torch.relu).eval(),
            (torch.ones(2),),
            operator_export_type=Kind.ONNX_ATEN,
            diagnostics=diagnostics,
        )
    assert [found.rule.code for found in diagnostics] == ["EXP003"]
