"""Arguments and sizes of unusual kinds: they work, or one error says what to give instead."""

from __future__ import annotations

import enum
import inspect
import io
from collections.abc import Callable, Mapping

import onnx
import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, ConversionError
from onnx_ir_capture.rules import UNUSABLE_INPUT


class Mode(enum.Enum):
    DOUBLE = 1
    SINGLE = 2


def chosen(x: torch.Tensor, mode: Mode) -> torch.Tensor:
    return x * 2 if mode is Mode.DOUBLE else x


def power_of_size(x: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = x * 2 ** x.shape[0]
    return result


def shift_by_size(x: torch.Tensor) -> torch.Tensor:
    return x * (1 << x.shape[0])


def expanded(x: torch.Tensor, size: torch.Size) -> torch.Tensor:
    return x.expand(size)


def product(x: torch.Tensor) -> torch.Tensor:
    return x @ x.T


X = torch.randn(3, 5)


@pytest.mark.parametrize("model", [power_of_size, shift_by_size])
def test_an_operator_on_sizes_that_is_not_translated_is_refused_at_its_line(
    model: Callable[..., torch.Tensor],
) -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(model, (X,), dynamic_shapes={"x": {0: "rows"}}, verbose=False)
    (found,) = caught.value.diagnostics
    assert found.location is not None
    assert found.location.line == inspect.getsourcelines(model)[1] + 1


def test_a_member_of_an_enumeration_is_to_be_bound() -> None:
    with pytest.raises(CaptureError, match=r"functools\.partial\(model, mode=") as caught:
        onnx_export.export(chosen, (X, Mode.DOUBLE), verbose=False)
    assert [found.rule for found in caught.value.diagnostics] == [UNUSABLE_INPUT]


def test_a_size_of_torch_is_an_argument() -> None:
    program = onnx_export.export(expanded, (X, X.shape), verbose=False, verify=True)
    assert [value.name for value in program.model.graph.inputs] == ["x"]


@pytest.mark.parametrize("axes", [[{0: "rows"}], [[0], [1]]])
def test_nested_axes_are_told_what_to_give(axes: object) -> None:
    with pytest.raises(TypeError, match=r"dynamic_axes has .* for 'x'"):
        onnx_export.export(product, (X,), dynamic_axes={"x": axes}, verbose=False)  # type: ignore[dict-item]  # wrong on purpose


def test_names_may_come_from_a_generator() -> None:
    names, others = (name for name in ["given"]), (name for name in ["result"])
    program = onnx_export.export(product, (X,), input_names=names, output_names=others, verbose=False)  # type: ignore[arg-type]  # no sequence, on purpose
    assert [value.name for value in program.model.graph.inputs] == ["given"]
    assert [value.name for value in program.model.graph.outputs] == ["result"]


# What a type checker would not let pass.
UNTYPED: Callable[..., onnx_export.ONNXProgram] = onnx_export.export


@pytest.mark.parametrize(
    "given",
    [
        {"custom_opsets": ["my"]},
        {"custom_opsets": "my"},
        {"custom_translation_table": [1]},
        {"decompose": "yes"},
        {"decompose": 3},
        {"diagnostics": 3},
        {"artifacts_dir": 3},
        {"kwargs": {1: X}},
        {"input_names": {"x"}},
        {"output_names": frozenset(["y"])},
    ],
    ids=lambda given: " ".join(f"{name}={value!r:.20}" for name, value in given.items()),
)
def test_an_argument_of_a_wrong_type_is_named(given: Mapping[str, object]) -> None:
    (argument,) = given
    with pytest.raises(TypeError, match=f"^{argument} "):
        UNTYPED(product, (X,), verbose=False, **given)


def test_names_may_be_the_keys_of_a_dict() -> None:
    names = {"given": 1}.keys()
    program = UNTYPED(product, (X,), input_names=names, verbose=False)
    assert [value.name for value in program.model.graph.inputs] == ["given"]


@pytest.mark.parametrize("dynamo", [False, True])
@pytest.mark.parametrize("kind", ["junk", 3])
def test_an_export_type_that_is_none_is_refused_on_each_route(kind: object, dynamo: bool) -> None:
    with pytest.raises(ValueError, match=r"operator_export_type must be one of ONNX, .*got"):
        onnx_export.export(product, (X,), dynamo=dynamo, operator_export_type=kind, verbose=False)


class Returning(torch.nn.Module):
    def __init__(self, other: object) -> None:
        super().__init__()
        self.other = other

    def forward(self, x: torch.Tensor) -> object:
        return x + 1, self.other


@pytest.mark.parametrize("dynamo", [False, True])
@pytest.mark.parametrize("other", [object(), {1, 2}], ids=["object", "set"])
def test_what_no_output_can_hold_is_refused_with_the_line(other: object, dynamo: bool) -> None:
    with pytest.raises(CaptureError, match=r"it returns an object of class \S+, which no output") as caught:
        onnx_export.export(Returning(other).eval(), (X,), dynamo=dynamo, verbose=False)
    place = caught.value.diagnostics[0].location
    assert place is not None
    assert place.line == inspect.getsourcelines(Returning.forward)[1]
    assert "return tensors in tuples, lists or dicts" in caught.value.diagnostics[0].advice


def test_a_program_is_saved_to_a_buffer() -> None:
    program, buffer = onnx_export.export(product, (X,), verbose=False), io.BytesIO()
    program.save(buffer)
    assert onnx.load_from_string(buffer.getvalue()).graph.node[-1].op_type == "MatMul"
    with pytest.raises(ValueError, match="external_data=True needs a path"):
        program.save(buffer, external_data=True)


@pytest.mark.parametrize("destination", [None, 3])
def test_a_destination_of_a_wrong_type_is_named(destination: object) -> None:
    save: Callable[..., None] = onnx_export.export(product, (X,), verbose=False).save
    with pytest.raises(TypeError, match="the destination must be a path, not a"):
        save(destination)


@pytest.mark.parametrize(
    ("argument", "instead"),
    [
        ("example_outputs", "leave it out"),
        ("use_external_data_format", "give external_data"),
        ("enable_onnx_checker", "leave it out"),
        ("strip_doc_string", "leave it out"),
        ("_retain_param_name", "leave it out"),
        ("aten", "operator_export_type='ONNX_ATEN'"),
        ("export_raw_ir", "the program attribute"),
    ],
)
def test_a_removed_argument_is_told_what_stands_for_it(argument: str, instead: str) -> None:
    with pytest.raises(TypeError, match=rf"export\(\) takes {argument} no more: .*{instead}"):
        UNTYPED(product, (X,), **{argument: True})


def test_an_argument_that_never_was_is_unexpected() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'whatever'"):
        UNTYPED(product, (X,), whatever=True)
