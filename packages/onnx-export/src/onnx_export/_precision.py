"""The precision that outputs are computed in, which may be lower than their dtypes say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._program import ONNXProgram
from onnx_ir_capture.dialect import aliases_of, blocks_of

__all__ = ["Tolerances", "tolerances_of"]


class Tolerances(dict[torch.dtype, float]):
    """Tolerances by dtype, and what they are for the outputs of one program.

    An output that the program computes by way of values of lower precision, as under autocast, cannot be
    nearer to PyTorch's than these are: it has the largest of their tolerances. Inputs and weights, which are
    given, do not count.
    """

    def __init__(self, program: ONNXProgram, tolerances: Mapping[torch.dtype, float]) -> None:
        super().__init__(tolerances)
        names = [str(value.name) for value in program.model.graph.outputs]
        values = [spec.value for spec in program.program.outputs if spec.value is not None]
        # State follows the outputs, and a sequence is one output for several values.
        groups = [[value] for value in values] if len(values) <= len(names) else []
        groups += [values] * (len(names) - len(groups))
        self._by_output = {
            name: max((self[dtype] for dtype in _computed(group) if dtype in self), default=0.0)
            for name, group in zip(names, groups, strict=True)
        }

    def of(self, output: str) -> Mapping[torch.dtype, float]:
        """The tolerances for an output of the file; ``"y[0]"`` is a member of the sequence ``"y"``."""
        least = self._by_output.get(output, self._by_output.get(output.partition("[")[0], 0.0))
        return {dtype: max(tolerance, least) for dtype, tolerance in self.items()}


def tolerances_of(tolerances: Mapping[torch.dtype, float], output: str) -> Mapping[torch.dtype, float]:
    """The tolerances for an output, as far as they say something of single outputs."""
    return tolerances.of(output) if isinstance(tolerances, Tolerances) else tolerances


def _computed(values: Sequence[ir.Value]) -> set[torch.dtype]:
    """The dtypes of floating point that are computed on the way to values of a captured program."""
    found: set[torch.dtype] = set()
    seen: set[ir.Value] = set()
    work = list(values)
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        producer = value.producer()
        if producer is not None:
            found.update(_floating_dtype(value))
            work += _read(producer)
        for use in value.uses():
            work += _written_or_viewed(use.node, use.idx)
    return found


def _written_or_viewed(node: ir.Node, position: int) -> list[ir.Value]:
    """What the node writes into its input at the position, and the views that it gives of it."""
    if "mutates" not in node.attributes or "views" not in node.attributes:
        return []  # it makes an argument, or is control flow
    aliases = aliases_of(node)
    views = [node.outputs[output] for output, source in aliases.views if source == position]
    return [*views, *(_read(node) if position in aliases.mutates else ())]


def _read(node: ir.Node) -> list[ir.Value]:
    """What the node reads, and what is computed in its blocks."""
    read = [value for value in node.inputs if value is not None]
    for block in blocks_of(node):
        read.extend(block.outputs)
        for inner in block:
            read += [*_read(inner), *inner.outputs]
    return read


def _floating_dtype(value: ir.Value) -> Iterator[torch.dtype]:
    if isinstance(value.type, ir.TensorType) and value.type.dtype.is_floating_point():
        yield tensor_adapters.to_torch_dtype(value.type.dtype)
