"""The same elements in another shape."""

from __future__ import annotations

from collections.abc import Callable

import torch

from opcases._case import TORCHLIB, OpCase, bools, floats, ints

__all__ = ["CASES"]

aten = torch.ops.aten
X = floats(2, 3, 5, 7)
ONES = floats(2, 1, 3, 1)

# Any dimension may turn out to be 0, and Reshape's -1 must not stand next to it. Before opset 14 Reshape
# cannot be told of a size of 0 at all.
EMPTIED = [{2: 0}, {3: 0}, {5: 0}, {7: 0}, {2: 1, 3: 11, 5: 1, 7: 13}]


def emptied(name: str, function: Callable[[torch.Tensor], torch.Tensor]) -> OpCase:
    return OpCase(
        f"{name} emptied",
        function,
        (X,),
        dynamic=[[0, 1, 2, 3]],
        resized=EMPTIED,
        from_zero=True,
        only=TORCHLIB,
    )


WIDE, WIDER = floats(5, 7), [{5: 3, 7: 11}]

CASES = [
    emptied("view", lambda x: x.view(x.shape[0], x.shape[1], x.shape[2] * x.shape[3])),
    emptied("reshape", lambda x: x.reshape(x.shape[0], x.shape[1] * x.shape[2], x.shape[3])),
    emptied("flatten.using_ints", lambda x: torch.flatten(x, 1, 2)),
    emptied("flatten.using_ints last", lambda x: torch.flatten(x, -2)),
    emptied("flatten.using_ints first", lambda x: torch.flatten(x, 0, 1)),
    emptied("flatten.using_ints but first", lambda x: torch.flatten(x, 1)),
    OpCase(
        "reshape shared heads emptied",
        lambda x: x[:, :, None].expand(-1, -1, 3, -1, -1).reshape(x.shape[0], 6, x.shape[2], 5),
        (floats(7, 2, 3, 5),),
        dynamic=[[0, 2]],
        resized=[{7: 0}, {3: 0}, {7: 1, 3: 11}],
        from_zero=True,
        only=TORCHLIB,
    ),
    OpCase(
        "unflatten.int emptied",
        lambda x: torch.unflatten(x, 1, (-1, 3)),
        (floats(2, 6, 5),),
        dynamic=[[0, 2]],
        resized=[{2: 0}, {5: 0}, {2: 3, 5: 1}],
        from_zero=True,
        only=TORCHLIB,
    ),
    OpCase(
        "unflatten.int runtime",
        lambda x: torch.unflatten(x, 1, (-1, x.shape[0])),
        (floats(2, 6, 5),),
        dynamic=[[0, 2]],
        resized=[{2: 3, 5: 1}],
    ),
    OpCase("view", lambda x: x.view(x.shape[0], -1, 7), (X,), dynamic=[[0, 1, 2]]),
    OpCase(
        "view split", lambda x: x.view(x.shape[0], x.shape[1], 3, 2), (floats(2, 5, 6),), dynamic=[[0, 1]]
    ),
    OpCase("view all dynamic", lambda x: x.view(x.shape[0] * x.shape[1], x.shape[2] * x.shape[3]), (X,)),
    OpCase("view empty", lambda x: x.view(x.shape[1], 0), (floats(0, 3),), dynamic=[[1]], resized=[{3: 5}]),
    OpCase("view static", lambda x: x.view(6, 35), (X,), dynamic=None),
    OpCase("view 0-d", lambda x: x.view([]), (floats(1, 1),)),
    OpCase("reshape", lambda x: x.reshape(-1), (X,)),
    OpCase(
        "reshape heads",
        lambda x: x.reshape(x.shape[0], x.shape[1], 2, 3),
        (floats(2, 5, 6),),
        dynamic=[[0, 1]],
    ),
    OpCase("view_as", lambda x, y: x.view_as(y), (floats(2, 3), floats(3, 2, seed=1)), dynamic=None),
    OpCase("reshape_as", lambda x, y: x.reshape_as(y), (floats(2, 3), floats(3, 2, seed=1)), dynamic=None),
    OpCase("flatten.using_ints", torch.flatten, (X,)),
    OpCase("flatten.using_ints from 1", lambda x: torch.flatten(x, 1), (X,)),
    OpCase("flatten.using_ints middle", lambda x: torch.flatten(x, 1, 2), (X,)),
    OpCase("flatten.using_ints negative", lambda x: torch.flatten(x, -3, -2), (X,), dynamic=[[0, 1, 2]]),
    OpCase("flatten.using_ints one", lambda x: torch.flatten(x, 1, 1), (X,)),
    OpCase("flatten.using_ints 0-d", torch.flatten, (floats(),)),
    OpCase("flatten.using_ints empty", lambda x: torch.flatten(x, 1), (floats(2, 0, 3),), dynamic=[[0]]),
    OpCase("flatten.using_ints empty batch", lambda x: torch.flatten(x, 1), (X,), resized=[{2: 0}]),
    OpCase("unflatten.int", lambda x: torch.unflatten(x, 1, (2, 3)), (floats(5, 6, 7),), dynamic=[[0, 2]]),
    OpCase("unflatten.int -1", lambda x: torch.unflatten(x, -1, (2, -1)), (floats(5, 6),), dynamic=[[0]]),
    OpCase("unsqueeze", lambda x: torch.unsqueeze(x, 1), (X,)),
    OpCase(
        "unsqueeze negative",
        lambda x: torch.unsqueeze(x, -1),
        (X,),
        dtypes=(torch.float32, torch.bool, torch.int8),
    ),
    OpCase("unsqueeze 0-d", lambda x: torch.unsqueeze(x, 0), (floats(),)),
    OpCase("squeeze", torch.squeeze, (ONES,), resized=[{2: 5, 3: 7}]),
    OpCase("squeeze nothing", torch.squeeze, (floats(2, 3),), dynamic=None),
    OpCase("squeeze.dim", lambda x: torch.squeeze(x, 1), (ONES,)),
    OpCase("squeeze.dim negative", lambda x: torch.squeeze(x, -1), (ONES,)),
    OpCase("squeeze.dim larger", lambda x: torch.squeeze(x, 1), (floats(2, 3),), dynamic=None),
    OpCase("squeeze.dim dynamic", lambda x: torch.squeeze(x, 0), (floats(2, 3),), resized=[{2: 5, 3: 7}]),
    OpCase("squeeze.dim 0-d", lambda x: torch.squeeze(x, 0), (floats(),)),
    OpCase("squeeze.dims", lambda x: torch.squeeze(x, (1, -1)), (ONES,)),
    OpCase("expand", lambda x: x.expand(2, -1, 3), (floats(2, 5, 1),), dynamic=[[1]]),
    OpCase("expand more", lambda x: x.expand(3, *x.shape), (floats(2, 5),)),
    OpCase(
        "expand size",
        lambda x, y: x.expand(y.shape[0], -1),
        (floats(1, 5), floats(3)),
        dtypes=(torch.float32, torch.bool),
    ),
    OpCase("expand 0-d", lambda x: x.expand(2, 3), (floats(),)),
    OpCase("expand_as", lambda x, y: x.expand_as(y), (floats(1, 5), floats(3, 5))),
    OpCase("broadcast_to", lambda x: torch.broadcast_to(x, (3, x.shape[0], 5)), (floats(2, 1),)),
    OpCase("atleast_1d", lambda x: torch.atleast_1d(x), (floats(),)),
    OpCase("atleast_2d", lambda x: torch.atleast_2d(x), (floats(5),)),
    OpCase("atleast_3d", lambda x: torch.atleast_3d(x), (floats(3, 5),)),
    OpCase("atleast_3d line", lambda x: torch.atleast_3d(x), (floats(5),)),
    OpCase("atleast_3d volume", lambda x: torch.atleast_3d(x) * 2, (X,)),
    OpCase("atleast_1d.Sequence", lambda *xs: torch.atleast_1d(*xs), (floats(), floats(3))),
    OpCase("atleast_2d.Sequence", lambda *xs: torch.atleast_2d(*xs), (floats(), floats(3))),
    OpCase("atleast_3d.Sequence", lambda *xs: torch.atleast_3d(*xs), (floats(), floats(3, 5))),
    *[
        OpCase(f"view.dtype {a}", lambda x, b=b: x.view(b), (tensor,), since=26)
        for a, tensor, b in (
            ("float", X, torch.int32),
            ("int", ints(-9, 9, 3, 5), torch.float64),
            ("half", X.half(), torch.int16),
        )
    ],
    OpCase("view.dtype bool", lambda x: x.view(torch.int8), (bools(3, 5),)),
    OpCase("view.dtype wider", lambda x: x.view(torch.uint8), (X,), refused="of the same width only"),
    OpCase("as_strided", lambda x: torch.as_strided(x, (2, 2), (1, 2), 3), (X,), dynamic=None),
    OpCase(
        "as_strided windows",
        lambda x: torch.as_strided(x, (x.shape[0], x.shape[1] - 2, 3), (x.shape[1], 1, 1)),
        (WIDE,),
        resized=WIDER,
    ),
    OpCase("as_strided transposed", lambda x: x.t().as_strided((2, 3), (3, 1)), (WIDE,), resized=WIDER),
    OpCase("as_strided of a row", lambda x: x[1].as_strided((2, 3), (2, 1)), (WIDE,), dynamic=None),
    OpCase("as_strided number", lambda x: x.as_strided((), (), 4), (ints(0, 9, 5, 7),), resized=WIDER),
    OpCase("as_strided none", lambda x: x.as_strided((0, 3), (9, 9)), (X,)),
    OpCase("as_strided_copy", lambda x: aten.as_strided_copy(x, (3, 2), (2, 2)), (WIDE > 0,), resized=WIDER),
    OpCase(
        "as_strided beyond",
        lambda x: x[0].as_strided((2, 2), (5, 1)),
        (floats(2, 5),),
        dynamic=None,
        refused="reads element 6",
    ),
    OpCase("view_copy", lambda x: aten.view_copy(x, (x.shape[0], -1)), (X,)),
    OpCase("expand_copy", lambda x: aten.expand_copy(x, (3, -1)), (floats(5),)),
    OpCase("unsqueeze_copy", lambda x: aten.unsqueeze_copy(x, -1), (X,)),
    OpCase("squeeze_copy.dim", lambda x: aten.squeeze_copy(x, 1), (ONES,)),
    OpCase(
        "broadcast_tensors", lambda *xs: torch.broadcast_tensors(*xs), (floats(3, 1), floats(5), floats())
    ),
    OpCase(
        "broadcast_tensors alike",
        lambda *xs: torch.broadcast_tensors(*xs)[1] * 2,
        (floats(3, 5), floats(3, 5)),
    ),
]
