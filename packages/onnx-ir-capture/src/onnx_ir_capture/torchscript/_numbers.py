"""Numbers in tensors: TorchScript puts one into a tensor where an operator takes tensors only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import OpName, ScalarType, TorchDType, op_name, scalar_type
from onnx_ir_capture.torchscript._nodes import constant_tensor

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = [
    "INTEGERS",
    "SCALAR_TENSOR",
    "number_as_tensor",
    "takes_numbers",
    "tensor_arguments",
    "tensor_as_number",
    "wrapped",
]

SCALAR_TENSOR = OpName("aten", "scalar_tensor")
"""What makes a tensor of a number."""

_ITEM = OpName("aten", "item")
INTEGERS = frozenset(["aten::Int", "aten::IntImplicit", "aten::ScalarImplicit"])
"""What makes a number of a 0-d tensor where a size may be meant."""

_NUMBERS: Mapping[str, OpName] = {
    "aten::Int": OpName("aten", "Int", "Scalar"),
    "aten::IntImplicit": OpName("aten", "Int", "Scalar"),
    "aten::Float": OpName("aten", "Float", "Scalar"),
    "aten::FloatImplicit": OpName("aten", "Float", "Scalar"),
}
"""What makes a number of the type that is asked for of the one in a tensor."""

_SMALLER: Mapping[torch.dtype, torch.dtype] = {
    torch.int64: torch.int8,
    torch.float64: torch.float16,
    torch.complex128: torch.complex64,
}


def takes_numbers(name: str) -> bool:
    """Whether a model may give an operator a number in place of a tensor; its name is as ``aten::mul``."""
    return bool(torch._C._should_allow_numbers_as_tensors(name.removeprefix("aten::")))


def wrapped(value: torch._C.Value) -> int | float | complex | None:
    """The number of the model that a trace holds as a tensor, which does not take part in promotion.

    Torch marks the tensor, and tells it by no attribute: another of its kind and a smaller dtype has the say.
    """
    tensor = constant_tensor(value.node())
    if tensor is None:
        return None
    smaller = _SMALLER.get(tensor.dtype)
    if (
        smaller is None
        or tensor.dim()
        or torch.result_type(tensor, torch.empty((), dtype=smaller)) != smaller
    ):
        return None
    return tensor.item()


def number_as_tensor(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """Import a tensor of a number."""
    number = importer.value(node.inputsAt(0))
    importer.emit(SCALAR_TENSOR, tensor_arguments(importer, number), importer.outputs(node), node)
    return True


def tensor_arguments(importer: ScriptImporter, number: ir.Value) -> list[ir.Value]:
    """The arguments of ``aten::scalar_tensor`` that make a tensor of a number."""
    kind = number.type.kind if isinstance(number.type, ScalarType) else "int"
    dtype = TorchDType({"int": "int64", "float": "float64", "bool": "bool"}[kind])
    none = importer.builder.constant(None)
    return [number, importer.builder.constant(dtype), none, none, none]


def tensor_as_number(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """Import the number that a tensor holds; False where no tensor is given."""
    if node.kind() in INTEGERS and _as_integer(importer, node):
        return True
    if node.kind() not in _NUMBERS or not isinstance(node.inputsAt(0).type(), torch._C.TensorType):
        return False
    held = ir.Value(
        name=importer.unique_name(f"{node.outputsAt(0).debugName()}_held"),
        type=scalar_type("object"),
        shape=ir.Shape(()),
    )
    importer.emit(_ITEM, [importer.value(node.inputsAt(0))], [held], node)
    importer.emit(_NUMBERS[node.kind()], [held], importer.outputs(node), node)
    return True


def _as_integer(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """Import the number that an integer tensor holds; False where it is of another dtype."""
    tensor, output = importer.value(node.inputsAt(0)), node.outputsAt(0)
    made_by = tensor.producer()
    if made_by is not None and op_name(made_by) == SCALAR_TENSOR and made_by.inputs[0] is not None:
        number = made_by.inputs[0]  # a size went into a tensor, and comes out of it
        if isinstance(number.type, ScalarType) and number.type.kind == "int":
            importer.bind(output, number)
            return True
    if tensor.dtype is None or not tensor.dtype.is_integer():
        return False
    importer.emit(_ITEM, [tensor], [importer.output(output)], node)
    return True
