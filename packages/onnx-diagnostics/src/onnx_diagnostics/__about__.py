"""Version of onnx-diagnostics."""

__all__ = ["__version__"]

__version__ = "0.1.0"
