"""Graphs of torch's tracer: the operators of one run, and the tensors of the model that they take."""

from __future__ import annotations

import contextlib
import dataclasses
import warnings
from collections.abc import Iterator, Mapping

import torch

from onnx_ir_capture.fx._guard import model_untouched
from onnx_ir_capture.torchscript._fake_tracing import SizesOnly, is_worthwhile, took_for_constant

__all__ = ["Recorded", "recorded"]


@dataclasses.dataclass(frozen=True)
class Recorded:
    """The graph of a run.

    Its inputs are the module, where there is one, the inputs of the run, and ``weights``: the model's own
    tensors by their paths. Those of ``module`` are attributes, which the graph reads by name.
    """

    graph: torch._C.Graph
    weights: Mapping[str, torch.Tensor]
    module: torch._C.ScriptModule | None


def recorded(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> Recorded:
    """Run ``model`` once under torch's tracer.

    ``torch.jit.trace`` makes a script module of every module first, which takes longer than the run of a
    small model. Only what is script already, and packed weights, need it.

    Raises:
        Exception: whatever the model's forward raises, or the tracer.
    """
    if any(map(_holds_script, model.modules())):
        traced: object = torch.jit.trace(model, inputs, check_trace=False, strict=False)
        assert isinstance(traced, torch.jit.ScriptModule)
        return Recorded(traced.inlined_graph, {}, traced._c)
    weights = _tensors(model)
    graph = _of_sizes(model, inputs, weights) if is_worthwhile(weights) else None
    return Recorded(graph or _graph(model, inputs, weights), weights, None)


def _of_sizes(
    model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], weights: Mapping[str, torch.Tensor]
) -> torch._C.Graph | None:
    """The graph of a run that computes no values; None where the model asks for some, or fails.

    A model that fails does so again in the real run, whose error is the one to tell.
    """
    mode, graph = SizesOnly(), None
    with model_untouched(*model.children()), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", torch.jit.TracerWarning)
        with contextlib.suppress(Exception), mode.quietly():
            graph = _graph(model, mode.inputs(inputs), weights)
    if graph is None or took_for_constant(graph):
        return None
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return graph


def _graph(
    model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], weights: Mapping[str, torch.Tensor]
) -> torch._C.Graph:
    given = len(inputs)
    with _scopes_named(model):
        graph, _ = torch._C._create_graph_by_tracing(
            lambda *tensors: model(*tensors[:given]), (*inputs, *weights.values()), lambda _: "", False, False
        )
    torch._C._jit_pass_inline(graph)  # the script functions that the model calls
    return graph


def _holds_script(module: torch.nn.Module) -> bool:
    held = vars(module).values()
    return isinstance(module, torch.jit.ScriptModule) or any(isinstance(v, torch.ScriptObject) for v in held)


def _tensors(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of a model and its parts, each once, by the first path that leads to it."""
    found: dict[int, tuple[str, torch.Tensor]] = {}
    for prefix, module in model.named_modules():
        for held in (module._parameters, module._buffers, vars(module)):
            for name, tensor in held.items():
                if isinstance(tensor, torch.Tensor):
                    found.setdefault(id(tensor), (f"{prefix}.{name}" if prefix else name, tensor))
    return dict(found.values())


@contextlib.contextmanager
def _scopes_named(model: torch.nn.Module) -> Iterator[None]:
    """Meanwhile the nodes of a trace have the paths of the modules that they are computed in."""
    before = torch.jit._trace._trace_module_map
    names = model.named_modules(remove_duplicate=False)
    torch.jit._trace._trace_module_map = {
        module: f"__module.{name}" if name else "__module" for name, module in names
    }
    try:
        yield
    finally:
        torch.jit._trace._trace_module_map = before
