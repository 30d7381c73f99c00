"""Calls of onnx_export: mypy takes the first, and refuses those that say what they are refused for."""

from __future__ import annotations

import io

import onnx_ir as ir
import torch

import onnx_export
from onnx_torchlib import Op, translator

model = torch.nn.Linear(2, 3)
example = torch.ones(1, 2)

program = onnx_export.export(model, (example,), "model.onnx", dynamic_shapes={"input": {0: "batch"}})
onnx_export.export(model, example, io.BytesIO(), opset_version=18, verify=True)
onnx_export.export(model, kwargs={"input": example}, input_names=["x"], output_names=("y",))
outputs: list[torch.Tensor] = list(program(example))
graph: ir.Graph = program.model.graph
program.save("other.onnx", external_data=False)
exporter = onnx_export.Exporter(20, eval_mode=False)
again: onnx_export.ONNXProgram = exporter.export(model, (example,))

onnx_export.export(model, (example,), "model.onnx", None)  # expect-error: call-arg
onnx_export.export(model, (example,), 3)  # expect-error: arg-type
onnx_export.export(model, (example,), opset_version="18")  # expect-error: arg-type
onnx_export.export(3, (example,))  # expect-error: arg-type
onnx_export.export(model, (example,), input_names=[1])  # expect-error: list-item
onnx_export.export(model, (example,), opsets=18)  # expect-error: call-arg
program.save()  # expect-error: call-arg
program.model = None  # expect-error: assignment
onnx_export.Exporter(opset="18")  # expect-error: call-arg


@translator("my::right")
def right(op: Op, self: ir.Value) -> ir.Value:
    return op.Relu(self)


@translator("my::wrong", since="18")  # expect-error: arg-type
def wrong(op: Op, self: ir.Value) -> ir.Value:
    return op.Relu(self)


@translator("my::none")  # expect-error: type-var
def none(op: Op, self: ir.Value) -> None:
    op.Relu(self)
