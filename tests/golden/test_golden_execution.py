"""Runs each golden case of the passes before and after: the numbers stay, to the last bit.

A case that says ``# numbers change: <reason>`` is compared by dtypes and shapes. Calls that are left to draw
random numbers draw the same ones in both runs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import onnx_ir as ir
import pytest
import torch
from onnx_ir import tensor_adapters

from golden._final_state import final_state
from onnx_ir_capture.dialect import ScalarType, parse_program
from onnx_ir_capture.interpreter import Interpreter

GOLDEN = Path(__file__).parents[2] / "packages" / "onnx-jitpasses" / "tests" / "golden"
FILES = [path for path in sorted(GOLDEN.glob("*/*.txt")) if "\n---- unchanged" not in path.read_text("utf-8")]

_Value = TypeVar("_Value")

SIZES = {"batch": 5, "n": 3, "u0": 2}
SPECIAL = [-0.0, float("nan"), float("inf"), -float("inf"), 1e-40]


def random_tensor(value: ir.Value, generator: torch.Generator) -> torch.Tensor:
    """A tensor as the value declares; among its numbers are those that careless algebra gets wrong."""
    assert value.shape is not None
    assert value.dtype is not None
    sizes = [size if isinstance(size, int) else SIZES.get(str(size), 7) for size in value.shape]
    dtype = tensor_adapters.to_torch_dtype(value.dtype)
    if dtype == torch.bool:
        return torch.rand(sizes, generator=generator) < 0.5
    if dtype.is_complex:
        return torch.randn(sizes, generator=generator, dtype=dtype)
    if not dtype.is_floating_point:
        # Small enough to index with; distinct, as writes to one place have no order.
        return (
            torch.randperm(max(3, *sizes, 1), generator=generator)[: sizes[0] if sizes else 1]
            .reshape(sizes)
            .to(dtype)
        )
    tensor = torch.randn(sizes, generator=generator)
    flat = tensor.view(-1)
    for position in range(0, flat.numel(), 2):
        flat[position] = SPECIAL[int(torch.randint(len(SPECIAL), (), generator=generator))]
    return tensor.to(dtype)


def random_input(value: ir.Value, generator: torch.Generator) -> object:
    if not isinstance(value.type, ScalarType):
        return random_tensor(value, generator)
    return {"bool": bool(torch.rand((), generator=generator) < 0.5), "int": 3, "float": 0.5}[value.type.kind]


def run(
    model: ir.Model, inputs: list[object], weights: dict[str, torch.Tensor], count: int | None = None
) -> list[object]:
    """The outputs, of which the first ``count`` are its own, then what is left in its inputs and weights."""
    given = [value.clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    held = {name: weight.clone() for name, weight in weights.items()}
    torch.manual_seed(0)
    outputs = Interpreter(model, weights=held, protect=False).run(given)
    names = [str(value.name) for value in model.graph.inputs]
    state = {**dict(zip(names, given, strict=True)), **held}
    return final_state(model, outputs, len(outputs) if count is None else count, state)


def parts(value: _Value) -> _Value | torch.Tensor:
    """A complex tensor as the passes leave it: with real and imaginary parts in a last dimension."""
    if isinstance(value, torch.Tensor) and value.is_complex():
        return torch.view_as_real(value.resolve_conj())
    return value


def assert_same(before: object, after: object, numbers: bool) -> None:
    if not isinstance(before, torch.Tensor) or not isinstance(after, torch.Tensor):
        assert type(before) is type(after)
        assert before == after
        return
    assert before.dtype == after.dtype
    assert before.shape == after.shape
    if not numbers:
        return
    torch.testing.assert_close(after, before, rtol=0, atol=0, equal_nan=True)
    if before.is_floating_point():
        known = ~before.isnan()
        assert torch.equal(before.signbit()[known], after.signbit()[known])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_before_and_after_agree(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    before_text, _, after_text = text.partition("\n----")
    before, after = parse_program(before_text), parse_program(after_text)
    generator = torch.Generator().manual_seed(seed)
    inputs = [random_input(value, generator) for value in before.graph.inputs]
    weights = {
        name: random_tensor(weight, generator)
        for name, weight in before.graph.initializers.items()
        if weight.const_value is None
    }
    kept = {name: weight for name, weight in weights.items() if name in after.graph.initializers}
    is_same = re.search(r"^# numbers change: .", text, re.MULTILINE) is None
    results = run(before, inputs, weights)
    others = run(
        after,
        [parts(value) for value in inputs],
        {name: parts(weight) for name, weight in kept.items()},
        len(before.graph.outputs),
    )
    expected = results[: len(results) - len(weights)] if kept.keys() != weights.keys() else results
    others = others[: len(expected)]
    for one, other in zip(expected, others, strict=True):
        assert_same(parts(one), other, is_same)


def test_a_wrong_pass_would_be_noticed() -> None:
    """Without the signs of zeros and the state of inputs, this comparison would let two faults through."""
    text = "torch dialect 1\ngraph main(%x: f32[2]) {{\n  %y: f32[2] = {}\n  return %y\n}}\n"
    inputs: list[object] = [torch.tensor([-0.0, 1.0])]
    kept = run(parse_program(text.format("prim::Identity(%x)")), inputs, {})
    added = run(parse_program(text.format("aten::add.Tensor(%x, 0, 1)")), inputs, {})
    negated = run(parse_program(text.format("aten::neg(%x)")), inputs, {})
    in_place = run(parse_program(text.format("aten::neg_(%x) mutates(0) views(0->0)")), inputs, {})
    for one, other in ((kept[0], added[0]), (negated[1], in_place[1])):
        with pytest.raises(AssertionError):
            assert_same(one, other, numbers=True)
