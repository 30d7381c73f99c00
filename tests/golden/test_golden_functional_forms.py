"""The table of functional forms against torch's schemas: each names an operator of the same arguments."""

from __future__ import annotations

from collections.abc import Iterator

import onnx_ir as ir
import pytest
import torch

from onnx_ir_capture.dialect import OpName
from onnx_jitpasses._functional_forms import FunctionalForm, functional_form

SCHEMAS = {
    OpName("aten", schema.name.removeprefix("aten::"), schema.overload_name): schema
    for schema in torch._C._jit_get_all_schemas()
    if schema.name.startswith("aten::")
}


def writes_first_only(schema: torch._C.FunctionSchema) -> bool:
    """Whether an operator writes its first argument, a tensor, and gives just that."""
    written = [
        argument.alias_info is not None and argument.alias_info.is_write for argument in schema.arguments
    ]
    return written[:1] == [True] and not any(written[1:]) and len(schema.returns) == 1


def forms() -> Iterator[tuple[OpName, FunctionalForm]]:
    for op, schema in SCHEMAS.items():
        node = ir.Node(op.domain, op.name, [], overload=op.overload)
        form = functional_form(node)
        is_tensor = bool(schema.arguments) and str(schema.arguments[0].type) == "Tensor"
        if form is not None and is_tensor and writes_first_only(schema):
            yield op, form


FORMS = dict(forms())


@pytest.mark.parametrize("op", FORMS, ids=str)
def test_functional_form_takes_the_same_arguments(op: OpName) -> None:
    form = FORMS[op]
    in_place, functional = SCHEMAS[op], SCHEMAS[form.op]
    assert len(in_place.arguments) + form.nones == len(functional.arguments)
    for one, other in zip(in_place.arguments, functional.arguments, strict=False):
        assert str(one.real_type) == str(other.real_type)
        assert one.kwarg_only == other.kwarg_only
    for added in functional.arguments[len(in_place.arguments) :]:
        assert added.default_value is None
    assert [str(result.type) for result in functional.returns] == ["Tensor"]


@pytest.mark.parametrize("op", FORMS, ids=str)
def test_functional_form_writes_nothing_and_views_as_noted(op: OpName) -> None:
    form = FORMS[op]
    functional = SCHEMAS[form.op]
    assert not functional.is_mutable
    assert form.is_view == (functional.returns[0].alias_info is not None)


def test_the_table_covers_what_models_use() -> None:
    wanted = "add_.Tensor clamp_ copy_ fill_.Scalar hardswish_ index_put_ masked_fill_.Scalar relu_ zero_"
    assert {OpName.parse(f"aten::{name}") for name in wanted.split()} <= FORMS.keys()
