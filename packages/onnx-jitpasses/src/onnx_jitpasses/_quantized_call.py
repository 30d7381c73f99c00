"""A call on quantized tensors, while it is rewritten for the integers that they hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import (
    ListType,
    TorchDType,
    is_constant,
    is_plain_tensor,
    known_constant,
)
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._rewritten_call import RewrittenCall

__all__ = ["Grid", "QuantizedCall", "QuantizedRewrite"]

_RANGES: Mapping[ir.DataType | None, tuple[TorchDType, int, int]] = {
    ir.DataType.UINT8: (TorchDType("uint8"), 0, 255),
    ir.DataType.INT8: (TorchDType("int8"), -128, 127),
}
_FLOAT = TorchDType("float32")


@dataclasses.dataclass(frozen=True)
class Grid:
    """What the integers of a quantized tensor stand for: (integer - zero point) * scale.

    With an ``axis``, scale and zero point are tensors with a number for each place on it.
    """

    scale: Argument
    zero_point: Argument
    axis: int | None = None


class QuantizedCall(RewrittenCall):
    """The arguments of a call whose quantized tensors are integers already, and ways to make new calls.

    Args:
        node: the call.
        editor: of the program.
        grids: of the quantized tensors up to here.
        packed: the arguments of the calls that pack weights, by their results.
    """

    def __init__(
        self,
        node: ir.Node,
        editor: Editor,
        grids: dict[ir.Value, Grid],
        packed: Mapping[ir.Value, Sequence[ir.Value | None]],
    ) -> None:
        super().__init__(node, editor)
        self._grids = grids
        self._packed = packed

    # -- arguments -------------------------------------------------------------------------------------

    def grid(self, position: int) -> Grid:
        """The grid of the argument, which must be quantized, with one scale for the whole tensor."""
        grid = self._grids.get(self.tensor(position))
        if grid is None:
            raise Unsupported(f"its argument {position} is not quantized where the program says so")
        if grid.axis is not None:
            raise Unsupported("it computes with a scale for each channel")
        return grid

    def grid_of_items(self, position: int) -> Grid:
        """The grid of the first item of a list."""
        grid = self._grids.get(self.items(position)[0])
        if grid is None or grid.axis is not None:
            raise Unsupported("its first tensor is not quantized with one scale")
        return grid

    def packed(self, position: int) -> list[ir.Value]:
        """What the packed weights hold that the call is given."""
        found = self._packed.get(self.tensor(position))
        if found is None:
            raise Unsupported("its weights are packed at run time")
        return [value for value in found if value is not None]

    def result_grid(self, position: int) -> Grid:
        """The grid of the result, which the arguments from ``position`` on say."""
        scale, zero_point = self.tensor(position), self.tensor(position + 1)
        if known_constant(scale) is None and is_constant(scale):  # as for the first of several tensors
            return self.grid(0)
        return Grid(scale, zero_point)

    # -- new calls -------------------------------------------------------------------------------------

    def floating(self, value: ir.Value | None = None) -> ir.Value:
        """What a tensor of floats looks like that has the shape of ``value``, or of the result."""
        value = self.output if value is None else value
        return ir.Value(name=value.name, type=ir.TensorType(ir.DataType.FLOAT), shape=value.shape)

    def real(self, value: ir.Value) -> ir.Value:
        """The numbers that a tensor stands for, if it is quantized; else what it is."""
        grid = self._grids.get(value)
        return value if grid is None else self.real_on(value, grid)

    def real_on(self, value: ir.Value, grid: Grid) -> ir.Value:
        """The numbers that integers stand for on a grid."""
        like, (dtype, low, high) = self.floating(value), self._range(value)
        rest: list[Argument] = [low, high, dtype, None]
        if grid.axis is not None:
            inputs: list[Argument] = [value, grid.scale, grid.zero_point, grid.axis, *rest]
            return self.emission.call("quantized_decomposed::dequantize_per_channel", inputs, like)
        op, numbers = self._numbers("quantized_decomposed::dequantize_per_tensor", grid)
        return self.emission.call(op, [value, *numbers, *rest], like)

    def quantized(self, real: ir.Value, grid: Grid) -> ir.Value:
        """The integers of ``real`` on a grid, in the dtype of the result."""
        dtype, low, high = self._range(self.output)
        return self._quantized(real, grid, dtype, (low, high))

    def rounded(self, real: ir.Value, grid: Grid, most: int) -> ir.Value:
        """The numbers on a grid of unsigned integers up to ``most`` that are next to ``real``."""
        return self.real(self._quantized(real, grid, TorchDType("uint8"), (0, most)))

    def _quantized(self, real: ir.Value, grid: Grid, dtype: TorchDType, limits: tuple[int, int]) -> ir.Value:
        integers = ir.Value(name=self.output.name, type=ir.TensorType(dtype.onnx), shape=real.shape)
        rest: list[Argument] = [*limits, dtype]
        if grid.axis is not None:
            inputs: list[Argument] = [real, grid.scale, grid.zero_point, grid.axis, *rest]
            result = self.emission.call("quantized_decomposed::quantize_per_channel", inputs, integers)
        else:
            op, numbers = self._numbers("quantized_decomposed::quantize_per_tensor", grid)
            result = self.emission.call(op, [real, *numbers, *rest], integers)
        return self.on_grid(result, grid)

    def on_grid(self, value: ir.Value, grid: Grid) -> ir.Value:
        """Take note of what the integers stand for."""
        self._grids[value] = grid
        return value

    def call(self, op: str, inputs: Sequence[Argument], like: ir.Value | None = None) -> ir.Value:
        """A call that gives floats, of the shape of the result if no other is told."""
        return self.emission.call(op, inputs, self.floating() if like is None else like)

    def tensors(self, items: Sequence[ir.Value]) -> ir.Value:
        """A list of tensors of floats."""
        return self.emission.list(items, ListType(ir.TensorType(ir.DataType.FLOAT)))

    def limits(self, value: ir.Value) -> tuple[int, int]:
        """The least and the greatest integer that a quantized tensor can hold."""
        return self._range(value)[1:]

    def _range(self, value: ir.Value) -> tuple[TorchDType, int, int]:
        if value.dtype not in _RANGES:
            raise Unsupported("its integers are not of 8 bits, which are those that ONNX quantizes to")
        return _RANGES[value.dtype]

    def _numbers(self, op: str, grid: Grid) -> tuple[str, list[Argument]]:
        """The call for a scale that is constant, or computed; and its scale and zero point."""
        given = (grid.scale, grid.zero_point)
        if not any(isinstance(number, ir.Value) and not is_constant(number) for number in given):
            return op, list(given)
        return f"{op}.tensor", [
            self._as_tensor(grid.scale, _FLOAT),
            self._as_tensor(grid.zero_point, TorchDType("int64")),
        ]

    def _as_tensor(self, number: Argument, dtype: TorchDType) -> ir.Value:
        number = _holder(number)
        if isinstance(number, ir.Value) and is_plain_tensor(number.type):
            return number
        like = ir.Value(name=self.output.name, type=ir.TensorType(dtype.onnx), shape=ir.Shape(()))
        return self.emission.call("aten::scalar_tensor", [number, dtype, None, None, None], like)


_TAKEN_OUT = frozenset(["Float", "Int", "item"])


def _holder(number: Argument) -> Argument:
    """The tensor that a number was taken out of; the number itself if it was not."""
    while isinstance(number, ir.Value):
        node = number.producer()
        if node is None or node.domain != "aten" or node.op_type not in _TAKEN_OUT:
            break
        number = node.inputs[0]
    return number


QuantizedRewrite = Callable[[QuantizedCall], ir.Value]
"""Makes the result of a call."""
