"""Runs graphs of the torch dialect through ``torch.ops``, with real tensors or with fake ones."""

from onnx_ir_capture.interpreter._autograd import AutogradCall, autograd_call, name_autograd_call
from onnx_ir_capture.interpreter._calls import call, find_operator
from onnx_ir_capture.interpreter._errors import InterpreterError
from onnx_ir_capture.interpreter._interpreter import Interpreter, Observer
from onnx_ir_capture.interpreter._program import run_program
from onnx_ir_capture.interpreter._single import run_call
from onnx_ir_capture.interpreter._values import is_plain_strided, torch_constant, torch_dtype, weight_tensor

__all__ = [
    "AutogradCall",
    "Interpreter",
    "InterpreterError",
    "Observer",
    "autograd_call",
    "call",
    "find_operator",
    "is_plain_strided",
    "name_autograd_call",
    "run_call",
    "run_program",
    "torch_constant",
    "torch_dtype",
    "weight_tensor",
]
