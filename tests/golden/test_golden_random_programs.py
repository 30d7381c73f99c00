"""Random straight-line programs of in-place, view and pure calls: the passes keep their results."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import onnx_ir as ir
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from golden._final_state import final_state
from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    GraphBuilder,
    OpName,
    TorchDType,
    print_program,
    verify,
)
from onnx_ir_capture.interpreter import Interpreter
from onnx_jitpasses import Functionalize
from onnx_jitpasses.pipeline import PIPELINE

F16, F32, I64 = ir.DataType.FLOAT16, ir.DataType.FLOAT, ir.DataType.INT64
VIEW = Aliases((), ((0, 0),))
WRITE = Aliases((0,), ((0, 0),))
FRESH = Aliases()

Argument = ir.Value | ConstantValue


@dataclasses.dataclass(frozen=True)
class Call:
    """A kind of call: how many tensors it takes, and what constants stand behind them."""

    op: str
    tensors: int
    constants: tuple[ConstantValue, ...] = ()
    aliases: Aliases = FRESH
    dtype: ir.DataType | None = None
    is_row: bool = False
    """Whether the result is one row of the argument."""


# All tensors are [3, 3] or a row [3] of one, so that any call takes any of them.
CALLS = [
    Call("aten::neg", 1),
    Call("aten::exp", 1),
    Call("aten::add.Tensor", 2, (1,)),
    Call("aten::mul.Tensor", 2),
    Call("aten::clone", 1, (None,)),
    Call("aten::alias", 1, (), VIEW),
    Call("aten::detach", 1, (), VIEW),
    Call("aten::dropout", 1, (0.5, False), VIEW),
    Call("aten::select.int", 1, (0, 0), VIEW, is_row=True),
    Call("aten::select.int", 1, (-1, 1), VIEW, is_row=True),
    Call("aten::diagonal", 1, (0, 0, 1), VIEW, is_row=True),
    Call("aten::t", 1, (), VIEW),
    Call("aten::slice.Tensor", 1, (0, 0, 3, 1), VIEW),
    Call("aten::to.dtype", 1, (TorchDType("float32"), False, False, None), VIEW, F32),
    Call("aten::to.dtype", 1, (TorchDType("float16"), False, False, None), VIEW, F16),
    Call("aten::mul.Scalar", 1, (1,)),
    Call("aten::add.Scalar", 1, (0, 1)),
    Call("aten::relu_", 1, (), WRITE),
    Call("aten::neg_", 1, (), WRITE),
    Call("aten::add_.Tensor", 2, (1,), WRITE),
    Call("aten::mul_.Tensor", 2, (), WRITE),
    Call("aten::copy_", 2, (False,), WRITE),
    Call("aten::fill_.Scalar", 1, (2,), WRITE),
    Call("aten::zero_", 1, (), WRITE),
    Call("aten::clamp_", 1, (-1, 1), WRITE),
    Call("aten::ge_.Scalar", 1, (0,), WRITE),
]


def type_of(call: Call, tensors: Sequence[ir.Value]) -> tuple[ir.DataType, tuple[int, ...]]:
    dtypes = {value.dtype for value in tensors}
    widest = F32 if F32 in dtypes else F16
    dtype = call.dtype or (tensors[0].dtype if any(call.aliases) else None) or widest
    sizes = [tuple(value.shape.numpy()) for value in tensors if value.shape is not None]
    if call.is_row:
        return dtype, (3,)
    return dtype, sizes[0] if call.aliases.mutates else max(sizes, key=len)


class Program:
    """A straight-line program under construction."""

    def __init__(self) -> None:
        self.values = [self._value(f"in_{at}", dtype, (3, 3)) for at, dtype in enumerate((F32, F16))]
        self.graph = ir.Graph(list(self.values), [], nodes=[], name="main")
        self.builder = GraphBuilder(self.graph)

    @staticmethod
    def _value(name: str, dtype: ir.DataType, sizes: Sequence[int]) -> ir.Value:
        return ir.Value(name=name, type=ir.TensorType(dtype), shape=ir.Shape(sizes))

    def call(self, call: Call, tensors: Sequence[ir.Value]) -> None:
        dtype, sizes = type_of(call, tensors)
        output = self._value(f"v_{len(self.values)}", dtype, sizes)
        inputs = [*tensors, *map(self.builder.constant, call.constants)]
        self.builder.call(OpName.parse(call.op), inputs, [output], call.aliases)
        self.values.append(output)

    def model(self, outputs: Sequence[ir.Value]) -> ir.Model:
        for value in dict.fromkeys(outputs):
            self.graph.outputs.append(self.builder.identity(value, f"out_{value.name}"))
        return ir.Model(self.graph, ir_version=10)


@st.composite
def programs(draw: st.DrawFn) -> ir.Model:
    program = Program()
    for value in list(program.values):
        program.call(Call("aten::exp", 1), [value])
    for _ in range(draw(st.integers(1, 12))):
        call = draw(st.sampled_from(CALLS))
        pool = (
            program.values if not call.aliases.mutates else program.values[draw(st.sampled_from([0, 2, 2])) :]
        )
        first = draw(st.sampled_from(pool))
        if call.is_row and first.shape is not None and len(first.shape) == 1:
            continue
        tensors = [first]
        if call.tensors == 2:
            sizes = [first.shape] if call.aliases.mutates and first.shape == ir.Shape([3]) else None
            tensors.append(
                draw(st.sampled_from([v for v in program.values if sizes is None or v.shape in sizes]))
            )
        program.call(call, tensors)
    outputs = draw(st.lists(st.sampled_from(program.values), min_size=1, max_size=3))
    return program.model(outputs)


def results(model: ir.Model, count: int) -> list[torch.Tensor] | None:
    """Its own ``count`` outputs and the state of the inputs; None where torch refuses to run the program."""
    generator = torch.Generator().manual_seed(1)
    given = [torch.randn(3, 3, generator=generator), torch.randn(3, 3, generator=generator).half()]
    given[0][0, 0] = -0.0
    try:
        outputs = Interpreter(model, protect=False).run(given)
    except RuntimeError as error:
        # Writes of a row over the matrix that it is part of.
        if "memory location" not in str(error) and "overlap" not in str(error):
            raise
        return None
    state = final_state(model, outputs, count, {f"in_{at}": value for at, value in enumerate(given)})
    return [value.clone() for value in state if isinstance(value, torch.Tensor)]


@settings(max_examples=120)
@given(programs())
def test_results_stay_after_each_pass(model: ir.Model) -> None:
    verify(model)
    count = len(model.graph.outputs)
    expected = results(model, count)
    if expected is None:
        return
    diagnostics = DiagnosticContext("test", "1")
    for step in PIPELINE:
        text = print_program(model)
        is_state = step.kind is Functionalize
        run = Functionalize(diagnostics, keep_state=True) if is_state else step.kind.create(diagnostics)
        run(model)
        if diagnostics.has_errors:
            return
        verify(model)
        found = results(model, count)
        assert found is not None, text
        for one, other in zip(expected, found, strict=True):
            assert one.dtype == other.dtype, text
            torch.testing.assert_close(other, one, rtol=0, atol=0, equal_nan=True, msg=text)
            assert torch.equal(one.isnan() | one.signbit(), other.isnan() | other.signbit()), text
