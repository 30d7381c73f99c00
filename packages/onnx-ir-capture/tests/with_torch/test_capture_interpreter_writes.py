"""Random chains of views and writes: the interpreter gives what torch gives, and spares what it was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from hypothesis import given
from hypothesis import strategies as st

from onnx_ir_capture.dialect import parse_program
from onnx_ir_capture.interpreter import Interpreter


@dataclass(frozen=True)
class Step:
    """One call: its text behind the operator's first argument, and the same in torch."""

    op: str
    rest: str
    marks: str
    function: Callable[[torch.Tensor], torch.Tensor]


VIEW, WRITE, FRESH = "views(0 -> 0)", "mutates(0) views(0 -> 0)", ""
STEPS = [
    Step("aten::t", "", VIEW, torch.t),
    Step("aten::slice.Tensor", ", 0, 1, 4, 1", VIEW, lambda x: x[1:4]),
    Step("aten::slice.Tensor", ", 1, 0, 9, 2", VIEW, lambda x: x[:, 0:9:2]),
    Step("aten::detach", "", VIEW, torch.detach),
    # Whether these share memory depends on strides.
    Step("aten::reshape", ", [-1, 1]", VIEW, lambda x: x.reshape(-1, 1)),
    Step("aten::contiguous", ", memory_format.contiguous_format", VIEW, lambda x: x.contiguous()),
    Step("aten::add_.Scalar", ", 1.0, 1", WRITE, lambda x: x.add_(1.0)),
    Step("aten::mul_.Scalar", ", 3.0", WRITE, lambda x: x.mul_(3.0)),
    Step("aten::cumsum_", ", 0, None", WRITE, lambda x: x.cumsum_(0)),
    Step("aten::neg", "", FRESH, torch.neg),
]

Chain = list[tuple[int, Step]]
"""For each step, which of the values so far it takes (modulo their number)."""

chains = st.lists(st.tuples(st.integers(0, 50), st.sampled_from(STEPS)), min_size=1, max_size=12)


def text_of(chain: Chain) -> str:
    names = ["x", "w", "alias"]
    lines = []
    for index, (source, step) in enumerate(chain):
        taken = names[source % len(names)]
        lines.append(f"%v{index}: f32[?, ?] = {step.op}(%{taken}{step.rest}) {step.marks}")
        names.append(f"v{index}")
    # The values at the end, since a write reaches the values before it.
    copies = [f"%r{index}: f32[?, ?] = aten::clone(%{name}, None)" for index, name in enumerate(names)]
    returned = ", ".join(f"%r{index}" for index in range(len(names)))
    head = "graph main(%x: f32[4, 6], %alias: f32[6, 4]) { weight %w: f32[4, 6]"
    return "\n".join(["torch dialect 1", head, *lines, *copies, f"return {returned} }}"])


def in_torch(chain: Chain, values: list[torch.Tensor]) -> list[torch.Tensor]:
    values = list(values)
    for source, step in chain:
        values.append(step.function(values[source % len(values)]))
    return values


def memory() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """An input, a weight, and an input that is the first one transposed."""
    x = torch.arange(24.0).reshape(4, 6)
    return x, torch.arange(24.0).reshape(4, 6) / 8, x.t()


@given(chains)
def test_views_and_writes_are_torchs(chain: Chain) -> None:
    x, w, alias = memory()
    results = Interpreter(parse_program(text_of(chain)), weights={"w": w}).run([x, alias])
    wanted = in_torch(chain, list(memory()))
    for result, value in zip(results, wanted, strict=True):
        assert isinstance(result, torch.Tensor)
        assert torch.equal(result, value)
    for kept, fresh in zip((x, w, alias), memory(), strict=True):
        assert torch.equal(kept, fresh)


@given(chains)
def test_unprotected_run_writes_what_torch_writes(chain: Chain) -> None:
    x, w, alias = memory()
    Interpreter(parse_program(text_of(chain)), weights={"w": w}, protect=False).run([x, alias])
    written = memory()
    in_torch(chain, list(written))
    for actual, wanted in zip((x, w, alias), written, strict=True):
        assert torch.equal(actual, wanted)
