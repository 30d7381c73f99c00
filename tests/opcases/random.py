"""Random numbers: each row compares the dtype, the shape, and whether the moments are the distribution's."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

COUNT = 10007
X, RESIZED = floats(COUNT), [{COUNT: 20011}]
QUARTER, WEIGHTS = torch.tensor([0.25]), torch.tensor([1.0, 0.0, 3.0])
# From opset 22 on, ONNX Runtime has no kernels of random numbers but Dropout's.
KERNELS = 21
HALF = (torch.float32, torch.float64, torch.float16)
aten = torch.ops.aten


def shows(
    draw: Callable[..., torch.Tensor], mean: float, spread: float, low: float, high: float
) -> Callable[..., tuple[torch.Tensor, ...]]:
    """A function whose results are the same for all numbers of the distribution, seven deviations around."""

    def run(*args: object) -> tuple[torch.Tensor, ...]:
        numbers = draw(*args)
        wide = numbers.double()
        near = (wide.mean() - mean).abs() < 7 * spread / math.sqrt(COUNT)
        alike = (wide.var(correction=0).sqrt() / spread - 1).abs() < 0.2
        return torch.zeros_like(numbers), near, alike, (wide >= low).all(), (wide < high).all()

    return run


UNIFORM, NORMAL = (0.5, math.sqrt(1 / 12), 0, 1), (0, 1, -math.inf, math.inf)
NINE = (3, math.sqrt(80 / 12), -1, 8)


def from_size(draw: Callable[[int], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """``draw`` of as many numbers as a tensor has."""
    return lambda x: draw(x.shape[0])


def _row(name: str, draw: Callable[..., torch.Tensor], law: tuple[float, float, float, float]) -> OpCase:
    return OpCase(name, shows(draw, *law), (X,), resized=RESIZED)


def ordered(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    order = torch.randperm(x.shape[0])
    return order.sum(), (order == torch.arange(x.shape[0])).all()


def picks(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    found = torch.multinomial(x, 2)
    return (found[:, 0] == found[:, 1]).any(), (found == 1).any()


def other_each_time(x: torch.Tensor) -> torch.Tensor:
    return (torch.rand_like(x) != torch.rand_like(x)).any()


def rowwise(x: torch.Tensor) -> torch.Tensor:
    return torch.multinomial(WEIGHTS.expand(x.shape[0], 3), 1).squeeze(1)


ROWS = [
    _row("rand", from_size(lambda n: torch.rand(n)), UNIFORM),
    _row("rand double", from_size(lambda n: torch.rand(n, dtype=torch.float64)), UNIFORM),
    _row("rand half", from_size(lambda n: torch.rand(n, dtype=torch.float16)), UNIFORM),
    OpCase("rand of a known shape", lambda x: torch.zeros_like(torch.rand(2, 3)) + x.sum(), (floats(5),)),
    OpCase("rand of no dimensions", lambda x: torch.zeros_like(torch.rand(())) + x, (floats(5),)),
    OpCase("rand_like", shows(torch.rand_like, *UNIFORM), (X,), dtypes=HALF, resized=RESIZED),
    OpCase("rand_like twice", other_each_time, (X,), resized=RESIZED),
    _row("randn", from_size(lambda n: torch.randn(n)), NORMAL),
    OpCase("randn_like", shows(torch.randn_like, *NORMAL), (X,), dtypes=HALF, resized=RESIZED),
    _row("randint", from_size(lambda n: torch.randint(7, (n,))), (3, 2, 0, 7)),
    _row("randint.low", from_size(lambda n: torch.randint(-1, 8, (n,), dtype=torch.int32)), NINE),
    _row("randint_like", lambda x: torch.randint_like(x, 7), (3, 2, 0, 7)),
    _row("randint_like.low_dtype", lambda x: torch.randint_like(x, -1, 8, dtype=torch.int64), NINE),
    OpCase("randperm", ordered, (floats(13),), resized=[{13: 17}]),
    OpCase(
        "bernoulli",
        shows(torch.bernoulli, 0.25, math.sqrt(3 / 16), 0, 2),
        (X * 0 + 0.25,),
        dtypes=HALF,
        resized=RESIZED,
    ),
    _row("bernoulli.p", lambda x: torch.bernoulli(x, 0.25), (0.25, math.sqrt(3 / 16), 0, 2)),
    _row(
        "bernoulli.Tensor",
        lambda x: aten.bernoulli.Tensor(x, QUARTER),
        (0.25, math.sqrt(3 / 16), 0, 2),
    ),
    _row("multinomial", rowwise, (1.5, math.sqrt(0.75), 0, 3)),
    OpCase(
        "multinomial without replacement",
        picks,
        (torch.tensor([[2.0, 0, 5, 1]] * 13),),
        dynamic=[[0]],
        resized=[{13: 17}],
    ),
    _row(
        "multinomial with replacement",
        lambda x: torch.multinomial(WEIGHTS, COUNT, True) + 0 * x[:1].long(),
        (1.5, math.sqrt(0.75), 0, 3),
    ),
    _row("normal.Tensor_Tensor", lambda x: torch.normal(x * 0 + 5, x * 0 + 3), (5, 3, -math.inf, math.inf)),
    _row("normal.Tensor_float", lambda x: torch.normal(x * 0 + 5, 3.0), (5, 3, -math.inf, math.inf)),
    _row("normal.float_Tensor", lambda x: torch.normal(5.0, x * 0 + 3), (5, 3, -math.inf, math.inf)),
    _row(
        "normal.float_float",
        from_size(lambda n: torch.normal(5.0, 3.0, (n,))),
        (5, 3, -math.inf, math.inf),
    ),
    _row("normal_functional", lambda x: aten.normal_functional(x, 5, 3), (5, 3, -math.inf, math.inf)),
    _row("uniform", lambda x: aten.uniform(x, -1, 3), (1, math.sqrt(16 / 12), -1, 3)),
    _row("exponential", lambda x: aten.exponential(x, 0.5), (2, 2, 0, math.inf)),
    # The arc tangent of the numbers is uniform; they have no moments themselves.
    _row(
        "cauchy",
        lambda x: ((aten.cauchy(x, 2, 3) - 2) / 3).atan() / math.pi,
        (0, math.sqrt(1 / 12), -0.5, 0.5),
    ),
    _row("geometric", lambda x: aten.geometric(x, 0.25), (4, math.sqrt(12), 0, math.inf)),
    OpCase(
        "geometric int",
        shows(lambda x: aten.geometric(x, 0.25), 4, math.sqrt(12), 0, math.inf),
        (ints(0, 2, COUNT),),
        resized=RESIZED,
    ),
    _row("log_normal", lambda x: aten.log_normal(x, 1, 0.25).log(), (1, 0.25, -math.inf, math.inf)),
]

CASES = [dataclasses.replace(row, until=KERNELS) for row in ROWS]
