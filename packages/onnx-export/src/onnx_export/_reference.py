"""Running a model in onnx.reference, and looking at the values inside of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import onnx.reference
import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters
from onnx_ir.passes import common

__all__ = ["run_reference", "tensor_of", "with_outputs"]


def run_reference(model: ir.Model, feeds: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
    """All outputs of ``model`` as onnx.reference, ONNX's implementation in numpy, computes them."""
    evaluator = onnx.reference.ReferenceEvaluator(ir.to_proto(model))
    arrays = {name: tensor_adapters.TorchTensor(tensor).numpy() for name, tensor in feeds.items()}
    return [_to_torch(np.asarray(output)) for output in evaluator.run(None, arrays)]


def tensor_of(weight: ir.Value) -> torch.Tensor:
    """The values of an initializer."""
    if weight.const_value is None:
        raise ValueError(f"the weight {weight.name!r} has no values")
    return _to_torch(np.asarray(weight.const_value.numpy()))


def _to_torch(array: np.ndarray) -> torch.Tensor:
    dtype = tensor_adapters.to_torch_dtype(ir.DataType.from_numpy(array.dtype))
    if array.size == 0:
        return torch.empty(array.shape, dtype=dtype)
    # By its bytes: numpy's bfloat16 and float8 are classes of ml_dtypes, which torch does not read.
    return torch.frombuffer(bytearray(array.tobytes()), dtype=dtype).reshape(array.shape)


def with_outputs(model: ir.Model, names: Sequence[str]) -> tuple[ir.Model, dict[str, ir.Value]]:
    """A copy of ``model`` that computes the values called ``names``, and nothing that they do not need.

    Returns:
        The copy, which shares the weights, and those of the values that are its outputs. The others need no
        run: they are inputs or weights of the model.

    Raises:
        ValueError: there are no such values, or they are inside of a branch, loop or function.
    """
    copy = model.clone()
    graph = copy.graph
    values = {str(value.name): value for node in graph for value in node.outputs if value.name}
    ready = {str(value.name) for value in (*graph.inputs, *graph.initializers.values())}
    unknown = [name for name in names if name not in values and name not in ready]
    if unknown:
        raise ValueError(
            f"the model has no values {', '.join(map(repr, unknown))} outside of branches, loops and "
            "functions; the names are those of program.model.graph"
        )
    wanted = {name: values[name] for name in names if name in values}
    graph.outputs.clear()
    graph.outputs.extend(wanted.values())
    common.RemoveUnusedNodesPass()(copy)
    return copy, wanted
