"""Autograd functions in traces: ``symbolic`` writes them if they have it, else their forward is exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError


class Graph:
    """What functions are given; torch has no type of it that can be imported."""

    def op(self, name: str, *arguments: object, **attributes: object) -> torch._C.Value:
        raise NotImplementedError


class Scale(torch.autograd.Function):
    """Its forward leaves torch, so that only ``symbolic`` can be exported."""

    @staticmethod
    def forward(
        ctx: object, x: torch.Tensor, factor: float, y: torch.Tensor, mode: str, axes: tuple[int, ...]
    ) -> torch.Tensor:
        scaled = torch.from_numpy(x.detach().numpy() * factor) + y
        return scaled if mode == "plain" else scaled.sum(axes)

    @staticmethod
    def symbolic(
        g: Graph, x: torch._C.Value, factor: float, y: torch._C.Value, mode: str, axes: tuple[int, ...]
    ) -> torch._C.Value:
        scaled = g.op("Add", g.op("Mul", x, g.op("Constant", value_t=torch.tensor(factor))), y)
        return scaled if mode == "plain" else g.op("ReduceSum", scaled, torch.tensor(axes), keepdims_i=0)


class Halves(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x * 0.5, x * 1.5

    @staticmethod
    def symbolic(g: Graph, x: torch._C.Value) -> tuple[torch._C.Value, ...]:
        half = g.op("Div", x, torch.tensor(2.0))
        return half, g.op("Sub", g.op("Mul", half, torch.tensor(4.0)), half)


# Torch's own type information has no types for apply.
scale: Callable[..., torch.Tensor] = Scale.apply
halves: Callable[..., tuple[torch.Tensor, torch.Tensor]] = Halves.apply


class Squared(torch.autograd.Function):
    """Without ``symbolic``; inside its forward there is a function that has one."""

    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        first = halves(x)[0]
        return first * first


squared: Callable[..., torch.Tensor] = Squared.apply


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scaled = scale(x, 2.5, y, "plain", ())
        summed = scale(x, -1.0, scaled, "sum", (1,))
        low, high = halves(scaled)
        return torch.relu(low) + squared(high), summed


def exported(model: torch.nn.Module, *args: torch.Tensor, verify: bool = True) -> onnx_export.ONNXProgram:
    axes = {name: {0: "n"} for name in ("x", "y")[: len(args)]}
    return onnx_export.export(
        model.eval(), args, dynamo=False, dynamic_axes=axes, verify=verify, verbose=False
    )


@pytest.mark.filterwarnings("ignore:.*CAP015")
def test_symbolic_stands_for_the_function() -> None:
    program = exported(Model(), torch.randn(3, 5), torch.randn(3, 5))
    types = [node.op_type for node in program.model.graph]
    assert types.count("ReduceSum") == 1
    assert types.count("Div") == 2, "in a forward that is exported as it is, too"


class Raises(Halves):
    @staticmethod
    def symbolic(g: Graph, x: torch._C.Value) -> tuple[torch._C.Value, ...]:
        raise RuntimeError("no such luck")  # the line


class ReturnsNone(torch.autograd.Function):
    forward = Scale.forward

    @staticmethod
    def symbolic(g: Graph, *arguments: object) -> None:
        g.op("Identity", arguments[0])


class ReturnsThree(Halves):
    @staticmethod
    def symbolic(g: Graph, x: torch._C.Value) -> tuple[torch._C.Value, ...]:
        return x, x, x


FAULTY: tuple[Callable[..., torch.Tensor], ...] = (Raises.apply, ReturnsNone.apply, ReturnsThree.apply)


class Faulty(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        raises, returns_none, returns_three = FAULTY
        return (*raises(x), returns_none(x, 1.0, y, "plain", ()), *returns_three(y))


@pytest.mark.filterwarnings("ignore:.*CAP015")
def test_all_faults_are_told_with_their_lines(tmp_path: Path) -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(
            Faulty(),
            (torch.ones(2, 3), torch.ones(2, 3)),
            tmp_path / "model.onnx",
            dynamo=False,
            verbose=False,
        )
    text = str(caught.value)
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    raised = next(number for number, line in enumerate(lines, start=1) if line.endswith("# the line"))
    assert [found.rule.code for found in caught.value.diagnostics] == ["LOW004"] * 3
    assert f"Raises.symbolic ({__file__}:{raised})" in text
    assert "RuntimeError: no such luck" in text
    assert "it returned None, which is no value of the graph" in text
    assert "it returned 3 values, the call has 2 outputs" in text
    assert not list(tmp_path.iterdir())
