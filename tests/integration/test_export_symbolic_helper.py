"""``onnx_export.symbolic_helper``: what functions written for torch.onnx find in its namesake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import onnx
import onnx_ir as ir
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_export import symbolic_helper as helper
from onnx_export.symbolic_helper import GraphContext, parse_args, quantized_args

LIBRARY = torch.library.Library("helped", "DEF")  # registered as long as this module
LIBRARY.define("part(Tensor x, int dim, int start, int length, int step=1) -> Tensor")
LIBRARY.define("total(Tensor x, int[] dims, bool keep) -> Tensor")
LIBRARY.define("moved(Tensor x, int[] shape) -> Tensor")
LIBRARY.define("best(Tensor x, int k, bool largest) -> (Tensor, Tensor)")
LIBRARY.define("place(Tensor x, int? dim, bool keep) -> Tensor")
LIBRARY.define("joined(Tensor[] parts, str how, float[2]? weights=None) -> Tensor")
LIBRARY.define("clipped(Tensor x, float low, float high, ScalarType? dtype=None) -> Tensor")
LIBRARY.define("times(Tensor x, SymInt count) -> Tensor")
LIBRARY.define("row(Tensor x, Tensor index) -> Tensor")

OPS = torch.ops.helped
EAGER: dict[str, Callable[..., object]] = {
    "part": lambda x, dim, start, length, step=1: x.narrow(dim, start, length)[:, ::step].clone(),
    "total": lambda x, dims, keep: x.sum(dims, keepdim=keep),
    "moved": lambda x, shape: x.reshape(shape).clone(),
    "best": lambda x, k, largest: torch.topk(x, k, largest=largest),
    "place": lambda x, dim, keep: torch.argmax(x, dim, keep),
    "joined": lambda parts, how, weights=None: torch.stack(parts).sum(0),
    "clipped": lambda x, low, high, dtype=None: x.clamp(low, high).to(dtype or x.dtype),
    "times": lambda x, count: x * count,
    "row": lambda x, index: x[index].clone(),
}
for name, function in EAGER.items():
    LIBRARY.impl(name, function, "CompositeExplicitAutograd")


@parse_args("v", "i", "i", "i", "i")
def part(g: GraphContext, x: torch._C.Value, dim: int, start: int, length: int, step: int) -> object:
    first = helper._slice_helper(g, x, [dim], [start], [start + length])
    if step == 1:
        return first
    return helper._slice_helper(g, first, axes=[1], starts=[0], ends=[2**31 - 1], steps=[step])


@parse_args("v", "is", "b")
def total(g: GraphContext, x: torch._C.Value, dims: Sequence[int], keep: bool) -> object:
    summed = helper._reducesum_helper(g, x, dims, keepdims_i=int(keep))
    there = helper._unsqueeze_helper(g, summed, [0])
    return helper._squeeze_helper(g, there, [0])


def moved(g: GraphContext, x: torch._C.Value, shape: torch._C.Value) -> object:
    assert helper._get_tensor_rank(x) == 2
    assert helper._get_tensor_dim_size(x, 1) == 6
    assert helper._get_tensor_sizes(x) == [None, 6]
    assert helper._get_tensor_sizes(x, allow_nonstatic=False) is None
    return helper._reshape_helper(g, x, shape)


@parse_args("v", "i", "b")
def best(g: GraphContext, x: torch._C.Value, k: int, largest: bool) -> object:
    return helper._topk_helper(g, x, k, dim=-1 if g.opset > 9 else 1, largest=largest, sorted=True)


def place(g: GraphContext, x: torch._C.Value, dim: torch._C.Value, keep: torch._C.Value) -> object:
    return helper._argmin_argmax_helper(g, x, dim, keep, "ArgMax")


def joined(g: GraphContext, parts: torch._C.Value, how: torch._C.Value, weights: torch._C.Value) -> object:
    assert helper._is_packed_list(parts)
    assert helper._is_tensor_list(parts)
    assert helper._maybe_get_const(how, "s") == "sum"
    assert helper._is_none(weights)
    items = helper._unpack_list(parts)
    assert all(map(helper._is_tensor, items))
    assert helper.args_have_same_dtype(items)
    whole = g.op("Concat", *(helper._unsqueeze_helper(g, item, [0]) for item in items), axis_i=0)
    return helper._reducesum_helper(g, whole, [0], keepdims_i=0)


@quantized_args(True)
@parse_args("v", "f", "f", "i")
def clipped(g: GraphContext, x: torch._C.Value, low: float, high: float, dtype: int | None) -> object:
    bounds = [torch.tensor(low), torch.tensor(high)]
    if g.opset < 11:
        result = helper._op_with_optional_float_cast(g, "Clip", x, min_f=low, max_f=high)
    else:
        result = g.op("Min", g.op("Max", x, bounds[0]), bounds[1])
    if dtype is None:
        return result
    return g.op("Cast", result, to_i=helper.scalar_type_to_onnx[dtype])


def row(g: GraphContext, x: torch._C.Value, index: torch._C.Value) -> object:
    return helper._squeeze_helper(g, helper._select_helper(g, x, 0, index), [0])


@parse_args("v", "i")
def times(g: GraphContext, x: torch._C.Value, count: int) -> object:
    return g.op("Mul", x, torch.tensor(count))


SYMBOLICS: dict[str, Callable[..., object]] = {
    "part": part,
    "total": total,
    "moved": moved,
    "best": best,
    "place": place,
    "joined": joined,
    "clipped": clipped,
    "row": row,
    "times": times,
}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for name, function in SYMBOLICS.items():
        onnx_export.register_custom_op_symbolic(f"helped::{name}", function, 9)
    yield
    for name in SYMBOLICS:
        onnx_export.unregister_custom_op_symbolic(f"helped::{name}", 9)


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


def exported(function: Callable[..., object], x: torch.Tensor, opset: int) -> onnx_export.ONNXProgram:
    return onnx_export.export(
        Model(function).eval(),
        (x,),
        dynamo=False,
        dynamic_axes={"x": {0: "n"}},
        opset_version=opset,
        verify=True,
        verbose=False,
    )


X = torch.randn(4, 6)


@pytest.mark.parametrize("opset", [9, 11, 13, 18, 20])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: OPS.part(x, 1, 1, 4), id="slice"),
        pytest.param(lambda x: OPS.total(x, [1], True), id="sum"),
        pytest.param(lambda x: OPS.moved(x, [-1, 3]), id="reshape"),
        pytest.param(lambda x: OPS.best(x, 2, True), id="topk"),
        pytest.param(lambda x: OPS.place(x, 1, False), id="argmax"),
        pytest.param(lambda x: OPS.place(x, None, True), id="argmax of all"),
        pytest.param(lambda x: OPS.joined([x, x + 1], "sum"), id="list"),
        pytest.param(lambda x: OPS.clipped(x, -0.5, 0.5), id="clip"),
        pytest.param(lambda x: OPS.clipped(x, -0.5, 0.5, torch.float16), id="dtype"),
        pytest.param(lambda x: OPS.row(x, (x[0, 0] > 9).long()), id="select"),
    ],
)
def test_helpers_write_the_form_of_the_opset(function: Callable[..., object], opset: int) -> None:
    exported(function, X, opset)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float16])
def test_operands_of_several_dtypes_are_cast(dtype: torch.dtype) -> None:
    exported(lambda x: OPS.clipped(x.half(), -0.5, 0.5), X.to(dtype), 20)


@pytest.mark.parametrize("opset", [11, 20])
def test_what_is_there_from_a_later_opset_on(opset: int) -> None:
    exported(lambda x: (OPS.best(x, 2, False), OPS.part(x, 1, 0, 5, 2)), X, opset)
    with pytest.raises(ConversionError) as caught:
        exported(lambda x: (OPS.best(x, 2, False), OPS.part(x, 1, 0, 5, 2)), X, 9)
    text = str(caught.value)
    assert "topk of the smallest cannot be exported to opset 9; opset 11 can hold it" in text
    assert "a slice with steps cannot be exported to opset 9; opset 10 can hold it" in text


def test_a_value_of_run_time_is_no_constant() -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(
            Model(lambda x: OPS.times(x, x.shape[0])).eval(),
            (X,),
            dynamic_shapes={"x": {0: "n"}},
            verbose=False,
        )
    assert "SymbolicValueError: the argument 'count' of times is computed at run time" in str(caught.value)


def test_quantized_arguments_are_floats_for_the_function() -> None:
    @quantized_args(True)
    def halved(g: GraphContext, x: torch._C.Value) -> torch._C.Value:
        assert helper._is_fp(x)
        return g.op("Div", x, torch.tensor(2.0))

    def whole(g: GraphContext, x: torch._C.Value, *rest: torch._C.Value) -> object:
        scale, zero = torch.tensor(0.5), torch.tensor(3, dtype=torch.uint8)
        constants = [g.op("Constant", value_t=tensor) for tensor in (scale, zero)]
        quantized = helper.quantize_helper(g, x, *constants)
        result = halved(g, quantized)
        assert isinstance(result, torch._C.Value)
        assert helper._is_tuple_construct(result)
        floats, _, _, axis = helper.dequantize_helper(g, result)
        assert axis is None
        return floats

    onnx_export.register_custom_op_symbolic("helped::clipped", whole, 10)
    try:
        program = onnx_export.export(
            Model(lambda x: OPS.clipped(x, 0.0, 1.0)), (X,), dynamo=False, verbose=False
        )
    finally:
        onnx_export.unregister_custom_op_symbolic("helped::clipped", 10)
    x = torch.tensor([[1.0, 3.0, -1.0]]).expand(4, 3).repeat(1, 2)
    (got,) = program(x)
    assert got[0].tolist() == [0.5, 1.5, -0.5] * 2


def test_tables_of_dtypes() -> None:
    assert int(helper.cast_pytorch_to_onnx["Long"]) == onnx.TensorProto.INT64
    assert helper.scalar_type_to_onnx[6] == ir.DataType.FLOAT
    assert helper.scalar_type_to_pytorch_type[5] is torch.float16
    assert helper.pytorch_name_to_type["Half"] is torch.float16
    assert helper.scalar_name_to_pytorch["int64_t"] == "Long"
    assert len(helper.cast_pytorch_to_onnx) == 13
    assert len(helper.scalar_type_to_onnx) == 16


def test_training_mode_is_told() -> None:
    with pytest.warns(UserWarning, match="dropout is exported in training mode"):
        helper.check_training_mode(1, "dropout")
    helper.check_training_mode(0, "dropout")
