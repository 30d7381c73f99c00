"""``export()``: torch.onnx.export's signature over :class:`Exporter`."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Collection, Mapping, Sequence

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_export.__about__ import __version__
from onnx_export._argument_types import check_types
from onnx_export._artifacts import Artifacts, sarif_log
from onnx_export._chosen_tables import check_export_type, chosen_tables
from onnx_export._compared_runs import Comparison
from onnx_export._custom import CustomTranslation
from onnx_export._eager import reference
from onnx_export._exporter import (
    DEFAULT_OPSET,
    Exporter,
    Route,
)
from onnx_export._failed_arguments import argument_errors, silence
from onnx_export._legacy import check_route, keeps_training_mode, report_ignored, warn_of_findings
from onnx_export._models import Exportable
from onnx_export._program import ONNXProgram
from onnx_export._progress import Progress
from onnx_export._report import Recorder
from onnx_export._request import DynamicAxes, Request
from onnx_export._runtime import check_runtime
from onnx_export._saving import check_destination
from onnx_export._torch_errors import used_like_torch
from onnx_export._verify import compare_program
from onnx_export._watching import Watch
from onnx_export._without_effect import warn_of_unused
from onnx_ir_capture.fx import DecompositionTable, is_scripted

__all__ = ["dynamo_export", "export"]


@used_like_torch
def export(
    model: Exportable,
    args: object = (),
    f: str | os.PathLike[str] | io.BytesIO | None = None,
    *,
    kwargs: Mapping[str, object] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    verbose: bool | None = None,
    dynamo: bool = True,
    fallback: bool = True,
    external_data: bool = True,
    dynamic_shapes: object = None,
    custom_translation_table: Mapping[object, CustomTranslation] | None = None,
    verify: bool = False,
    optimize: bool = True,
    report: bool = False,
    keep_state: bool = False,
    dump_exported_program: bool = False,
    profile: bool = False,
    artifacts_dir: str | os.PathLike[str] = ".",
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: DynamicAxes | None = None,
    training: object = None,
    operator_export_type: object = None,
    do_constant_folding: bool = True,
    custom_opsets: Mapping[str, int] | None = None,
    export_modules_as_functions: bool | Collection[type[torch.nn.Module]] = False,
    autograd_inlining: bool = True,
    decompose: bool | DecompositionTable = False,
    use_torch_lib: bool = True,
    diagnostics: DiagnosticContext | None = None,
) -> ONNXProgram:
    """Export a PyTorch model to ONNX.

    Args:
        model: an ``nn.Module``, another callable, an ``ExportedProgram``, or the path of one that was saved
            as ``.pt2``. It is not changed. What ``torch.compile`` and ``DataParallel`` wrap is exported.
        args: example inputs by position; a dict at the end holds keyword arguments, as for torch.onnx. An
            ``ExportableModule`` brings its own, and an ``ExportedProgram`` those it was made with.
        f: path of the ``.onnx`` file to write; None writes nothing.
        kwargs: example inputs by name.
        verbose: True tells of each stage, None on a terminal only; both warn of what is found. False
            is silent: no warnings, the findings are in the log and on ``program.diagnostics``.
        input_names: names of the file's inputs, in order; the parameters' names by default.
        output_names: names of the file's outputs, in order.
        opset_version: opset of the file, 7 to the newest; 20 by default.
        dynamo: True captures the model with torch.export, False with ``torch.jit.trace``, which knows neither
            ``decompose`` nor branches on values; give it ``dynamic_axes``.
        fallback: True goes on with another route where torch.export fails to capture: through Python's
            bytecode, or a trace that computes the same at other sizes. False raises, as it does with
            ``dump_exported_program``.
        external_data: True puts the weights into ``<f>.data``; False keeps one file while it can.
        dynamic_shapes: dimensions that may vary, as for torch.export, or with names for them:
            ``{"x": {0: "batch"}}``.
        custom_translation_table: operators such as ``torch.ops.aten.add.Tensor`` to translations, which go
            first: functions ``f(op, ...)``, functions of onnxscript, or lists of those to be tried in turn.
        report: write to ``artifacts_dir`` the SARIF log and what it says for people: ``NAME.sarif``,
            ``NAME.report.md`` and ``NAME.report.html``. An export that fails writes them, too.
        keep_state: give what the model changes of its buffers, parameters and inputs as further outputs, with
            the buffers and parameters as further inputs; their initial values are in the file's metadata.
        optimize: drop what nothing uses from the finished graph.
        verify: compare the result with PyTorch in ONNX Runtime, at other dynamic sizes, too; where they
            differ, the error names the first operator that makes a difference, and its line.
        profile: write a profile of the export to ``artifacts_dir``.
        dump_exported_program: save the program of torch.export to ``artifacts_dir``.
        artifacts_dir: folder for log, profile and exported program; made if missing.
        export_params: False leaves parameters and buffers out of the file; they become inputs.
        keep_initializers_as_inputs: list the weights among the file's inputs, too.
        dynamic_axes: the older form of ``dynamic_shapes``.
        training: deprecated; ``TrainingMode.PRESERVE`` exports the model in its own mode. By default it is
            exported as after ``model.eval()``; a call such as ``F.dropout(x, training=True)`` stays.
        operator_export_type: deprecated; for ``dynamo=False`` a member of ``torch.onnx.OperatorExportTypes``
            or its name. ``ONNX_ATEN_FALLBACK`` writes torch's operators that have no translation as nodes
            ``org.pytorch.aten::ATen``, ``ONNX_ATEN`` all of them; ``ONNX_FALLTHROUGH`` writes operators
            without translation as nodes of their own names.
        do_constant_folding: deprecated, no effect.
        custom_opsets: versions of domains, as in ``{"mydomain": 1}``: operators of the ``torch.library``
            namespace ``mydomain`` that nothing else translates become nodes of the domain ``mydomain``.
        export_modules_as_functions: True makes calls of submodules calls of functions that the file holds, a
            set of classes those of modules of exactly these classes. Modules that compute the same share a
            function, with the weights as its inputs.
        autograd_inlining: deprecated, no effect.
        decompose: True takes the whole program apart into core ATen before it is translated, a decomposition
            table as it says; by default operators stay whole, but for those that have no translation.
        use_torch_lib: False refuses what only onnxscript's torch_lib translates, else the last resort.
        diagnostics: collects what the export finds; a new context by default.

    Returns:
        The program: the ONNX model, what it was made from, and what the export found.

    Raises:
        OnnxExporterError: the model cannot be exported, or the file cannot be written. The exception lists
            every reason with its line in the model; nothing half-written stays on disk. Where torch.onnx is
            loaded, it is an error of torch.onnx's, too.
        TypeError, ValueError: an argument is wrong; the message names it.
        ImportError: ``verify`` or ``profile`` needs a package that is not installed.
    """
    given = dict(locals())  # whatever options there are, a report tells of those that are not the default
    check_types(artifacts_dir=artifacts_dir)
    if not isinstance(diagnostics, DiagnosticContext):  # another object is refused once there is a log
        diagnostics = DiagnosticContext("onnx-export", __version__)
    diagnostics = diagnostics.child()
    progress, artifacts = Progress(verbose), Artifacts(artifacts_dir)
    log = artifacts.path(".sarif") if report else None
    recorder = Recorder.current() or (Recorder() if report else None)
    watch = recorder or Watch()
    with (
        silence(verbose),
        sarif_log(diagnostics, log, recorder, reports=True),
        argument_errors(diagnostics),
        artifacts.profile(wanted=profile),
    ):
        check_types(
            custom_opsets=custom_opsets,
            custom_translation_table=custom_translation_table,
            decompose=decompose,
            diagnostics=given["diagnostics"],
        )
        check_export_type(operator_export_type)
        check_route(dynamo, dynamic_shapes=dynamic_shapes, decompose=decompose)
        if verify:
            check_runtime()
        report_ignored(
            diagnostics,
            autograd_inlining=autograd_inlining,
            operator_export_type=operator_export_type if dynamo and not is_scripted(model) else None,
            do_constant_folding=do_constant_folding,
            dynamic_axes=None if dynamic_shapes is None else dynamic_axes,
        )
        request = Request.read(
            model,
            args,
            kwargs,
            dynamic_shapes=dynamic_shapes,
            dynamic_axes=dynamic_axes,
            input_names=input_names,
            output_names=output_names,
            diagnostics=diagnostics,
        )
        watch.requested(request)
        if f is not None and not isinstance(f, io.BytesIO):
            _check_path(f)
            check_destination(f, diagnostics, external_data=external_data)
        dynamo = dynamo and not is_scripted(request.model)
        chosen = chosen_tables(
            translations=custom_translation_table,
            domains=custom_opsets,
            export_type=operator_export_type,
            use_torch_lib=use_torch_lib,
            dynamo=dynamo,
        )
        exporter = Exporter(
            DEFAULT_OPSET if opset_version is None else opset_version,
            tables=chosen.tables,
            route=_route(dynamo, fallback and not dump_exported_program),
            fallbacks=chosen.fallbacks,
            eval_mode=not keeps_training_mode(training),
            optimize=optimize,
            keep_state=keep_state,
            modules_as_functions=export_modules_as_functions,
            decompose=decompose,
            diagnostics=diagnostics,
            on_stage=progress,
            watch=watch,
        )
        watch.configured(exporter.target.opset, export, given)
        program = _built(exporter, request, diagnostics)
        warn_of_findings(diagnostics)
        warn_of_unused(program, request, diagnostics, dumps=dump_exported_program)
        if dump_exported_program:
            artifacts.exported_program(program.exported_program, diagnostics)
        if verify:  # before anything is written: a file that is wrong must not replace one that is right
            known = len(diagnostics.diagnostics)
            with exporter.stage("verify"):
                _verify(program, request, exporter.eval_mode, diagnostics, watch)
            warn_of_findings(diagnostics.diagnostics[known:])
        if f is not None:
            with exporter.stage("save"):
                _write(program, f, export_params, keep_initializers_as_inputs, external_data)
            if not isinstance(f, io.BytesIO):
                watch.saved(f)
    if recorder is not None and recorder.report_path is not None:
        program.log_path, program.report_path = log, recorder.report_path
        progress.wrote(recorder.report_path)
    return program


def dynamo_export(model: Exportable, /, *args: object, **kwargs: object) -> ONNXProgram:
    """Export a model with the example inputs it would be called with; the older name of :func:`export`.

    Args:
        model: what to export, as for :func:`export`.
        args: example inputs by position.
        kwargs: example inputs by name.

    Raises:
        OnnxExporterError: the model cannot be exported.
        TypeError: ``export_options`` is given, which has no successor but the arguments of :func:`export`.
    """
    warnings.warn(
        "dynamo_export is deprecated; call onnx_export.export(model, args, kwargs=kwargs)",
        DeprecationWarning,
        stacklevel=2,
    )
    if "export_options" in kwargs:
        raise TypeError(
            "dynamo_export takes no export_options here: give dynamic_shapes and others to export()"
        )
    return export(model, args, kwargs=kwargs)


def _route(dynamo: bool, fallback: bool) -> Route | None:
    if not dynamo:
        return "torch.jit"
    return None if fallback else "torch.export"


def _built(exporter: Exporter, request: Request, diagnostics: DiagnosticContext) -> ONNXProgram:
    return exporter.export(
        request.model,
        request.args,
        request.kwargs,
        dynamic_shapes=request.dynamic_shapes,
        input_names=request.input_names,
        output_names=request.output_names,
        diagnostics=diagnostics,
    )


def _verify(
    program: ONNXProgram, request: Request, eval_mode: bool, diagnostics: DiagnosticContext, watch: Watch
) -> None:
    found: list[Comparison] = []
    try:
        with reference(request.model, eval_mode) as eager:
            compare_program(program, eager, request.args, request.kwargs, diagnostics, found, localise=True)
    finally:
        watch.compared(found)


def _check_path(f: object) -> None:
    if not isinstance(f, str | bytes | os.PathLike):
        hint = "; give the path of the file that is open" if hasattr(f, "write") else ""
        raise TypeError(f"f must be a path or an io.BytesIO, not a {type(f).__qualname__}{hint}")


def _write(
    program: ONNXProgram,
    f: str | os.PathLike[str] | io.BytesIO,
    include_initializers: bool,
    keep_initializers_as_inputs: bool,
    external_data: bool,
) -> None:
    if isinstance(f, io.BytesIO):
        warnings.warn(
            "a BytesIO for f is deprecated; take onnx_export.export(...).model_proto",
            DeprecationWarning,
            stacklevel=4,
        )
    program.save(
        f,
        include_initializers=include_initializers,
        keep_initializers_as_inputs=keep_initializers_as_inputs,
        external_data=None if isinstance(f, io.BytesIO) else external_data,
    )
