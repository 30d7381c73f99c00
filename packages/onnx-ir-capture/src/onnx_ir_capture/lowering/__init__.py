"""The lowering driver and what tables of lowerings are made of."""

from onnx_ir_capture.lowering._binding import Argument, Parameter, bind, parameters
from onnx_ir_capture.lowering._driver import DECOMPOSITION, LoweredProgram, lower
from onnx_ir_capture.lowering._failures import (
    custom_translation,
    mark_translated,
    report_custom_fault,
    translation_of,
)
from onnx_ir_capture.lowering._locations import call_stack, location_of, model_frame, source_location
from onnx_ir_capture.lowering._notes import Notes
from onnx_ir_capture.lowering._origin import module_calls, origin_of, set_module_calls
from onnx_ir_capture.lowering._registry import OpRegistry

__all__ = [
    "DECOMPOSITION",
    "Argument",
    "LoweredProgram",
    "Notes",
    "OpRegistry",
    "Parameter",
    "bind",
    "call_stack",
    "custom_translation",
    "location_of",
    "lower",
    "mark_translated",
    "model_frame",
    "module_calls",
    "origin_of",
    "parameters",
    "report_custom_fault",
    "set_module_calls",
    "source_location",
    "translation_of",
]
