"""Caches of transformers as containers of tensors, as long as a block runs."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

__all__ = ["cache_shapes", "known_caches"]

# In a file the pair of a layer is past_key_values_0_key and past_key_values_0_value.
_SHORT = {"keys": "key", "values": "value"}
_LONG = {short: name for name, short in _SHORT.items()}

# What follows from a layer's tensors, and must not be fixed to the example's.
_DERIVED = ("device", "batch_size", "_sliding_window_tensor")


@dataclasses.dataclass(frozen=True)
class _Layer:
    """What a layer is beside its tensors.

    Attributes:
        cls: its class.
        settings: its attributes that are no tensors.
        derived: names of the attributes that follow from its tensors.
    """

    cls: type
    settings: Mapping[str, object]
    derived: frozenset[str]

    def __repr__(self) -> str:
        return f"{self.cls.__name__}({_listed(self.settings)})"


@dataclasses.dataclass(frozen=True)
class _Cache:
    """What a cache is beside its layers' tensors.

    Attributes:
        cls: its class.
        layers: what its layers are.
        settings: its other attributes; two caches may be made in ways that leave different ones, and still
            hold the same.
    """

    cls: type
    layers: tuple[_Layer, ...]
    settings: Mapping[str, object] = dataclasses.field(compare=False)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self.layers))}]"


@dataclasses.dataclass(frozen=True)
class _Pair:
    """What a cache of two caches is beside them: its class, and its other attributes."""

    cls: type
    settings: Mapping[str, object]

    def __repr__(self) -> str:
        return _listed(self.settings)


def _listed(settings: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in settings.items())


@contextlib.contextmanager
def known_caches() -> Iterator[None]:
    """Meanwhile torch takes caches of transformers for containers, unless something has made it so before.

    A layer holds its tensors by name, ``past_key_values[0]['key']``. Where transformers is not loaded there
    are no caches, and nothing is done.
    """
    module = sys.modules.get("transformers.cache_utils")
    added: list[type] = []
    try:
        for name in ("DynamicCache", "StaticCache", "EncoderDecoderCache"):
            cls: object = getattr(module, name, None)
            if isinstance(cls, type) and cls not in pytree.SUPPORTED_NODES:
                pytree.SUPPORTED_NODES[cls] = _node(cls)
                added.append(cls)
        yield
    finally:
        for cls in added:
            del pytree.SUPPORTED_NODES[cls]


def _node(cls: type) -> pytree.NodeDef:
    if cls.__name__ == "EncoderDecoderCache":
        return pytree.NodeDef(cls, _flatten_pair, _unflatten_pair, _flatten_pair_with_keys)
    return pytree.NodeDef(cls, _flatten_cache, _unflatten_cache, _flatten_cache_with_keys)


def _flatten_cache(cache: object) -> tuple[list[dict[str, object]], _Cache]:
    settings = dict(vars(cache))
    layers: Iterable[object] = settings.pop("layers")
    children: list[dict[str, object]] = []
    described: list[_Layer] = []
    for layer in layers:
        tensors, described_layer = _split(layer)
        children.append({_SHORT.get(name, name): value for name, value in tensors.items()})
        described.append(described_layer)
    return children, _Cache(type(cache), tuple(described), settings)


def _flatten_cache_with_keys(
    cache: object,
) -> tuple[list[tuple[pytree.KeyEntry, dict[str, object]]], _Cache]:
    children, context = _flatten_cache(cache)
    return [(pytree.SequenceKey(index), child) for index, child in enumerate(children)], context


def _unflatten_cache(children: Iterable[Mapping[str, object]], context: _Cache) -> object:
    layers = [_joined(child, layer) for child, layer in zip(children, context.layers, strict=True)]
    return _made(context.cls, {**context.settings, "layers": layers})


def _flatten_pair(cache: object) -> tuple[list[object], _Pair]:
    keyed, context = _flatten_pair_with_keys(cache)
    return [child for _, child in keyed], context


def _flatten_pair_with_keys(cache: object) -> tuple[list[tuple[pytree.KeyEntry, object]], _Pair]:
    settings = dict(vars(cache))
    keyed: list[tuple[pytree.KeyEntry, object]] = [
        (pytree.GetAttrKey(name), settings.pop(name)) for name in _PAIR
    ]
    # The model notes there which layers have seen the encoder's output.
    return keyed, _Pair(type(cache), _own(settings))


_PAIR = ("self_attention_cache", "cross_attention_cache")


def _unflatten_pair(children: Iterable[object], context: _Pair) -> object:
    return _made(context.cls, {**_own(context.settings), **dict(zip(_PAIR, children, strict=True))})


def _split(layer: object) -> tuple[dict[str, object], _Layer]:
    """The tensors of a layer by attribute, and everything else about it."""
    attributes: Mapping[str, object] = vars(layer)
    derived = {name for name in _DERIVED if name in attributes}
    if _counts_its_keys(attributes):
        derived.add("cumulative_length")
    rest = {name: value for name, value in attributes.items() if name not in derived}
    tensors = {name: value for name, value in rest.items() if _is_state(name, value)}
    settings = {name: value for name, value in rest.items() if name not in tensors}
    return tensors, _Layer(type(layer), _own(settings), frozenset(derived))


def _joined(tensors: Mapping[str, object], description: _Layer) -> object:
    named = {_LONG.get(name, name): value for name, value in tensors.items()}
    settings = _own(description.settings)
    return _made(description.cls, {**settings, **named, **_follow(description, settings, tensors)})


def _made(cls: type, attributes: Mapping[str, object]) -> object:
    """An object with these attributes.

    Constructors are of no use: they copy tensors and ask for their values, which a program cannot.
    """
    made: object = object.__new__(cls)
    vars(made).update(attributes)
    return made


def _own(settings: Mapping[str, object]) -> dict[str, object]:
    """The settings in containers of their own, because layers write into them."""
    return {
        name: copy.copy(value) if isinstance(value, dict | list) else value
        for name, value in settings.items()
    }


def _is_state(name: str, value: object) -> bool:
    if name in _SHORT:  # while torch maps over a cache, it may hold something else than tensors
        return value is not None
    return any(isinstance(leaf, torch.Tensor) for leaf in pytree.tree_leaves(value))


def _counts_its_keys(attributes: Mapping[str, object]) -> bool:
    """Whether a window's count of the tokens that it has seen is how many it holds."""
    seen, keys = attributes.get("cumulative_length"), attributes.get("keys")
    if isinstance(seen, torch.SymInt):
        return True  # a comparison would be one more condition on the sizes
    return isinstance(seen, int) and isinstance(keys, torch.Tensor) and keys.shape[-2] == seen


def _follow(
    description: _Layer, settings: Mapping[str, object], tensors: Mapping[str, object]
) -> dict[str, object]:
    """The attributes that follow from the tensors."""
    first = next((leaf for leaf in pytree.tree_leaves(tensors) if isinstance(leaf, torch.Tensor)), None)
    found: dict[str, object] = dict.fromkeys(description.derived)
    if "_sliding_window_tensor" in found:
        window = settings["sliding_window"]
        device = None if first is None else first.device
        found["_sliding_window_tensor"] = torch.tensor(window, dtype=torch.long, device=device)
    if first is None:
        return found
    sizes = {
        "device": first.device,
        "batch_size": first.shape[0] if first.dim() else 1,
        "cumulative_length": first.shape[-2] if first.dim() > 1 else 0,
    }
    return {**found, **{name: value for name, value in sizes.items() if name in found}}


def cache_shapes(value: object, spec: object) -> object:
    """``dynamic_shapes`` for a cache as its tree has them; those of anything else are as they were.

    Beside a list with one ``{'key': ..., 'value': ...}`` or pair per layer, these are known: one mapping of
    axes for all tensors, a flat list in the order of the tensors, all keys and then all values in two lists
    or under two names.

    Args:
        value: an argument, or what is in it.
        spec: what is asked for.
    """
    cls = type(value)
    if cls.__module__ != "transformers.cache_utils" or spec is None:
        return spec
    children, context = pytree.SUPPORTED_NODES[cls].flatten_fn(value)
    if not isinstance(context, _Cache | _Pair):
        return spec
    leaves, tree = pytree.tree_flatten(children)
    if not leaves:
        return spec
    if _is_axes(spec) and isinstance(spec, Mapping):
        return _nested(tree, [spec] * len(leaves))
    if isinstance(spec, Sequence) and len(spec) == len(leaves) and all(map(_is_axes, spec)):
        return _nested(tree, spec)
    columns = _columns(spec) if isinstance(context, _Cache) else None
    if columns is not None and len(columns[0]) == len(columns[1]) == len(leaves) // 2:
        return _nested(tree, [axes for pair in zip(*columns, strict=True) for axes in pair])
    return spec


def _nested(tree: pytree.TreeSpec, leaves: Sequence[object]) -> object:
    """The entries in Python's own containers, one per leaf."""
    rest = iter(leaves)

    def nested(node: pytree.TreeSpec) -> object:
        if node.is_leaf():
            return next(rest)
        children = [nested(child) for child in node.children()]
        return dict(zip(node.context, children, strict=True)) if node.type is dict else children

    return nested(tree)


def _columns(spec: object) -> tuple[Sequence[object], Sequence[object]] | None:
    """All keys and all values, where they are given so.

    Of two layers, lists hold all keys and all values, and tuples the pair of a layer.
    """
    if isinstance(spec, Mapping) and len(spec) == 2:
        names = [("key_cache", "value_cache"), ("keys", "values"), ("key", "value")]
        spec = next(([spec[key], spec[value]] for key, value in names if key in spec and value in spec), None)
    if not isinstance(spec, Sequence) or len(spec) != 2:
        return None
    first, second = spec
    if not isinstance(first, list) or not isinstance(second, list) or _is_axes(first):
        return None
    return first, second


def _is_axes(spec: object) -> bool:
    """Whether this is what is asked for of one tensor: axes and their dimensions."""
    if isinstance(spec, Mapping):
        return not any(isinstance(dim, Mapping | list | tuple) for dim in spec.values()) and all(
            isinstance(axis, int) for axis in spec
        )
    if isinstance(spec, list | tuple):
        return bool(spec) and not any(dim is not None and _is_axes_or_nested(dim) for dim in spec)
    return spec is None


def _is_axes_or_nested(spec: object) -> bool:
    return isinstance(spec, Mapping | list | tuple)
