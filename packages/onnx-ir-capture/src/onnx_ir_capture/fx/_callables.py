"""What can be captured, as an ``nn.Module``, which is all that torch.export takes."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping

import torch

__all__ = [
    "Function",
    "as_module",
    "forward_signature",
    "is_scripted",
    "owner_of",
    "program_signature",
    "with_forward",
    "with_signature",
]

_ANY_ARGS = inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)
_ANY_KWARGS = inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)


class Function(torch.nn.Module):
    """Stands for a function, with the modules that it reaches as submodules."""


def is_scripted(model: object) -> bool:
    """Whether ``model`` is TorchScript code: a ``ScriptModule`` or a ``ScriptFunction``."""
    return isinstance(model, torch.jit.ScriptModule | torch.jit.ScriptFunction)


def as_module(model: object) -> torch.nn.Module:
    """``model`` itself, or a module whose forward calls it.

    A method, or a ``functools.partial``, of a module becomes a module with the same state, so that weights
    keep their ``state_dict`` names. The modules that a function reaches (as free variables, globals or
    arguments of a ``partial``) become submodules under their variables' names.

    Raises:
        TypeError: it is nothing that can be called.
    """
    if isinstance(model, torch.nn.Module):
        return model
    if not callable(model) or isinstance(model, type):
        raise TypeError(
            f"cannot export {_described(model)}: give an nn.Module, a function, method or functools.partial "
            "that takes tensors, or a torch.export.ExportedProgram"
        )
    call, owner = _call_and_owner(model)
    state = _reached_modules(model) if owner is None else owner
    return _module(call, _signature(call), state)


def owner_of(model: object) -> torch.nn.Module | None:
    """The module whose state ``model`` uses: itself, or that of the method that it is or wraps."""
    if isinstance(model, torch.nn.Module):
        return model
    return _call_and_owner(model)[1] if callable(model) else None


def with_signature(module: torch.nn.Module, signature: inspect.Signature) -> torch.nn.Module:
    """A module with the state and hooks of ``module``, whose forward shows ``signature``."""
    return _module(module.forward, signature, module)


def with_forward(
    module: torch.nn.Module, call: Callable[..., object], signature: inspect.Signature
) -> torch.nn.Module:
    """A module with the state and hooks of ``module``, whose forward is ``call`` and shows ``signature``."""
    return _module(call, signature, module)


def forward_signature(module: torch.nn.Module) -> inspect.Signature:
    """Parameters of the module's forward, without ``self``."""
    return _signature(module.forward)


def program_signature(exported: torch.export.ExportedProgram) -> inspect.Signature:
    """What an exported program takes: anything by position, and exactly its own names by keyword."""
    names = exported.call_spec.in_spec.child(1).context if exported.call_spec.in_spec else []
    return inspect.Signature(
        [_ANY_ARGS, *(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names)]
    )


def _forward(call: Callable[..., object], signature: inspect.Signature) -> Callable[..., object]:
    """A function that calls ``call`` and shows ``signature``."""

    def forward(*args: object, **kwargs: object) -> object:
        return call(*args, **kwargs)

    vars(forward).update(__signature__=signature, __wrapped__=call)
    return forward


def _module(
    call: Callable[..., object],
    signature: inspect.Signature,
    state: torch.nn.Module | Mapping[str, torch.nn.Module],
) -> torch.nn.Module:
    """A module that calls ``call``; with the very parameters, submodules and hooks of ``state``, or those."""
    module: torch.nn.Module = Function()
    if isinstance(state, torch.nn.Module):
        cls = type(state)
        names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
        module = type(cls.__name__, (torch.nn.Module,), names)()
        # The dictionaries are shared, not copied: torch.export swaps parameters for fakes in them, and
        # ``call`` is bound to the module that owns them.
        vars(module).update((key, value) for key, value in vars(state).items() if key != "forward")
    else:
        module.eval()
        for child, submodule in state.items():
            module.add_module(child, submodule)
    vars(module)["forward"] = _forward(call, signature)
    return module


def _call_and_owner(model: Callable[..., object]) -> tuple[Callable[..., object], torch.nn.Module | None]:
    if isinstance(model, functools.partial):
        inner, owner = _call_and_owner(model.func)
        return functools.partial(inner, *model.args, **model.keywords), owner
    if isinstance(model, torch.nn.Module):
        return model.forward, model
    owner = getattr(model, "__self__", None)
    return model, owner if isinstance(owner, torch.nn.Module) else None


def _reached_modules(model: Callable[..., object]) -> dict[str, torch.nn.Module]:
    found: dict[str, torch.nn.Module] = {}
    for name, value in _reached(model):
        if isinstance(value, torch.nn.Module) and value not in found.values():
            found[name if name not in found else f"{name}_{len(found)}"] = value
    return found


def _reached(model: Callable[..., object]) -> Iterator[tuple[str, object]]:
    if isinstance(model, functools.partial):
        yield from _reached(model.func)
        yield from ((f"arg_{index}", value) for index, value in enumerate(model.args))
        yield from model.keywords.items()
        return
    if isinstance(model, types.MethodType):
        yield from getattr(model.__self__, "__dict__", {}).items()
        yield from _reached(model.__func__)
        return
    if isinstance(model, types.FunctionType):
        variables = inspect.getclosurevars(model)
        yield from variables.nonlocals.items()
        yield from variables.globals.items()
        return
    yield from getattr(model, "__dict__", {}).items()


def _signature(call: Callable[..., object]) -> inspect.Signature:
    try:
        return inspect.signature(call)
    except ValueError:
        # Functions in C tell nothing about their parameters.
        return inspect.Signature([_ANY_ARGS, _ANY_KWARGS])


def _described(model: object) -> str:
    if isinstance(model, type):
        return f"the class {model.__qualname__} (an instance is needed)"
    return f"an object of type {type(model).__qualname__}"
