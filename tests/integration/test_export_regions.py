"""Operators of torch that run functions the model hands them: once, on single rows, or on single scores."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.utils.checkpoint import checkpoint

import onnx_export
from onnx_diagnostics import OnnxExporterError

Tensor = torch.Tensor


class Model(torch.nn.Module):
    def __init__(self, function: Callable[[Model, Tensor], object]) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(5, 5)
        self.function = function

    def forward(self, x: Tensor) -> object:
        return self.function(self, x)


def exported(function: Callable[[Model, Tensor], object]) -> onnx_export.ONNXProgram:
    """Export, and compare with eager PyTorch at several sizes."""
    torch.manual_seed(0)
    return onnx_export.export(
        Model(function).eval(), (torch.randn(3, 5),), dynamic_shapes=({0: "n"},), verbose=False, verify=True
    )


def rows_by_vmap(m: Model, x: Tensor) -> object:
    return torch.vmap(lambda row: m.layer(row * row.sum()))(x)


def nested_vmap(m: Model, x: Tensor) -> object:
    return torch.vmap(lambda row: torch.vmap(lambda y: y * x.sum() + row.max())(row))(x)


@pytest.mark.parametrize("function", [rows_by_vmap, nested_vmap])
def test_vmap(function: Callable[..., object]) -> None:
    program = exported(function)
    assert not {"Loop", "Scan"} & {node.op_type for node in program.model.graph.all_nodes()}


class FlexAttention(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.slopes = torch.nn.Buffer(torch.tensor([0.5, -0.25]))

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> object:
        def biased(score: Tensor, b: Tensor, h: Tensor, row: Tensor, column: Tensor) -> Tensor:
            return score + self.slopes[h] * (row - column)

        causal = create_block_mask(
            lambda b, h, row, column: row >= column, None, None, q.shape[2], k.shape[2], device="cpu"
        )
        return flex_attention(q, k, v, score_mod=biased), flex_attention(q, k, v, block_mask=causal)


def test_flex_attention() -> None:
    q, k, v = torch.randn(3, 1, 2, 17, 8)
    length = {name: {2: "length"} for name in "qkv"}
    onnx_export.export(FlexAttention(), (q, k, v), dynamic_shapes=length, verbose=False, verify=True)


def test_products_in_another_dtype() -> None:
    def product(x: Tensor, y: Tensor) -> object:
        return torch.ops.higher_order.out_dtype(torch.ops.aten.mm.default, torch.int32, x, y)

    x, y = (torch.randint(-128, 128, shape, dtype=torch.int8) for shape in ((3, 5), (5, 7)))
    onnx_export.export(product, (x, y), dynamic_shapes=({0: "n"}, None), verbose=False, verify=True)


def regions(m: Model, x: Tensor) -> object:
    region = torch.compiler.nested_compile_region(lambda y: m.layer(y).sin())
    return checkpoint(lambda y: m.layer(y).relu(), region(region(x)), use_reentrant=False)


def test_regions_that_run_once() -> None:
    exported(regions)


@torch.library.custom_op("regions::write_", mutates_args=["x"])
def write_(x: Tensor, by: float) -> None:
    x.add_(by)


@write_.register_fake
def _(x: Tensor, by: float) -> None:
    return None


@pytest.mark.parametrize("decomposed", [False, True])
def test_an_operator_that_writes_is_named_in_a_decomposed_program_too(decomposed: bool) -> None:
    def function(m: Model, x: Tensor) -> Tensor:
        y = x.sin()
        write_(y, 2.0)
        return y

    program = torch.export.export(Model(function), (torch.randn(3, 5),))
    if decomposed:
        program = program.run_decompositions({})
    with pytest.raises(OnnxExporterError, match=r"regions::write_ writes in place") as caught:
        onnx_export.export(program, verbose=False)
    assert [found.rule.code for found in caught.value.diagnostics] == ["JIT001"]
