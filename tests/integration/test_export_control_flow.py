"""Control flow that PyTorch writes with higher-order operators: each model against eager, on both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir
import pytest
import torch
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

import onnx_export
from onnx_diagnostics import ConversionError, UnsupportedOperatorError

Tensor = torch.Tensor
Inputs = tuple[Tensor, ...]

# Its annotations ask for type variables.
map_rows: Callable[..., object] = torch_map


class Model(torch.nn.Module):
    """A function with a layer and a buffer at hand, which its branches capture."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(5, 5)
        self.table = torch.nn.Buffer(torch.linspace(-1, 1, 5))
        self.gru, self.lstm = torch.nn.GRUCell(5, 3), torch.nn.LSTMCell(5, 3)
        self.function = function

    def forward(self, *inputs: Tensor) -> object:
        return self.function(self, *inputs)


def assert_exports(
    function: Callable[..., object],
    runs: Sequence[Inputs],
    dynamic: Sequence[Mapping[int, str] | None] = (),
    opset: int | None = None,
) -> onnx_export.ONNXProgram:
    """Export for the first of ``runs``, and compare with eager PyTorch on all."""
    torch.manual_seed(0)
    model = Model(function).eval()
    program = onnx_export.export(
        model,
        runs[0],
        dynamic_shapes={"inputs": tuple(dynamic)} if dynamic else None,
        opset_version=opset,
        verbose=False,
    )
    for inputs in runs:
        with torch.no_grad():
            result = model(*inputs)
        expected = result if isinstance(result, list | tuple) else [result]
        for got, want in zip(program(*inputs), expected, strict=True):
            torch.testing.assert_close(got, torch.as_tensor(want))
    return program


def operators(program: onnx_export.ONNXProgram) -> list[str]:
    return [node.op_type for node in program.model.graph.all_nodes()]


def by_value(m: Model, x: Tensor) -> object:
    return torch.cond(x.sum() > 0, lambda y: m.layer(y).relu(), lambda y: y - m.table, (x,))


def by_size(m: Model, x: Tensor) -> object:
    return torch.cond(x.shape[0] > 4, lambda y: y * 2, lambda y: y - 1, (x,))


def several_results(m: Model, x: Tensor) -> object:
    return torch.cond(
        x.mean() > 0, lambda y: (y + 1, y.sum(), y > 0), lambda y: (y * 2, y.min(), y < 0), (x,)
    )


def nested_branches(m: Model, x: Tensor) -> object:
    def inner(y: Tensor) -> Tensor:
        result: Tensor = torch.cond(y.max() > 3, lambda z: z - 3, lambda z: z * m.table, (y,))
        return result + 1

    return torch.cond(x.sum() > 0, inner, lambda y: m.layer(y), (x,))


def branch_returns_what_it_got(m: Model, x: Tensor) -> object:
    return torch.cond(x.sum() > 0, lambda y: y.clone(), lambda y: y.neg(), (x,)) + x


ONE, ROWS = ({0: "n"},), torch.ones(3, 5)
BOTH_WAYS: list[Inputs] = [(ROWS,), (-ROWS,), (torch.full((7, 5), 4.0),), (torch.full((1, 5), -2.0),)]


@pytest.mark.parametrize(
    "function", [by_value, by_size, several_results, nested_branches, branch_returns_what_it_got]
)
@pytest.mark.parametrize("opset", [18, None])
def test_cond(function: Callable[..., object], opset: int | None) -> None:
    assert "If" in operators(assert_exports(function, BOTH_WAYS, ONE, opset))


def counted(m: Model, x: Tensor) -> object:
    return while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, m.layer(y) + i), (torch.tensor(0), x.clone()))


def counted_by_number(m: Model, x: Tensor) -> object:
    return while_loop(lambda i, y: i < x.shape[0], lambda i, y: (i + 1, y + i * x.shape[0]), (0, x))


def until_small(m: Model, x: Tensor) -> object:
    return while_loop(lambda y: y.abs().max() > 1, lambda y: (y / 2,), (x,))


def never_or_often(m: Model, x: Tensor) -> object:
    return while_loop(
        lambda y, n: y.sum() < 40, lambda y, n: (y + m.table.abs(), n + 1), (x, torch.tensor(0))
    )


def gru_by_while_loop(m: Model, x: Tensor) -> object:
    def step(t: Tensor, h: Tensor, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        h = m.gru(x.index_select(0, t)[0], h)
        return t + 1, h, torch.where(torch.arange(x.shape[0])[:, None, None] == t, h, rows)

    batch = x.shape[1]
    start = (torch.zeros(1, dtype=torch.int64), x.new_zeros(batch, 3), x.new_zeros(x.shape[0], batch, 3))
    return while_loop(lambda t, h, rows: (t < x.shape[0]).all(), step, start)


def test_a_recurrent_network_by_while_loop() -> None:
    assert_exports(gru_by_while_loop, SEQUENCES, TIME_AND_BATCH)


@pytest.mark.parametrize("function", [counted, counted_by_number, until_small, never_or_often])
@pytest.mark.parametrize("opset", [18, None])
def test_while_loop(function: Callable[..., object], opset: int | None) -> None:
    assert "Loop" in operators(assert_exports(function, BOTH_WAYS, ONE, opset))


def recurrent(m: Model, x: Tensor) -> object:
    def step(h: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        h = torch.tanh(m.layer(row) + h)
        return h, h * 2

    return scan(step, torch.zeros(x.shape[1], 5), x)


def two_states(m: Model, x: Tensor) -> object:
    def step(
        state: tuple[Tensor, Tensor], rows: tuple[Tensor, Tensor]
    ) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        h, count = state
        h = h * 0.5 + rows[0] * rows[1]
        return (h, count + 1), (h.sum(-1), h.clone())

    (h, count), (sums, states) = scan(step, (x[0], torch.tensor(0)), (x, x.cos()))
    return h, count, sums, states


def over_dim_1(m: Model, x: Tensor) -> object:
    def step(h: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        return h + row, h + 2 * row

    return scan(step, torch.zeros(x.shape[0], 5), x, dim=1)


def rows_apart(m: Model, x: Tensor) -> object:
    return map_rows(lambda row, y: m.layer(row) + y.sum(), x, x + 1)


def gru_over_time(m: Model, x: Tensor) -> object:
    def step(h: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        h = m.gru(row, h)
        return h, h.clone()

    return scan(step, x.new_zeros(x.shape[1], 3), x)


def lstm_over_time(m: Model, x: Tensor) -> object:
    def step(state: tuple[Tensor, Tensor], row: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        h, c = m.lstm(row, state)
        return (h, c), h.clone()

    (h, c), rows = scan(step, (x.new_zeros(x.shape[1], 3), x.new_ones(x.shape[1], 3)), x)
    return h, c, rows


def linear_recurrence(m: Model, x: Tensor) -> object:
    def combine(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> list[Tensor]:
        return [a * c, b * c + d]

    # What associative_scan() calls on GPUs.
    return torch.ops.higher_order.associative_scan(combine, [x.sigmoid(), x.cos()], ())


def recurrence_with_captured_values(m: Model, x: Tensor) -> object:
    weight = m.table * x[0, 0].sum()

    def combine(left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        return left[0] * right[0] * m.table, left[1] + right[1] - weight

    return associative_scan(combine, (x.sigmoid(), x.cos()), 0, combine_mode="generic")


def from_the_end(m: Model, x: Tensor) -> object:
    y = x.transpose(0, 1)
    total = associative_scan(torch.add, y, 1, reverse=True, combine_mode="generic")
    most = associative_scan(torch.maximum, (10 * y).long(), 1, combine_mode="generic")
    return total, most


TIME_AND_BATCH = ({0: "time", 1: "batch"},)
SEQUENCES: list[Inputs] = [(torch.randn(3, 2, 5),), (torch.randn(7, 1, 5),), (torch.randn(1, 11, 5),)]


@pytest.mark.parametrize(
    "function",
    [
        recurrent,
        two_states,
        over_dim_1,
        rows_apart,
        gru_over_time,
        lstm_over_time,
        linear_recurrence,
        recurrence_with_captured_values,
    ],
)
@pytest.mark.parametrize("opset", [18, None])
def test_loops_over_rows(function: Callable[..., object], opset: int | None) -> None:
    program = assert_exports(function, SEQUENCES, TIME_AND_BATCH, opset)
    # Rows of all sequences are taken by a Scan; a row and the next one are not.
    kind = "Loop" if function is linear_recurrence else "Scan"
    assert [name for name in operators(program) if name in ("Loop", "Scan")] == [kind]


def test_associative_scans_of_other_dimensions() -> None:
    program = assert_exports(from_the_end, SEQUENCES, TIME_AND_BATCH)
    assert operators(program).count("Scan") == 2


def loop_with_branches_in_a_branch(m: Model, x: Tensor) -> object:
    def step(h: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        h = torch.cond(h.sum() > 0, lambda y: y * m.table, lambda y: m.layer(y), (h + row,))
        return h, h.sin()

    def rows(y: Tensor) -> Tensor:
        result: Tensor = scan(step, torch.zeros(x.shape[1], 5), y)[1]
        return result

    return torch.cond(x.sum() > 0, rows, lambda y: y.cos(), (x,))


def branch_in_a_while_loop(m: Model, x: Tensor) -> object:
    def step(i: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        y = torch.cond(i % 2 == 0, lambda z: m.layer(z), lambda z: z * m.table, (y,))
        return i + 1, y

    return while_loop(lambda i, y: i < 5, step, (torch.tensor(0), x.clone()))


@pytest.mark.parametrize(
    ("function", "nest"),
    [(loop_with_branches_in_a_branch, ["If", "Scan", "If"]), (branch_in_a_while_loop, ["Loop", "If"])],
)
def test_nests_of_loops_and_branches(function: Callable[..., object], nest: list[str]) -> None:
    both = [(sign * x,) for (x,) in SEQUENCES for sign in (1, -1)]
    program = assert_exports(function, both, TIME_AND_BATCH)
    assert [name for name in operators(program) if name in ("If", "Loop", "Scan")] == nest
    names = [value.name for value in _values(program.model.graph)]
    assert len(set(names)) == len(names)


def _values(graph: ir.Graph) -> list[ir.Value]:
    outputs = [output for node in graph.all_nodes() for output in node.outputs]
    return [*graph.inputs, *graph.initializers.values(), *outputs]


def constants_in_branches(m: Model, x: Tensor) -> object:
    return torch.cond(
        x.sum() > 0, lambda y: y + torch.tensor([1.0, 2, 3, 5, 7]), lambda y: y * torch.tensor(3.0), (x,)
    )


def same_result_twice(m: Model, x: Tensor) -> object:
    return torch.cond(
        x.sum() > 0, lambda y: (y + 1, y.clone(), y.clone()), lambda y: (y.sin(), y * 2, y * 3), (x,)
    )


def weights_from_branches(m: Model, x: Tensor) -> object:
    return torch.cond(x.sum() > 0, lambda y: m.table.clone(), lambda y: m.table * 2, (x,))


def sizes_from_branches(m: Model, x: Tensor) -> object:
    return torch.cond(x.sum() > 0, lambda y: y[:2].clone(), lambda y: y[:1] * 2, (x,))


def no_grad_inside(m: Model, x: Tensor) -> object:
    def inner(y: Tensor) -> Tensor:
        with torch.no_grad():
            z: Tensor = m.layer(y)
        return z + 1

    return torch.cond(x.sum() > 0, inner, lambda y: y + 1, (x,))


def no_grad_around(m: Model, x: Tensor) -> object:
    with torch.no_grad():
        result: Tensor = torch.cond(x.sum() > 0, lambda y: m.layer(y), lambda y: y + 1, (x,))
    return result * 2


def numbers_of_branches(m: Model, x: Tensor) -> object:
    n = x.abs().sum().ceil().to(torch.int64).item()
    torch._check(n >= 0)
    return torch.cond(n > 20, lambda y: y + 1, lambda y: y * 2, (x,))


@pytest.mark.parametrize(
    "function",
    [
        constants_in_branches,
        same_result_twice,
        weights_from_branches,
        sizes_from_branches,
        no_grad_inside,
        no_grad_around,
        numbers_of_branches,
    ],
)
def test_what_branches_may_hold(function: Callable[..., object]) -> None:
    two_rows: list[Inputs] = [(torch.full((2, 5), 4.0),), (torch.full((3, 5), -2.0),)]
    assert_exports(function, [*BOTH_WAYS[:3], *two_rows], ONE)


def autocast_around(m: Model, x: Tensor) -> object:
    with torch.autocast("cpu", dtype=torch.float16):
        result: Tensor = torch.cond(x.sum() > 0, lambda y: m.layer(y), lambda y: (y + 1).half(), (x,))
    return result


def autocast_inside(m: Model, x: Tensor) -> object:
    def inner(y: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.float16):
            result: Tensor = m.layer(y)
        return result

    return torch.cond(x.sum() > 0, inner, lambda y: y.half(), (x,))


@pytest.mark.parametrize("function", [autocast_around, autocast_inside])
def test_autocast_and_branches(function: Callable[..., object]) -> None:
    program = onnx_export.export(
        Model(function).eval(), (ROWS,), dynamic_shapes={"inputs": ONE}, verbose=False, verify=True
    )
    assert {"If", "Cast"} <= set(operators(program))


def unsupported_in_branches(m: Model, x: Tensor) -> object:
    return torch.cond(
        x.sum() > 0,
        lambda y: torch.special.bessel_j0(y),  # line of bessel
        lambda y: torch.special.airy_ai(y),  # line of airy
        (x,),
    )


def test_all_unsupported_calls_in_blocks_are_reported() -> None:
    with pytest.raises(UnsupportedOperatorError) as caught:
        onnx_export.export(Model(unsupported_in_branches), (torch.randn(5, 5),), verbose=False)
    found = {(d.location.op, d.location.line) for d in caught.value.diagnostics if d.location is not None}
    # Torch notes the line of the call of cond for what its branches do.
    line = unsupported_in_branches.__code__.co_firstlineno + 1
    assert found == {("aten::special_bessel_j0", line), ("aten::special_airy_ai", line)}


def refused_and_unsupported(m: Model, x: Tensor) -> object:
    y = torch.ops.higher_order.strict_mode(lambda y: y + 1, (x,))
    return torch.special.bessel_j0(y) + y


def test_what_cannot_be_captured_does_not_hide_what_cannot_be_lowered() -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(Model(refused_and_unsupported), (torch.randn(5, 5),), verbose=False)
    assert [found.rule.code for found in caught.value.diagnostics] == ["CAP002", "LOW001"]
