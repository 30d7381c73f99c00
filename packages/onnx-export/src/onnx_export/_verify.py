"""Comparison of an exported model with PyTorch, at the example's sizes and at others."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext, VerificationError
from onnx_export._differences import TOLERANCES, difference, output_tensors
from onnx_export._eager import EagerRun, reference, run_eager
from onnx_export._feeds import feeds_of
from onnx_export._first_difference import FailedRun, named_call, report_parting
from onnx_export._input_sets import (
    InputSet,
    breaking_sets,
    input_sets,
    larger_sets,
    sizes_in_words,
)
from onnx_export._precision import Tolerances, tolerances_of
from onnx_export._program import ONNXProgram
from onnx_export._runtime import CPU, Session, open_session
from onnx_export._saving import check_values
from onnx_export.rules import REPORT_ADVICE, RUNTIME_REFUSES, SIZES_NOT_COMPARED, VERIFICATION_MISMATCH
from onnx_ir_capture.dialect import draws_random_numbers
from onnx_ir_capture.fx import broken_findings, known_caches
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.lowering import call_stack, location_of

__all__ = [
    "Comparison",
    "Inputs",
    "compare_outputs",
    "compare_program",
    "verify",
    "verify_program",
]


Inputs: TypeAlias = tuple[Sequence[object], Mapping[str, object]]
"""Arguments of a model by position, and by name."""


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One output held against PyTorch's. ``problem`` is empty when they agree.

    ``inputs`` is the number of the input set: 0 for the example, and its place among further ones from 1 on.
    """

    output: str
    sizes: Mapping[str, int]
    largest_difference: float
    problem: str
    inputs: int = 0

    @property
    def where(self) -> str:
        """The sizes, or the set of inputs, in words."""
        return _place(self.sizes, self.inputs)


def _place(sizes: Mapping[str, int], inputs: int) -> str:
    if inputs == 0:
        return sizes_in_words(sizes)
    return f"{sizes_in_words(sizes, 'its own sizes')} (input set {inputs})"


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
    verification = _Verification(program, reference, diagnostics, allowed, providers, results)
    with _session(program, providers, diagnostics) as session:
        for number, (some_args, some_kwargs) in enumerate([(args, kwargs), *more_inputs]):
            for inputs in input_sets(program.program, some_args, some_kwargs):
                verification.compare(session, number, inputs)
            for inputs in larger_sets(program.program, some_args, some_kwargs):
                verification.compare(session, number, inputs)
            for inputs in breaking_sets(program.program, some_args, some_kwargs):
                verification.compare_beyond_limits(session, number, inputs)
    verification.conclude(localise)


class _Verification:
    """The comparisons of one program, and the first run in which it fails."""

    def __init__(
        self,
        program: ONNXProgram,
        reference: Callable[..., object],
        diagnostics: DiagnosticContext,
        tolerances: Mapping[torch.dtype, float],
        providers: Sequence[str],
        results: list[Comparison],
    ) -> None:
        self._program, self._reference, self._diagnostics = program, reference, diagnostics
        self._tolerances, self._providers = tolerances, providers
        self._failed: FailedRun | None = None
        self._is_told = False  # whether the export has warned of the sizes in which it failed
        self._results = results

    def compare(self, session: Session, number: int, inputs: InputSet) -> None:
        """Run both on one set of inputs."""
        program, (sizes, args, kwargs) = self._program, inputs
        try:
            eager = run_eager(program, self._reference, args, kwargs)
        except Exception as error:
            if not sizes:
                raise
            # The sizes were chosen here, and the model may have its reasons not to take them.
            reason = f"{type(error).__name__}: {error}"
            self._diagnostics.report(SIZES_NOT_COMPARED, sizes=_place(sizes, number), reason=reason)
            return
        with _refusals(program, self._diagnostics):
            actual = session.run(feeds_of(program.program, program.model, args, kwargs, beyond_limits=True))
        self._hold(eager, actual, number, inputs)

    def compare_beyond_limits(self, session: Session, number: int, inputs: InputSet) -> None:
        """Run both on inputs of sizes that a limit of the capture leaves out; the model may not take them."""
        program, (_, args, kwargs) = self._program, inputs
        runs = None
        # What one of them refuses, the file does not compute wrongly.
        with contextlib.suppress(Exception):
            eager = run_eager(program, self._reference, args, kwargs)
            feeds = feeds_of(program.program, program.model, args, kwargs, beyond_limits=True)
            runs = eager, session.run(feeds, quiet=True)
        if runs is not None:
            self._hold(*runs, number, inputs)

    def _hold(self, eager: EagerRun, actual: Sequence[torch.Tensor], number: int, inputs: InputSet) -> None:
        """Note how outputs of the file compare with those of the model."""
        program, (sizes, args, kwargs) = self._program, inputs
        expected = [*output_tensors(eager.result, program.program), *eager.state]
        names = _names_of(program.model.graph.outputs, len(actual))
        found = compare_outputs(names, actual, expected, sizes, self._tolerances, number)
        self._results += found
        wrong = [comparison for comparison in found if comparison.problem]
        if not wrong:
            return
        is_told = any(is_warning for is_warning, _ in broken_findings(program.program, sizes))
        if self._failed is None or (self._is_told and not is_told):
            outputs = [comparison.output or names[0] for comparison in wrong]
            self._failed = FailedRun(outputs, wrong[0].where, args, kwargs, expected)
            self._is_told = is_told

    def conclude(self, localise: bool) -> None:
        """Report what differs, and raise if anything does."""
        if self._failed is None:
            return
        stage = self._diagnostics.child()
        draws = draws_random_numbers(self._program.program.model.graph)
        for found in self._results:
            if found.problem:
                stage.report(
                    VERIFICATION_MISMATCH,
                    output=found.output,
                    sizes=found.where,
                    difference=found.problem,
                    advice=_DRAWS if draws else self._advice(found.sizes),
                )
        if localise and not self._is_told:
            report_parting(self._program, self._failed, stage, self._tolerances, self._providers)
        raise VerificationError(
            "the exported model does not compute what PyTorch computes", stage.diagnostics
        )

    def _advice(self, sizes: Mapping[str, int]) -> str:
        """What to do about a difference: where the capture has told of it, keep to what it said."""
        broken = sorted(broken_findings(self._program.program, sizes), reverse=True)
        return f"{broken[0][1]}; {_LIMITED}" if broken else REPORT_ADVICE


_LIMITED = (
    "keep to such sizes (state bounds with Dim(name, min=…, max=…)), or write the model without that choice"
)
_DRAWS = "the model draws random numbers, so that no two runs agree: verify it with these taken out"


@contextlib.contextmanager
def _session(
    program: ONNXProgram, providers: Sequence[str], diagnostics: DiagnosticContext
) -> Iterator[Session]:
    """A session for the comparison alone; that of the program's own calls may have other options.

    A quantized model is compared node by node, which is what its file says: ONNX Runtime's kernels on
    integers round biases, too, and come out a step beside it now and then.
    """
    with _refusals(program, diagnostics):
        optimized = not any(node.op_type == "QuantizeLinear" for node in program.model.graph.all_nodes())
        initializer = functools.partial(open_session, providers=providers, optimized=optimized)
        session = Session(program.model, initializer)
    try:
        yield session
    finally:
        session.close()


@contextlib.contextmanager
def _refusals(program: ONNXProgram, diagnostics: DiagnosticContext) -> Iterator[None]:
    """What ONNX Runtime refuses, as a finding; at the line of the operator, where it names the node."""
    try:
        yield
    except Exception as error:
        # ONNX Runtime's exceptions have no base class of their own, and live in its extension module.
        if not type(error).__module__.startswith("onnxruntime"):
            raise
        call = named_call(program, str(error))
        found = diagnostics.report(
            RUNTIME_REFUSES,
            location=None if call is None else location_of(call),
            related=() if call is None else call_stack(call),
            reason=str(error),
        )
        raise VerificationError("the exported model could not be verified", (found,)) from error


def _names_of(outputs: Sequence[ir.Value], count: int) -> list[str]:
    """A name for each tensor that the file gave: a sequence gives as many as it has members."""
    sequences = [value for value in outputs if isinstance(value.type, ir.SequenceType)]
    if len(sequences) > 1:
        return [f"{number}" for number in range(count)]
    size = count - len(outputs) + 1
    names = [
        [f"{value.name}[{place}]" for place in range(size)] if value in sequences else [str(value.name)]
        for value in outputs
    ]
    return [name for group in names for name in group]


def compare_outputs(
    names: Sequence[str],
    actual: Sequence[torch.Tensor],
    expected: Sequence[torch.Tensor],
    sizes: Mapping[str, int],
    tolerances: Mapping[torch.dtype, float] = TOLERANCES,
    inputs: int = 0,
) -> list[Comparison]:
    """Compare outputs in dtype, shape and value; NaN equals NaN."""
    if len(actual) != len(expected):
        problem = f"the model gives {len(actual)} outputs, PyTorch {len(expected)}"
        return [Comparison("", sizes, float("inf"), problem, inputs)]
    return [
        Comparison(name, sizes, *difference(got, want, tolerances_of(tolerances, name)), inputs)
        for name, got, want in zip(names, actual, expected, strict=True)
    ]
