"""Where a node came from: the line of the model's own code and the module it stands in."""

from __future__ import annotations

import dataclasses
import json

import onnx_ir as ir

__all__ = ["SOURCE_KEY", "Frame", "ModuleCall", "Source", "get_source", "set_source"]

SOURCE_KEY = "torch.source"
"""Where a node keeps its source, in ``meta`` and, once saved, in ``metadata_props``."""


@dataclasses.dataclass(frozen=True)
class Frame:
    """One line of a call stack: a file's path, a 1-based line, and the function around it."""

    file: str
    line: int
    function: str = ""


@dataclasses.dataclass(frozen=True)
class ModuleCall:
    """One call of a submodule.

    ``path`` is that of ``named_modules()``, ``class_name`` the class with the module it is defined in, and
    ``number`` counts the calls of the same path from 0.
    """

    path: str
    class_name: str
    number: int = 0


@dataclasses.dataclass(frozen=True)
class Source:
    """Origin of a node.

    ``frames`` runs from the innermost call outwards. ``module`` is the path of the ``nn.Module`` as in
    ``named_modules()`` (the empty string is the root), ``module_class`` its class, ``name`` what the front
    end called the value. ``calls`` are the calls of submodules that the node was made in, outermost first;
    the call of the model itself is left out.
    """

    frames: tuple[Frame, ...] = ()
    module: str = ""
    module_class: str = ""
    name: str = ""
    calls: tuple[ModuleCall, ...] = ()

    def to_json(self) -> str:
        """One line of JSON, the form in which a saved dialect file keeps it."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Source:
        """Read what :meth:`to_json` wrote."""
        fields = json.loads(text)
        frames = tuple(Frame(**frame) for frame in fields.pop("frames"))
        calls = tuple(ModuleCall(**call) for call in fields.pop("calls", ()))
        return Source(frames=frames, calls=calls, **fields)


def set_source(node: ir.Node, source: Source) -> None:
    """Keep ``source`` with the node. It is rendered into metadata only when the program is saved."""
    node.meta[SOURCE_KEY] = source


def get_source(node: ir.Node) -> Source | None:
    """Where the node came from, if the front end knew."""
    source = node.meta.get(SOURCE_KEY)
    if isinstance(source, Source):
        return source
    text = node.metadata_props.get(SOURCE_KEY)
    if not text:
        return None
    source = Source.from_json(text)
    set_source(node, source)
    return source
