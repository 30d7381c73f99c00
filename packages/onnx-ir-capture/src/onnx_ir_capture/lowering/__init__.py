"""The lowering driver and what tables of lowerings are made of."""

from onnx_ir_capture.lowering._binding import Argument, Parameter, bind, parameters
from onnx_ir_capture.lowering._driver import LoweredProgram, lower
from onnx_ir_capture.lowering._locations import location_of, source_location
from onnx_ir_capture.lowering._registry import OpRegistry

__all__ = [
    "Argument",
    "LoweredProgram",
    "OpRegistry",
    "Parameter",
    "bind",
    "location_of",
    "lower",
    "parameters",
    "source_location",
]
