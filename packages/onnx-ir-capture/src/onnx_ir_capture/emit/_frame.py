"""The ONNX graph under construction: where emitters append nodes and keep constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Target

__all__ = ["GraphFrame", "constant_tensor"]

_CONSTANT = "emit.constant"


def constant_tensor(value: ir.Value) -> ir.TensorProtocol | None:
    """What ``value`` holds, if lowering made it; None for a weight, whose values saving alone may read."""
    return value.const_value if value.producer() is not None or _CONSTANT in value.meta else None


class GraphFrame:
    """One ONNX graph, its target, and the constants that lowerings share in it.

    Constants are initializers of the outermost graph, so that nested graphs see them too. They are keyed
    by dtype and bytes: ``1`` and ``True`` are equal in Python, as are ``0.0`` and ``-0.0``.
    """

    def __init__(
        self,
        graph: ir.Graph,
        target: Target,
        outer: GraphFrame | None = None,
        least_sizes: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.graph = graph
        self.target = target
        self.expected: Sequence[ir.Value] = ()
        """Outputs of the captured call that is being lowered: what dtype and shape they are to have."""
        self._root: GraphFrame = outer._root if outer is not None else self
        self.least_sizes: Mapping[str, int] = outer.least_sizes if outer is not None else least_sizes
        """The smallest size of symbolic dimensions, by name; 0 for those that are not here."""
        self._domains: dict[str, int] = {}
        self._functions: dict[ir.OperatorIdentifier, ir.Function] = {}
        self._blocks = 0
        self._prefix = outer._block_prefix() if outer is not None else ""
        self._constants: dict[tuple[ir.DataType, tuple[int, ...], bytes], ir.Value] = {}
        self._created: list[ir.Node] = []
        self.limits: list[str] = [] if outer is None else outer.limits
        """Where the call that is being lowered gives other numbers than PyTorch."""

    @property
    def domains(self) -> dict[str, int]:
        """Versions of the domains other than ai.onnx that the model uses; 1 for those that are not here."""
        return self._root._domains

    @property
    def functions(self) -> dict[ir.OperatorIdentifier, ir.Function]:
        """Functions that the model holds, for nodes that call them."""
        return self._root._functions

    @property
    def prefix(self) -> str:
        """What the names of values in this block begin with; empty in the outermost graph."""
        return self._prefix

    def created(self, node: ir.Node) -> None:
        """Note that ``node`` was appended, so that its origin can be written on it."""
        if self._prefix:
            # Each graph counts its values anew, and inference of a node goes by names.
            for value in node.outputs:
                value.name = f"{self._prefix}{value.name}"
        self._created.append(node)

    def _block_prefix(self) -> str:
        """What the names of values in the next block begin with."""
        root = self._root
        root._blocks += 1
        return f"block_{root._blocks}_"

    def take_created(self) -> list[ir.Node]:
        """The nodes appended since the last call."""
        nodes, self._created = self._created, []
        return nodes

    def take_limits(self) -> list[str]:
        """The limits noted since the last call."""
        limits = list(self.limits)
        self.limits.clear()
        return limits

    @property
    def mark(self) -> int:
        """How many nodes were appended since the last :meth:`take_created`."""
        return len(self._created)

    def created_since(self, mark: int) -> Sequence[ir.Node]:
        """The nodes appended since :attr:`mark` was ``mark``."""
        return self._created[mark:]

    def discard_created(self, mark: int) -> None:
        """Take the nodes appended since then out of the graph again; nothing may use them."""
        for node in reversed(self._created[mark:]):
            if isinstance(node.graph, ir.Graph):
                node.graph.remove(node, safe=True)
        del self._created[mark:]

    def constant(self, value: Number | Sequence[Number] | np.ndarray, dtype: ir.DataType) -> ir.Value:
        """An initializer that holds ``value`` with element type ``dtype``.

        Raises:
            OverflowError: an integer that ``dtype`` cannot hold.
        """
        array = np.asarray(value)
        if array.size == 0 or dtype.is_floating_point() or dtype == ir.DataType.BOOL:
            with np.errstate(over="ignore"):  # to infinity, as torch rounds what a narrow dtype does not hold
                array = array.astype(dtype.numpy())
        else:
            array = _exact(array, dtype)
        return self.tensor(ir.Tensor(array, dtype=dtype))

    def tensor(self, tensor: ir.TensorProtocol) -> ir.Value:
        """An initializer that holds ``tensor``; equal ones are shared."""
        root = self._root
        shape = tuple(int(dim) for dim in tensor.shape.numpy())
        key = (tensor.dtype, shape, tensor.tobytes())
        if key not in root._constants:
            name = f"constant_{len(root._constants)}"
            while name in root.graph.initializers:
                name += "_"
            value = ir.Value(
                name=name, type=ir.TensorType(tensor.dtype), shape=ir.Shape(shape), const_value=tensor
            )
            value.meta[_CONSTANT] = True
            tensor.name = name
            root.graph.register_initializer(value)
            root._constants[key] = value
        return root._constants[key]


def _exact(array: np.ndarray, dtype: ir.DataType) -> np.ndarray:
    converted: np.ndarray = array.astype(dtype.numpy())
    if not np.array_equal(converted.astype(array.dtype), array):
        raise OverflowError(f"{array.tolist()} does not fit into {dtype.name}")
    return converted
