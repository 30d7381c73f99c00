"""ONNX operators by capability: a lowering names the operator's newest form, emit writes the target's."""

from onnx_ir_capture.emit._calls import AttributeValue
from onnx_ir_capture.emit._division import (
    floor_quotient,
    opmath_dtype,
    product,
    remainder_of,
    rounded_quotient,
    toward_zero,
    true_quotient,
    wide_enough,
)
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import Form, FormFunction, NodeOutput, form, registered_forms
from onnx_ir_capture.emit._frame import GraphFrame, constant_tensor
from onnx_ir_capture.emit._inference import infer_outputs
from onnx_ir_capture.emit._promotion import (
    is_number,
    promote,
    promote_dtypes,
    promoted_dtype,
    to_float_dtype,
)
from onnx_ir_capture.emit._shapes import (
    counted_size,
    dimension,
    least_size,
    normalize_axis,
    rank_of,
    reshape,
    size_vector,
)

__all__ = [
    "AttributeValue",
    "Emitter",
    "Form",
    "FormFunction",
    "GraphFrame",
    "NodeOutput",
    "constant_tensor",
    "counted_size",
    "dimension",
    "floor_quotient",
    "form",
    "infer_outputs",
    "is_number",
    "least_size",
    "normalize_axis",
    "opmath_dtype",
    "product",
    "promote",
    "promote_dtypes",
    "promoted_dtype",
    "rank_of",
    "registered_forms",
    "remainder_of",
    "reshape",
    "rounded_quotient",
    "size_vector",
    "to_float_dtype",
    "toward_zero",
    "true_quotient",
    "wide_enough",
]
