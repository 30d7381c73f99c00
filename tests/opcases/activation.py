"""Activations."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
X = floats(2, 3, 5) * 3
Y = floats(2, 3, 6) * 3
NEAR = torch.tensor([0.3, -0.3, 0.1, 3.1, 3.102, 0.2998, 60000.0]).half()
MASKED = torch.where(floats(2, 3, 5) > 0, 0.0, -torch.inf)

CASES = [
    OpCase(
        "relu",
        torch.relu,
        (X,),
        extremes=True,
        dtypes=(*FLOATS, torch.int8, torch.int32, torch.int64, torch.uint8),
    ),
    OpCase("gelu", F.gelu, (X,), dtypes=FLOATS[::2]),
    OpCase("gelu tanh", F.gelu, (X,), {"approximate": "tanh"}, dtypes=FLOATS),
    OpCase("relu6", F.relu6, (X * 3,), extremes=True, dtypes=(*FLOATS, torch.int64)),
    OpCase("hardtanh", F.hardtanh, (X,), extremes=True, dtypes=FLOATS),
    OpCase("hardtanh bounds", F.hardtanh, (X, -2.5, 0.5), dtypes=FLOATS),
    OpCase("leaky_relu", F.leaky_relu, (X,), extremes=True, dtypes=FLOATS),
    OpCase("leaky_relu slope", F.leaky_relu, (X, 0.3), dtypes=FLOATS),
    OpCase("prelu", F.prelu, (X, floats(3, seed=1)), dtypes=FLOATS),
    OpCase("prelu one slope", F.prelu, (X, floats(1, seed=1))),
    OpCase("prelu 2-d", F.prelu, (floats(2, 3), floats(3, seed=1))),
    OpCase("prelu 1-d", F.prelu, (floats(3), floats(1, seed=1))),
    OpCase("elu", F.elu, (X,), extremes=True, dtypes=FLOATS),
    OpCase("elu alpha", F.elu, (X, 0.7), dtypes=FLOATS),
    OpCase("elu scales", lambda x: torch.ops.aten.elu(x, 0.7, 1.5, 0.3), (X,), extremes=True, dtypes=FLOATS),
    OpCase("celu", F.celu, (X,), extremes=True, dtypes=FLOATS),
    OpCase("celu alpha", F.celu, (X, 0.7), dtypes=FLOATS),
    OpCase("selu", F.selu, (X,), extremes=True, dtypes=FLOATS),
    OpCase("silu", F.silu, (X,), extremes=True, dtypes=FLOATS),
    OpCase("mish", F.mish, (X,), dtypes=FLOATS),
    OpCase("hardsigmoid", F.hardsigmoid, (X * 3,), extremes=True, dtypes=FLOATS),
    OpCase("hardswish", F.hardswish, (X * 3,), dtypes=FLOATS),
    OpCase("softplus", F.softplus, (X * 9,), extremes=True, dtypes=FLOATS),
    OpCase("softplus beta", F.softplus, (X * 9, 0.5, 3.0), extremes=True, dtypes=FLOATS),
    OpCase("log_sigmoid", F.logsigmoid, (X * 9,), extremes=True, dtypes=FLOATS),
    OpCase("threshold", F.threshold, (X, 0.5, -7.0), extremes=True, dtypes=FLOATS),
    OpCase("threshold half near", F.threshold, (NEAR, 0.3, -7.1)),
    OpCase("softplus half near", F.softplus, (NEAR, 0.1, 0.31)),
    OpCase("softshrink half near", F.softshrink, (NEAR, 0.3)),
    OpCase("hardshrink half near", F.hardshrink, (NEAR, 0.3)),
    OpCase("leaky_relu half near", F.leaky_relu, (-NEAR, 0.3)),
    OpCase("elu half near", lambda x: torch.ops.aten.elu(x, 0.7, 1.3, 0.3), (-NEAR,)),
    OpCase("celu half near", F.celu, (-NEAR, 0.3)),
    OpCase("hardtanh half near", F.hardtanh, (NEAR, -0.3, 0.3)),
    OpCase("hardshrink", F.hardshrink, (X, 1.5), extremes=True, dtypes=FLOATS),
    OpCase("softshrink", F.softshrink, (X, 1.5), extremes=True, dtypes=FLOATS),
    OpCase("glu", F.glu, (Y,), dynamic=[[0, 1]], dtypes=FLOATS),
    OpCase("glu dim", F.glu, (floats(2, 4, 5), 1), dynamic=[[0, 2]]),
    OpCase("softmax.int", F.softmax, (X, -1), dtypes=FLOATS),
    OpCase("softmax.int dim", F.softmax, (X, 1)),
    OpCase(
        "softmax.int dtype", F.softmax, (X, 0), {"dtype": torch.float64}, dtypes=(torch.float16, torch.int64)
    ),
    OpCase("softmax.int masked", F.softmax, (MASKED, -1)),
    OpCase("softmax.int 0-d", F.softmax, (floats(), 0)),
    OpCase("special_softmax", torch.special.softmax, (X, -1)),
    OpCase("_softmax", lambda x: torch._softmax(x, 1, False), (X,), dtypes=FLOATS),
    OpCase("log_softmax.int", F.log_softmax, (X, -1), dtypes=FLOATS[:2]),
    OpCase("log_softmax.int dim", F.log_softmax, (X, 0)),
    OpCase("log_softmax.int 0-d", F.log_softmax, (floats(), -1)),
    OpCase("_log_softmax", lambda x: torch._log_softmax(x, 1, False), (X,)),
    OpCase(
        "rrelu", torch.rrelu, (floats(3, 5), 0.125, 0.5), dtypes=(torch.float32, torch.float64, torch.float16)
    ),
    OpCase("rrelu training", torch.rrelu, (floats(3, 5), 0.125, 0.5, True), refused="random"),
]
