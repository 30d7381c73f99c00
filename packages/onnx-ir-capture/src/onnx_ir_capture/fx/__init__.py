"""Front end for ``torch.export``: programs as torch.export leaves them, in the torch dialect."""

from onnx_ir_capture.fx._assumptions import squeezed_singles
from onnx_ir_capture.fx._breaking_sizes import breaking_sizes, broken_findings
from onnx_ir_capture.fx._caches import known_caches
from onnx_ir_capture.fx._callables import as_module, is_scripted, owner_of
from onnx_ir_capture.fx._capture import (
    Capturable,
    DecompositionTable,
    capture,
    plain_arguments,
    requested_dimensions,
)
from onnx_ir_capture.fx._covariance import covariance_of_any_values
from onnx_ir_capture.fx._decompose import CallDecomposer, call_signature, can_decompose
from onnx_ir_capture.fx._dynamic_shapes import DimensionRequest
from onnx_ir_capture.fx._fitting_sizes import fitting_sizes
from onnx_ir_capture.fx._functional import functionalized
from onnx_ir_capture.fx._guard import (
    attention_in_parts,
    model_untouched,
    onnx_export_flag,
    values_kept,
)
from onnx_ir_capture.fx._larger_example import larger_example
from onnx_ir_capture.fx._numbers import PYTHON_OPERATORS, python_operator
from onnx_ir_capture.fx._program import import_exported_program
from onnx_ir_capture.fx._recurrent import any_number_of_steps
from onnx_ir_capture.fx._resized import resized
from onnx_ir_capture.fx._shape_layout import NamedShapes
from onnx_ir_capture.fx._size_limits import InputSize, size_faults

__all__ = [
    "PYTHON_OPERATORS",
    "CallDecomposer",
    "Capturable",
    "DecompositionTable",
    "DimensionRequest",
    "InputSize",
    "NamedShapes",
    "any_number_of_steps",
    "as_module",
    "attention_in_parts",
    "breaking_sizes",
    "broken_findings",
    "call_signature",
    "can_decompose",
    "capture",
    "covariance_of_any_values",
    "fitting_sizes",
    "functionalized",
    "import_exported_program",
    "is_scripted",
    "known_caches",
    "larger_example",
    "model_untouched",
    "onnx_export_flag",
    "owner_of",
    "plain_arguments",
    "python_operator",
    "requested_dimensions",
    "resized",
    "size_faults",
    "squeezed_singles",
    "values_kept",
]
