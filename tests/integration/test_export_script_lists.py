"""Scripts with lists that change, tuples and None out of branches, early returns, and writes in loops."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import onnx_export
from onnx_diagnostics import ConversionError


class AppendsRows(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        rows: list[Tensor] = []
        for i in range(x.size(0)):
            rows.append(x[i] * i)
        return torch.stack(rows)


class AppendsSome(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        rows: list[Tensor] = [x[0]]
        i = 0
        while i < x.size(0):
            if bool(x[i].sum() > 0):
                rows.append(x[i] + i)
            i += 2
        return torch.cat(rows) * len(rows) + rows[-1][0]


class KnowsItems(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        items = [x, x + 1, x + 2]
        items[1] = x * 5
        items.insert(0, x * 7)
        items.extend([x, -x])
        last = items.pop()
        return torch.cat(items) + last.sum()


class Layers(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        outputs: list[Tensor] = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i % 2 == 0:
                outputs.append(x)
        return torch.cat(outputs, 1)


class AppendsNumbers(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        numbers: list[int] = [7]
        for i in range(x.size(0)):
            numbers.append(i * 2)
        return torch.tensor(numbers) + numbers[x.size(0) - 1]


class PicksItem(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        items = [x, x * 2, x * 3]
        total = x * 0
        for i in range(2, -1, -2):
            total = total + items[i] * x.size(0)
        for i in range(x.size(0) % 3):
            total = total + items[i]
        return total


class PairOfBranch(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pair = (x + 1, x * 2) if bool(x.sum() > 0) else (x - 1, x * 3)
        return pair[0] + pair[1]


class TwoReturns(torch.nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        if bool(x.sum() > 0):
            return x + 1, x * 2
        return x - 1, x * 3


class NoneOfBranch(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y: Tensor | None = None
        if bool(x.sum() > 0):
            y = x * 2
        if y is not None and bool(x[0, 0] > 0):
            return y
        return x


class NoneInLoop(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        best: Tensor | None = None
        for i in range(x.size(0)):
            row = x[i]
            if best is None or bool(row.sum() > best.sum()):
                best = row
        return torch.zeros(4) if best is None else best


class ReturnsInLoop(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        for i in range(x.size(0)):
            if bool(x[i].sum() > 0):
                return x[i] + i
        return x[0] * 0


class WritesInLoop(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        y = x.clone()
        for i in range(x.size(0)):
            y[i] = x[i] * i
            if bool(x[i].sum() > 0):
                y[i, 0] += y[0, 1]
        return y


class Chooses(torch.nn.Module):
    def forward(self, x: Tensor, mode: str) -> Tensor:
        if mode == "double":
            return x * 2
        return x


X = torch.tensor([[1.0, -2, 3, 0.5], [-1, -2, -3, -4], [2, 2, -1, 0.25]])
OTHERS = [
    -X,
    X[:1],
    torch.linspace(-3, 4, 20).reshape(5, 4),
    torch.linspace(3, -4, 28).reshape(7, 4),
]


@pytest.mark.parametrize(
    "model",
    [
        *(
            AppendsNumbers(),
            AppendsRows(),
            AppendsSome(),
            KnowsItems(),
            Layers(),
            PicksItem(),
            PairOfBranch(),
            TwoReturns(),
        ),
        *(NoneOfBranch(), NoneInLoop(), ReturnsInLoop(), WritesInLoop()),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("opset", [14, 20])
def test_scripts_compute_what_torch_does(model: torch.nn.Module, opset: int) -> None:
    script = torch.jit.script(model)
    program = onnx_export.export(
        script, (X,), dynamic_axes={"x": {0: "rows"}}, opset_version=opset, verbose=False
    )
    for x in (X, *OTHERS):
        expected = script(x)
        results = expected if isinstance(expected, tuple) else (expected,)
        for got, want in zip(program(x), results, strict=True):
            torch.testing.assert_close(got, want)


class GivesList(torch.nn.Module):
    def forward(self, x: Tensor) -> list[Tensor]:
        rows: list[Tensor] = []
        for i in range(x.size(0)):
            rows.append(x[i, : i + 1])
        return rows


def test_a_list_of_any_length_is_a_sequence_of_the_file() -> None:
    script = torch.jit.script(GivesList())
    program = onnx_export.export(script, (X,), dynamic_axes={"x": {0: "rows"}}, verify=True, verbose=False)
    (output,) = program.model.graph.outputs
    assert str(output.type) == "Sequence(Tensor(FLOAT))"
    for x in OTHERS[1:3]:
        torch.testing.assert_close(program(x[:3]), script(x[:3]))


def test_a_string_that_chooses_is_that_of_the_example() -> None:
    program = onnx_export.export(torch.jit.script(Chooses()), (X, "double"), verbose=False)
    torch.testing.assert_close(program(X, "double")[0], X * 2)
    assert [node.op_type for node in program.model.graph] == ["Mul"]


class RankOfBranch(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.unsqueeze(0) if bool(x.sum() > 0) else x


class RankOfLoop(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        for _ in range(x.size(0)):
            x = x.unsqueeze(0)
        return x


class OptionalArgument(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        bias: Tensor | None = None
        if bool(x.sum() > 0):
            bias = x[0]
        return torch.nn.functional.linear(x, torch.eye(4), bias)


@pytest.mark.parametrize(
    ("model", "reason", "line"),
    [
        (RankOfBranch(), "its branches give .* different ranks", 1),
        (RankOfLoop(), "its runs of the body give .* different ranks", 1),
        (OptionalArgument(), "is handed on, where ONNX takes tensors only", 2),
    ],
    ids=["branch", "loop", "optional"],
)
def test_what_has_no_form_is_refused_at_its_line(model: torch.nn.Module, reason: str, line: int) -> None:
    with pytest.raises(ConversionError, match=reason) as caught:
        onnx_export.export(torch.jit.script(model), (X,), verbose=False)
    place = caught.value.diagnostics[0].location
    assert place is not None
    assert (place.file, place.line) == (__file__, type(model).forward.__code__.co_firstlineno + line)


def test_a_list_that_grows_in_a_loop_needs_sequences() -> None:
    with pytest.raises(ConversionError, match="needs opset 13"):
        onnx_export.export(
            *(torch.jit.script(AppendsRows()), (X,)),
            dynamic_axes={"x": {0: "rows"}},
            opset_version=11,
            verbose=False,
        )


class Pieces(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sizes, halves = torch.split(x, [1, 3], dim=1), torch.tensor_split(x, 2, dim=1)
        result = sizes[0] + sizes[-1].sum() + len(sizes)
        for half in halves:
            result = result + half.sum()
        return result + x.tensor_split([1, 2], 1)[1]


def test_pieces_are_counted_by_what_says_where_to_cut() -> None:
    program = onnx_export.export(
        torch.jit.script(Pieces()),
        (torch.randn(3, 4),),
        dynamic_axes={"x": {0: "rows"}},
        verbose=False,
    )
    x = torch.randn(5, 4)
    (got,) = program(x)
    torch.testing.assert_close(got, Pieces()(x))


class Columns(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        doubled: list[Tensor] = []
        for column in torch.unbind(x * 1, 1):
            doubled.append(column * 2)
        halves, thirds = x.chunk(2, 1), x[:, :3].split(2, dim=-1)
        halves[0].add_(1)
        result: Tensor = torch.stack(doubled, 1) + x + halves[1].sum() + thirds[1] + len(thirds)
        return result


def test_pieces_are_counted_by_the_size_that_is_cut() -> None:
    program = onnx_export.export(
        torch.jit.script(Columns()),
        (torch.randn(3, 4),),
        dynamic_axes={"x": {0: "rows"}},
        verbose=False,
    )
    x = torch.randn(5, 4)
    (got,) = program(x)
    torch.testing.assert_close(got, Columns()(x.clone()))
