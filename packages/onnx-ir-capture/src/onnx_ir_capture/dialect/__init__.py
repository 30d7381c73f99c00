"""The torch dialect: PyTorch programs as onnx_ir graphs whose nodes call ATen operators."""

from onnx_ir_capture.dialect._build import (
    DIALECT_VERSION,
    Aliases,
    GraphBuilder,
    OpName,
    alias_attributes,
    aliases_of,
    op_name,
)
from onnx_ir_capture.dialect._constants import (
    ConstantValue,
    Device,
    Layout,
    MemoryFormat,
    TorchDType,
    constant_key,
    constant_kind,
    constant_node,
    constant_value,
    is_constant,
    same_constant,
)
from onnx_ir_capture.dialect._effects import Effect, draws_random_numbers, effects_of, is_pure
from onnx_ir_capture.dialect._errors import DialectError, DialectSyntaxError
from onnx_ir_capture.dialect._exactness import are_marks_exact, mark_exact, memory_group, share_memory
from onnx_ir_capture.dialect._literals import is_construct, is_literal, items_of, known_constant
from onnx_ir_capture.dialect._names import free_name, take_name
from onnx_ir_capture.dialect._parser import parse_program
from onnx_ir_capture.dialect._printer import print_program
from onnx_ir_capture.dialect._source import Frame, ModuleCall, Source, get_source, set_source
from onnx_ir_capture.dialect._storage import load_program, save_program
from onnx_ir_capture.dialect._structure import blocks_of
from onnx_ir_capture.dialect._types import (
    ListType,
    ScalarKind,
    ScalarType,
    TupleType,
    is_plain_tensor,
    parse_type,
    restore_type,
    scalar_type,
    type_text,
)
from onnx_ir_capture.dialect._verifier import Finding, findings, verify

__all__ = [
    "DIALECT_VERSION",
    "Aliases",
    "ConstantValue",
    "Device",
    "DialectError",
    "DialectSyntaxError",
    "Effect",
    "Finding",
    "Frame",
    "GraphBuilder",
    "Layout",
    "ListType",
    "MemoryFormat",
    "ModuleCall",
    "OpName",
    "ScalarKind",
    "ScalarType",
    "Source",
    "TorchDType",
    "TupleType",
    "alias_attributes",
    "aliases_of",
    "are_marks_exact",
    "blocks_of",
    "constant_key",
    "constant_kind",
    "constant_node",
    "constant_value",
    "draws_random_numbers",
    "effects_of",
    "findings",
    "free_name",
    "get_source",
    "is_constant",
    "is_construct",
    "is_literal",
    "is_plain_tensor",
    "is_pure",
    "items_of",
    "known_constant",
    "load_program",
    "mark_exact",
    "memory_group",
    "op_name",
    "parse_program",
    "parse_type",
    "print_program",
    "restore_type",
    "same_constant",
    "save_program",
    "scalar_type",
    "set_source",
    "share_memory",
    "take_name",
    "type_text",
    "verify",
]
