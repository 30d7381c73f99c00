"""Lowers dialect text with the symbolic functions alone, checks the file and runs it: no torch anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Target
from onnx_ir_capture.dialect import parse_program
from onnx_ir_capture.lowering import lower
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec
from onnx_symbolics import SYMBOLICS

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Check: TypeAlias = "Callable[[str, tuple[Array, ...], Array, int], None]"

ORT_NEWEST = 23
"""The newest opset that the oldest onnxruntime allowed here serves; past it onnx's own evaluator runs."""


class Refused(Exception):
    """The call could not be lowered; the text is the diagnostics' messages."""


def lowered(text: str, opset: int) -> onnx.ModelProto:
    """The checked ONNX model of a dialect program."""
    model = parse_program(text)
    program = CapturedProgram(
        model,
        tuple(InputSpec(value.name or "", value) for value in model.graph.inputs),
        tuple(OutputSpec(value) for value in model.graph.outputs),
        weights={},
        dimensions={},
        route="test",
    )
    diagnostics = DiagnosticContext("test", "0")
    result = lower(program, [SYMBOLICS], Target(opset), diagnostics)
    if result.failed:
        raise Refused("; ".join(str(found.message) for found in diagnostics.diagnostics))
    graph = result.model.graph
    for index, value in enumerate(graph.outputs):
        if value.is_graph_input() or value.is_initializer():
            # No naming pass runs here: an output that an operator did not make gets a node of its own.
            node = ir.node("Identity", [value])
            node.outputs[0].type, node.outputs[0].shape = value.type, value.shape
            graph.append(node)
            graph.outputs[index] = node.outputs[0]
    proto = ir.to_proto(result.model)
    onnx.checker.check_model(proto, full_check=True)
    return proto


def evaluate(model: onnx.ModelProto, inputs: tuple[Array, ...]) -> list[Array]:
    """By ONNX Runtime where it knows the opset."""
    names = [value.name for value in model.graph.input]
    feeds = dict(zip(names, inputs, strict=True))
    if model.opset_import[0].version > ORT_NEWEST:
        with np.errstate(all="ignore"):
            return [np.asarray(array) for array in ReferenceEvaluator(model).run(None, feeds)]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return [np.asarray(array) for array in session.run(None, feeds)]


def typed(array: Array, dims: str | None = None) -> str:
    shape = ", ".join(map(str, array.shape)) if dims is None else dims
    return f"{ir.DataType.from_numpy(array.dtype).short_name()}[{shape}]"


def text_of(call: str, inputs: tuple[Array, ...], result: str) -> str:
    """A program of one call, ``call`` being its text with %x0, %x1 … for the inputs."""
    params = ", ".join(f"%x{index}: {typed(array)}" for index, array in enumerate(inputs))
    return f"torch dialect 1\ngraph case({params}) {{\n  %y: {result} = {call}\n  return %y\n}}\n"


@pytest.fixture
def check_call() -> Check:
    """Lowers one call, runs it and compares dtype, shape and values with what is expected."""

    def check(call: str, inputs: tuple[Array, ...], expected: Array, opset: int) -> None:
        (result,) = evaluate(lowered(text_of(call, inputs, typed(expected)), opset), inputs)
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        if not np.issubdtype(expected.dtype, np.floating):
            np.testing.assert_array_equal(result, expected)
            return
        tolerance = {2: 2e-3, 4: 2e-6, 8: 1e-12}[expected.dtype.itemsize]
        close = np.isclose(result.astype(float), expected.astype(float), tolerance, tolerance, equal_nan=True)
        assert close.all(), (result, expected)

    return check


@pytest.fixture
def lower_text() -> Callable[[str, int], onnx.ModelProto]:
    return lowered


@pytest.fixture
def run_model() -> Callable[[onnx.ModelProto, tuple[Array, ...]], list[Array]]:
    return evaluate


@pytest.fixture
def refused() -> type[Exception]:
    return Refused
