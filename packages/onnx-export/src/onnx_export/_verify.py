"""Comparison of an exported model with PyTorch, at the example's sizes and at others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_export._compared_runs import Comparison, Verification
from onnx_export._differences import TOLERANCES
from onnx_export._eager import reference
from onnx_export._input_sets import breaking_sets, input_sets, larger_sets
from onnx_export._precision import Tolerances
from onnx_export._program import ONNXProgram
from onnx_export._runtime import CPU
from onnx_export._saving import check_values
from onnx_ir_capture.fx import known_caches
from onnx_ir_capture.interpreter import run_program

__all__ = [
    "Inputs",
    "compare_program",
    "verify",
    "verify_program",
]


Inputs: TypeAlias = tuple[Sequence[object], Mapping[str, object]]
"""Arguments of a model by position, and by name."""


@known_caches()
def verify(
    program: ONNXProgram,
    args: Sequence[object] | None = None,
    kwargs: Mapping[str, object] | None = None,
    *,
    more_inputs: Sequence[Inputs] = (),
    localise: bool = True,
    tolerances: Mapping[torch.dtype, float] = TOLERANCES,
    providers: Sequence[str] = CPU,
    diagnostics: DiagnosticContext | None = None,
) -> list[Comparison]:
    """Run an exported model in ONNX Runtime, and the program it was made from in PyTorch, and compare.

    The inputs are the example, and the example resized along every dynamic dimension.

    Args:
        program: what ``export()`` returned.
        args: inputs by position; the example's, if neither these nor ``kwargs`` are given.
        kwargs: inputs by name.
        more_inputs: further arguments, by position and by name, which are compared and resized likewise.
        localise: where outputs differ, find the operator that makes the difference, and its line.
        tolerances: largest difference by dtype, relative to the largest magnitude of the output; a difference
            that is not above the dtype's epsilon counts as none. Other dtypes must be equal. An output that
            is computed by way of lower precision, as under autocast, has the tolerance of that.
        providers: ONNX Runtime's execution providers, in the order of preference.
        diagnostics: gets what is found; that of the program by default.

    Returns:
        One comparison per output and set of sizes.

    Raises:
        VerificationError: an output differs in dtype, shape or value. It lists every difference, and the
            first operator at which the file and the program part.
        OnnxExporterError: weights have no values yet.
        ValueError: there are no inputs, ONNX Runtime has not all of ``providers``, or only the model itself
            knows its state: give it to :func:`verify_program`.
    """
    origin = program.exported_program
    if args is None and kwargs is None:
        if origin is None or origin.example_inputs is None:
            raise ValueError("the program has no example inputs; give args or kwargs")
        args, kwargs = origin.example_inputs
    if origin is None and program.state:
        raise ValueError("a trace does not keep state: call verify_program() with the model itself")

    def captured(*given: object, **named: object) -> object:
        return run_program(program.program, given, named)

    with reference(captured if origin is None else origin, eval_mode=False) as eager:
        return verify_program(
            program,
            eager,
            args or (),
            kwargs or {},
            diagnostics or program.diagnostic_context,
            tolerances,
            providers=providers,
            more_inputs=more_inputs,
            localise=localise,
        )


@known_caches()
def verify_program(
    program: ONNXProgram,
    reference: Callable[..., object],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    diagnostics: DiagnosticContext,
    tolerances: Mapping[torch.dtype, float] = TOLERANCES,
    *,
    providers: Sequence[str] = CPU,
    more_inputs: Sequence[Inputs] = (),
    localise: bool = False,
) -> list[Comparison]:
    """Run ``program`` in ONNX Runtime and ``reference`` in PyTorch on the same inputs, and compare.

    The inputs are the example, and the example resized along every dynamic dimension. State that the file has
    as outputs is compared with what the model leaves in its buffers and inputs. The model stays as it is.

    Args:
        program: what was exported.
        reference: the model that it was exported from.
        args: example inputs by position.
        kwargs: example inputs by name.
        diagnostics: gets a finding per output that differs, and for sizes at which the model itself raises.
        tolerances: largest difference by dtype, relative to the largest magnitude of the output; a difference
            that is not above the dtype's epsilon counts as none. An output that is computed by way of lower
            precision, as under autocast, has the tolerance of that.
        providers: ONNX Runtime's execution providers, in the order of preference.
        more_inputs: further arguments, by position and by name, which are compared and resized likewise.
        localise: where outputs differ, find the operator that makes the difference, and its line.

    Returns:
        One comparison per output and set of sizes.

    Raises:
        VerificationError: an output differs in dtype, shape or value; every difference is listed.
        OnnxExporterError: weights have no values yet.
        ValueError: ONNX Runtime has not all of ``providers``.
    """
    results: list[Comparison] = []
    compare_program(
        program,
        reference,
        args,
        kwargs,
        diagnostics,
        results,
        tolerances,
        providers=providers,
        more_inputs=more_inputs,
        localise=localise,
    )
    return results


@known_caches()
def compare_program(
    program: ONNXProgram,
    reference: Callable[..., object],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    diagnostics: DiagnosticContext,
    results: list[Comparison],
    tolerances: Mapping[torch.dtype, float] = TOLERANCES,
    *,
    providers: Sequence[str] = CPU,
    more_inputs: Sequence[Inputs] = (),
    localise: bool = False,
) -> None:
    """Compare as :func:`verify_program` does; ``results`` has the comparisons even when this raises."""
    check_values(program.model, diagnostics)
    allowed = Tolerances(program, tolerances)
    verification = Verification(
        program, reference, diagnostics, allowed, providers, results, localise=localise
    )
    with verification.session(args, kwargs) as session:
        for number, (some_args, some_kwargs) in enumerate([(args, kwargs), *more_inputs]):
            for inputs in input_sets(program.program, some_args, some_kwargs):
                verification.compare(session, number, inputs)
            for inputs in larger_sets(program.program, some_args, some_kwargs):
                verification.compare(session, number, inputs)
            for inputs in breaking_sets(program.program, some_args, some_kwargs):
                verification.compare_beyond_limits(session, number, inputs)
    verification.conclude()
