"""A call on complex numbers, while it is rewritten for pairs of real ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import (
    ListType,
    TorchDType,
    constant_value,
    is_constant,
    is_plain_tensor,
    items_of,
    scalar_type,
)
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._rewritten_call import RewrittenCall

__all__ = ["PARTS", "Dims", "PairCall", "Rewrite", "is_complex", "pair_shape", "pair_type"]

PARTS: Mapping[ir.DataType | None, TorchDType] = {
    ir.DataType.COMPLEX64: TorchDType("float32"),
    ir.DataType.COMPLEX128: TorchDType("float64"),
}
"""The dtype of the two parts of a complex number."""

_REAL_DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64"),
)

Dims = Sequence["int | ir.SymbolicDim"]
"""Sizes of a tensor."""


def is_complex(value: ir.Value | None) -> bool:
    """Whether the value is a complex tensor."""
    return value is not None and is_plain_tensor(value.type) and value.dtype in PARTS


def pair_type(type_: ir.TypeProtocol | None) -> ir.TensorType:
    """The type of the parts of a complex tensor of the type."""
    return ir.TensorType(PARTS[None if type_ is None else type_.dtype].onnx)


def pair_shape(shape: ir.Shape | None) -> ir.Shape | None:
    """The shape of the pairs that stand for complex numbers of the shape."""
    return None if shape is None else ir.Shape([*shape, 2])


class PairCall(RewrittenCall):
    """The arguments of a call whose complex tensors are pairs already, and ways to make new calls."""

    def __init__(self, node: ir.Node, editor: Editor, pairs: set[ir.Value]) -> None:
        super().__init__(node, editor)
        self._pairs = pairs
        self.limits: list[str] = []
        """Where the numbers of the rewritten call are not PyTorch's."""

    def limit(self, reason: str) -> None:
        """Tell the user once where the call gives other numbers than PyTorch, as docs/limits.md does.

        Args:
            reason: completes the sentence "aten::xyz is exported, but …".
        """
        self.limits.append(reason)

    def refuse(self, reason: str) -> Unsupported:
        """What to raise where the call cannot be rewritten."""
        return Unsupported(reason)

    # -- arguments -------------------------------------------------------------------------------------

    def is_pair(self, value: ir.Value | None) -> bool:
        """Whether the value is a tensor of pairs."""
        return value in self._pairs

    def is_none(self, position: int) -> bool:
        """Whether the argument is missing or None."""
        if position >= len(self.node.inputs):
            return True
        value = self.tensor(position)
        return is_constant(value) and constant_value(value) is None

    def number(self, value: ir.Value) -> int | float | complex | None:
        """The Python number that the value is, or None where it is a tensor."""
        if not is_constant(value):
            return None
        found = constant_value(value)
        return found if isinstance(found, int | float | complex) else None

    def integer(self, position: int) -> int:
        """The argument, which must be a constant int."""
        found = self.constant(position)
        if not isinstance(found, int):
            raise self.refuse(f"its argument {position} is no int")
        return found

    def items(self, position: int) -> list[ir.Value]:
        """The items of the argument, which must be a list, or one number for a list of it."""
        value = self.tensor(position)
        if items_of(value) is None and not isinstance(value.type, ListType):
            return [value]
        return super().items(position)

    def integers(self, position: int) -> list[int]:
        """The argument, which must be a list of constant ints."""
        found = [constant_value(item) if is_constant(item) else None for item in self.items(position)]
        numbers = [number for number in found if isinstance(number, int)]
        if len(numbers) != len(found):
            raise self.refuse(f"its argument {position} is known at run time only")
        return numbers

    def dims(self, value: ir.Value) -> Dims:
        """The sizes of a tensor, without the one of its pairs.

        Raises:
            Unsupported: its rank is unknown.
        """
        if value.shape is None:
            raise self.refuse(f"the rank of %{value.name} is unknown")
        return list(value.shape)[:-1] if self.is_pair(value) else list(value.shape)

    def rank(self, value: ir.Value) -> int:
        """Number of dimensions of a tensor, without that of its pairs."""
        return len(self.dims(value))

    def axis(self, value: ir.Value, dim: int, further: int = 0) -> int:
        """A dimension of the tensor, counted from the front."""
        return dim + max(self.rank(value) + further, 1) if dim < 0 else dim

    # -- types -----------------------------------------------------------------------------------------

    @property
    def part(self) -> TorchDType:
        """The dtype of the parts of the result, or of the first argument that is one of pairs."""
        if self.output.dtype in PARTS:
            return PARTS[self.output.dtype]
        pair = next((value for value in self.node.inputs if self.is_pair(value)), self.output)
        is_double = pair is not None and pair.dtype == ir.DataType.DOUBLE
        return TorchDType("float64" if is_double else "float32")

    @property
    def dtype(self) -> TorchDType:
        """The dtype of the result, which must be real.

        Raises:
            Unsupported: it is unknown.
        """
        found = next((name for name in _REAL_DTYPES if TorchDType(name).onnx == self.output.dtype), None)
        if found is None:
            raise self.refuse("the dtype of its result is unknown")
        return TorchDType(found)

    def real_like(self, dims: Dims | None, dtype: ir.DataType | None = None) -> ir.Value:
        """What a real tensor of these sizes looks like."""
        shape = None if dims is None else ir.Shape(dims)
        return ir.Value(name=self.output.name, type=ir.TensorType(dtype or self.part.onnx), shape=shape)

    def pair_like(self, dims: Dims) -> ir.Value:
        """What the pairs of complex numbers of these sizes look like."""
        return self.real_like([*dims, 2])

    # -- new calls -------------------------------------------------------------------------------------

    def call(self, op: str, inputs: Sequence[Argument], like: ir.Value) -> ir.Value:
        """A call with one output of the type and shape of ``like``."""
        return self.emission.call(op, inputs, like)

    def copy(self, inputs: Mapping[int, ir.Value]) -> list[ir.Value]:
        """The call with some arguments replaced, and with pairs for complex results."""
        given = [inputs.get(position, value) for position, value in enumerate(self.node.inputs)]
        results = list(self.emission.copy(self.node, given))
        for result in results:
            if is_complex(result):
                result.shape, result.type = pair_shape(result.shape), pair_type(result.type)
                self.mark(result)
        return results

    def ints(self, items: Sequence[ir.Value | int]) -> ir.Value:
        """A list of ints."""
        values = [item if isinstance(item, ir.Value) else self.held(item) for item in items]
        return self.emission.list(values, ListType(scalar_type("int")))

    def cast(self, value: ir.Value, dtype: TorchDType | None = None) -> ir.Value:
        """``value`` in the dtype, or in that of the parts."""
        dtype = dtype or self.part
        if value.dtype == dtype.onnx:
            return value
        like = self.real_like(None if value.shape is None else list(value.shape), dtype.onnx)
        return self.call("aten::to.dtype", [value, dtype, False, False, None], like)

    def component(self, pair: ir.Value, index: int) -> ir.Value:
        """The real parts (0) or the imaginary parts (1)."""
        like = self.real_like(self.dims(pair), pair.dtype)
        return self.emission.call("aten::select.int", [pair, -1, index], like, views=True)

    def components(self, value: ir.Value) -> tuple[ir.Value, ir.Value | None]:
        """Real and imaginary parts in the dtype of the result; a real tensor has none of the latter."""
        if not self.is_pair(value):
            return self.cast(value), None
        wide = self.widened(value)
        return self.component(wide, 0), self.component(wide, 1)

    def widened(self, pair: ir.Value) -> ir.Value:
        """The pairs in the dtype of the result's parts."""
        cast = self.cast(pair)
        self._pairs.add(cast)
        return cast

    def join(self, real: ir.Value, imaginary: ir.Value) -> ir.Value:
        """Pairs of two real tensors of the same shape."""
        dims = self.dims(real)
        like = self.real_like([*dims, 2], real.dtype)
        return self.mark(self.call("aten::stack", [self.list([real, imaginary]), -1], like))

    def pair(self, value: ir.Value) -> ir.Value:
        """Pairs for a tensor, complex or real, or for a number, in the dtype of the result."""
        if self.is_pair(value):
            return self.widened(value)
        number = self.number(value)
        if number is not None:
            return self.join(*(self._zero_d(part) for part in (complex(number).real, complex(number).imag)))
        real = self.cast(value)
        return self.join(real, self.call("aten::zeros_like", [real, *[None] * 5], real))

    def _zero_d(self, number: float) -> ir.Value:
        inputs: list[Argument] = [number, self.part, None, None, None]
        return self.call("aten::scalar_tensor", inputs, self.real_like([]))

    def trailing(self, value: ir.Value) -> ir.Value:
        """A real tensor with a further dimension of size 1, along which it meets pairs."""
        like = self.real_like([*self.dims(value), 1], value.dtype)
        return self.emission.call("aten::unsqueeze", [value, -1], like, views=True)

    def list(self, items: Sequence[ir.Value]) -> ir.Value:
        """A list of tensors of one dtype."""
        return self.emission.list(items, ListType(ir.TensorType(items[0].dtype or self.part.onnx)))

    def mark(self, value: ir.Value) -> ir.Value:
        """Take note that the value is one of pairs."""
        self._pairs.add(value)
        return value


Rewrite = Callable[[PairCall], "ir.Value | Sequence[ir.Value]"]
"""Makes the results of a call; those that are complex as pairs."""
