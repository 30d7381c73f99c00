"""Small exported models run in the interpreter as eager PyTorch runs them, to the last bit."""

from __future__ import annotations

import copy
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram

D = torch.export.Dim.DYNAMIC
Call = tuple[tuple[object, ...], dict[str, object]]
Importer = Callable[[torch.export.ExportedProgram], CapturedProgram]
Runner = Callable[[Callable[..., object], tuple[object, ...], Mapping[str, object]], object]
Comparison = Callable[[object, object], None]
MarksCheck = Callable[[CapturedProgram, tuple[object, ...], Mapping[str, object]], None]


@dataclass(frozen=True)
class Case:
    """A model with the arguments it is captured with; ``others`` are calls that must then work too."""

    name: str
    model: nn.Module
    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = field(default_factory=dict)
    dynamic: dict[str, object] | None = None
    others: Sequence[Call] = ()

    def __str__(self) -> str:
        return self.name


class Model(nn.Module):
    """A function of the model and its positional arguments; tensors given by name become buffers."""

    def __init__(self, function: Callable[..., object], **state: object) -> None:
        super().__init__()
        self.function = function
        for name, value in state.items():
            if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *args: object) -> object:
        return self.function(self, *args)


def rand(*sizes: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(math.prod(sizes))
    return torch.randn(sizes, generator=generator)


def batch(*specs: object) -> dict[str, object]:
    """Dynamic shapes of a :class:`Model`, one entry per argument."""
    return {"args": specs}


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(11, 5)
        self.head = nn.Linear(5, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.head(self.embed(ids))
        return result


class Buffers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("kept", rand(3))
        self.register_buffer("transient", rand(3) + 1, persistent=False)
        self.attribute = rand(3) * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert isinstance(self.kept, torch.Tensor)
        assert isinstance(self.transient, torch.Tensor)
        return x + self.kept * self.transient + self.attribute + torch.tensor([1.0, 2.0, 3.0])


class KeywordOnly(nn.Module):
    def forward(self, x: torch.Tensor, *, a: torch.Tensor, b: torch.Tensor | None = None) -> torch.Tensor:
        return x * a if b is None else x * a - b


class Cache(nn.Module):
    """Writes its buffers, one of them through views."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("cache", torch.zeros(4, 3))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert isinstance(self.cache, torch.Tensor)
        assert isinstance(self.count, torch.Tensor)
        self.cache[1:3] = x
        self.count += 1
        self.cache.t()[0].mul_(2)
        return self.cache.sum(0) * self.count


class Autocast(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x) + torch.tensor([1.0, 2.0, 3.0, 4.0])
            with torch.autocast("cpu", enabled=False):
                z = self.linear(x)
            ones = torch.ones(2, 2) @ torch.ones(2, 2)
        with torch.no_grad():
            w = (x * 2).relu_()
        return y, z, w, ones


class NestedRegions(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.no_grad():
            y = x + torch.tensor([1.0, 2.0])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = y @ y
                with torch.enable_grad():
                    y = y.relu_() @ y
            first, second = y.split(1)
        return first * 2, second


def _sizes(model: Model, x: torch.Tensor) -> object:
    b = x.shape[0]
    return (
        *(x.sum() * (b << 1), b >> 1, torch.sym_sum([b, b, 3]), abs(b - 30), math.trunc(b * 0.7), b / 2 + 1),
        *(1.5 * b, (b / 2) ** 2, b**0.5, b**2, (b > 3) | (b < 2), b != 5, (b > 2) & (b < 100), b // 2.0),
        *(b % 2.5, b % 3, b // 2, -b, torch.sym_max(b, 17), torch.sym_min(b, 2.5), torch.sym_not(b > 16)),
        *(math.ceil(b / 2), math.floor(b * 0.3), torch.sym_int(b * 1.5), torch.sym_float(b), round(b * 0.4)),
        *(torch.sym_ite(b > 16, b, b // 2), torch.sym_sqrt(b), x.numel(), x.stride(0), b == b, x * (b >= 16)),
        *(x.new_zeros(b // 2 + 1), torch.arange(b), x.reshape(b // 2 * 2, -1)[: b - 3].expand(b - 3, -1)),
    )


def _written(write: Callable[[torch.Tensor], object]) -> Callable[..., object]:
    """A model that writes a fresh tensor in some way, and returns it."""

    def function(model: Model, x: torch.Tensor) -> torch.Tensor:
        y = x * 1
        write(y)
        return y

    return function


def _set_items(y: torch.Tensor) -> None:
    y[:, 0] = 7.0
    y[y > 1] = 1
    y[torch.tensor([0, 1])] += 2


STRUCTURES = [
    Case("tied", Tied(), (torch.tensor([[1, 2, 3]]),)),
    Case("buffers", Buffers(), (rand(2, 3),)),
    Case("keyword-only", KeywordOnly(), (rand(2),), {"b": rand(2) * 3, "a": rand(2)}),
    Case("ordered dict", Model(lambda m, x: OrderedDict(z=x + 1, a=(x, [x * 2, None]))), (rand(2),)),
    Case(
        "dict in and out",
        Model(lambda m, d: {"o": [d["a"][0] + d["b"]["c"], {"z": d["a"][1]}]}),
        ({"a": [rand(2), rand(2) + 1], "b": {"c": rand(2) + 2}},),
    ),
    Case(
        "fixed arguments",
        Model(lambda m, x, k, f, t, s, n: x * k + f if t and s == "m" else x),
        (rand(2), 2, 1.5, True, "m", None),
    ),
    Case("fixed results", Model(lambda m, x: (x, None, 5, 2.5, "s", True)), (rand(2),)),
    Case("one result twice", Model(lambda m, x: (x, x, x + 1, m.w, m.w), w=torch.ones(2)), (rand(2),)),
    Case("one fresh result twice", Model(lambda m, x: [x + 1] * 2), (rand(2),)),
    Case("parameter", Model(lambda m, x: x @ m.w, w=nn.Parameter(rand(2, 2))), (rand(2, 2),)),
    Case(
        "int input",
        Model(lambda m, x, n: x[:n] * n),
        (rand(6, 2), 3),
        dynamic=batch({0: D}, D),
        others=[((rand(9, 2), 5), {}), ((rand(4, 2), 4), {})],
    ),
]

DYNAMIC = [
    Case(
        "arithmetic on sizes",
        Model(_sizes),
        (rand(16, 2),),
        dynamic=batch({0: D}),
        others=[((rand(20, 2),), {}), ((rand(18, 2),), {})],
    ),
    Case(
        "data-dependent",
        Model(lambda m, x, i: (x.nonzero(), x[x > 0], i.item() + 1, i.item() * 0.5)),
        (rand(5, 2), torch.tensor(3)),
        others=[((rand(5, 2) * 0, torch.tensor(-7)), {})],
    ),
    Case(
        "reshape by size",
        Model(lambda m, x: x.reshape(x.shape[0], -1, 2).expand(x.shape[0], -1, 2)[:, : x.shape[0]]),
        (rand(4, 6),),
        dynamic=batch({0: D}),
        others=[((rand(7, 6),), {})],
    ),
]

REGIONS = [
    Case("autocast", Autocast(), (rand(2, 4),)),
    Case("nested regions", NestedRegions(), (rand(2, 2),)),
]

WRITES = [
    Case("state", Cache(), (rand(2, 3),)),
    Case("training batch norm", nn.BatchNorm1d(3), (rand(5, 3),)),
    Case("input", Model(lambda m, x: (x.add_(1), x[0].mul_(2), x * 3)[2]), (rand(3, 2),)),
    Case("set item", Model(_written(_set_items)), (rand(3, 2),)),
    Case("views", Model(_written(lambda y: (y.view(-1)[1:3].add_(1), y.t()[0].zero_()))), (rand(3, 2),)),
    Case("own shape", Model(_written(lambda y: (y.t_(), y.unsqueeze_(0)))), (rand(3, 2),)),
    Case("dropout without effect", Model(_written(lambda y: F.dropout(y, 0.5, False).add_(1))), (rand(3),)),
    Case("dropout of nothing", Model(_written(lambda y: F.dropout(y, 0.0, True).add_(1))), (rand(3),)),
    Case("einsum", Model(_written(lambda y: torch.einsum("ij->ji", y).add_(1))), (rand(3, 2),)),
    Case("weight", Model(lambda m, x: (m.w.t()[0].copy_(x), m.w * 1)[1], w=rand(3, 2)), (rand(3),)),
    Case(
        "index put",
        Model(_written(lambda y: y.index_put_((torch.tensor([0, 0]),), torch.tensor(5.0), True))),
        (rand(3, 2),),
    ),
    Case("foreach", Model(_written(lambda y: torch._foreach_add_([y, y[0]], 1.0))), (rand(3, 2),)),
]

ALL = [*STRUCTURES, *DYNAMIC, *REGIONS, *WRITES]

# Torch's own functionalization takes these for fresh tensors, so its decomposed program is wrong.
WRONG_WHEN_DECOMPOSED = {"dropout without effect", "dropout of nothing", "einsum"}


def exported(case: Case) -> torch.export.ExportedProgram:
    args, kwargs = copy.deepcopy((case.args, dict(case.kwargs)))
    return torch.export.export(case.model, args, kwargs, dynamic_shapes=case.dynamic)


def calls(case: Case) -> list[Call]:
    return [(case.args, dict(case.kwargs)), *case.others]


@pytest.mark.parametrize("case", ALL, ids=str)
def test_runs_as_eager_and_leaves_all_as_it_was(
    case: Case, import_program: Importer, run_eager: Runner, assert_same: Comparison
) -> None:
    program = import_program(exported(case))
    state = copy.deepcopy(dict(case.model.state_dict()))
    for args, kwargs in calls(case):
        given = copy.deepcopy((args, kwargs))
        result = run_program(program, args, kwargs)
        assert_same((args, kwargs), given)
        assert_same(dict(case.model.state_dict()), state)
        assert_same(result, run_eager(case.model, args, kwargs))


@pytest.mark.parametrize("case", [case for case in ALL if case.name not in WRONG_WHEN_DECOMPOSED], ids=str)
def test_decomposed_program_runs_as_torch_runs_it(
    case: Case, import_program: Importer, run_eager: Runner, assert_same: Comparison
) -> None:
    decomposed = exported(case).run_decompositions()
    program = import_program(decomposed)
    for args, kwargs in calls(case):
        assert_same(run_program(program, args, kwargs), run_eager(decomposed.module(), args, kwargs))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_calls_share_memory_only_where_their_marks_say(
    case: Case, import_program: Importer, assert_marks_hold: MarksCheck
) -> None:
    args, kwargs = copy.deepcopy((case.args, dict(case.kwargs)))
    assert_marks_hold(import_program(exported(case)), args, kwargs)
