"""Matrix products."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
INTS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
SMALL = ints(0, 5, 3, 2)


def nans(*shape: int) -> torch.Tensor:
    return torch.full(shape, math.nan)


def broken(*shape: int) -> torch.Tensor:
    """Finite numbers beside infinities and NaN."""
    values = floats(*shape)
    values.view(-1)[0], values.view(-1)[1] = math.inf, math.nan
    return values


CASES = [
    OpCase("linear", F.linear, (floats(2, 3), floats(5, 3), floats(5)), dtypes=FLOATS),
    OpCase("linear no bias", F.linear, (floats(2, 3), floats(5, 3)), dtypes=FLOATS),
    OpCase("linear 3-d", F.linear, (floats(2, 7, 3), floats(5, 3), floats(5)), dtypes=FLOATS),
    OpCase("linear 3-d no bias", F.linear, (floats(2, 7, 3), floats(5, 3))),
    OpCase("linear 1-d", F.linear, (floats(3), floats(5, 3), floats(5))),
    OpCase("linear 1-d weight", F.linear, (floats(2, 3), floats(3))),
    OpCase("linear dot", F.linear, (floats(3), floats(3, seed=1))),
    OpCase("linear integers", F.linear, (ints(-5, 5, 2, 3), ints(-5, 5, 7, 3), ints(-5, 5, 7)), dtypes=INTS),
    OpCase("linear no rows", F.linear, (floats(0, 3), floats(5, 3), floats(5))),
    OpCase("linear no columns", F.linear, (floats(2, 0), floats(5, 0), floats(5))),
    OpCase("linear 3-d no columns", F.linear, (floats(2, 7, 0), floats(5, 0), floats(5))),
    OpCase("linear infinities", F.linear, (broken(2, 3), floats(5, 3), floats(5))),
    OpCase("mm", torch.mm, (floats(2, 3), floats(3, 5)), dtypes=(*FLOATS, *INTS)),
    OpCase("mm empty inner", torch.mm, (floats(2, 0), floats(0, 5))),
    OpCase("mm non-contiguous", lambda x, y: torch.mm(x.t(), y), (floats(3, 2), floats(3, 5))),
    OpCase("bmm", torch.bmm, (floats(2, 3, 5), floats(2, 5, 7)), dtypes=(*FLOATS, *INTS)),
    OpCase("bmm empty batch", torch.bmm, (floats(0, 3, 5), floats(0, 5, 7))),
    OpCase("matmul", torch.matmul, (floats(2, 3), floats(3, 5)), dtypes=(*FLOATS, *INTS)),
    OpCase("matmul broadcast", torch.matmul, (floats(2, 1, 3, 5), floats(7, 5, 11))),
    OpCase("matmul vector left", torch.matmul, (floats(3), floats(2, 3, 5))),
    OpCase("matmul vector right", torch.matmul, (floats(2, 5, 3), floats(3))),
    OpCase("matmul vectors", torch.matmul, (floats(3), floats(3, seed=1))),
    OpCase("matmul wraps", torch.matmul, (SMALL.to(torch.int8) * 40, SMALL.t().to(torch.int8) * 30)),
    OpCase("mv", torch.mv, (floats(2, 3), floats(3)), dtypes=(*FLOATS, *INTS)),
    OpCase("dot", torch.dot, (floats(3), floats(3, seed=1)), dtypes=(*FLOATS, *INTS)),
    OpCase("outer", torch.outer, (floats(2), floats(3)), dtypes=(*FLOATS, *INTS)),
    OpCase("outer bool", torch.outer, (ints(0, 2, 2), ints(0, 2, 3, seed=1) == 1)),
    OpCase("ger", torch.ger, (floats(2), floats(3))),
    OpCase("addmm", torch.addmm, (floats(5), floats(2, 3), floats(3, 5)), dtypes=(*FLOATS, *INTS)),
    OpCase("addmm 2-d", torch.addmm, (floats(2, 5), floats(2, 3), floats(3, 5))),
    OpCase("addmm one row", torch.addmm, (floats(2, 1), floats(2, 3), floats(3, 5))),
    OpCase(
        "addmm factors",
        torch.addmm,
        (floats(5), floats(2, 3), floats(3, 5)),
        {"beta": 0.1, "alpha": 0.3},
        dtypes=FLOATS,
    ),
    OpCase(
        "addmm integer factors",
        torch.addmm,
        (ints(-5, 5, 5), ints(-5, 5, 2, 3), ints(-5, 5, 3, 5)),
        {"beta": 3, "alpha": -2},
        dtypes=INTS[:-1],
    ),
    OpCase("addmm beta 0", torch.addmm, (nans(5), floats(2, 3), floats(3, 5)), {"beta": 0}, dtypes=FLOATS),
    OpCase("addmm no inner", torch.addmm, (floats(5), floats(2, 0), floats(0, 5)), {"beta": 0.5}),
    OpCase("addmv", torch.addmv, (floats(2), floats(2, 3), floats(3)), {"beta": 0.5, "alpha": 3}),
    OpCase("addmv beta 0", torch.addmv, (nans(2), floats(2, 3), floats(3)), {"beta": 0}),
    OpCase("baddbmm", torch.baddbmm, (floats(2, 3, 7), floats(2, 3, 5), floats(2, 5, 7)), dtypes=FLOATS),
    OpCase(
        "baddbmm factors",
        torch.baddbmm,
        (floats(3, 1), floats(2, 3, 5), floats(2, 5, 7)),
        {"beta": 0.1, "alpha": 2},
        dtypes=FLOATS,
    ),
    OpCase(
        "baddbmm half that would overflow",
        torch.baddbmm,
        (floats(3, 1).half() / 8, floats(2, 3, 5).half() * 300, floats(2, 5, 7).half() * 300),
        {"beta": 1e5, "alpha": 0.01},
    ),
    OpCase(
        "addmv half that would overflow",
        torch.addmv,
        (floats(3).half(), floats(3, 5).half() * 300, floats(5).half() * 300),
        {"beta": 0.1, "alpha": 0.01},
    ),
    OpCase("baddbmm beta 0", torch.baddbmm, (nans(7), floats(2, 3, 5), floats(2, 5, 7)), {"beta": 0}),
    OpCase(
        "addbmm", torch.addbmm, (floats(3, 7), floats(2, 3, 5), floats(2, 5, 7)), {"beta": 0.5, "alpha": 3}
    ),
    OpCase(
        "addbmm half that would overflow",
        torch.addbmm,
        (floats(3, 7).half(), floats(1, 3, 5).half() * 300, floats(1, 5, 7).half() * 300),
        {"beta": 0.5, "alpha": 0.01},
    ),
    OpCase("addbmm beta 0", torch.addbmm, (nans(7), floats(2, 3, 5), floats(2, 5, 7)), {"beta": 0.0}),
]
