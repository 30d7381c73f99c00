"""``ONNXProgram``: an exported model together with the program it was made from."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import onnx
import onnx_ir as ir
import torch

from onnx_diagnostics import Diagnostic, DiagnosticContext
from onnx_export._axes import rename_axes
from onnx_export._feeds import feeds_of
from onnx_export._finish import optimize
from onnx_export._initializers import weights_arranged
from onnx_export._reference import run_reference, tensor_of, with_outputs
from onnx_export._runtime import InferenceSession, Session, default_session
from onnx_export._saving import check_values, save_model, save_to_buffer
from onnx_export._state import StateVariable, read_state
from onnx_export._weights import WeightNames, apply_weights
from onnx_ir_capture.program import CapturedProgram

__all__ = ["ONNXProgram"]


class ONNXProgram:
    """The result of an export.

    Attributes:
        model: the ONNX model as an ``onnx_ir.Model``; its weights are views on the PyTorch tensors.
        program: the captured program that the model was lowered from.
        value_map: for each value of ``program`` the value of ``model`` that holds it.
        log_path: the SARIF log, where ``export(report=True)`` has written one.
        report_path: the HTML report, likewise; the Markdown report lies beside it.
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
        self.log_path: str | None = None
        self.report_path: str | None = None
        self._diagnostics = diagnostics
        self._weights = WeightNames.read(model, program)
        self._session: Session | None = None

    def __repr__(self) -> str:
        graph = self.model.graph
        count = len(graph)
        nodes = f"{count} node{'' if count == 1 else 's'}"
        return (
            f"ONNXProgram(opset {graph.opset_imports['']}, {nodes}, "
            f"({_described(graph.inputs)}) -> ({_described(graph.outputs)}))"
        )

    @property
    def exported_program(self) -> torch.export.ExportedProgram | None:
        """The program of torch.export behind it; None for another route."""
        origin = self.program.origin
        return origin if isinstance(origin, torch.export.ExportedProgram) else None

    @property
    def state(self) -> tuple[StateVariable, ...]:
        """What the model changes, where it was exported with ``keep_state=True``."""
        return read_state(self.model)

    @property
    def model_proto(self) -> onnx.ModelProto:
        """The model as a protobuf message, weights included.

        Raises:
            ValueError: it is larger than protobuf's 2 GB; save it with external data instead.
            OnnxExporterError: a weight has no values, as in a model on meta; the exception names them all.
        """
        check_values(self.model, self._diagnostics)
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

        Arguments may be given by the names of forward's parameters, too, and those that the example left at
        None may be left out. State begins with its initial values.

        Returns:
            The outputs in the file's order, as CPU tensors.

        Raises:
            ImportError: onnxruntime is not installed (``pip install 'onnx-export[verify]'``).
            TypeError: the arguments do not have the structure that the model was exported for.
            ValueError: tensors do not have the dtypes and shapes of the file's inputs, or sizes that it does
                not hold for.
            OnnxExporterError: a weight has no values yet.
        """
        feeds = feeds_of(self.program, self.model, args, kwargs)
        if self._session is None:
            check_values(self.model, self._diagnostics)
            self._session = Session(self.model)
        return self._session.run(feeds)

    def call_reference(self, *args: object, **kwargs: object) -> Sequence[torch.Tensor]:
        """Run the model in ``onnx.reference``, ONNX's own implementation in numpy; slow, but independent.

        Returns:
            The outputs in the file's order, as CPU tensors.

        Raises:
            TypeError: the arguments do not have the structure that the model was exported for.
            ValueError: tensors do not have the dtypes and shapes of the file's inputs, or sizes that it does
                not hold for.
            OnnxExporterError: a weight has no values yet.
        """
        feeds = feeds_of(self.program, self.model, args, kwargs)
        check_values(self.model, self._diagnostics)
        return run_reference(self.model, feeds)

    def compute_values(
        self,
        value_names: Sequence[str],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
        *,
        initializer: Callable[[str | bytes], InferenceSession] = default_session,
    ) -> Sequence[torch.Tensor]:
        """Compute values inside of the model in ONNX Runtime; the program itself is left as it is.

        Args:
            value_names: names of values of ``model.graph``: results of nodes, inputs or weights.
            args: positional arguments, as for a call.
            kwargs: arguments by name, as for a call.
            initializer: as for :meth:`initialize_inference_session`.

        Returns:
            The values in the order of their names, as CPU tensors.

        Raises:
            ValueError: there is no such value, or it is inside of a branch, loop or function.
            OnnxExporterError: a weight that it needs has no values yet.
        """
        feeds = feeds_of(self.program, self.model, args, kwargs or {})
        part, computed = with_outputs(self.model, value_names)
        found = dict(feeds)
        if computed:
            check_values(part, self._diagnostics)
            with contextlib.closing(Session(part, initializer)) as session:
                found.update(zip(computed, session.run(feeds), strict=True))
        weights = self.model.graph.initializers
        return [found[name] if name in found else tensor_of(weights[name]) for name in value_names]

    def optimize(self, *, use_onnxscript: bool = False) -> None:
        """Write what the graph computes twice once, and drop what nothing uses, in place.

        Args:
            use_onnxscript: let onnxscript's optimizer go first. It may compute small weights into others, and
                :meth:`apply_weights` then refuses them.
        """
        self.release()
        optimize(self.model, use_onnxscript=use_onnxscript)

    def apply_weights(self, state_dict: Mapping[str, torch.Tensor], *, strict: bool = True) -> None:
        """Give the model the weights of ``state_dict``, as after an export of a model without any.

        Args:
            state_dict: a tensor by each name of the PyTorch model's own ``state_dict``; they are not copied.
            strict: False lets weights that are missing stay as they are, and passes over unknown names.

        Raises:
            ValueError: names are missing or unknown, or tensors have another shape or dtype than the weights
                that they replace. All of them are listed, and nothing is changed.
        """
        apply_weights(self.model, self._weights, state_dict, strict=strict)
        self.release()

    def rename_axes(self, rename_mapping: Mapping[str | ir.SymbolicDim, str]) -> None:
        """Rename dynamic dimensions, inside of expressions, too, as in ``{"s0": "batch"}``.

        Raises:
            ValueError: there is no such dimension, or the new name is taken or none.
        """
        rename_axes(self.model, rename_mapping)
        self.release()

    def initialize_inference_session(
        self, initializer: Callable[[str | bytes], InferenceSession] = default_session
    ) -> None:
        """Open the ONNX Runtime session that calls use, with other options than theirs.

        Args:
            initializer: makes an ``onnxruntime.InferenceSession`` of what it is given: the model's bytes, or
                the path of a temporary copy for models that are too large for one protobuf message.

        Raises:
            ImportError: onnxruntime is not installed.
            OnnxExporterError: a weight has no values yet.
        """
        self.release()
        check_values(self.model, self._diagnostics)
        self._session = Session(self.model, initializer)

    def release(self) -> None:
        """Close the ONNX Runtime session that calls opened, and give its memory back."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def save(
        self,
        destination: str | os.PathLike[str] | io.BytesIO,
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool = False,
        external_data: bool | None = None,
    ) -> None:
        """Write the model to ``destination``. The program itself is left as it is.

        Args:
            destination: path of the ``.onnx`` file; external data goes beside it, as ``.onnx.data``. An
                ``io.BytesIO`` takes the file with its weights.
            include_initializers: False leaves parameters and buffers out; they become inputs of the graph.
            keep_initializers_as_inputs: list the weights among the inputs, too, as IR versions before 4 did.
            external_data: True for weights in a file beside it, False for one file, None for one file
                unless the model is larger than protobuf can hold.

        Raises:
            OnnxExporterError: the place cannot be written, or the model is too large for a buffer; nothing
                there was changed.
            TypeError: the destination is neither a path nor an ``io.BytesIO``.
            ValueError: a buffer shall have external data.
        """
        if external_data and isinstance(destination, io.BytesIO):
            raise ValueError("a buffer holds the whole model; external_data=True needs a path")
        with weights_arranged(
            self.model, self.program, include=include_initializers, as_inputs=keep_initializers_as_inputs
        ):
            if isinstance(destination, io.BytesIO):
                save_to_buffer(self.model, destination, diagnostics=self._diagnostics)
                return
            save_model(self.model, destination, external_data=external_data, diagnostics=self._diagnostics)


# More make the line hard to read; a model with a cache has dozens.
_SHOWN = 6


def _described(values: Sequence[ir.Value]) -> str:
    texts = []
    for value in values[:_SHOWN]:
        dtype = "?" if value.dtype is None else value.dtype.name
        shape = "[...]" if value.shape is None else f"[{', '.join(str(dim) for dim in value.shape)}]"
        texts.append(f"{value.name}: {dtype}{shape}")
    more = len(values) - len(texts)
    return ", ".join([*texts, f"and {more} more"] if more else texts)
