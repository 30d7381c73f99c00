"""Results that a loop collects, one row per iteration."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import type_text
from onnx_ir_capture.interpreter._values import torch_dtype

__all__ = ["Stack"]


class Stack:
    """One stacked output of a loop."""

    def __init__(self, output: ir.Value) -> None:
        self._output = output
        self._rows: list[torch.Tensor] = []

    def push(self, row: object) -> None:
        """Add what an iteration yielded, as it is now: a later iteration may write to the same memory.

        Raises:
            TypeError: the row is no tensor.
        """
        if not isinstance(row, torch.Tensor):
            raise TypeError(
                f"the row of stacked output %{self._output.name} is a {type(row).__name__}, no tensor"
            )
        self._rows.append(row.clone())

    def result(self, sizes: Mapping[str, int]) -> torch.Tensor:
        """The rows along a new first dimension.

        Args:
            sizes: what is known of symbolic dimensions, by name; needed where there are no rows.

        Raises:
            ValueError: there are no rows, and the type of the output does not tell dtype and row shape.
        """
        if self._rows:
            return torch.stack(self._rows)
        type_, shape = self._output.type, self._output.shape
        if not isinstance(type_, ir.TensorType) or shape is None or len(shape) == 0:
            raise ValueError(f"the loop ran no iteration, and %{self._output.name} declares no shape")
        row = [dim if isinstance(dim, int) else sizes.get(str(dim.value)) for dim in list(shape)[1:]]
        known = [size for size in row if size is not None]
        if len(known) != len(row):
            raise ValueError(
                f"the loop ran no iteration, and the size of a row of %{self._output.name} "
                f"({type_text(type_)}{list(shape)}) is not among the input's sizes"
            )
        return torch.empty(0, *known, dtype=torch_dtype(type_.dtype))
