"""Attention."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F

from opcases._case import ALL_DIMS, OpCase, bools, floats

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)

# batch 2, heads 3, queries 5, keys 7, width 11, width of the values 13
QUERY, KEY, VALUE = floats(2, 3, 5, 11), floats(2, 3, 7, 11, seed=1), floats(2, 3, 7, 13, seed=2)
TENSORS = (QUERY, KEY, VALUE)
STATIC_WIDTH = [[0, 1, 2], [0, 1, 2], [0, 1, 2]]


def open_rows(*shape: int) -> torch.Tensor:
    """A bool mask of which the second row is closed as a whole."""
    mask = bools(*shape)
    mask[..., 0] = True
    mask[..., 1, :] = False
    return mask


def additive(mask: torch.Tensor) -> torch.Tensor:
    return floats(*mask.shape, seed=3).masked_fill(~mask, -math.inf)


def sdpa(
    name: str,
    *args: torch.Tensor,
    dtypes: Sequence[torch.dtype] = (),
    dynamic: str | Sequence[Sequence[int]] | None = ALL_DIMS,
    refused: str | None = None,
    **kwargs: float | None,
) -> OpCase:
    """A row with these tensors and, by keyword, the operator's other arguments."""
    overload = f"scaled_dot_product_attention {name}"
    call = F.scaled_dot_product_attention
    return OpCase(overload, call, args, kwargs, dtypes=dtypes, dynamic=dynamic, refused=refused)


MASK = open_rows(2, 1, 5, 7)
HOLES = additive(open_rows(5, 7)).index_put(
    (torch.tensor([1, 2]), torch.tensor([3, 6])), torch.tensor(math.nan)
)
NAN_VALUE = VALUE.index_fill(2, torch.tensor([3]), math.nan)

CASES = [
    OpCase("scaled_dot_product_attention", F.scaled_dot_product_attention, TENSORS, dtypes=FLOATS),
    sdpa("static width", *TENSORS, dynamic=STATIC_WIDTH, dtypes=FLOATS),
    sdpa("static", *TENSORS, dynamic=None, dtypes=FLOATS),
    sdpa("3-d", QUERY[0], KEY[0], VALUE[0]),
    sdpa("2-d", QUERY[0, 0], KEY[0, 0], VALUE[0, 0]),
    sdpa("one key head for all", QUERY, KEY[:, :1], VALUE[:1, :1]),
    sdpa("scale", *TENSORS, scale=0.3, dtypes=FLOATS),
    sdpa("negative scale", *TENSORS, scale=-0.3),
    sdpa("scale 0", *TENSORS, scale=0.0),
    sdpa("bool mask", *TENSORS, MASK, dtypes=FLOATS),
    sdpa("bool mask of all heads", *TENSORS, open_rows(2, 3, 5, 7)),
    sdpa("bool mask 2-d", *TENSORS, open_rows(5, 7), dtypes=FLOATS),
    sdpa("bool mask 3-d inputs", QUERY[0], KEY[0], VALUE[0], open_rows(3, 5, 7)),
    sdpa("bool mask of one column", *TENSORS, open_rows(5, 1)),
    sdpa("bool mask of one row", *TENSORS, bools(2, 1, 1, 7)),
    sdpa("all closed", *TENSORS, bools(2, 1, 5, 7) & False),
    sdpa("bool mask beside NaN", QUERY, KEY, NAN_VALUE, MASK),
    sdpa("float mask", *TENSORS, additive(MASK), dtypes=FLOATS),
    sdpa("float mask finite", *TENSORS, floats(3, 5, 7)),
    sdpa("float mask 2-d", *TENSORS, additive(open_rows(5, 7))),
    sdpa("float mask smallest", *TENSORS, torch.full((5, 7), torch.finfo(torch.float32).min)),
    sdpa("float mask with NaN", *TENSORS, HOLES, dynamic=None),
    sdpa("float mask beside NaN", QUERY, KEY, NAN_VALUE, additive(MASK)),
    sdpa("causal more keys", *TENSORS, is_causal=True, dtypes=FLOATS),
    sdpa("causal more queries", KEY, QUERY, VALUE[:, :, :5], is_causal=True),
    sdpa("causal square", QUERY, QUERY, VALUE[:, :, :5], is_causal=True, scale=0.7),
    sdpa("causal static", *TENSORS, is_causal=True, dynamic=None),
    sdpa("causal negative scale", *TENSORS, is_causal=True, scale=-0.3),
    sdpa("causal 3-d", QUERY[0], KEY[0], VALUE[0], is_causal=True),
    sdpa(
        "shared heads",
        floats(2, 6, 5, 11),
        KEY,
        VALUE,
        enable_gqa=True,
        dynamic=[[0, 2], [0, 2], [0, 2]],
        dtypes=FLOATS,
    ),
    sdpa(
        "shared heads of two numbers",
        floats(2, 12, 5, 11),
        floats(2, 6, 7, 11),
        VALUE,
        open_rows(2, 12, 5, 7),
        enable_gqa=True,
        dynamic=[[0, 2], [0, 2], [0, 2], [0, 2, 3]],
    ),
    sdpa("shared heads 3-d", floats(6, 5, 11), KEY[0], VALUE[0], enable_gqa=True, dynamic=[[1], [1], [1]]),
    sdpa(
        "shared heads dynamic width",
        floats(2, 6, 5, 11),
        KEY,
        VALUE,
        enable_gqa=True,
        is_causal=True,
        dynamic=[[0, 2, 3], [0, 2, 3], [0, 2, 3]],
    ),
    OpCase(
        "scaled_dot_product_attention shared heads emptied",
        F.scaled_dot_product_attention,
        (floats(2, 6, 5, 11), KEY, VALUE),
        {"enable_gqa": True},
        dynamic=[[0, 2], [0, 2], [0, 2]],
        resized=[{2: 0}, {5: 0}, {2: 3, 5: 1, 7: 2}],
        from_zero=True,
    ),
    sdpa("shared heads not needed", *TENSORS, enable_gqa=True, dynamic=[[0, 2], [0, 2], [0, 2]]),
    sdpa("no keys", QUERY, KEY[:, :, :0], VALUE[:, :, :0]),
    sdpa("no batch", QUERY[:0], KEY[:0], VALUE[:0], MASK[:0]),
    sdpa("drops", *TENSORS, dropout_p=0.5, refused="eval mode"),
    OpCase(
        "scaled_dot_product_attention transposed inputs",
        lambda q, k, v: F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        ),
        (floats(2, 5, 3, 11), floats(2, 7, 3, 11), floats(2, 7, 3, 13)),
    ),
    OpCase(
        "scaled_dot_product_attention wider mask",
        F.scaled_dot_product_attention,
        (*(t.half() for t in TENSORS), additive(MASK).masked_fill(~MASK, torch.finfo(torch.float32).min)),
    ),
]
