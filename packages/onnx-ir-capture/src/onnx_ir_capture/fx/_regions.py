"""Regions of an exported program that run once: no-grad and autocast bodies, checkpoints, subgraphs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

import torch
from torch._higher_order_ops.auto_functionalize import (
    auto_functionalized,
    auto_functionalized_dense,
    auto_functionalized_v2,
    auto_functionalized_v2_dense,
)
from torch._higher_order_ops.flex_attention import flex_attention, math_attention
from torch._higher_order_ops.out_dtype import out_dtype, out_dtype_fallback
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.traceback import preserve_node_meta
from torch.utils import _pytree as pytree

__all__ = ["autocast_body", "is_autocast", "is_region", "region_parts", "subgraph", "traced_again"]

_AUTOCAST = torch._higher_order_ops.wrap.wrap_with_autocast

# Where the arguments have the body, and where its operands begin.
_LAYOUTS = {
    "invoke_subgraph": (0, 2),
    "tag_activation_checkpoint": (0, 1),
    "wrap": (0, 1),
    "wrap_activation_checkpoint": (0, 1),
    "wrap_with_autocast": (4, 5),
    "wrap_with_set_grad_enabled": (1, 2),
}


def _on_clones(op: torch._ops.OpOverload[..., object], **kwargs: object) -> object:
    """``auto_functionalized``: the operator, writing copies."""
    written = [
        formal.name for formal in op._schema.arguments if formal.alias_info and formal.alias_info.is_write
    ]
    clones = {name: _cloned(kwargs[name]) for name in written}
    return auto_functionalized_dense(op, (), **{**kwargs, **clones})


def _on_clones_of_bases(
    op: torch._ops.OpOverload[..., object] | torch._ops.HigherOrderOperator,
    *,
    _all_bases: Sequence[object] = (),
    **kwargs: object,
) -> object:
    """``auto_functionalized_v2``: the operator, writing views of copies."""
    return auto_functionalized_v2_dense(op, (), _all_bases=_cloned(_all_bases), **kwargs)


def _cloned(given: object) -> object:
    # torch's own copies keep the strides, for which it takes as_strided.
    return pytree.tree_map_only(torch.Tensor, torch.clone, given)


# What an operator does, written with others.
_DEFINITIONS: Mapping[object, Callable[..., object]] = {
    auto_functionalized: _on_clones,
    auto_functionalized_v2: _on_clones_of_bases,
    flex_attention: math_attention,
    out_dtype: out_dtype_fallback,
}


def is_region(target: object) -> bool:
    """Whether a call runs its body once, with nothing around it that an exported model knows of."""
    if not isinstance(target, torch._ops.HigherOrderOperator):
        return False
    return target in _DEFINITIONS or target.name() in _LAYOUTS


def subgraph(node: torch.fx.Node, reference: object, owner: torch.nn.Module) -> torch.fx.GraphModule:
    """The body that an argument of ``node`` refers to.

    Raises:
        TypeError: the argument is no body.
    """
    if not isinstance(reference, torch.fx.Node) or not isinstance(reference.target, str):
        raise TypeError(f"a body of {node.name} is no attribute of the program: {reference!r}")
    body = owner.get_submodule(reference.target)
    if not isinstance(body, torch.fx.GraphModule):
        raise TypeError(f"a body of {node.name} is a {type(body).__name__}, no graph")
    return body


def is_autocast(target: object) -> bool:
    """Whether a call runs its body under autocast."""
    return target is _AUTOCAST


def region_parts(
    node: torch.fx.Node, owner: torch.nn.Module
) -> tuple[torch.fx.GraphModule, Sequence[torch.fx.node.Argument]]:
    """The body of a region, ready to be spliced in, and the operands for its placeholders.

    An autocast body is recorded without its casts, so it is traced again under the same autocast. The bodies
    of flex attention work on single scores; its definition applies them to all.
    """
    definition = _DEFINITIONS.get(node.target)
    if definition is not None:
        return _defined(node, owner, definition)
    place, first = _LAYOUTS[str(node.target)]
    body, operands = subgraph(node, node.args[place], owner), node.args[first:]
    if node.target is _AUTOCAST:
        body = autocast_body(body, node.args[:place], operands)
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
    autocast = torch.autocast(str(device), dtype=dtype, enabled=bool(enabled), cache_enabled=bool(cache))
    return traced_again(body, values, autocast)


def _defined(
    node: torch.fx.Node, owner: torch.nn.Module, definition: Callable[..., object]
) -> tuple[torch.fx.GraphModule, Sequence[torch.fx.Node]]:
    operands = [source for source in node.all_input_nodes if source.op != "get_attr"]

    def run(*inputs: object) -> object:
        given = dict(zip(operands, inputs, strict=True))

        def value(source: torch.fx.Node) -> object:
            return given[source] if source in given else subgraph(node, source, owner)

        leaves, tree = pytree.tree_flatten((node.args, node.kwargs))
        found = [value(leaf) if isinstance(leaf, torch.fx.Node) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(found, tree)
        return definition(*args, **kwargs)

    return _traced(run, [operand.meta["val"] for operand in operands], None), operands


def traced_again(
    body: torch.fx.GraphModule,
    values: Sequence[object],
    mode: contextlib.AbstractContextManager[object] | None = None,
) -> torch.fx.GraphModule:
    """What ``body`` calls on ``values``, which are fake tensors, under ``mode``."""
    fakes = [node.meta.get("val") for node in _calls(body)]
    fake_mode = torch._guards.detect_fake_mode([values, fakes])

    def run(*inputs: object) -> object:
        with mode or contextlib.nullcontext():
            return torch.fx.Interpreter(body).run(*inputs)

    return _traced(run, values, fake_mode)


def _traced(
    run: Callable[..., object], values: Sequence[object], fake_mode: FakeTensorMode | None
) -> torch.fx.GraphModule:
    trace = make_fx(run, decomposition_table={}, _allow_non_fake_inputs=True)
    mode = fake_mode or torch._guards.detect_fake_mode(values)
    with mode or contextlib.nullcontext(), preserve_node_meta():
        traced: torch.fx.GraphModule = trace(*values)
    return traced


def _calls(body: torch.fx.GraphModule) -> list[torch.fx.Node]:
    return [node for node in body.graph.nodes if node.op == "call_function"]
