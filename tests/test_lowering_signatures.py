"""Every lowering's docstring, parameters and annotations against the schemas that torch registers.

A docstring opens with the schema of one of the operators that the function is registered for.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from types import NoneType
from typing import NamedTuple

import onnx_ir as ir
import pytest
import torch
from opcases._torchvision import register as register_torchvision

from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.lowering import Parameter, parameters
from onnx_symbolics import SYMBOLICS
from onnx_torchlib import TRANSLATORS

importlib.import_module("onnx_ir_capture.fx")  # it registers the operators of the project's own

NUMBERS = frozenset({int, float, bool, complex})
OPAQUE = frozenset({str, NoneType, object})
"""What a device, layout or memory format may be: a name, or nothing that matters."""


class Kind(NamedTuple):
    """What a schema type is for a lowering: classes it must take, and further ones it may."""

    must: frozenset[type]
    may: frozenset[type] = frozenset()


KINDS = {
    # A Python number may be passed for a tensor: torch.export leaves x + 2 as add.Tensor(x, 2).
    "Tensor": Kind(frozenset({ir.Value}), NUMBERS),
    "number": Kind(frozenset({int, float}), NUMBERS | {ir.Value}),
    "SymInt": Kind(frozenset({int, ir.Value})),
    "int": Kind(frozenset({int})),
    "float": Kind(frozenset({float})),
    "bool": Kind(frozenset({bool})),
    "str": Kind(frozenset({str})),
    "ScalarType": Kind(frozenset({ir.DataType})),
    "Device": Kind(frozenset(), OPAQUE),
    "Layout": Kind(frozenset(), OPAQUE),
    "MemoryFormat": Kind(frozenset(), OPAQUE),
    "Generator": Kind(frozenset(), OPAQUE),
}
COMPUTED = Kind(frozenset(), NUMBERS | {ir.Value})
"""What operators on Python numbers alone take besides: numbers of other kinds, and those of run time."""


class Accepted(NamedTuple):
    """Classes of an argument, and of its elements where it is a list."""

    itself: Kind
    items: Kind


def accepted(text: str) -> Accepted:
    """What the schema type ``text``, such as ``Optional[List[int]]``, asks of an annotation."""
    if text.startswith("Optional["):
        inner = accepted(text[len("Optional[") : -1])
        return inner._replace(itself=Kind(inner.itself.must | {NoneType}, inner.itself.may))
    if text.startswith("List["):
        element = accepted(text[len("List[") : -1]).itself
        return Accepted(Kind(frozenset()), element)
    return Accepted(KINDS[text], Kind(frozenset()))


def schema_types(schema: torch.FunctionSchema) -> list[str]:
    """The types of the arguments, ScalarType and SymInt told apart from int."""
    return [_type(schema, argument) for argument in schema.arguments]


def _type(schema: torch.FunctionSchema, argument: torch.Argument) -> str:
    text = str(argument.real_type)
    if argument.name == "dtype":
        # Some overloads of to call a dtype by its number; the dialect has it as a dtype.
        text = text.replace("int", "ScalarType")
    symbolic = re.search(rf"\bSymInt[\[\]0-9?]* {argument.name}\b", str(schema))
    return re.sub(r"\bint\b", "SymInt", text) if symbolic else text


def schema_of(op: OpName) -> torch.FunctionSchema:
    if op.domain == "transformers":
        importlib.import_module("transformers.integrations.moe")  # which registers it
    if op.domain == "quantized_decomposed":
        importlib.import_module("torch.ao.quantization.fx._decomposed")
    if op.domain == "torchvision":
        register_torchvision()
    packet = getattr(getattr(torch.ops, op.domain), op.name)
    schema: torch.FunctionSchema = getattr(packet, op.overload or "default")._schema
    return schema


class Entry(NamedTuple):
    function: Callable[..., object]
    ops: tuple[OpName, ...]


def entries() -> Iterator[Entry]:
    found: dict[Callable[..., object], list[OpName]] = {}
    for table in (SYMBOLICS, TRANSLATORS):
        for lowering in table:
            op = OpName.parse(lowering.op)
            if op.domain != "prim":  # the dialect's own, of which torch knows no schema
                found.setdefault(lowering.function, []).append(op)
    for function, ops in found.items():
        yield Entry(function, tuple(ops))


def identity(entry: Entry) -> str:
    return f"{entry.function.__module__.replace('.ops', '')}.{entry.function.__name__}"


def documented(entry: Entry) -> tuple[OpName, torch.FunctionSchema]:
    """The operator and the schema that the docstring opens with."""
    line = (entry.function.__doc__ or "").split("\n", 1)[0].strip()
    qualified = line if "::" in line.partition("(")[0] else f"{entry.ops[0].domain}::{line}"
    schema = torch._C.parse_schema(qualified)
    return OpName.parse(qualified.partition("(")[0]), schema


ENTRIES = sorted(entries(), key=identity)
per_function = pytest.mark.parametrize("entry", ENTRIES, ids=identity)


@per_function
def test_docstring_opens_with_the_schema_of_an_op_it_serves(entry: Entry) -> None:
    op, schema = documented(entry)
    assert op in entry.ops, f"the docstring shows {op}; registered for {', '.join(map(str, entry.ops))}"
    assert with_sorted_aliases(schema) == with_sorted_aliases(schema_of(op))


def with_sorted_aliases(schema: torch.FunctionSchema) -> str:
    """The schema's text; torch prints the members of an alias set such as (a|b) in any order."""
    return re.sub(
        r"\((\w(?:\|\w)+)\)", lambda found: f"({'|'.join(sorted(found[1].split('|')))})", str(schema)
    )


@per_function
def test_parameters_are_the_documented_schemas(entry: Entry) -> None:
    _, schema = documented(entry)
    formal = list(inspect.signature(entry.function).parameters.values())[1:]
    # A trailing underscore keeps a name off Python's keywords and builtins.
    assert [parameter.name.removesuffix("_") for parameter in formal] == [
        argument.name.removesuffix("_") for argument in schema.arguments
    ]
    for parameter, argument in zip(formal, schema.arguments, strict=True):
        if argument.has_default_value() and parameter.default is not inspect.Parameter.empty:
            kind = str(argument.real_type)
            opaque = any(name in kind for name in ("MemoryFormat", "Layout", "Device"))
            assert opaque or same_default(parameter.default, argument.default_value), parameter.name


def same_default(ours: object, theirs: object) -> bool:
    """Equal, a tuple standing for a list and one number for a list of it."""
    if not isinstance(theirs, list):
        return ours == theirs
    return (list(ours) if isinstance(ours, tuple) else [ours] * len(theirs)) == theirs


@per_function
def test_annotations_take_what_every_overload_passes(entry: Entry) -> None:
    formal = parameters(entry.function)
    allowed: list[list[Accepted]] = [[] for _ in formal]
    for op in entry.ops:
        types = schema_types(schema_of(op))
        numbers_only = not any("Tensor" in text for text in types)
        assert len(types) <= len(formal), f"{op} has {len(types)} arguments"
        assert all(parameter.has_default for parameter in formal[len(types) :]), (
            f"{op} leaves out an argument"
        )
        for position, text in enumerate(types):
            wanted = accepted(text)
            allowed[position].append(wanted)
            if numbers_only:
                allowed[position].append(Accepted(COMPUTED, COMPUTED))
            check_taken(op, formal[position], wanted)
    for parameter, choices in zip(formal, allowed, strict=True):
        may = frozenset().union(*(kind for choice in choices for kind in choice.itself))
        assert parameter.accepts <= may, f"{parameter.name} is annotated with more than any schema passes"


def check_taken(op: OpName, parameter: Parameter, wanted: Accepted) -> None:
    # One element may be given for a list of it, as torch's own binding has it.
    missing = wanted.itself.must - parameter.accepts - parameter.items
    if object not in parameter.accepts:
        assert not missing, f"{op}: {parameter.name} does not take {missing}"
    assert wanted.items.must <= parameter.items | {object}, f"{op}: elements of {parameter.name}"


def test_the_annotation_check_sees_a_plain_int_for_a_symbolic_one() -> None:
    def wrong(g: object, self: ir.Value, size: list[int]) -> ir.Value:
        return self

    with pytest.raises(AssertionError, match="elements of size"):
        check_taken(OpName("aten", "view"), parameters(wrong)[1], accepted("List[SymInt]"))
