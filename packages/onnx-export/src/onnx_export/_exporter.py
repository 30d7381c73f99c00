"""``Exporter``: the way of a model through capture, passes, lowering and checks, as one readable list."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, TypeAlias

import onnx_ir as ir
import torch

from onnx_diagnostics import (
    CaptureError,
    ConversionError,
    DiagnosticContext,
    ExporterInternalError,
    UnsupportedOperatorError,
)
from onnx_export.__about__ import __version__
from onnx_export._complex import note_pairs, share_complex_weights
from onnx_export._decomposition import OnDemandDecomposer
from onnx_export._findings import note_constants, note_inputs, note_kernels
from onnx_export._finish import check, check_outputs, clean, finish
from onnx_export._identities import current
from onnx_export._models import Exportable, resolved
from onnx_export._module_choice import ModuleChoice
from onnx_export._module_functions import outline_modules
from onnx_export._onnx_ops import ONNX_OPS
from onnx_export._opsets import check_opset
from onnx_export._program import ONNXProgram
from onnx_export._report._words import counted
from onnx_export._routes import CaptureRequest, capture_by_any_route
from onnx_export._state import expose_state
from onnx_export._torch_lib import TORCH_LIB
from onnx_export._torch_symbolics import (
    AUTOGRAD_FUNCTIONS,
    REGISTERED,
    REGISTERED_ANYWHERE,
    REGISTERED_WITH_TORCH,
)
from onnx_export._watching import StageObserver, Watch, timed
from onnx_export.rules import FUNCTIONALIZED
from onnx_ir_capture.contracts import OpTable, Target
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.fx import Capturable, DecompositionTable, functionalized, is_scripted
from onnx_ir_capture.lowering import LoweredProgram, lower, mark_translated, translation_of
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import LOWERING_FAULT, UNSUPPORTED_OPERATOR
from onnx_ir_capture.torchscript import Scriptable, capture_script
from onnx_jitpasses.pipeline import PassedProgram, StateUpdate, run_pipeline
from onnx_jitpasses.rules import IN_PLACE_WRITE
from onnx_symbolics import SYMBOLICS
from onnx_torchlib import TRANSLATORS

__all__ = [
    "DEFAULT_FALLBACKS",
    "DEFAULT_OPSET",
    "DEFAULT_TABLES",
    "SCRIPT_TABLES",
    "Exporter",
    "Route",
]

Route: TypeAlias = Literal["torch.export", "torch.jit"]
"""How a model is captured."""

DEFAULT_OPSET = 20
"""The opset of the file where none is asked for."""

DEFAULT_TABLES: tuple[OpTable, ...] = (
    REGISTERED,
    AUTOGRAD_FUNCTIONS,
    TRANSLATORS,
    SYMBOLICS,
    ONNX_OPS,
    REGISTERED_WITH_TORCH,
)
"""The tables of lowerings that a torch.export capture is lowered with, in the order they are asked."""

SCRIPT_TABLES: tuple[OpTable, ...] = (
    REGISTERED_ANYWHERE,
    AUTOGRAD_FUNCTIONS,
    SYMBOLICS,
    TRANSLATORS,
    ONNX_OPS,
)
"""The tables that a TorchScript capture is lowered with, in the order they are asked."""

DEFAULT_FALLBACKS: tuple[OpTable, ...] = (TORCH_LIB,)
"""The tables that are asked last, for what neither the others nor decomposition translate."""


class Exporter:
    """Exports models to ONNX with one set of options; an export with others needs another exporter.

    Args:
        opset_version: opset of the file, 7 to the newest; below 18, operators are those of onnx-symbolics.
        tables: lowerings, asked in this order; a caller's own go in front of :data:`DEFAULT_TABLES`, or of
            :data:`SCRIPT_TABLES`.
        fallbacks: lowerings that are asked last, after decomposition; ``()`` for none.
        eval_mode: export as after ``model.eval()``, whatever the model's own mode. The model is not changed.
        optimize: drop what nothing uses from the finished graph.
        decompose: False takes only calls apart that no table translates; True takes the whole program apart
            into core ATen first, a decomposition table as it says.
        route: how models are captured: ``"torch.export"``, or ``"torch.jit"`` for a trace, and by nothing
            else. None takes torch.export, and where that fails another way that holds the same.
        keep_state: what the model changes of its buffers, parameters and inputs becomes inputs and outputs of
            the file; else the changes are dropped with a warning.
        modules_as_functions: True makes calls of submodules calls of functions of the file; classes, those of
            modules of these classes.
        diagnostics: where every stage reports; a new context by default.
        on_stage: told about each finished stage.
        watch: told what each stage makes, too, and of one that fails.

    Raises:
        ValueError: the opset is out of range.
        TypeError: what ``modules_as_functions`` holds is no class of modules.
    """

    def __init__(
        self,
        opset_version: int = DEFAULT_OPSET,
        *,
        tables: Sequence[OpTable] = DEFAULT_TABLES,
        fallbacks: Sequence[OpTable] = DEFAULT_FALLBACKS,
        eval_mode: bool = True,
        optimize: bool = True,
        decompose: bool | DecompositionTable = False,
        route: Route | None = None,
        keep_state: bool = False,
        modules_as_functions: bool | Collection[type[torch.nn.Module]] = False,
        diagnostics: DiagnosticContext | None = None,
        on_stage: StageObserver | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.target = Target(check_opset(opset_version))
        self.tables = tuple(tables)
        self.fallbacks = tuple(fallbacks)
        self.eval_mode = eval_mode
        self.optimize = optimize
        self.decompose = decompose
        self.route = route
        self.keep_state = keep_state
        self.modules_as_functions = ModuleChoice(modules_as_functions)
        self.diagnostics = diagnostics or DiagnosticContext("onnx-export", __version__)
        self._on_stage = on_stage
        self._watch = watch or Watch()

    def export(
        self,
        model: Exportable,
        args: object = (),
        kwargs: Mapping[str, object] | None = None,
        *,
        dynamic_shapes: object = None,
        input_names: Sequence[str] | None = None,
        output_names: Sequence[str] | None = None,
        diagnostics: DiagnosticContext | None = None,
    ) -> ONNXProgram:
        """Capture ``model`` and build its ONNX program.

        The arguments are those of :func:`onnx_export.export`; ``diagnostics`` is a child of the exporter's
        context by default, so that the program has what was found in it alone.

        Raises:
            OnnxExporterError: the model cannot be captured or lowered; the exception lists every reason
                with its line in the model.
        """
        diagnostics = self.diagnostics.child() if diagnostics is None else diagnostics
        program = self.capture(
            model,
            args,
            kwargs,
            dynamic_shapes=dynamic_shapes,
            input_names=input_names,
            diagnostics=diagnostics,
        )
        return self._convert(program, diagnostics, input_names, output_names)

    def capture(
        self,
        model: Exportable,
        args: object = (),
        kwargs: Mapping[str, object] | None = None,
        *,
        dynamic_shapes: object = None,
        input_names: Sequence[str] | None = None,
        diagnostics: DiagnosticContext | None = None,
    ) -> CapturedProgram:
        """Capture ``model``; what :meth:`convert` takes, for several targets or to look at.

        The arguments are those of :meth:`export`.

        Raises:
            OnnxExporterError: the model cannot be captured.
        """
        diagnostics = self.diagnostics.child() if diagnostics is None else diagnostics
        with self.stage("capture"):
            program = self._captured(
                resolved(model, diagnostics), args, kwargs, dynamic_shapes, input_names, diagnostics
            )
        self._watch.captured(program)
        return program

    def _captured(
        self,
        model: Capturable,
        args: object,
        kwargs: Mapping[str, object] | None,
        dynamic_shapes: object,
        input_names: Sequence[str] | None,
        diagnostics: DiagnosticContext,
    ) -> CapturedProgram:
        if self.route == "torch.jit" or is_scripted(model):
            return capture_script(
                _traceable(model),
                args,
                kwargs,
                dynamic_axes=dynamic_shapes,
                input_names=input_names,
                diagnostics=diagnostics,
                eval_mode=self.eval_mode,
            )
        request = CaptureRequest(
            model, args, kwargs, dynamic_shapes, input_names, self.eval_mode, self.decompose
        )
        return request.export(diagnostics) if self.route else capture_by_any_route(request, diagnostics)

    def convert(
        self,
        program: CapturedProgram,
        *,
        input_names: Sequence[str] | None = None,
        output_names: Sequence[str] | None = None,
    ) -> ONNXProgram:
        """Build the ONNX program of a captured one, which stays as it is.

        Raises:
            OnnxExporterError: it cannot be lowered to the target.
        """
        if not isinstance(program, CapturedProgram):
            raise TypeError(
                f"convert() takes a CapturedProgram, not a {type(program).__name__}; use export()"
            )
        return self._convert(program, self.diagnostics.child(), input_names, output_names)

    def _convert(
        self,
        program: CapturedProgram,
        diagnostics: DiagnosticContext,
        input_names: Sequence[str] | None,
        output_names: Sequence[str] | None,
    ) -> ONNXProgram:
        if not self.keep_state:
            check_outputs(program, diagnostics)
        with self.stage("passes"):
            program, passed = self._passed(program, diagnostics)
            share_complex_weights(program, passed.value_map)
        self._watch.cleaned(passed.program)
        check_outputs(program, diagnostics, passed.state)
        with self.stage("lowering"):
            decomposer = OnDemandDecomposer(passed.program)
            lowered = lower(
                passed.program,
                self.tables,
                self.target,
                diagnostics,
                decomposer=decomposer,
                fallbacks=self.fallbacks,
            )
            self._watch.lowered(lowered)
            self._raise_failures(lowered, diagnostics)
        with self.stage("finish"):
            value_map = self._finished(lowered, program, passed.state, diagnostics, input_names, output_names)
        with self.stage("check"):
            check(lowered.model, diagnostics)
        values = {
            captured: value_map[value] for captured, value in passed.value_map.items() if value in value_map
        }
        for captured, value in passed.value_map.items():
            _hand_on_translation(value.producer(), captured.producer())
        made = ONNXProgram(lowered.model, program, diagnostics, values)
        self._watch.built(made)
        return made

    def _finished(
        self,
        lowered: LoweredProgram,
        program: CapturedProgram,
        updates: Sequence[StateUpdate],
        diagnostics: DiagnosticContext,
        input_names: Sequence[str] | None,
        output_names: Sequence[str] | None,
    ) -> Mapping[ir.Value, ir.Value]:
        """Make the lowered model the finished one; returns for each captured value that which holds it."""
        model, value_map = lowered.model, lowered.value_map
        state = expose_state(model, program, updates)
        if self.optimize:
            clean(model)
            value_map = {captured: current(value) for captured, value in value_map.items()}
        note_kernels(model, diagnostics)
        note_constants(model, program, diagnostics)
        if self.modules_as_functions:
            self.modules_as_functions.report_missing(model.graph, diagnostics)
            value_map = outline_modules(model, self.modules_as_functions.__contains__, value_map, diagnostics)
        finish(model, program, input_names, output_names, state)
        note_pairs(model, program, diagnostics)
        note_inputs(model, program, diagnostics)
        return value_map

    def _passed(
        self, program: CapturedProgram, diagnostics: DiagnosticContext
    ) -> tuple[CapturedProgram, PassedProgram]:
        """The program after the passes; where these cannot prove a write, after torch's functionalization."""
        attempt = DiagnosticContext("onnx-export", __version__)
        run = functools.partial(
            run_pipeline,
            eval_mode=self.eval_mode,
            keep_state=self.keep_state,
            modules_apart=bool(self.modules_as_functions),
            gives_values=self._gives_values,
        )
        try:
            passed = run(program, attempt)
        except ConversionError as unproven:
            reasons = attempt.of(IN_PLACE_WRITE)
            try:
                functional = self._functional(program) if reasons else None
            except CaptureError as error:
                # Why torch was asked matters to the caller more than why it failed.
                diagnostics.extend(attempt)
                raise unproven from error
            if functional is None:
                diagnostics.extend(attempt)
                raise
            diagnostics.report(FUNCTIONALIZED, location=reasons[0].location, reason=reasons[0].message)
            return functional, run(functional, diagnostics)
        diagnostics.extend(attempt)
        return program, passed

    def _gives_values(self, op: OpName) -> bool:
        """Whether a caller's own translation stands for an operator that writes its arguments."""
        found = (table.find(op, self.target.opset) for table in self.tables)
        return any(lowering is not None and lowering.custom for lowering in found)

    @staticmethod
    def _functional(program: CapturedProgram) -> CapturedProgram | None:
        scratch = DiagnosticContext("onnx-export", __version__)
        functional = functionalized(program, scratch)
        return None if functional is None or scratch.has_errors else functional

    def _raise_failures(self, lowered: LoweredProgram, diagnostics: DiagnosticContext) -> None:
        if not lowered.failed:
            return
        errors = diagnostics.errors
        if not errors:
            raise ConversionError("the program is not whole: its capture reported what is missing in it")
        if diagnostics.of(LOWERING_FAULT):
            raise ExporterInternalError("a translation is at fault", errors)
        if all(error.rule == UNSUPPORTED_OPERATOR for error in errors):
            operators = len({error.location.op for error in errors if error.location is not None})
            raise UnsupportedOperatorError(
                f"no translation to opset {self.target.opset} for {counted(len(errors), 'call')} of "
                f"{counted(operators, 'operator')}",
                errors,
            )
        raise ConversionError(f"{counted(len(errors), 'call')} of the model cannot be exported", errors)

    def stage(self, name: str) -> AbstractContextManager[None]:
        """Let a block be a stage of the export, of which the observers are told."""
        return timed(name, self._on_stage, self._watch)


def _hand_on_translation(call: ir.Node | None, captured: ir.Node | None) -> None:
    """Note on a captured call what translated the one that the passes made of it."""
    translation = None if call is None else translation_of(call)
    if captured is not None and translation is not None:
        mark_translated(captured, translation)


def _traceable(model: Capturable) -> Scriptable:
    if isinstance(model, torch.export.ExportedProgram):
        raise TypeError("an ExportedProgram is captured already, by torch.export: export it with dynamo=True")
    return model
