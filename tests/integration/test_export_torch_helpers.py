"""Functions that call helpers of torch.onnx, as those of public projects do, and registrations with it."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import torch
import torch.onnx

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_export.symbolic_helper import GraphContext

# Loaded by name, since they are typed for torch's own kind of g.
symbolic_helper = importlib.import_module("torch.onnx.symbolic_helper")
symbolic_opset9 = importlib.import_module("torch.onnx.symbolic_opset9")
symbolic_opset13 = importlib.import_module("torch.onnx.symbolic_opset13")
settings = importlib.import_module("torch.onnx._internal.torchscript_exporter._globals").GLOBALS

LIBRARY = torch.library.Library("publicly", "DEF")  # registered as long as this module
LIBRARY.define(
    "every(Tensor x, Tensor? y, int n, float f, bool b, int[] dims, Tensor[] parts, int[] sizes, "
    "ScalarType? dtype=None, Layout? layout=None, MemoryFormat? memory_format=None, Scalar alpha=1) -> Tensor"
)
LIBRARY.define("window(Tensor x, int start, int length) -> Tensor")
LIBRARY.define("energy(Tensor x, int[] dims, bool keep) -> Tensor")
LIBRARY.define("gate(Tensor x, Tensor w, Tensor? b) -> Tensor")
LIBRARY.define("largest(Tensor x, int k) -> (Tensor, Tensor)")
LIBRARY.define("fill(Tensor x, Tensor mask, float value) -> Tensor")

OPS = torch.ops.publicly
EAGER: dict[str, Callable[..., object]] = {
    "every": lambda x, *rest, **named: x + 1,
    "window": lambda x, start, length: x.narrow(1, start, length).clone(),
    "energy": lambda x, dims, keep: (x * x).sum(dims, keepdim=keep),
    "gate": lambda x, w, b: torch.sigmoid(torch.nn.functional.linear(x, w, b)),
    "largest": lambda x, k: torch.topk(x, k, 1),
    "fill": lambda x, mask, value: x.masked_fill(mask, value),
}
for name, function in EAGER.items():
    LIBRARY.impl(name, function, "CompositeExplicitAutograd")

# Torch's helpers have no types.
parse_args: Callable[..., Callable[[Callable[..., object]], Callable[..., object]]]
parse_args = symbolic_helper.parse_args
quantized_args: Callable[..., Callable[[Callable[..., object]], Callable[..., object]]]
quantized_args = symbolic_helper.quantized_args


@parse_args("v", "i", "i")
def window(g: GraphContext, x: torch._C.Value, start: int, length: int) -> object:
    return symbolic_helper._slice_helper(g, x, axes=[1], starts=[start], ends=[start + length])


@quantized_args(True)
@parse_args("v", "is", "b")
def energy(g: GraphContext, x: torch._C.Value, dims: list[int], keep: bool) -> object:
    squared = symbolic_opset9.mul(g, x, x)
    summed = symbolic_helper._reducesum_helper(g, squared, dims, keepdims_i=int(keep))
    wider = symbolic_helper._unsqueeze_helper(g, summed, [0])
    return symbolic_helper._squeeze_helper(g, wider, [0])


def gate(g: GraphContext, x: torch._C.Value, w: torch._C.Value, b: torch._C.Value) -> object:
    return symbolic_opset9.sigmoid(g, symbolic_opset9.linear(g, x, w, b))


def largest(g: GraphContext, x: torch._C.Value, k: torch._C.Value) -> object:
    return symbolic_helper._topk_helper(g, x, k, dim=1, sorted=True)


def fill(g: GraphContext, x: torch._C.Value, mask: torch._C.Value, value: torch._C.Value) -> object:
    return symbolic_opset9.masked_fill(g, x, mask, value)


SYMBOLICS: dict[str, Callable[..., object]] = {
    "window": window,
    "energy": energy,
    "gate": gate,
    "largest": largest,
    "fill": fill,
}


@pytest.fixture(autouse=True)
def with_torch() -> Iterator[None]:
    """The functions are registered with torch, and with nothing else."""
    for name, function in SYMBOLICS.items():
        torch.onnx.register_custom_op_symbolic(f"publicly::{name}", function, 9)
    yield
    for name in SYMBOLICS:
        torch.onnx.unregister_custom_op_symbolic(f"publicly::{name}", 9)


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> object:
        return self.function(x, y)


ARGS = (torch.randn(4, 6), torch.randn(5, 6))
AXES: Mapping[str, Mapping[int, str]] = {"x": {0: "n"}}


def exported(function: Callable[..., object], *, dynamo: bool = False, opset: int = 18) -> list[str]:
    program = onnx_export.export(
        Model(function).eval(),
        ARGS,
        dynamo=dynamo,
        dynamic_axes=AXES,
        opset_version=opset,
        verify=True,
        verbose=False,
    )
    return [node.op_type for node in program.model.graph]


@pytest.mark.parametrize("opset", [9, 11, 13, 18, 22])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x, y: OPS.window(x, 1, 3), id="slice"),
        pytest.param(lambda x, y: OPS.energy(x, [1], True), id="sum"),
        pytest.param(lambda x, y: OPS.gate(x, y, None), id="linear"),
        pytest.param(lambda x, y: OPS.gate(x, y, y[:, 0]), id="bias"),
        pytest.param(lambda x, y: OPS.fill(x, x > 0, -1.0), id="fill"),
        pytest.param(lambda x, y: OPS.fill(x.half(), x > 0, -1.0), id="float16"),
    ],
)
def test_functions_that_were_registered_with_torch(function: Callable[..., object], opset: int) -> None:
    exported(function, opset=opset)


def test_they_serve_torch_export_where_nothing_else_does() -> None:
    exported(lambda x, y: OPS.window(x, 1, 3), dynamo=True)
    torch.onnx.register_custom_op_symbolic("aten::relu", lambda g, x: g.op("Clip", x, torch.tensor(0.0)), 9)
    try:
        assert exported(lambda x, y: torch.relu(x) + y[0], dynamo=True)[0] == "Relu"
        assert "Clip" in exported(lambda x, y: torch.relu(x) + y[0])
    finally:
        torch.onnx.unregister_custom_op_symbolic("aten::relu", 9)


def test_of_both_registrations_the_newer_opset_serves_and_else_ours() -> None:
    onnx_export.register_custom_op_symbolic("publicly::window", lambda g, *_: g.op("None"), 9)
    try:
        with pytest.raises(ConversionError, match="None"):
            exported(lambda x, y: OPS.window(x, 1, 3))
        torch.onnx.register_custom_op_symbolic("publicly::window", window, 10)
        exported(lambda x, y: OPS.window(x, 1, 3))
    finally:
        torch.onnx.unregister_custom_op_symbolic("publicly::window", 10)
        onnx_export.unregister_custom_op_symbolic("publicly::window", 9)


def test_torch_believes_that_it_exports_to_the_opset() -> None:
    def clipped(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
        bounds = [g.op("Constant", value_t=torch.tensor(bound)) for bound in (-1, 2)]
        return symbolic_helper._op_with_optional_float_cast(g, "Clip", x, *bounds, opset_before=12)

    LIBRARY.define("clipped(Tensor x) -> Tensor")
    LIBRARY.impl("clipped", lambda x: x.clamp(-1, 2), "CompositeExplicitAutograd")
    torch.onnx.register_custom_op_symbolic("publicly::clipped", clipped, 11)
    before = settings.export_onnx_opset_version
    for opset, count in ((11, 4), (13, 0)):
        program = onnx_export.export(
            Model(lambda x, y: OPS.clipped(x)),
            (torch.arange(-4, 4), ARGS[1]),
            dynamo=False,
            opset_version=opset,
            verify=True,
            verbose=False,
        )
        types = [node.op_type for node in program.model.graph]
        assert types.count("Cast") == count, types
    assert settings.export_onnx_opset_version == before


def test_lists_are_given_to_functions_that_know_outputs() -> None:
    torch.onnx.register_custom_op_symbolic("aten::split", symbolic_opset13.split, 13)
    torch.onnx.register_custom_op_symbolic("aten::unbind", symbolic_opset13.unbind, 13)
    try:
        exported(lambda x, y: (torch.split(y, 2)[1], torch.unbind(y)[3] + x))
    finally:
        torch.onnx.unregister_custom_op_symbolic("aten::split", 13)
        torch.onnx.unregister_custom_op_symbolic("aten::unbind", 13)


class MaskedSoftmax(torch.autograd.Function):
    """In the manner of attention layers that need a mask of their own."""

    @staticmethod
    def forward(ctx: object, scores: torch.Tensor, mask: torch.Tensor, dim: int) -> torch.Tensor:
        hidden = ~mask.to(torch.bool)
        weights = scores.masked_fill(hidden, torch.finfo(scores.dtype).min).softmax(dim)
        return weights.masked_fill(hidden, 0)

    @staticmethod
    def symbolic(g: GraphContext, scores: torch._C.Value, mask: torch._C.Value, dim: int) -> object:
        number = symbolic_helper.cast_pytorch_to_onnx
        kept = g.op("Cast", mask, to_i=number["Long"])
        one = g.op("Constant", value_t=torch.tensor(1, dtype=torch.int64))
        hidden = g.op("Cast", g.op("Sub", one, kept), to_i=number["Bool"])
        kind = scores.type()
        assert isinstance(kind, torch._C.TensorType)
        dtype = kind.dtype()
        assert dtype is not None
        least = g.op("Constant", value_t=torch.tensor(torch.finfo(dtype).min))
        weights = symbolic_opset9.softmax(g, symbolic_opset9.masked_fill(g, scores, hidden, least), dim)
        nothing = g.op("Constant", value_t=torch.tensor(0, dtype=torch.bool))
        return symbolic_opset9.masked_fill(g, weights, hidden, nothing)


masked_softmax: Callable[..., torch.Tensor] = MaskedSoftmax.apply


@pytest.mark.parametrize("opset", [9, 12, 13, 20])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_an_autograd_function_of_torch_s_symbolic_functions(dtype: torch.dtype, opset: int) -> None:
    types = exported(lambda x, y: masked_softmax(x.to(dtype), y[0] > 0, -1), opset=opset)
    assert types.count("Softmax") == 1


# What functions are handed, held against torch's own exporter


def described(value: torch._C.Value) -> object:
    node, kind = value.node(), value.type()
    if node.kind() == "prim::ListConstruct":
        return "list", str(kind), [described(item) for item in node.inputs()]
    if node.kind() == "onnx::Constant":
        held = node.t("value")
        return held.dtype, held.tolist(), str(kind), value.isCompleteTensor()
    if not isinstance(kind, torch._C.TensorType):
        return node.kind(), str(kind), node.mustBeNone()
    return (
        kind.sizes(),
        kind.varyingSizes(),
        kind.dim(),
        kind.dtype(),
        kind.device(),
        value.isCompleteTensor(),
    )


@pytest.mark.parametrize("axes", [{}, {"x": {0: "n"}, "y": {1: "m"}}])
def test_the_arguments_are_those_that_torch_gives(axes: dict[str, dict[int, str]], tmp_path: Path) -> None:
    seen: list[list[object]] = []

    def every(g: GraphContext, *arguments: torch._C.Value) -> object:
        seen.append([described(argument) for argument in arguments])
        return g.op("Add", arguments[0], g.op("Constant", value_t=torch.tensor(1.0)))

    def call(x: torch.Tensor, y: torch.Tensor) -> object:
        return OPS.every(
            x, None, 3, 0.5, True, [1, 2], [x, y], [x.shape[0], 4],
            torch.float16, torch.strided, torch.channels_last, 2.5,
        )  # fmt: skip

    torch.onnx.register_custom_op_symbolic("publicly::every", every, 9)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                Model(call),
                ARGS,
                tmp_path / "model.onnx",
                dynamo=False,
                opset_version=17,
                input_names=["x", "y"],
                dynamic_axes=axes,
            )
        onnx_export.export(
            Model(call), ARGS, dynamo=False, opset_version=17, dynamic_axes=axes, verbose=False
        )
    finally:
        torch.onnx.unregister_custom_op_symbolic("publicly::every", 9)
    theirs, ours = seen
    assert ours == theirs
