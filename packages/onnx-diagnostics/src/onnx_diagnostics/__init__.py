"""Diagnostics with stable codes and source locations, rendered for people and as SARIF 2.1.0."""

from onnx_diagnostics.__about__ import __version__

__all__ = ["__version__"]
