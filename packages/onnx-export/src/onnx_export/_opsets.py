"""The opsets that can be asked for."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from onnx_ir_capture.emit.schemas import MIN_OPSET, NEWEST_OPSET
from onnx_torchlib import BASE_OPSET

__all__ = ["check_opset"]


def check_opset(opset: object) -> int:
    """``opset``, if the torch.export route can write it.

    Raises:
        ValueError: it is no opset, or one that only the TorchScript route will write.
    """
    if not isinstance(opset, SupportsIndex) or isinstance(opset, bool):
        raise ValueError(f"opset_version must be an int from {BASE_OPSET} to {NEWEST_OPSET}, got {opset!r}")
    opset = operator.index(opset)  # numpy's integers are none of Python's
    if not MIN_OPSET <= opset <= NEWEST_OPSET:
        raise ValueError(
            f"opset_version={opset} is out of range: choose one from {BASE_OPSET} to {NEWEST_OPSET}"
        )
    if opset < BASE_OPSET:
        raise ValueError(
            f"opset_version={opset} is not supported yet: this version writes opset {BASE_OPSET} to "
            f"{NEWEST_OPSET}; choose opset_version={BASE_OPSET}"
        )
    return opset
