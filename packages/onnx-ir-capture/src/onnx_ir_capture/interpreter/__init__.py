"""Runs graphs of the torch dialect through ``torch.ops``, with real tensors or with fake ones."""

from onnx_ir_capture.interpreter._errors import InterpreterError
from onnx_ir_capture.interpreter._interpreter import Interpreter, Observer
from onnx_ir_capture.interpreter._program import run_program

__all__ = ["Interpreter", "InterpreterError", "Observer", "run_program"]
