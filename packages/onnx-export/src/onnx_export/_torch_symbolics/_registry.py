"""Which symbolic function serves an operator at an opset: those registered here, and those with torch."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TypeAlias

__all__ = [
    "SymbolicFunction",
    "Versions",
    "register_custom_op_symbolic",
    "registered_here",
    "registered_with_torch",
    "serving",
    "unregister_custom_op_symbolic",
]

SymbolicFunction: TypeAlias = Callable[..., object]
"""Takes ``g`` and the arguments of an operator's schema, and returns the operator's results."""

_NAME = re.compile(r"[\w-]+::[A-Za-z_-][\w-]*", re.ASCII)

_TORCH_REGISTRY = "torch.onnx._internal.torchscript_exporter.registration"

# Targets below it are served by what is registered for a newer opset, up to this one.
_BASE_OPSET = 9

_REGISTERED: dict[str, dict[int, SymbolicFunction]] = {}


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: SymbolicFunction, opset_version: int
) -> None:
    """Let a symbolic function write an operator, in every export from now on.

    The function is written as for torch.onnx: it takes ``g`` and one value per argument of the operator's
    schema, calls ``g.op(...)``, and returns one value per result. What is registered goes before the
    exporter's own translations; at a target the function with the greatest ``opset_version`` that is not
    above it serves. A second registration under the same name and opset takes the place of the first.

    Args:
        symbolic_name: the operator without its overload, such as ``"mylib::shrink"``; ``"::relu"`` means
            ``"aten::relu"``.
        symbolic_fn: the function.
        opset_version: the opset that it is written for.

    Raises:
        ValueError: the name is none of an operator, or one of ONNX's own.
        TypeError: ``symbolic_fn`` cannot be called, or ``opset_version`` is no integer.
    """
    name = _checked_name(symbolic_name)
    if not callable(symbolic_fn):
        raise TypeError(f"the symbolic function for {name} must be callable, got {symbolic_fn!r}")
    _REGISTERED.setdefault(name, {})[_checked_opset(name, opset_version)] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Take back what :func:`register_custom_op_symbolic` registered under this name and opset.

    Args:
        symbolic_name: the operator, as it was registered.
        opset_version: the opset that it was registered for. Nothing there is a warning.

    Raises:
        ValueError: the name is none of an operator, or one of ONNX's own.
        TypeError: ``opset_version`` is no integer.
    """
    name = _checked_name(symbolic_name)
    if _REGISTERED.get(name, {}).pop(_checked_opset(name, opset_version), None) is None:
        warnings.warn(f"no symbolic function is registered for {name} at opset {opset_version}", stacklevel=2)


Versions: TypeAlias = Mapping[int, SymbolicFunction]
"""Functions by the opset that they are registered for."""


def registered_here(name: str) -> Versions:
    """What :func:`register_custom_op_symbolic` has for an operator."""
    return _REGISTERED.get(name, {})


def registered_with_torch(name: str) -> Versions:
    """The caller's registrations with torch.onnx, which is never imported: else there can be none."""
    registry = getattr(sys.modules.get(_TORCH_REGISTRY), "registry", None)
    find = getattr(registry, "get_function_group", None)
    group = find(name) if callable(find) else None
    overrides = getattr(getattr(group, "_functions", None), "_overrides", None)
    if not isinstance(overrides, dict):
        return {}
    return {
        version: function
        for version, function in overrides.items()
        if isinstance(version, int) and callable(function)
    }


def serving(versions: Versions, opset: int) -> SymbolicFunction | None:
    """The function that serves an opset: the newest that is not newer; below opset 9, the next up to that."""
    if opset < _BASE_OPSET:
        found = min((version for version in versions if opset <= version <= _BASE_OPSET), default=None)
    else:
        found = max((version for version in versions if version <= opset), default=None)
    return None if found is None else versions[found]


def _checked_name(name: str) -> str:
    whole = f"aten{name}" if name.startswith("::") else name
    if not _NAME.fullmatch(whole):
        raise ValueError(
            f"{name!r} is no operator's name: write domain::name, of letters, digits, '_' and '-', without "
            "the overload"
        )
    if whole.startswith("onnx::"):
        raise ValueError(f"{name} is an operator of ONNX, which needs no symbolic function")
    return whole


def _checked_opset(name: str, opset: object) -> int:
    if not isinstance(opset, int) or isinstance(opset, bool):
        raise TypeError(f"the opset_version of {name} must be an integer, got {opset!r}")
    return opset
