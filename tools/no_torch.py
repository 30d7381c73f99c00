"""Exits with 1 where torch can be imported, so that a torch-free run cannot pass with torch at hand."""

import importlib.util
import sys

if __name__ == "__main__":
    spec = importlib.util.find_spec("torch")
    if spec is not None:
        sys.exit(
            f"torch can be imported here, from {spec.origin}: a dependency of a torch-free package brought it"
        )
