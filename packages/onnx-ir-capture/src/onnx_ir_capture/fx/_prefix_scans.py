"""``associative_scan`` in torch.export, for any number of rows."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TypeAlias

import torch
from torch._higher_order_ops import scan
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx._replaced import Function, is_captured_here, replaced_while_capturing

__all__ = ["any_number_of_rows"]

_Tensors: TypeAlias = Sequence[torch.Tensor]

# The package has a function of this name too, which hides the module from a plain import.
_HOME = "torch._higher_order_ops.associative_scan"
# What state space models of transformers ask: they take a loop over the example's steps where it says True.
_QUESTION = "is_torchdynamo_exporting"


@contextlib.contextmanager
def any_number_of_rows(module: torch.nn.Module) -> Iterator[None]:
    """Meanwhile torch.export captures ``associative_scan`` without fixing how many rows it takes.

    With ``combine_mode="generic"``, all there is on CPUs, torch writes out the tree that fits the example's
    number of rows, and fixes other sizes too; here it becomes a ``scan``. Layers that have
    ``use_associative_scan`` set (Mamba, Falcon Mamba, Jamba and Zamba of transformers) take it, as they do
    in ``torch.compile``. The functions of a process are shared: in other threads they do what they always do.
    """
    homes = dict.fromkeys(home for layer in module.modules() for home in _asking(layer))
    with contextlib.ExitStack() as stack:
        torch_home = importlib.import_module(_HOME)
        stack.enter_context(replaced_while_capturing(torch_home, "generic_associative_scan", _rows))
        for home in homes:
            stack.enter_context(replaced_while_capturing(home, _QUESTION, _denied))
        yield


def _asking(layer: torch.nn.Module) -> Iterator[ModuleType]:
    """The Python modules where the layer's classes ask whether they are exported, if for a scan."""
    if getattr(layer, "use_associative_scan", False) is not True:
        return
    for base in type(layer).__mro__:
        home = sys.modules.get(base.__module__)
        if home is not None and hasattr(home, _QUESTION):
            yield home


def _denied(original: Function) -> Function:
    def is_torchdynamo_exporting() -> object:
        return False if is_captured_here() else original()

    return is_torchdynamo_exporting


def _rows(original: Function) -> Function:
    def generic_associative_scan(
        operator: Function, leaves: _Tensors, dim: int = 0, additional_inputs: _Tensors = ()
    ) -> object:
        if is_captured_here() and dim == 0:
            combine = _of_single_rows(operator)
            if combine is not None:
                return _scanned(combine, leaves)
        return original(operator, leaves, dim, additional_inputs)

    return generic_associative_scan


def _of_single_rows(operator: Function) -> Function | None:
    """What torch has vectorized over rows, as it was; None for an operator that is no such thing."""
    if not isinstance(operator, functools.partial):
        return None
    vectorized = operator.keywords.get("combine_fn")
    if not inspect.isfunction(vectorized):
        return None
    function = inspect.getclosurevars(vectorized).nonlocals.get("func")
    return functools.partial(operator, combine_fn=function) if callable(function) else None


def _scanned(combine: Function, leaves: _Tensors) -> _Tensors:
    """Each row combined with all before it; the first stays as it is."""
    # Torch's scan wants the same strides everywhere, and its gradient fails for states without one.
    stacks = [leaf.detach().contiguous() for leaf in leaves]
    is_first = torch.arange(stacks[0].shape[0], device=stacks[0].device) == 0

    def step(before: _Tensors, rows: _Tensors) -> tuple[_Tensors, _Tensors]:
        first, *now = rows
        combined = pytree.tree_leaves(combine(*before, *now))
        after = [torch.where(first, row, both) for row, both in zip(now, combined, strict=True)]
        return after, [row.clone() for row in after]

    # Before the first row anything of its type will do, since that is not taken.
    _, results = scan(step, [stack[0] for stack in stacks], [is_first, *stacks])
    scanned: _Tensors = results
    return scanned
