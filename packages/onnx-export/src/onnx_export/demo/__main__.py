"""``python -m onnx_export.demo`` runs the demo."""

import sys

from onnx_export.demo import main

sys.exit(main())
