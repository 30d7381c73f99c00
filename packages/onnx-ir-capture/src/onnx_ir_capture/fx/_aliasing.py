"""Which results of calls are views of which arguments, by the storages of torch.export's fake tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.dialect import Aliases
from onnx_ir_capture.fx._regions import is_autocast
from onnx_ir_capture.fx._schemas import DROPOUTS
from onnx_ir_capture.fx._spans import sets_mode

__all__ = ["StorageOracle", "operator_calls", "storages_of"]

# Views whatever their arguments are, and not by a mark that says "perhaps".
_CERTAIN = frozenset(
    f"aten::{name}" for name in ("alias", "detach", "expand", "permute", "select", "slice", "t", "transpose")
) | frozenset(f"aten::{name}" for name in ("split", "unbind", "unsqueeze", "view"))


class StorageOracle:
    """Compares the storages of what a program's calls took and gave.

    A program that was loaded from a file has tensors whose storages say nothing; ``is_trusted`` is False for
    one whose certain views do not share storages, and for one that writes nothing, where nobody asks.
    """

    def __init__(self, module: torch.fx.GraphModule) -> None:
        calls = list(operator_calls(module))
        writes = any(op._schema.is_mutable for _, op in calls)
        self.is_trusted = writes and not _is_traced_again(module) and all(_shares(*call) for call in calls)

    def exact(
        self,
        node: torch.fx.Node,
        op: torch._ops.OpOverload[..., object],
        given: Sequence[object],
        marks: Aliases,
    ) -> Aliases:
        """``marks`` without the views that are copies, and with those that no schema declares."""
        # What writes returns what it wrote; its other arguments may lie in the same storage. The fake kernels
        # of dropouts copy where the real ones give their argument.
        if not self.is_trusted or marks.mutates or op._schema.name in DROPOUTS:
            return marks
        results = [_storage_of(result) for result in pytree.tree_leaves(node.meta.get("val"))]
        arguments = [storages_of(argument) for argument in given]
        views = tuple(
            (output, position)
            for output, result in enumerate(results)
            for position, storages in enumerate(arguments)
            if result is not None and result in storages
        )
        return Aliases(marks.mutates, views)


def operator_calls(
    module: torch.fx.GraphModule,
) -> Iterator[tuple[torch.fx.Node, torch._ops.OpOverload[..., object]]]:
    """The calls of operators in the program and in the graphs inside it."""
    for node in _nodes(module):
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            yield node, node.target


def _is_traced_again(module: torch.fx.GraphModule) -> bool:
    """Whether a part will be traced again, with other fake tensors."""
    return any(is_autocast(node.target) or sets_mode(node.target) for node in _nodes(module))


def _nodes(module: torch.fx.GraphModule) -> Iterator[torch.fx.Node]:
    for member in module.modules():
        if isinstance(member, torch.fx.GraphModule):
            yield from member.graph.nodes


def _shares(node: torch.fx.Node, op: torch._ops.OpOverload[..., object]) -> bool:
    """Whether the storages are as they must be for a certain view and for a call that writes its argument."""
    schema = op._schema
    returns_written = any(
        result.alias_info is not None and result.alias_info.is_write for result in schema.returns
    )
    if schema.name not in _CERTAIN and not returns_written:
        return True
    return bool((storages_of(node) & storages_of(node.args)) - {None})


def storages_of(arguments: object) -> set[int | None]:
    """The storages of the tensors that the FX nodes among the arguments gave; None for one without."""
    nodes = [leaf for leaf in pytree.tree_leaves(arguments) if isinstance(leaf, torch.fx.Node)]
    values = (value for node in nodes for value in pytree.tree_leaves(node.meta.get("val")))
    return {_storage_of(value) for value in values if isinstance(value, torch.Tensor)}


def _storage_of(value: object) -> int | None:
    """A number that is equal for tensors of one storage; None for what has none."""
    if not isinstance(value, torch.Tensor):
        return None
    try:
        return int(value.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):
        # Sparse and other tensors without one storage.
        return None
