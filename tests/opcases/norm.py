"""Normalisations and norms."""

from __future__ import annotations

import dataclasses
import math

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
X, PLANE = floats(2, 5, 7), floats(3, 6, 5, 7)
C = floats(5), floats(5, seed=1)
# The channels, and what belongs to them, keep their size; the batch and the plane change.
CHANNELS: list[list[int]] = [[0, 2, 3], [], [], [], []]


def layer_norm(name: str, *args: object, **kwargs: object) -> OpCase:
    """A row with the last axis of size 7 or the last two of sizes 5 and 7 constant."""
    tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
    kept = len(tensors[1].shape) if len(tensors) > 1 else 1
    dynamic = [list(range(tensors[0].ndim - kept)), *([] for _ in tensors[1:])]
    return OpCase(f"layer_norm {name}".strip(), F.layer_norm, args, kwargs, dynamic=dynamic)


def with_dtypes(case: OpCase, *dtypes: torch.dtype) -> OpCase:
    return dataclasses.replace(case, dtypes=dtypes)


def runtime_sizes(x: torch.Tensor, weight: torch.Tensor | None = None) -> torch.Tensor:
    return F.layer_norm(x, x.shape[1:], weight)


def batch_norm(name: str, x: torch.Tensor, *args: object, dynamic: bool = True, **kwargs: object) -> OpCase:
    count = sum(isinstance(arg, torch.Tensor) for arg in args)
    dims = [[dim for dim in range(x.ndim) if dim != 1], *([] for _ in range(count))] if dynamic else None
    return OpCase(f"batch_norm {name}".strip(), F.batch_norm, (x, *args), kwargs, dynamic=dims)


MEAN, VARIANCE = floats(5, seed=2), floats(5, seed=3).abs() + 0.5


def native_layer_norm(x: torch.Tensor, weight: torch.Tensor | None, bias: torch.Tensor | None) -> object:
    return torch.ops.aten.native_layer_norm(x, [7], weight, bias, 1e-5)


ORDERS = {
    "default": 2,
    "1": 1,
    "0": 0,
    "infinite": math.inf,
    "minus infinite": -math.inf,
    "3": 3,
    "half": 0.5,
    "minus 1": -1,
    "2.5": 2.5,
}
NORM = torch.linalg.vector_norm
# A root of a sum of many numbers strays further than torch.testing's tolerance allows.
FEW = {2: 1, 3: 7, 5: 2}
ZEROS = torch.tensor([[0.0, 1.0, -2.0], [0.0, 0.0, 0.0]])
SPECIAL = torch.tensor([[0.0, math.nan, -2.0], [math.inf, 0.0, 1.0], [math.nan, math.nan, -math.inf]])


def norm_cases() -> list[OpCase]:
    name = "linalg_vector_norm"
    rows = []
    for word, order in ORDERS.items():
        rows += [
            OpCase(f"{name} {word}", NORM, (floats(2, 3, 5), order), dtypes=FLOATS, resized=[FEW]),
            OpCase(f"{name} {word} dim", NORM, (floats(2, 3, 5), order, -2)),
            OpCase(f"{name} {word} dims kept", NORM, (floats(2, 3, 5), order, (0, -1), True)),
            OpCase(f"{name} {word} zeros", NORM, (ZEROS, order, 1), extremes=True, dynamic=None),
            OpCase(f"{name} {word} special", NORM, (SPECIAL, order, 1), dynamic=None, dtypes=FLOATS),
            OpCase(f"{name} {word} 0-d", NORM, (floats(), order)),
            OpCase(f"{name} {word} dtype", NORM, (floats(2, 3), order, 1), {"dtype": torch.float64}),
        ]
    return rows


CASES = [
    with_dtypes(layer_norm("", X, (7,), floats(7), floats(7)), *FLOATS),
    with_dtypes(layer_norm("no bias", X, (7,), floats(7)), *FLOATS),
    with_dtypes(layer_norm("plain", X, (7,)), *FLOATS),
    layer_norm("bias only", X, (7,), None, floats(7)),
    layer_norm("two axes", X, (5, 7), floats(5, 7), floats(5, 7)),
    layer_norm("all axes", X[0], (5, 7), floats(5, 7)),
    layer_norm("eps", X * 1e-3, (7,), floats(7), floats(7), eps=0.1),
    OpCase("layer_norm no rows", F.layer_norm, (X[:0], (7,), floats(7), floats(7)), dynamic=None),
    layer_norm("non-contiguous", floats(7, 5).t(), (7,), floats(7)),
    OpCase("layer_norm runtime sizes", runtime_sizes, (X,)),
    OpCase("layer_norm runtime sizes weight", runtime_sizes, (X, floats(5, 7))),
    OpCase(
        "layer_norm float32 weights",
        lambda x, w, b: F.layer_norm(x, (7,), w, b),
        (X.half(), floats(7), floats(7)),
        dynamic=[[0, 1], [], []],
    ),
    OpCase("native_layer_norm", native_layer_norm, (X, floats(7), floats(7)), dynamic=[[0, 1], [], []]),
    OpCase(
        "native_layer_norm plain", native_layer_norm, (X, None, None), dynamic=[[0, 1]], dtypes=FLOATS[:2]
    ),
    OpCase("rms_norm", F.rms_norm, (X, (7,), floats(7)), dynamic=[[0, 1], []], dtypes=FLOATS),
    OpCase("rms_norm plain", F.rms_norm, (X, (7,)), dynamic=[[0, 1]], dtypes=FLOATS),
    OpCase("rms_norm two axes", F.rms_norm, (X, (5, 7), floats(5, 7)), {"eps": 0.1}, dynamic=[[0], []]),
    with_dtypes(batch_norm("", floats(2, 5, 7, 11), MEAN, VARIANCE, *C), *FLOATS),
    batch_norm("2-d", floats(2, 5), MEAN, VARIANCE, *C),
    batch_norm("3-d", floats(2, 5, 7), MEAN, VARIANCE, *C, eps=0.1),
    batch_norm("5-d", floats(2, 5, 3, 7, 11), MEAN, VARIANCE, *C),
    batch_norm("plain", floats(2, 5, 7, 11), MEAN, VARIANCE),
    batch_norm("no bias", floats(2, 5, 7), MEAN, VARIANCE, C[0]),
    batch_norm("no weight", floats(2, 5, 7), MEAN, VARIANCE, None, C[1]),
    OpCase("batch_norm runtime channels", F.batch_norm, (floats(2, 5, 7), MEAN, VARIANCE)),
    OpCase(
        "batch_norm own statistics",
        F.batch_norm,
        (floats(2, 5, 7, 11), None, None, *C),
        {"training": True},
        dynamic=CHANNELS[:3],
        resized=[{2: 3, 7: 13, 11: 17}],
        dtypes=FLOATS[:2],
    ),
    batch_norm("own statistics 2-d", floats(3, 5), None, None, training=True, dynamic=False),
    OpCase(
        "batch_norm training",
        F.batch_norm,
        (floats(2, 5, 7), MEAN, VARIANCE),
        {"training": True},
        resized=(),
        refused="export the model in eval mode",
    ),
    OpCase(
        "instance_norm",
        F.instance_norm,
        (floats(2, 5, 7, 11), None, None, *C),
        dynamic=CHANNELS[:3],
        dtypes=FLOATS[:2],
        resized=[{2: 3, 7: 13, 11: 17}],
    ),
    OpCase("instance_norm plain", F.instance_norm, (floats(2, 5, 7),), resized=[{2: 3, 7: 13, 5: 11}]),
    OpCase(
        "instance_norm running statistics",
        F.instance_norm,
        (floats(2, 5, 7, 11), MEAN, VARIANCE, *C),
        {"use_input_stats": False},
        dynamic=CHANNELS,
    ),
    OpCase(
        "_native_batch_norm_legit_no_training",
        lambda x, w, b, m, v: torch.ops.aten._native_batch_norm_legit_no_training(x, w, b, m, v, 0.1, 1e-3),
        (PLANE, floats(6), floats(6, seed=1), floats(6, seed=2), floats(6, seed=3).abs()),
        dynamic=CHANNELS,
        dtypes=(torch.float32, torch.float64),
    ),
    OpCase(
        "_native_batch_norm_legit_functional",
        lambda *given: torch.ops.aten._native_batch_norm_legit_functional(*given, True, 0.1, 1e-3),
        (PLANE, floats(6), floats(6, seed=1), floats(6, seed=2), floats(6, seed=3).abs()),
        dynamic=CHANNELS,
        dtypes=(torch.float32, torch.float64),
    ),
    OpCase(
        "_native_batch_norm_legit_functional inference",
        lambda *given: torch.ops.aten._native_batch_norm_legit_functional(*given, False, 0.1, 1e-3),
        (PLANE, floats(6), floats(6, seed=1), floats(6, seed=2), floats(6, seed=3).abs()),
        dynamic=CHANNELS,
    ),
    OpCase(
        "_native_batch_norm_legit.no_stats",
        lambda x, w, b: torch.ops.aten._native_batch_norm_legit.no_stats(x, w, b, True, 0.1, 1e-3),
        (floats(7, 6), floats(6), floats(6, seed=1)),
        dynamic=[[0], [], []],
    ),
    OpCase(
        "native_group_norm",
        lambda x, w, b: torch.ops.aten.native_group_norm(
            x, w, b, x.shape[0], 6, x.shape[2] * x.shape[3], 2, 1e-3
        ),
        (PLANE, floats(6), floats(6, seed=1)),
        dynamic=CHANNELS[:3],
    ),
    OpCase("group_norm", F.group_norm, (PLANE, 2, floats(6), floats(6)), dynamic=CHANNELS[:3], dtypes=FLOATS),
    OpCase(
        "group_norm emptied",
        F.group_norm,
        (PLANE, 2, floats(6), floats(6)),
        dynamic=CHANNELS[:3],
        resized=[{3: 0}, {3: 1, 5: 11, 7: 2}],
        from_zero=True,
        dtypes=FLOATS[:2],
    ),
    OpCase(
        "group_norm static plane", F.group_norm, (PLANE, 2, floats(6)), dynamic=[[0], []], resized=[{3: 0}]
    ),
    OpCase("group_norm plain", F.group_norm, (PLANE, 3), dynamic=CHANNELS[:1]),
    OpCase("group_norm no bias", F.group_norm, (PLANE, 3, floats(6)), {"eps": 0.1}, dynamic=CHANNELS[:2]),
    OpCase("group_norm 3-d", F.group_norm, (PLANE[:, :, 0], 1, floats(6)), dynamic=[[0, 2], []]),
    OpCase(
        "group_norm 2-d", F.group_norm, (PLANE[:, :, 0, 0], 2, floats(6), floats(6)), dynamic=[[0], [], []]
    ),
    *norm_cases(),
    OpCase("linalg_vector_norm no dims", NORM, (floats(2, 3), 2, ())),
    OpCase("linalg_vector_norm empty", NORM, (floats(0, 3),)),
    OpCase("linalg_vector_norm empty 1", NORM, (floats(0, 3), 1, 0)),
    OpCase("linalg_vector_norm large halves", NORM, (torch.full((3, 5), 300.0).half(), 3, 1)),
    OpCase("norm.Scalar", lambda x: torch.ops.aten.norm.Scalar(x, 1), (floats(2, 3),)),
    OpCase(
        "norm.ScalarOpt_dim", lambda x: torch.ops.aten.norm.ScalarOpt_dim(x, None, [1], True), (floats(2, 3),)
    ),
    OpCase(
        "norm.ScalarOpt_dtype",
        lambda x: torch.ops.aten.norm.ScalarOpt_dtype(x, 3, dtype=torch.float64),
        (floats(2, 3),),
    ),
    OpCase(
        "norm.ScalarOpt_dim_dtype",
        lambda x: torch.ops.aten.norm.ScalarOpt_dim_dtype(x, 0, [0], False, dtype=torch.float64),
        (floats(2, 3),),
    ),
]
