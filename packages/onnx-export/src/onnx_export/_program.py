"""``ONNXProgram``: an exported model together with the program it was made from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import onnx
import onnx_ir as ir
import torch

from onnx_diagnostics import Diagnostic, DiagnosticContext
from onnx_export._runtime import Session, feeds_of
from onnx_export._saving import save_model
from onnx_ir_capture.program import CapturedProgram

__all__ = ["ONNXProgram"]


class ONNXProgram:
    """The result of an export.

    Attributes:
        model: the ONNX model as an ``onnx_ir.Model``; its weights are views on the PyTorch tensors.
        program: the captured program that the model was lowered from.
        value_map: for each value of ``program`` the value of ``model`` that holds it.
    """

    def __init__(
        self,
        model: ir.Model,
        program: CapturedProgram,
        diagnostics: DiagnosticContext,
        value_map: Mapping[ir.Value, ir.Value] = MappingProxyType({}),
    ) -> None:
        self.model = model
        self.program = program
        self.value_map = value_map
        self._diagnostics = diagnostics
        self._session: Session | None = None

    def __repr__(self) -> str:
        graph = self.model.graph
        inputs = ", ".join(str(value) for value in graph.inputs)
        outputs = ", ".join(str(value) for value in graph.outputs)
        return f"ONNXProgram(opset {graph.opset_imports['']}, {len(graph)} nodes, ({inputs}) -> ({outputs}))"

    @property
    def exported_program(self) -> torch.export.ExportedProgram | None:
        """The program of torch.export behind it; None for another route."""
        origin = self.program.origin
        return origin if isinstance(origin, torch.export.ExportedProgram) else None

    @property
    def model_proto(self) -> onnx.ModelProto:
        """The model as a protobuf message, weights included.

        Raises:
            ValueError: it is larger than protobuf's 2 GB; save it with external data instead.
        """
        return ir.to_proto(self.model)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything the export found, in order."""
        return self._diagnostics.diagnostics

    @property
    def diagnostic_context(self) -> DiagnosticContext:
        """The context that the export reported to; what saving finds goes there, too."""
        return self._diagnostics

    def __call__(self, *args: object, **kwargs: object) -> Sequence[torch.Tensor]:
        """Run the model in ONNX Runtime on the arguments of the PyTorch model.

        Returns:
            The outputs in the file's order, as CPU tensors.

        Raises:
            ImportError: onnxruntime is not installed (``pip install onnx-export[verify]``).
            TypeError: the arguments do not have the structure that the model was exported for.
        """
        if self._session is None:
            self._session = Session(self.model)
        return self._session.run(feeds_of(self.program, self.model, args, kwargs))

    def release(self) -> None:
        """Close the ONNX Runtime session that calls opened, and give its memory back."""
        self._session = None

    def save(
        self,
        destination: str | os.PathLike[str],
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool = False,
        external_data: bool | None = None,
    ) -> None:
        """Write the model to ``destination``. The program itself is left as it is.

        Args:
            destination: path of the ``.onnx`` file; external data goes beside it, as ``.onnx.data``.
            include_initializers: False leaves the weights out; they become inputs of the graph.
            keep_initializers_as_inputs: list the weights among the inputs, too, as IR versions before 4 did.
            external_data: True for weights in a file beside it, False for one file, None for one file
                unless the model is larger than protobuf can hold.

        Raises:
            OnnxExporterError: the place cannot be written; nothing there was changed.
        """
        graph = self.model.graph
        weights = list(graph.initializers.values())
        listed = [value for value in weights if not value.is_graph_input()]
        as_inputs = keep_initializers_as_inputs or not include_initializers
        try:
            if as_inputs:
                graph.inputs.extend(listed)
            if not include_initializers:
                graph.initializers.clear()
            save_model(self.model, destination, external_data=external_data, diagnostics=self._diagnostics)
        finally:
            if as_inputs:
                for value in listed:
                    graph.inputs.remove(value)
            for value in weights:
                graph.initializers[str(value.name)] = value
