"""Containers of arguments as torch's pytrees see them: their members, and what cannot be a member."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch._library.opaque_object import is_opaque_value
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx._values import is_untyped

__all__ = ["UnusableInput", "keys_for_all", "member_path", "members", "register_advice", "unusable_input"]


@dataclasses.dataclass(frozen=True)
class UnusableInput:
    """Why an argument cannot be an input, and what to do.

    Attributes:
        reason: one sentence that begins with the argument.
        advice: what to write.
    """

    reason: str
    advice: str


def members(value: object) -> list[tuple[object, object]] | None:
    """Key and value of each member of a container, in pytree order; None for anything else.

    Keys are those of a dict, the names of fields where the class has them, and positions elsewhere.
    """
    kind = pytree._get_node_type(value)
    if kind not in pytree.SUPPORTED_NODES:
        return None
    node = pytree.SUPPORTED_NODES[kind]
    if node.flatten_with_keys_fn is None:
        return list(enumerate(node.flatten_fn(value)[0]))
    keyed, _ = node.flatten_with_keys_fn(value)
    return [(_plain_key(key), member) for key, member in keyed]


def member_path(container: object, path: str, key: object) -> str:
    """How a member is written in Python: ``rest['a']``, ``rest[0]``, or ``rest.a`` for a field."""
    if isinstance(key, str) and not isinstance(container, Mapping):
        return f"{path}.{key}"
    return f"{path}[{key!r}]"


def _plain_key(key: object) -> object:
    if isinstance(key, pytree.SequenceKey):
        return key.idx
    if isinstance(key, pytree.MappingKey):
        return key.key
    return key.name if isinstance(key, pytree.GetAttrKey) else key


@contextlib.contextmanager
def keys_for_all() -> Iterator[None]:
    """Meanwhile containers that were registered without names for their members are taken, too.

    Torch names the inputs of a program by these names, and ends where there are none.
    """
    unnamed = {kind: node for kind, node in pytree.SUPPORTED_NODES.items() if not node.flatten_with_keys_fn}
    try:
        for kind, node in unnamed.items():
            pytree.SUPPORTED_NODES[kind] = node._replace(flatten_with_keys_fn=_numbered(node))
        yield
    finally:
        pytree.SUPPORTED_NODES.update(unnamed)


def _numbered(
    node: pytree.NodeDef,
) -> Callable[[object], tuple[list[tuple[pytree.KeyEntry, object]], object]]:
    def flatten(value: object) -> tuple[list[tuple[pytree.KeyEntry, object]], object]:
        children, context = node.flatten_fn(value)
        return [(pytree.SequenceKey(index), child) for index, child in enumerate(children)], context

    return flatten


def unusable_input(arguments: Sequence[tuple[str, object]]) -> UnusableInput | None:
    """The first among the arguments and their members that cannot be an input, or None.

    Args:
        arguments: each with its name.
    """
    for name, value in arguments:
        found = _unusable(value, name, {})
        if found is not None:
            return found
    return None


def _unusable(value: object, path: str, around: dict[int, str]) -> UnusableInput | None:
    if isinstance(value, enum.Enum) and not isinstance(value, int | float | str):
        bound = f"functools.partial(model, {_root(path)}=...)"
        return UnusableInput(
            f"{path} is {value}, a member of an enumeration, which no file can take as an input",
            f"bind it, since it is the same in every call: {bound}, or give its value",
        )
    inside = _members_around(value, path, around)
    if isinstance(inside, UnusableInput):
        return inside
    if isinstance(value, torch.Tensor) and value.layout is not torch.strided:
        layout = str(value.layout).removeprefix("torch.")
        return UnusableInput(f"{path} is a tensor of layout {layout}", f"give {path}.to_dense()")
    if isinstance(value, torch.Tensor):
        return _untyped(value, path)
    if inside is None:
        return None if _is_leaf(value) else UnusableInput(*_unknown(value, path))
    within = {**around, id(value): path}
    for key, member in inside:
        found = _unusable(member, member_path(value, path, key), within)
        if found is not None:
            return found
    return None


def _untyped(tensor: torch.Tensor, path: str) -> UnusableInput | None:
    if not is_untyped(tensor):
        return None
    dtype = str(tensor.dtype).removeprefix("torch.")
    text = f"{path} is a tensor of {dtype}, for which ONNX has no element type"
    other = "complex64" if tensor.is_complex() else "a dtype that ONNX has"
    return UnusableInput(text, f"give it as {other}")


def _members_around(
    value: object, path: str, around: dict[int, str]
) -> list[tuple[object, object]] | UnusableInput | None:
    if id(value) not in around:
        return members(value)
    return UnusableInput(
        f"{path} is {around[id(value)]} again, so this {type(value).__qualname__} holds itself without end",
        "give containers that hold each other in one direction only, such as a list of tensors",
    )


def _is_leaf(value: object) -> bool:
    plain = (torch.Tensor, torch.ScriptObject, torch.SymInt, int, float, str)
    return value is None or isinstance(value, plain) or is_opaque_value(value)


def _unknown(value: object, path: str) -> tuple[str, str]:
    cls = type(value)
    if cls.__module__ == "numpy":
        return (
            f"{path} is of numpy's class {cls.__qualname__}",
            f"give torch.tensor({path}), or {path}.item() for a number that is the same in every call",
        )
    if isinstance(value, torch.nn.Module):
        advice = f"make it a submodule of the model, or give functools.partial(model, {_root(path)}=...)"
        return f"{path} is a module, of class {cls.__qualname__}", advice
    if cls.__module__ == "builtins" or cls.__module__.partition(".")[0] == "torch":
        bound = f"functools.partial(model, {_root(path)}=...)"
        return (
            f"{path} is of class {cls.__qualname__}, which is neither a tensor nor a number, nor a container",
            f"bind what is the same in every call with {bound}; give tensors in tuples, lists or dicts",
        )
    reason = f"{path} is of class {cls.__qualname__}, of which torch does not know what tensors it holds"
    return reason, register_advice(
        cls.__name__, tuple(vars(value)) if hasattr(value, "__dict__") else (), cls
    )


def _root(path: str) -> str:
    """The parameter that a path begins with."""
    return path.partition("[")[0].partition(".")[0]


def register_advice(name: str, fields: Sequence[str], cls: type | None = None) -> str:
    """The lines that make a class known to torch as a container.

    Args:
        name: of the class.
        fields: its attributes, as far as known.
        cls: the class, where it is known.
    """
    if cls is not None and dataclasses.is_dataclass(cls):
        return f"register the class once, before the export: torch.export.register_dataclass({name})"
    got = ", ".join(f"o.{field}" for field in fields or ("first", "second"))
    got += "," if len(fields) == 1 else ""
    call = (
        f"torch.utils._pytree.register_pytree_node({name}, lambda o: (({got}), None), "
        f"lambda members, _: {name}(*members))"
    )
    kind = "" if cls is not None else f"torch.export.register_dataclass({name}) for a dataclass, else "
    constant = f"; or torch.utils._pytree.register_constant({name}) if it holds no tensors" if cls else ""
    return f"register the class once, before the export: {kind}{call}{constant}"
