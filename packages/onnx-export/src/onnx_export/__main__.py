"""``python -m onnx_export`` is the command line."""

from onnx_export.cli import main

main()
