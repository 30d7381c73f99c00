"""Modules that bring what an export of them needs."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence

import torch

from onnx_export._program import ONNXProgram

__all__ = ["ExportableModule", "examples_of"]


class ExportableModule(torch.nn.Module, abc.ABC):
    """A module that knows its example inputs, its dynamic dimensions, and the names in its file.

    ``export(module)`` without arguments asks it; what is given to ``export()`` goes before what it says.
    """

    @abc.abstractmethod
    def example_arguments(self) -> tuple[tuple[object, ...], Mapping[str, object] | None]:
        """Example inputs: those by position, and those by name or None."""

    def output_names(self) -> Sequence[str] | None:
        """Names of the file's outputs, in order; None for names of the exporter's."""
        return None

    def input_names(self) -> Sequence[str] | None:
        """Names of the file's inputs, in order; None for forward's parameters."""
        return None

    def dynamic_shapes(self) -> object:
        """The dimensions that may vary, as for ``export(dynamic_shapes=)``; None for none."""
        return None

    def to_onnx(self, **options: object) -> ONNXProgram:
        """Export the module.

        Args:
            options: arguments of ``export()``, such as ``opset_version`` or ``f``.

        Raises:
            OnnxExporterError: the module cannot be exported.
        """
        from onnx_export._export import export  # it knows this class

        call: Callable[..., ONNXProgram] = export
        return call(self, **options)


def examples_of(module: ExportableModule) -> tuple[tuple[object, ...], dict[str, object]]:
    """The example inputs that ``module`` gives.

    Raises:
        TypeError: it gives something else than a pair of arguments.
    """
    given: object = module.example_arguments()
    if isinstance(given, tuple) and len(given) == 2:
        args, kwargs = given
        if isinstance(args, tuple | list) and (kwargs is None or isinstance(kwargs, Mapping)):
            return tuple(args), dict(kwargs or {})
    raise TypeError(
        f"{type(module).__qualname__}.example_arguments() must return (args, kwargs): a tuple, and a dict or "
        f"None; got {type(given).__name__}"
    )
