"""Calls of many kinds of operators run in the interpreter as eager PyTorch runs them, to the last bit."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram

Importer = Callable[[torch.export.ExportedProgram], CapturedProgram]
Runner = Callable[[Callable[..., object], tuple[object, ...], Mapping[str, object]], object]
Comparison = Callable[[object, object], None]
MarksCheck = Callable[[CapturedProgram, tuple[object, ...], Mapping[str, object]], None]


@dataclass(frozen=True)
class Case:
    name: str
    model: nn.Module
    args: tuple[object, ...]

    def __str__(self) -> str:
        return self.name


class Model(nn.Module):
    """A function of the model and its positional arguments; tensors given by name become buffers."""

    def __init__(self, function: Callable[..., object], **buffers: torch.Tensor) -> None:
        super().__init__()
        self.function = function
        for name, value in buffers.items():
            self.register_buffer(name, value)

    def forward(self, *args: object) -> object:
        return self.function(self, *args)


def rand(*sizes: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(math.prod(sizes))
    return torch.randn(sizes, generator=generator)


OPERATORS = [
    Case("gelu", Model(lambda m, x: F.gelu(x, approximate="tanh") + F.gelu(x)), (rand(2, 3),)),
    Case(
        "index with None",
        Model(lambda m, x, i: (x[:, i], x[i, :, None], x[..., i, i])),
        (rand(4, 4, 4), torch.tensor([1, 2])),
    ),
    Case(
        "complex",
        Model(
            lambda m, x: (
                torch.view_as_complex(x) * (1 + 2j),
                torch.fft.rfft(x[..., 0]),
                torch.full((2,), 1j),
            )
        ),
        (rand(3, 2),),
    ),
    Case(
        "conjugate",
        Model(lambda m, x: torch.view_as_complex(x).conj() @ torch.view_as_complex(x).t()),
        (rand(3, 3, 2),),
    ),
    Case(
        "factories",
        Model(
            lambda m, x: (
                torch.zeros(x.shape, device=x.device, dtype=torch.float64),
                torch.empty_like(x).fill_(3),
                torch.eye(3),
                torch.arange(0, 1, 0.25),
                torch.scalar_tensor(3),
                torch.linspace(0, 1, 5),
                torch.zeros([]),
                torch.ones_like(x, memory_format=torch.preserve_format),
                x.new_empty((2,), device="cpu").zero_(),
            )
        ),
        (rand(2, 3),),
    ),
    Case(
        "several results",
        Model(
            lambda m, x: (
                x.max(1),
                torch.sort(x, dim=0, stable=True),
                torch.var_mean(x, 0),
                x.split([1, 2]),
                x.split(5),
                x.chunk(2, 1),
                x.unbind(0),
                torch.linalg.svd(x)[1],
                torch.aminmax(x),
                x.topk(2),
                torch._foreach_add([x, x * 2], 1.0),
            )
        ),
        (rand(3, 4),),
    ),
    Case(
        "empty lists",
        Model(
            lambda m, x, y: (
                x.sum([]),
                x.amax(()),
                torch.tensordot(x, x, 2),
                y.permute(()),
                y.reshape(()),
                y.view([]),
            )
        ),
        (rand(3, 4), rand()),
    ),
    Case(
        "integer arithmetic",
        Model(
            lambda m, x: (
                x // 2,
                x / 2,
                x % 3,
                x**2,
                2**x,
                2 - x,
                torch.div(x, 3, rounding_mode="floor"),
                x.pow(0.5),
                x.add(x, alpha=2),
                torch.rsub(x, x),
                x & 1,
                x | 2,
                ~x,
                x << 1,
            )
        ),
        (torch.arange(5),),
    ),
    Case(
        "casts",
        Model(
            lambda m, x: (
                x.to(torch.float64),
                x.to("cpu"),
                x.type_as(m.b),
                x.half().float(),
                x.to(memory_format=torch.channels_last),
                x.bool(),
                x.to(torch.float8_e4m3fn).to(torch.float32),
                m.w.float(),
                x.to(torch.int32).to(torch.uint16),
            ),
            b=torch.ones(1, dtype=torch.int32),
            w=rand(2).to(torch.float8_e5m2),
        ),
        (rand(1, 2, 2, 2).abs(),),
    ),
    Case(
        "hidden views",
        Model(
            lambda m, x: (
                torch.meshgrid(x, x, indexing="ij"),
                torch.broadcast_tensors(x, x[:, None]),
                torch.cartesian_prod(x, x),
                torch.cartesian_prod(x),
                torch.atleast_2d(x),
                x.type_as(x),
                x.sum_to_size(3),
                torch.einsum("i->i", x),
            )
        ),
        (rand(3),),
    ),
    Case(
        "reductions",
        Model(
            lambda m, x: (
                x.cumsum(0, dtype=torch.float64),
                x.logsumexp((0, 1)),
                x.norm(),
                F.normalize(x),
                x.all(),
                x.argmax(),
                x.std(),
                x.roll(1, 0),
                x.flip([0]),
                x.tril(),
                torch.stack([x, x]),
                x.repeat(2, 1),
                x.unfold(0, 2, 1),
                x.diagonal(),
                x.masked_fill(x > 0, -math.inf),
                torch.where(x > 0, x, 0.0),
                x.clamp(min=torch.zeros(4)),
                x.quantile(0.3),
            )
        ),
        (rand(3, 4),),
    ),
    Case(
        "losses",
        Model(
            lambda m, x, y: (
                F.cross_entropy(x, y, label_smoothing=0.1),
                F.mse_loss(x, x * 2, reduction="sum"),
            )
        ),
        (rand(3, 4), torch.tensor([0, 1, 2])),
    ),
    Case(
        "random",
        Model(lambda m, x: (x + torch.rand_like(x), F.dropout(x, 0.5, True), torch.randint(0, 5, (3,)))),
        (rand(3),),
    ),
    Case(
        "attention",
        Model(lambda m, q, k: F.scaled_dot_product_attention(q, q, q, attn_mask=k, scale=0.3)),
        (rand(2, 2, 3, 4), torch.ones(3, 3, dtype=torch.bool).tril()),
    ),
    Case(
        "convolution",
        nn.Sequential(
            nn.Conv2d(3, 4, 3, padding="same"),
            nn.BatchNorm2d(4),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Dropout(0.5),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        ).eval(),
        (rand(2, 3, 8, 8),),
    ),
    Case("lstm", nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True), (rand(2, 5, 3),)),
    Case("bfloat16", nn.Sequential(nn.Linear(3, 3), nn.GELU()).to(torch.bfloat16), (rand(2, 3).bfloat16(),)),
    Case("instance norm", nn.InstanceNorm1d(3, affine=True), (rand(2, 3, 4),)),
    Case("embedding bag", nn.EmbeddingBag(5, 3), (torch.tensor([1, 2, 3]), torch.tensor([0, 2]))),
    Case("weight norm", nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)), (rand(2, 3),)),
]


def seeded(run: Callable[[], object]) -> object:
    torch.manual_seed(7)
    return run()


@pytest.mark.parametrize("decompose", [False, True], ids=["whole", "decomposed"])
@pytest.mark.parametrize("case", OPERATORS, ids=str)
def test_operator_runs_as_in_torch(
    case: Case,
    decompose: bool,
    import_program: Importer,
    run_eager: Runner,
    assert_same: Comparison,
    assert_marks_hold: MarksCheck,
) -> None:
    exported = torch.export.export(case.model, copy.deepcopy(case.args))
    if decompose:
        exported = exported.run_decompositions()
    program = import_program(exported)
    model = exported.module() if decompose else case.model
    result = seeded(lambda: run_program(program, case.args))
    assert_same(result, seeded(lambda: run_eager(model, case.args, {})))
    assert_marks_hold(program, copy.deepcopy(case.args), {})
