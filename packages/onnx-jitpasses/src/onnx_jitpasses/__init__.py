"""Cleanup passes over the torch dialect of onnx-ir-capture."""

from onnx_jitpasses.__about__ import __version__

__all__ = ["__version__"]
