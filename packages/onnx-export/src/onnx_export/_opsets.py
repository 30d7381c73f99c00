"""The opsets that can be asked for."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from onnx_ir_capture.emit.schemas import MIN_OPSET, NEWEST_OPSET

__all__ = ["check_opset"]


def check_opset(opset: object) -> int:
    """``opset``, if it can be written.

    Raises:
        ValueError: it is no opset that operators have a form for.
    """
    if not isinstance(opset, SupportsIndex) or isinstance(opset, bool):
        raise ValueError(f"opset_version must be an int from {MIN_OPSET} to {NEWEST_OPSET}, got {opset!r}")
    opset = operator.index(opset)  # numpy's integers are none of Python's
    if not MIN_OPSET <= opset <= NEWEST_OPSET:
        raise ValueError(
            f"opset_version={opset} is out of range: choose one from {MIN_OPSET} to {NEWEST_OPSET}"
        )
    return opset
