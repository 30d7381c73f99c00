"""The graph of scripted code, with the attributes resolved that never change."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import TypeAlias

import torch

__all__ = ["Code", "Scripted", "code_of", "weight_sets"]

Scripted: TypeAlias = "torch.jit.ScriptModule | torch.jit.ScriptFunction[object, object]"
"""TorchScript code that can be called."""


@dataclasses.dataclass(frozen=True)
class Code:
    """A graph to be imported; ``module`` is what its ``self`` stands for, None for a function."""

    graph: torch._C.Graph
    schema: torch._C.FunctionSchema
    module: torch._C.ScriptModule | None
    in_eval_mode: bool

    @property
    def formals(self) -> list[torch._C.Argument]:
        """The arguments that a caller gives."""
        return list(self.schema.arguments)[0 if self.module is None else 1 :]

    @property
    def parameters(self) -> list[torch._C.Value]:
        """The values of the graph for these arguments."""
        return list(self.graph.inputs())[0 if self.module is None else 1 :]


def code_of(model: Scripted, eval_mode: bool) -> Code:
    """The inlined graph of ``model``, which stays as it is.

    Attributes that the code does not set become constants, and branches on them go; parameters and buffers
    stay what they are. Code that cannot be treated so is taken as it stands.
    """
    if isinstance(model, torch.jit.ScriptFunction):
        # torch's stubs take these properties for methods.
        graph: object = model.inlined_graph
        schema: object = model.schema
        if not isinstance(graph, torch._C.Graph) or not isinstance(schema, torch._C.FunctionSchema):
            raise TypeError("this version of torch shows no graph of a script function")
        return Code(graph, schema, None, in_eval_mode=False)
    with _mode(model, eval_mode):
        in_eval_mode = not any(getattr(part, "training", False) for part in model.modules())
        own = model._c._get_method("forward")
        try:
            module = torch._C._freeze_module(model._c, [], True, True)
        except RuntimeError:  # such as for interfaces, of which the class is not known
            return Code(model.inlined_graph, own.schema, model._c, in_eval_mode)
        return Code(module._get_method("forward").graph, own.schema, module, in_eval_mode)


@contextlib.contextmanager
def _mode(model: torch.jit.ScriptModule, eval_mode: bool) -> Iterator[None]:
    """Meanwhile the modules that have a mode are in evaluation mode, if that is wanted."""
    modules = [part for part in model.modules() if eval_mode and getattr(part, "training", False)]
    try:
        for part in modules:
            part.training = False
        yield
    finally:
        for part in modules:
            part.training = True


def weight_sets(model: Scripted) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the parameters and of the buffers."""
    if isinstance(model, torch.jit.ScriptFunction):
        return frozenset(), frozenset()
    parameters = (name for name, _ in model.named_parameters(remove_duplicate=False))
    buffers = (name for name, _ in model.named_buffers(remove_duplicate=False))
    return frozenset(parameters), frozenset(buffers)
