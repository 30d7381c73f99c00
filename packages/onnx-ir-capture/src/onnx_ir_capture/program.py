"""A captured program: a dialect graph and what the graph alone cannot say. Never changed after capture."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping

import onnx_ir as ir

from onnx_ir_capture.dialect import ConstantValue

__all__ = ["UNSUPPORTED", "CapturedProgram", "DimensionRange", "InputSpec", "OutputSpec", "WeightKind"]


class WeightKind(enum.Enum):
    """What an initializer of the dialect graph is in the model."""

    PARAMETER = "parameter"
    BUFFER = "buffer"
    TRANSIENT_BUFFER = "transient buffer"
    """A buffer registered with ``persistent=False``: used, but not in the ``state_dict``."""
    CONSTANT = "constant"


UNSUPPORTED = "unsupported"
"""Domain of calls that stand for what a front end could not import, and has reported."""


@dataclasses.dataclass(frozen=True)
class InputSpec:
    """One leaf of the flattened ``(args, kwargs)`` that the model was captured with.

    ``value`` is the graph input; it is None for a leaf that the capture fixed, and ``literal`` then holds
    what it was fixed to. ``wanted`` is the name that the leaf would have, were another input not called so.
    """

    name: str
    value: ir.Value | None
    literal: ConstantValue = None
    wanted: str | None = None


@dataclasses.dataclass(frozen=True)
class OutputSpec:
    """One leaf of the flattened result: a graph output, or a ``literal``, None or a string."""

    value: ir.Value | None
    literal: ConstantValue = None


@dataclasses.dataclass(frozen=True)
class DimensionRange:
    """Smallest and largest size that a symbolic dimension may have; ``upper`` None is unbounded."""

    lower: int
    upper: int | None


@dataclasses.dataclass(frozen=True)
class CapturedProgram:
    """A program in the torch dialect.

    ``model.graph`` holds the calls, its initializers the weights under their ``state_dict`` names; one that
    an input has already gets a number. ``weights`` has the kind of each initializer by its name.
    ``input_tree`` and ``output_tree`` are the pytree specs of the front end (opaque here), ``origin`` what
    the front end made the program from (an ``ExportedProgram``, for one), ``symbols`` how the dimensions'
    names came from that. ``is_whole`` is False if the front end reported a construct that the dialect has no
    form for: a call of the domain :data:`UNSUPPORTED` stands for its results, and nothing runs it.
    ``in_eval_mode`` is True if every module was in evaluation mode during the capture, so that a call in
    training mode is in that mode by the model's own words.
    """

    model: ir.Model
    inputs: tuple[InputSpec, ...]
    outputs: tuple[OutputSpec, ...]
    weights: Mapping[str, WeightKind]
    dimensions: Mapping[str, DimensionRange]
    route: str
    input_tree: object = None
    output_tree: object = None
    origin: object = None
    symbols: object = None
    is_whole: bool = True
    in_eval_mode: bool = False
