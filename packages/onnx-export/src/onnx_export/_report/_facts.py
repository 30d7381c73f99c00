"""What a report tells of one export, as plain data; a log keeps it among the properties of its run.

No value of a weight or an input is part of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

__all__ = [
    "ComparisonFact",
    "DimensionFact",
    "ExportFacts",
    "Failure",
    "FileFact",
    "ModuleFact",
    "OperatorFact",
    "StageFact",
    "TensorFact",
    "WeightFact",
]


@dataclasses.dataclass(frozen=True)
class StageFact:
    """A stage of the export.

    Attributes:
        name: such as ``capture``.
        seconds: how long it took.
        peak: the process's largest memory in bytes when it ended; None where the system does not tell.
        growth: by how much the stage raised that peak; 0 where it stayed below what there was before.
        finished: False if the export failed in it.
    """

    name: str
    seconds: float
    peak: int | None
    growth: int | None
    finished: bool


@dataclasses.dataclass(frozen=True)
class TensorFact:
    """An input or output: its name, its dtype, and its shape, of which nothing may be known."""

    name: str
    dtype: str
    shape: tuple[str, ...] | None


@dataclasses.dataclass(frozen=True)
class DimensionFact:
    """A dynamic dimension with the sizes that it may have; ``upper`` None is unbounded."""

    name: str
    lower: int
    upper: int | None


@dataclasses.dataclass(frozen=True)
class OperatorFact:
    """A torch operator.

    Attributes:
        op: its name, such as ``aten::linear``.
        captured: how many calls were captured.
        cleaned: how many the passes left; None if the export did not come so far.
        translated: how many of these each library of translations served, by its name; None likewise.
        nodes: how many nodes of each ONNX operator the file has for it.
    """

    op: str
    captured: int
    cleaned: int | None
    translated: Mapping[str, int] | None
    nodes: Mapping[str, int]


@dataclasses.dataclass(frozen=True)
class ModuleFact:
    """A module of the model: its path, which is empty for the model itself, its class, and its own calls."""

    path: str
    class_name: str
    calls: int


@dataclasses.dataclass(frozen=True)
class WeightFact:
    """A weight of the file; ``kind`` is ``parameter``, ``buffer`` and the like."""

    name: str
    kind: str
    dtype: str
    shape: tuple[str, ...] | None
    nbytes: int


@dataclasses.dataclass(frozen=True)
class ComparisonFact:
    """An output held against PyTorch's; ``problem`` is empty where they agree."""

    output: str
    sizes: str
    difference: float
    problem: str


@dataclasses.dataclass(frozen=True)
class FileFact:
    """A file that was written."""

    name: str
    nbytes: int


@dataclasses.dataclass(frozen=True)
class Failure:
    """Why there is no model: the class of the exception, its message without findings, and the stage."""

    error: str
    message: str
    stage: str


@dataclasses.dataclass(frozen=True)
class ExportFacts:
    """What is known of one export when it ends, however it ends.

    Attributes:
        model: the class of what was exported.
        route: how it was captured; empty if it was not.
        opset: the opset that was asked for.
        options: further arguments that shape the file, and their values in words.
        versions: of Python and of the packages.
        failure: why it failed; None if it did not.
        stages: in their order.
        examples: the example inputs.
        inputs: of the file, or as far as it came, of the captured program.
        outputs: likewise.
        dimensions: that may vary.
        modules: the modules that were captured, in the order of their first calls.
        operators: the model's operators, by their number.
        nodes: how many nodes of each operator the file has.
        weights: the file's, the largest first.
        comparisons: with PyTorch.
        verified: whether the comparison was asked for.
        files: what was written.
    """

    model: str = ""
    route: str = ""
    opset: int = 0
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    failure: Failure | None = None
    stages: tuple[StageFact, ...] = ()
    examples: tuple[TensorFact, ...] = ()
    inputs: tuple[TensorFact, ...] = ()
    outputs: tuple[TensorFact, ...] = ()
    dimensions: tuple[DimensionFact, ...] = ()
    modules: tuple[ModuleFact, ...] = ()
    operators: tuple[OperatorFact, ...] = ()
    nodes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    weights: tuple[WeightFact, ...] = ()
    comparisons: tuple[ComparisonFact, ...] = ()
    verified: bool = False
    files: tuple[FileFact, ...] = ()
