"""Which nodes ONNX Runtime's CPU provider has no kernels for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import onnx
import onnx.inliner
import onnx.shape_inference
import onnx_ir as ir

from onnx_ir_capture.emit import schemas

__all__ = ["dtype_of", "without_kernel"]


def without_kernel(alike: Sequence[ir.Node], opset: int) -> list[ir.Node]:
    """The nodes that no kernel takes the dtypes of, be it for the operator or for its function body.

    Args:
        alike: calls of one operator of ai.onnx, with the same dtypes as far as these are known.
        opset: that of the model.
    """
    if _has_kernel(alike[0], opset):
        return []
    lacks: dict[str, bool] = {}
    found = []
    for node in alike:
        options = repr(sorted(map(str, node.attributes.values())))
        if options not in lacks:
            lacks[options] = not _runs_by_body(node, opset)
        if lacks[options]:
            found.append(node)
    return found


def dtype_of(value: ir.Value | None) -> ir.DataType | None:
    """The dtype of a tensor; None for all else, and where it is not known."""
    kind = None if value is None else value.type
    return kind.dtype if isinstance(kind, ir.TensorType) and kind.dtype != ir.DataType.UNDEFINED else None


def _has_kernel(node: ir.Node, opset: int) -> bool:
    inputs, outputs = tuple(map(dtype_of, node.inputs)), tuple(map(dtype_of, node.outputs))
    try:
        return schemas.ort_cpu_has_kernel(node.op_type, opset, inputs, outputs)
    except (schemas.OperatorNotFoundError, IndexError):
        return True  # of a translation of the caller's own; onnx.checker says what is wrong with it


def _runs_by_body(node: ir.Node, opset: int) -> bool:
    """Whether the function body that ONNX Runtime puts in the node's place runs.

    A body that cannot be had without the rest of the model counts as one that does.
    """
    if not schemas.form(node.op_type, opset).has_function:
        return False
    if any(value is not None and dtype_of(value) is None for value in node.inputs):
        return True
    alone = _alone(node, opset)
    if not _takes_body(alone, opset):
        return False
    function = [("", node.op_type)]
    body = onnx.inliner.inline_selected_functions(alone, function, inline_schema_functions=True)
    typed = ir.from_proto(onnx.shape_inference.infer_shapes(body))
    return all(_has_kernel(part, opset) or _runs_by_body(part, opset) for part in typed.graph)


@runtime_checkable
class _Functions(Protocol):
    """What is used of ``onnx.defs.OpSchema`` beyond its type information."""

    function_opset_versions: Sequence[int]
    context_dependent_function_opset_versions: Sequence[int]

    def get_function_with_opset_version(self, version: int, /) -> bytes: ...
    def get_context_dependent_function_with_opset_version(
        self, version: int, node: bytes, types: Sequence[bytes], /
    ) -> bytes: ...


def _takes_body(alone: onnx.ModelProto, opset: int) -> bool:
    """Whether ONNX Runtime takes a body: none whose operators have changed since it was written."""
    (node,) = alone.graph.node
    schema: object = onnx.defs.get_schema(node.op_type, opset)
    if not isinstance(schema, _Functions):
        return False
    plain, dependent = schema.function_opset_versions, schema.context_dependent_function_opset_versions
    written = max((version for version in (*plain, *dependent) if version <= opset), default=0)
    if written in plain:
        content = schema.get_function_with_opset_version(written)
    elif written in dependent:
        types = [value.type.SerializeToString() for value in alone.graph.input]
        content = schema.get_context_dependent_function_with_opset_version(
            written, node.SerializeToString(), types
        )
    else:
        return False
    body = onnx.FunctionProto.FromString(content)
    names = {part.op_type for part in body.node}
    return all(schemas.since(name, written) == schemas.since(name, opset) for name in names)


def _alone(node: ir.Node, opset: int) -> onnx.ModelProto:
    """A model of the node alone."""
    given = {value: f"input_{place}" for place, value in enumerate(node.inputs) if value is not None}
    inputs = {value: ir.Value(name=name, type=value.type, shape=value.shape) for value, name in given.items()}
    operands = [None if value is None else inputs[value] for value in node.inputs]
    copy = ir.Node("", node.op_type, operands, node.attributes.values(), num_outputs=len(node.outputs))
    for place, (made, value) in enumerate(zip(copy.outputs, node.outputs, strict=True)):
        made.name, made.type, made.shape = f"output_{place}", value.type, value.shape
    graph = ir.Graph(
        list(inputs.values()), copy.outputs, nodes=[copy], opset_imports={"": opset}, name="alone"
    )
    return ir.to_proto(ir.Model(graph, ir_version=10))
