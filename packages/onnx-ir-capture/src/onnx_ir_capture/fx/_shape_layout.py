"""Which argument each entry of ``dynamic_shapes`` is for."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence

import torch

from onnx_ir_capture.fx._containers import member_path, members

__all__ = ["InvalidShapesError", "NamedShapes", "ShapeLayout", "lay_out", "positional_names"]


class NamedShapes(dict[str, object]):
    """``dynamic_shapes`` that were given as another argument, whose name complaints use.

    Attributes:
        argument: its name.
        unknown: keys that a capture found to be no inputs; they may be outputs, or nothing.
    """

    def __init__(self, argument: str) -> None:
        super().__init__()
        self.argument = argument
        self.unknown: set[str] = set()


class InvalidShapesError(ValueError):
    """``dynamic_shapes`` does not fit the arguments; the text is one sentence for the user."""


class UnknownKeyError(InvalidShapesError):
    """A key is no input."""


@dataclasses.dataclass
class ShapeLayout:
    """One entry per argument, None where nothing is asked for.

    Attributes:
        args: entries of the positional arguments.
        arg_paths: names of the positional arguments.
        kwargs: entries of the keyword arguments.
        by_leaf: entries of single tensors, by position among the flattened arguments.
    """

    args: list[object]
    arg_paths: list[str]
    kwargs: dict[str, object]
    by_leaf: dict[int, object] = dataclasses.field(default_factory=dict)


def lay_out(
    spec: object,
    signature: inspect.Signature,
    args: tuple[object, ...],
    kwargs: dict[str, object],
    input_names: Sequence[str] = (),
) -> ShapeLayout | None:
    """Give every entry of ``spec`` to its argument; None if ``spec`` asks for nothing.

    Raises:
        InvalidShapesError: an entry has no argument.
    """
    if spec is None or (isinstance(spec, Mapping | Sequence) and not spec):
        return None
    layout = ShapeLayout([None] * len(args), positional_names(signature, len(args)), dict.fromkeys(kwargs))
    if isinstance(spec, Mapping):
        leaves = _named_leaves(layout, args, kwargs, input_names)
        for name, entry in spec.items():
            try:
                _place(name, entry, layout, signature, leaves)
            except UnknownKeyError:
                if not isinstance(spec, NamedShapes):
                    raise
                spec.unknown.add(str(name))
        return layout
    if isinstance(spec, Sequence) and not isinstance(spec, str):
        return _lay_out_sequence(spec, layout, signature)
    raise InvalidShapesError(
        f"dynamic_shapes is a {type(spec).__qualname__}; give a dict by parameter name, or a tuple with one "
        "entry per parameter"
    )


def positional_names(signature: inspect.Signature, count: int) -> list[str]:
    """What the first ``count`` arguments by position are called; members of ``*args`` are ``args[0]`` ..."""
    names: list[str] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{name}[{index}]" for index in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(name)
    return names[:count]


def _named_leaves(
    layout: ShapeLayout, args: tuple[object, ...], kwargs: dict[str, object], input_names: Sequence[str]
) -> dict[str, int]:
    """Positions of the tensors among the flattened arguments, by the names their inputs get or would get."""
    arguments = [*zip(layout.arg_paths, args, strict=True), *kwargs.items()]
    leaves = [leaf for name, value in arguments for leaf in _leaves(name, value)]
    tensors = [index for index, (_, leaf) in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
    defaults = {_NOT_IN_NAMES.sub("_", leaves[index][0]).strip("_"): index for index in tensors}
    return {**defaults, **dict(zip(input_names, tensors, strict=False))}


# Torch calls the input for cache[0]['key'] cache_0_key.
_NOT_IN_NAMES = re.compile(r"\W+")


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    inside = members(value)
    if inside is None:
        yield path, value
        return
    for key, member in inside:
        yield from _leaves(member_path(value, path, key), member)


def _lay_out_sequence(
    spec: Sequence[object], layout: ShapeLayout, signature: inspect.Signature
) -> ShapeLayout:
    """One entry per parameter that is given; an entry of ``*args`` is a tuple, or its members follow flat."""
    variadic = _variadic(signature, inspect.Parameter.VAR_POSITIONAL)
    given = [*layout.arg_paths, *layout.kwargs]
    grouped = list(dict.fromkeys(name.partition("[")[0] for name in layout.arg_paths)) + list(layout.kwargs)
    names = given
    if variadic in grouped and len(spec) == len(grouped):
        entry = spec[grouped.index(variadic)]
        names = given if isinstance(entry, Mapping) else grouped
    if len(spec) != len(names):
        raise InvalidShapesError(
            f"dynamic_shapes has {len(spec)} entries, but the model is given {len(names)} arguments: "
            f"{', '.join(names)}"
        )
    for name, entry in zip(names, spec, strict=True):
        _place(name, entry, layout, signature, {})
    return layout


def _place(
    name: object, entry: object, layout: ShapeLayout, signature: inspect.Signature, leaves: Mapping[str, int]
) -> None:
    if not isinstance(name, str):
        raise InvalidShapesError(f"dynamic_shapes has the key {name!r}; its keys are names of parameters")
    if name in layout.arg_paths:
        layout.args[layout.arg_paths.index(name)] = entry
    elif name in layout.kwargs:
        layout.kwargs[name] = entry
    elif name == _variadic(signature, inspect.Parameter.VAR_POSITIONAL):
        _place_variadic(name, entry, layout)
    elif name == _variadic(signature, inspect.Parameter.VAR_KEYWORD) and isinstance(entry, Mapping):
        for key, value in entry.items():
            _place(key, value, layout, signature, leaves)
    elif name in leaves:
        layout.by_leaf[leaves[name]] = entry
    elif name not in signature.parameters:
        known = ", ".join(dict.fromkeys([*layout.arg_paths, *layout.kwargs, *leaves]))
        raise UnknownKeyError(f"dynamic_shapes has the unknown key {name!r}; known are {known}")
    elif entry:
        raise InvalidShapesError(
            f"dynamic_shapes asks for {name!r}, but the example gives no argument for that parameter"
        )


def _place_variadic(name: str, entry: object, layout: ShapeLayout) -> None:
    members = [index for index, path in enumerate(layout.arg_paths) if path.startswith(f"{name}[")]
    entries = [None] * len(members) if entry is None else entry
    if not isinstance(entries, Sequence) or len(entries) != len(members):
        raise InvalidShapesError(
            f"dynamic_shapes gives {entry!r} for *{name}, which holds {len(members)} arguments"
        )
    for index, member in zip(members, entries, strict=True):
        layout.args[index] = member


def _variadic(signature: inspect.Signature, kind: object) -> str | None:
    return next((name for name, item in signature.parameters.items() if item.kind is kind), None)
