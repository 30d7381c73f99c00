"""Every form of dynamic_shapes, the names in the program, and what is said when a request cannot be met."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pytest
import torch
from torch.export import AdditionalInputs, Dim, ShapesCollection
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, Diagnostic, DiagnosticContext, Level, Rule
from onnx_ir_capture.dialect import verify
from onnx_ir_capture.fx import Capturable, capture
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram, DimensionRange
from onnx_ir_capture.rules import DIMENSION_FIXED, DIMENSION_LIMITED, DIMENSIONS_TIED, INVALID_DYNAMIC_SHAPES

Tensor = torch.Tensor


def run(
    model: Capturable,
    args: Sequence[object],
    shapes: object,
    kwargs: Mapping[str, object] | None = None,
    input_names: Sequence[str] | None = None,
) -> tuple[CapturedProgram, tuple[Diagnostic, ...]]:
    diagnostics = DiagnosticContext("test", "1")
    program = capture(
        model,
        tuple(args),
        kwargs,
        dynamic_shapes=shapes,
        input_names=input_names,
        diagnostics=diagnostics,
    )
    verify(program.model)
    return program, diagnostics.diagnostics


def shapes_of(program: CapturedProgram) -> list[str]:
    return [str(spec.value.shape) for spec in program.inputs if spec.value is not None]


def refusal(model: Capturable, args: Sequence[object], shapes: object) -> Diagnostic:
    with pytest.raises(CaptureError) as caught:
        run(model, args, shapes)
    (finding,) = caught.value.diagnostics
    return finding


def twice(x: Tensor) -> Tensor:
    return x * 2


def apart(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * 2, y * 3


def nested(x: Tensor, rest: Mapping[str, Sequence[Tensor]], n: int | None = None) -> Tensor:
    return x.sum() + rest["a"][0].sum() + rest["a"][1].sum()


def variadic(*tensors: Tensor, **named: Tensor) -> list[Tensor]:
    return [tensor * 2 for tensor in (*tensors, *named.values())]


ONE = torch.ones(1, 3)
TWO = torch.ones(2, 3)
THREE = torch.ones(3, 3)
BATCH = Dim("batch")


@pytest.mark.parametrize(
    "spec",
    [
        {"x": {0: "batch"}},
        ({0: "batch"},),
        [{0: "batch"}],
        {"x": {-2: "batch"}},
        {"x": ("batch", None)},
        {"x": ["batch", 3]},
        {"x": {0: BATCH, 1: Dim.STATIC}},
        {"x": (BATCH, None)},
    ],
    ids=str,
)
@pytest.mark.parametrize("size", [0, 1, 2])
def test_forms_and_example_sizes(spec: object, size: int) -> None:
    program, findings = run(twice, (torch.ones(size, 3),), spec)
    assert shapes_of(program) == ["[batch,3]"]
    assert program.dimensions == {"batch": DimensionRange(0, None)}
    assert not findings
    other = torch.arange(15.0).reshape(5, 3)
    torch.testing.assert_close(run_program(program, (other,), {}), other * 2)


@pytest.mark.parametrize("hint", [Dim.DYNAMIC, Dim.AUTO], ids=["dynamic", "auto"])
def test_hints_keep_torchs_symbols(hint: object) -> None:
    program, findings = run(twice, (ONE,), {"x": {0: hint}})
    (name,) = program.dimensions
    assert shapes_of(program) == [f"[{name},3]"]
    assert not findings


def test_dimensions_that_are_not_named_stay_fixed() -> None:
    specs: list[object] = [None, {}, {"x": None}, {"x": {}}, {"x": {0: Dim.STATIC}}, {"x": {0: 2}}]
    for spec in specs:
        program, _ = run(twice, (TWO,), spec)
        assert shapes_of(program) == ["[2,3]"]
        assert not program.dimensions


def test_nested_inputs() -> None:
    rest = {"a": [TWO, TWO]}
    spec = {"x": None, "rest": {"a": [{0: "p"}, (None, "q")]}}
    program, _ = run(nested, (TWO, rest), spec)
    assert shapes_of(program) == ["[2,3]", "[p,3]", "[2,q]"]


@dataclasses.dataclass
class Record:
    first: Tensor
    second: Tensor | None = None
    count: int = 3


class Pair(NamedTuple):
    first: Tensor
    second: Tensor


class Bag:
    """A container that is registered without names for its members."""

    def __init__(self, first: Tensor, second: Tensor) -> None:
        self.first, self.second = first, second


torch.export.register_dataclass(Record)
pytree.register_pytree_node(Bag, lambda bag: ([bag.first, bag.second], None), lambda all, _: Bag(*all))

P: dict[int, str] = {0: "p"}


def first_of(x: Record | Pair | Bag) -> Tensor:
    return x.first * 2


@pytest.mark.parametrize(
    ("value", "spec"),
    [
        (Record(TWO, TWO), {"x": {"first": P}}),
        (Record(TWO, TWO), {"x": [P, None, None]}),
        (Record(TWO), {"x": [P, None, None]}),
        (Record(TWO), {"x": {"first": P, "second": None}}),
        (Record(TWO), {"x_first": P}),
        (Pair(TWO, TWO), {"x": {"first": P}}),
        (Pair(TWO, TWO), {"x": (P, None)}),
        (Pair(TWO, TWO), ((P, None),)),
        (Bag(TWO, TWO), {"x": [P, None]}),
        (Bag(TWO, TWO), {"x_0": P}),
    ],
)
def test_containers_of_other_classes(value: Record | Pair | Bag, spec: object) -> None:
    program, _ = run(first_of, (value,), spec)
    assert shapes_of(program) == ["[p,3]", "[2,3]"][: len(shapes_of(program))]
    three = Record(THREE, value.second) if isinstance(value, Record) else type(value)(THREE, value.second)
    torch.testing.assert_close(run_program(program, (three,), {}), THREE * 2)


def test_shapes_in_an_object_of_the_arguments_own_class() -> None:
    spec = Record({0: "p"}, None)  # type: ignore[arg-type]  # torch.export takes shapes in place of tensors
    program, _ = run(first_of, (Record(TWO, TWO),), {"x": spec})
    assert shapes_of(program) == ["[p,3]", "[2,3]"]


@pytest.mark.parametrize(("value", "wish"), [(0, "n"), (1, Dim.DYNAMIC), (-5, "n"), (3, Dim("n", max=9))])
def test_any_number_can_be_dynamic(value: int, wish: object) -> None:
    program, _ = run(lambda x, n: x * n, (TWO, value), (None, wish))
    torch.testing.assert_close(run_program(program, (TWO, 7), {}), TWO * 7)


def test_input_names_reach_nested_tensors() -> None:
    program, _ = run(
        nested, (TWO, {"a": [TWO, TWO]}, None), {"second": {0: "p"}}, input_names=["first", "second", "third"]
    )
    assert shapes_of(program) == ["[2,3]", "[p,3]", "[2,3]"]


@pytest.mark.parametrize(
    "spec",
    [
        {"tensors": ({0: "p"}, None), "named": {"z": {0: "q"}}},
        {"tensors": ({0: "p"}, None), "z": {0: "q"}},
        ({0: "p"}, None, {0: "q"}),
    ],
    ids=["by-parameter", "by-name", "flat"],
)
def test_variadic_parameters(spec: object) -> None:
    program, _ = run(variadic, (ONE, TWO), spec, {"z": ONE})
    assert shapes_of(program) == ["[p,3]", "[2,3]", "[q,3]"]


def test_torchs_own_collections() -> None:
    shapes = ShapesCollection()
    shapes[TWO] = {0: "batch"}
    program, _ = run(twice, (TWO,), shapes)
    assert shapes_of(program) == ["[batch,3]"]
    more = AdditionalInputs()
    more.add((torch.ones(5, 3),))
    program, _ = run(twice, (TWO,), more)
    assert len(program.dimensions) == 1


def test_numbers_can_be_dynamic() -> None:
    program, _ = run(lambda x, n: x * n, (TWO, 3), {"x": {0: "batch"}, "n": "count"})
    assert list(program.dimensions) == ["batch", "count"]
    torch.testing.assert_close(run_program(program, (ONE, 7), {}), ONE * 7)


def test_names_appear_in_expressions() -> None:
    model: Callable[..., Tensor] = lambda x, y: torch.cat([x, y, y])  # noqa: E731
    program, findings = run(model, (TWO, ONE), {"x": {0: "p"}, "y": {0: "q"}})
    assert str(program.model.graph.outputs[0].shape) in ("[p + 2*q,3]", "[2*q + p,3]")
    assert not findings


def test_one_name_for_dimensions_that_the_model_does_not_tie() -> None:
    program, findings = run(lambda x, y: torch.cat([x, y]), (TWO, TWO), {"x": {0: "p"}, "y": {0: "p"}})
    assert shapes_of(program) == ["[p,3]", "[p,3]"]
    assert str(program.model.graph.outputs[0].shape) == "[2*p,3]"
    assert not findings


def test_name_that_torch_has_given_already() -> None:
    (other,) = run(twice, (TWO,), {"x": {0: Dim.DYNAMIC}})[0].dimensions
    program, _ = run(lambda y, x: (x * 2, y * 2), (TWO, TWO), {"y": {0: other}, "x": {0: Dim.DYNAMIC}})
    assert len(set(shapes_of(program))) == 2
    assert shapes_of(program)[0] == f"[{other},3]"


@pytest.mark.parametrize("other_size", [1, 2])
def test_broadcasting_with_a_batch_of_one(other_size: int) -> None:
    """Only x is dynamic, with 1 in the example; the program is good for a batch of 3."""
    y = torch.arange(3.0) if other_size == 1 else torch.ones(1, 3)
    program, _ = run(lambda x, y: x + y, (ONE, y), {"x": {0: "batch"}})
    three = torch.ones(3, 3)
    torch.testing.assert_close(run_program(program, (three, y), {}), three + y)


def test_derived_dims() -> None:
    program, findings = run(apart, (TWO, torch.ones(4, 3)), {"x": {0: BATCH}, "y": {0: 2 * BATCH}})
    assert shapes_of(program) == ["[batch,3]", "[2*batch,3]"]
    assert list(program.dimensions) == ["batch"]
    assert not findings
    program, _ = run(lambda y: y.reshape(-1, 2, 3), (torch.ones(4, 3),), {"y": {0: 2 * BATCH}})
    assert shapes_of(program) == ["[2*batch,3]"]
    assert program.dimensions == {"batch": DimensionRange(0, None)}


def less(x: Tensor, y: Tensor) -> Tensor:
    return x + y[:-1]


def odd(x: Tensor, y: Tensor) -> Tensor:
    return x + y[1::2]


@pytest.mark.parametrize(
    ("model", "rows", "wishes", "shapes"),
    [
        (less, 3, (BATCH - 1, BATCH), ["[batch - 1,3]", "[batch,3]"]),
        (less, 3, (BATCH, BATCH + 1), ["[batch,3]", "[batch + 1,3]"]),
        (odd, 5, (BATCH, 2 * BATCH + 1), ["[batch,3]", "[2*batch + 1,3]"]),
    ],
)
def test_derived_dims_that_the_model_needs(
    model: Callable[..., Tensor], rows: int, wishes: tuple[object, object], shapes: list[str]
) -> None:
    program, findings = run(model, (TWO, torch.ones(rows, 3)), [{0: wish} for wish in wishes])
    assert shapes_of(program) == shapes
    assert not findings


def add(x: Tensor, y: Tensor) -> Tensor:
    return x + y


def shifted(x: Tensor, y: Tensor) -> Tensor:
    return x + y[1:]


@pytest.mark.parametrize("names", [("p", "q"), (Dim("p"), Dim("q"))], ids=["strings", "dims"])
@pytest.mark.parametrize(("model", "rows", "relation"), [(add, 2, "p"), (shifted, 3, "p + 1")])
def test_dimensions_that_the_model_ties(
    names: tuple[object, object], model: Callable[..., Tensor], rows: int, relation: str
) -> None:
    program, (finding,) = run(model, (TWO, torch.ones(rows, 3)), {"x": {0: names[0]}, "y": {0: names[1]}})
    assert shapes_of(program) == ["[p,3]", f"[{relation},3]"]
    assert (finding.rule, finding.level) == (DIMENSIONS_TIED, Level.WARNING)
    assert "'q'" in finding.message
    assert "'p'" in finding.message
    assert f"always {relation}" in finding.message
    assert finding.location is not None
    assert finding.location.line == model.__code__.co_firstlineno + 1


def test_three_dimensions_that_the_model_ties() -> None:
    def all_of(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
        first = x + y
        return first + z

    program, findings = run(all_of, (TWO, TWO, TWO), ({0: "p"}, {0: "q"}, {0: "r"}))
    assert shapes_of(program) == ["[p,3]"] * 3
    places = [finding.location.line for finding in findings if finding.location is not None]
    start = all_of.__code__.co_firstlineno
    assert places == [start + 1, start + 2]


def test_a_layer_of_torch_that_fixes_a_dimension() -> None:
    finding = refusal(torch.nn.Linear(3, 2).eval(), (TWO,), {"input": {1: "p"}})
    assert finding.rule == DIMENSION_FIXED
    assert finding.location is not None
    assert str(finding.location.file).endswith("linear.py")


def branch_on_four(x: Tensor) -> Tensor:
    if x.shape[0] == 4:
        return x * 2
    return x


def branch_on_one(x: Tensor) -> Tensor:
    if x.shape[0] == 1:
        return x * 2
    return x


def at_most_one(x: Tensor) -> Tensor:
    if x.shape[0] > 1:
        return x * 2
    return x


def with_constant(x: Tensor) -> Tensor:
    return x + torch.ones(4, 3)


def expanded(x: Tensor) -> Tensor:
    return x.expand(4, 3)


@pytest.mark.parametrize("wish", ["batch", BATCH, Dim.DYNAMIC], ids=["string", "dim", "dynamic"])
@pytest.mark.parametrize(
    ("model", "size"),
    [(branch_on_four, 4), (with_constant, 4), (branch_on_one, 1), (at_most_one, 1), (expanded, 1)],
)
def test_dimension_that_the_model_fixes(model: Callable[..., Tensor], size: int, wish: object) -> None:
    finding = refusal(model, (torch.ones(size, 3),), {"x": {0: wish}})
    assert (finding.rule, finding.level) == (DIMENSION_FIXED, Level.ERROR)
    assert "dimension 0 of x" in finding.message
    assert finding.message.endswith(f"fixes it to {size}")
    assert wish is Dim.DYNAMIC or "'batch'" in finding.message
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == (__file__, model.__code__.co_firstlineno + 1)


def test_automatic_dimension_may_be_fixed() -> None:
    program, (finding,) = run(branch_on_four, (torch.ones(4, 3),), {"x": {0: Dim.AUTO}})
    assert (finding.rule, finding.level) == (DIMENSION_FIXED, Level.NOTE)
    assert shapes_of(program) == ["[4,3]"]


def from_four(x: Tensor) -> Tensor:
    return x[1:] if x.shape[0] > 3 else x


def up_to_ten(x: Tensor) -> Tensor:
    return x + 1 if x.shape[0] > 10 else x


def in_eights(x: Tensor) -> Tensor:
    return x.reshape(-1, 8)


@pytest.mark.parametrize(
    ("model", "wish", "limit", "bounds"),
    [
        (from_four, "batch", "batch >= 4", (4, None)),
        (from_four, Dim("batch", max=9), "batch >= 4", (4, 9)),
        (from_four, Dim("batch", min=4), None, (4, None)),
        (in_eights, "batch", "Mod(3*batch, 8) == 0", (0, None)),
    ],
    ids=str,
)
def test_sizes_that_the_model_limits(
    model: Callable[..., Tensor], wish: object, limit: str | None, bounds: tuple[int, int | None]
) -> None:
    program, findings = run(model, (torch.ones(8, 3),), {"x": {0: wish}})
    assert program.dimensions["batch"] == DimensionRange(*bounds)
    assert [finding.rule for finding in findings] == ([DIMENSION_LIMITED] if limit else [])
    assert all(limit in finding.message for finding in findings if limit)


@pytest.mark.parametrize(
    ("model", "wish", "limit"),
    [
        (from_four, Dim("batch", min=2, max=9), "batch >= 4"),
        (up_to_ten, Dim("batch", max=20), "batch <= 10"),
    ],
    ids=str,
)
def test_bounds_that_the_model_breaks_are_refused(
    model: Callable[..., Tensor], wish: object, limit: str
) -> None:
    found = refusal(model, (torch.ones(8, 3),), {"x": {0: wish}})
    assert found.rule == DIMENSION_LIMITED
    assert limit in found.message


def expect(rule: Rule, text: str, model: Capturable, args: Sequence[object], spec: object) -> None:
    finding = refusal(model, args, spec)
    assert finding.rule == rule
    assert text in finding.message


@pytest.mark.parametrize(
    ("text", "args", "spec"),
    [
        ("unknown key 'z'; known are x, y", (TWO, TWO), {"z": {0: "p"}}),
        ("names axis 2 of x, but x has 2 dimensions", (TWO, TWO), {"x": {2: "p"}}),
        ("names axis 'rows' of x", (TWO, TWO), {"x": {"rows": "p"}}),
        ("lists 1 dimensions for x", (TWO, TWO), {"x": ("p",)}),
        ("has 1 entries, but the model is given 2 arguments: x, y", (TWO, TWO), ({0: "p"},)),
        (
            "'batch size', the name of dimension 0 of x, is no identifier",
            (TWO, TWO),
            {"x": {0: "batch size"}},
        ),
        ("'class', the name of", (TWO, TWO), {"x": {0: "class"}}),
        ("y, which is None and has no dimensions", (TWO, None), {"y": {0: "p"}}),
        ("y, which is a Python int and has no dimensions", (TWO, 3), {"y": {0: "p"}}),
        ("y, which is a Python float", (TWO, 3.0), {"y": "p"}),
        ("fixes dimension 0 of x to 5, but the example has 2", (TWO, TWO), {"x": {0: 5}}),
        ("gives 1.5 for dimension 0 of x", (TWO, TWO), {"x": {0: 1.5}}),
        ("a tensor takes {axis: dimension}", (TWO, TWO), {"x": "p"}),
        ("is 2 in the example, outside of its range 3 to", (TWO, TWO), {"x": {0: Dim("p", min=3)}}),
        ("dimension 0 of x, which is 2 in the example", (TWO, ONE), {"x": {0: "p"}, "y": {0: "p"}}),
        ("dimension 0 of y, which is 1 in the example", (TWO, ONE), {"x": {0: "p"}, "y": {0: "p"}}),
        ("has different ranges", (TWO, TWO), {"x": {0: Dim("p")}, "y": {0: Dim("p", max=9)}}),
        ("shall be 2*batch", (TWO, TWO), {"x": {0: BATCH}, "y": {0: 2 * BATCH}}),
        ("shall be 2*batch, but batch is 2", (THREE, TWO), {"x": {0: BATCH + 1}, "y": {0: 2 * BATCH}}),
        ("which it is for no batch from 0 to infinity", (THREE, TWO), {"x": {0: 2 * BATCH}}),
        ("outside of its range 7 to 19", (TWO, TWO), {"x": {0: 2 * Dim("n", min=3, max=9) + 1}}),
        ("names one axis of x twice", (TWO, TWO), {"x": {0: "p", -2: "q"}}),
        ("dynamic_shapes is a int", (TWO, TWO), 5),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_requests_that_do_not_fit(text: str, args: Sequence[object], spec: object) -> None:
    expect(INVALID_DYNAMIC_SHAPES, text, apart, args, spec)


def test_requests_that_do_not_fit_nested_inputs() -> None:
    reject = functools.partial(expect, INVALID_DYNAMIC_SHAPES)
    rest = {"a": [TWO, TWO]}
    reject("has 'b' for rest, whose keys are 'a'", nested, (TWO, rest), {"rest": {"b": None}})
    reject("has 1 entries for rest['a'], which holds 2", nested, (TWO, rest), {"rest": {"a": [None]}})
    reject("gives no argument for that parameter", nested, (TWO, rest), {"n": {0: "p"}})


def test_size_of_one_that_is_broadcast() -> None:
    """Torch cannot keep a broadcast dimension dynamic; the advice says how to give the example."""
    finding = refusal(add, (ONE, torch.ones(4, 3)), {"x": {0: "p"}})
    assert "never broadcast" in finding.advice
