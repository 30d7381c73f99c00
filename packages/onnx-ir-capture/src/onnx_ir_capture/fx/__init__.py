"""Front end for ``torch.export``: programs as torch.export leaves them, in the torch dialect."""

from onnx_ir_capture.fx._program import import_exported_program

__all__ = ["import_exported_program"]
