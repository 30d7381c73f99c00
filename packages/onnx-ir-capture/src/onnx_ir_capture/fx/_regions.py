"""Regions of an exported program that are no control flow: no-grad and autocast bodies."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.traceback import preserve_node_meta

__all__ = ["autocast_body", "is_region", "region_parts"]

_SET_GRAD = torch.ops.higher_order.wrap_with_set_grad_enabled
_AUTOCAST = torch._higher_order_ops.wrap.wrap_with_autocast


def is_region(target: object) -> bool:
    """Whether a call runs its body once, with nothing but a mode of torch set around it."""
    return target is _SET_GRAD or target is _AUTOCAST


def region_parts(
    node: torch.fx.Node, owner: torch.nn.Module
) -> tuple[torch.fx.GraphModule, Sequence[torch.fx.node.Argument]]:
    """The body of a region, ready to be spliced in, and the operands for its placeholders.

    An autocast body is recorded without its casts, so it is traced again under the same autocast.
    """
    mode_arguments = 1 if node.target is _SET_GRAD else 4
    body_ref, operands = node.args[mode_arguments], node.args[mode_arguments + 1 :]
    if not isinstance(body_ref, torch.fx.Node) or not isinstance(body_ref.target, str):
        raise TypeError(f"the body of region {node.name} is no attribute of the program: {body_ref!r}")
    body = owner.get_submodule(body_ref.target)
    if not isinstance(body, torch.fx.GraphModule):
        raise TypeError(f"the body of region {node.name} is a {type(body).__name__}, no graph")
    if node.target is _AUTOCAST:
        body = autocast_body(body, node.args[:mode_arguments], operands)
    return body, operands


def autocast_body(
    body: torch.fx.GraphModule, mode: Sequence[object], operands: Sequence[torch.fx.node.Argument]
) -> torch.fx.GraphModule:
    """Trace ``body`` again under the autocast that surrounds it, so that its casts become calls.

    Its calls keep the lines and modules that they came from.
    """
    device, dtype, enabled, cache = mode
    if dtype is not None and not isinstance(dtype, torch.dtype):
        raise TypeError(f"the dtype of an autocast region is {dtype!r}")
    if not _calls(body):
        return body
    values = [operand.meta["val"] if isinstance(operand, torch.fx.Node) else operand for operand in operands]
    fake_mode = torch._guards.detect_fake_mode([values, [node.meta.get("val") for node in _calls(body)]])

    def run(*inputs: object) -> object:
        with torch.autocast(str(device), dtype=dtype, enabled=bool(enabled), cache_enabled=bool(cache)):
            return torch.fx.Interpreter(body).run(*inputs)

    trace = make_fx(run, decomposition_table={}, _allow_non_fake_inputs=True)
    with fake_mode or contextlib.nullcontext(), preserve_node_meta():
        traced: torch.fx.GraphModule = trace(*values)
    return traced


def _calls(body: torch.fx.GraphModule) -> list[torch.fx.Node]:
    return [node for node in body.graph.nodes if node.op == "call_function"]
