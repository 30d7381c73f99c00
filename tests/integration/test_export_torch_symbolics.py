"""Custom symbolic functions that were written for torch.onnx, by either route."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import onnxscript
import pytest
import torch
from onnxscript import FLOAT

import onnx_export
from onnx_diagnostics import ConversionError

LIBRARY = torch.library.Library("symbolics", "DEF")  # registered as long as this module
LIBRARY.define("shrink(Tensor x, float by=0.5, int[] axes=[], str mode='all', Tensor? y=None) -> Tensor")
LIBRARY.define("halves(Tensor x) -> (Tensor, Tensor)")
LIBRARY.define("pieces(Tensor x, int count) -> Tensor[]")
LIBRARY.define("total(Tensor[] parts) -> Tensor")


def shrink_eager(
    x: torch.Tensor,
    by: float = 0.5,
    axes: tuple[int, ...] = (),
    mode: str = "all",
    y: torch.Tensor | None = None,
) -> torch.Tensor:
    shrunk = x * by if y is None else x * by + y
    return shrunk.sum(list(axes), keepdim=True) if axes else shrunk


LIBRARY.impl("shrink", shrink_eager, "CompositeExplicitAutograd")
LIBRARY.impl("halves", lambda x: (x * 0.5, x * 1.5), "CompositeExplicitAutograd")
LIBRARY.impl("pieces", lambda x, count: [x * (n + 1) for n in range(count)], "CompositeExplicitAutograd")
LIBRARY.impl("total", lambda parts: torch.stack(parts).sum(0), "CompositeExplicitAutograd")

OPS = torch.ops.symbolics
X = torch.randn(5, 7)


class Graph:
    """What functions are given; torch has no type of it that can be imported."""

    def op(self, name: str, *arguments: object, **attributes: object) -> torch._C.Value:
        raise NotImplementedError

    def at(self, name: str, *arguments: object, **attributes: object) -> torch._C.Value:
        raise NotImplementedError

    def onnxscript_op(self, function: object, *arguments: object, **attributes: object) -> torch._C.Value:
        raise NotImplementedError


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


Register = Callable[..., None]


@pytest.fixture
def register() -> Iterator[Register]:
    """Registers until the test ends."""
    done: list[tuple[str, int]] = []

    def registers(name: str, function: Callable[..., object], opset: int = 9) -> None:
        onnx_export.register_custom_op_symbolic(name, function, opset)
        done.append((name, opset))

    yield registers
    for name, opset in dict.fromkeys(done):
        onnx_export.unregister_custom_op_symbolic(name, opset)


def exported(
    function: Callable[..., object], *, dynamo: bool = False, opset: int = 20, verify: bool = True
) -> onnx_export.ONNXProgram:
    """The program, compared with PyTorch at several sizes."""
    return onnx_export.export(
        Model(function).eval(),
        (X,),
        dynamo=dynamo,
        dynamic_axes={"x": {0: "n"}},
        opset_version=opset,
        verify=verify,
        verbose=False,
    )


def failure(function: Callable[..., object]) -> str:
    with pytest.raises(ConversionError) as caught:
        exported(function, verify=False)
    return str(caught.value)


def types(program: onnx_export.ONNXProgram) -> list[str]:
    return [node.op_type for node in program.model.graph]


@pytest.mark.parametrize("dynamo", [False, True])
@pytest.mark.parametrize("opset", [9, 13, 18, 24])
def test_a_function_serves_on_both_routes(register: Register, opset: int, dynamo: bool) -> None:
    def shrink(g: Graph, x: torch._C.Value, by: torch._C.Value, *rest: torch._C.Value) -> torch._C.Value:
        return g.op("Mul", x, by)

    register("symbolics::shrink", shrink)
    assert types(exported(lambda x: torch.relu(OPS.shrink(x, 0.25)), opset=opset, dynamo=dynamo)) == [
        "Mul",
        "Relu",
    ]
