"""The routes that ``tools/bench.py`` measures: how both exporters are called on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import torch
from _bench_models import Case

__all__ = ["ROUTES", "Export", "Numbers", "Route"]

Numbers = dict[str, float]
Export = Callable[[Case, str], None]


class _Positional(torch.nn.Module):
    """A model that takes its keyword inputs by position, and gives tuples: what torch's tracer exports."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.model, self.names = case.model, list(case.example)

    def forward(self, *inputs: torch.Tensor) -> object:
        result = self.model(**dict(zip(self.names, inputs, strict=True)))
        return tuple(result.values()) if isinstance(result, Mapping) else result


@dataclass(frozen=True)
class Route:
    """A route with default arguments.

    Attributes:
        arguments: the model and what both exporters are given with it, by name.
        captured_by: the name of the route for an exporter of ours.
        capture_only: torch's own capture alone, which writes no file.
    """

    arguments: Callable[[Case], tuple[torch.nn.Module, tuple[torch.Tensor, ...], dict[str, object]]]
    captured_by: Literal["torch.export", "torch.jit"]
    capture_only: Export

    def export_ours(self, case: Case, path: str) -> None:
        """``onnx_export.export``."""
        import onnx_export

        model, args, options = self.arguments(case)
        onnx_export.export(model, args, path, **options)  # type: ignore[arg-type]  # by name

    def export_torch(self, case: Case, path: str) -> None:
        """``torch.onnx.export``."""
        model, args, options = self.arguments(case)
        torch.onnx.export(model, args, path, **options)  # type: ignore[arg-type]  # by name

    def export_in_stages(self, case: Case, path: str, observed: Numbers) -> None:
        """Ours with the seconds of each stage, the file's writing among them."""
        from onnx_export import DEFAULT_TABLES, SCRIPT_TABLES, Exporter

        exporter = Exporter(
            on_stage=observed.__setitem__,
            route=self.captured_by,
            tables=DEFAULT_TABLES if self.captured_by == "torch.export" else SCRIPT_TABLES,
        )
        model, args, options = self.arguments(case)
        program = exporter.export(
            model,
            args,
            case.example if self.captured_by == "torch.export" else None,
            dynamic_shapes=options.get("dynamic_shapes", options.get("dynamic_axes")),
            input_names=list(case.example),
        )
        start = time.perf_counter()
        program.save(path, external_data=True)
        observed["save"] = time.perf_counter() - start


def _for_export(case: Case) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...], dict[str, object]]:
    return case.model, (), {"kwargs": dict(case.example), "dynamic_shapes": dict(case.dynamic_shapes)}


def _for_trace(case: Case) -> tuple[torch.nn.Module, tuple[torch.Tensor, ...], dict[str, object]]:
    axes = {name: {axis: f"axis_{axis}" for axis in dims} for name, dims in case.dynamic_shapes.items()}
    options = {"dynamo": False, "dynamic_axes": axes, "input_names": list(case.example)}
    return _Positional(case).eval(), tuple(case.example.values()), options


def _exported(case: Case, path: str) -> None:
    torch.export.export(case.model, (), dict(case.example), dynamic_shapes=dict(case.dynamic_shapes))


def _traced(case: Case, path: str) -> None:
    model, args, _ = _for_trace(case)
    torch.jit.trace(model, args, check_trace=False)


ROUTES: Mapping[str, Route] = {
    "torch.export": Route(_for_export, "torch.export", _exported),
    "torchscript": Route(_for_trace, "torch.jit", _traced),
}
