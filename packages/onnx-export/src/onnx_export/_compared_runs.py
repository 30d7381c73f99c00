"""The comparisons of one program with PyTorch: run by run, with what is said of those that fail."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext, VerificationError
from onnx_export._differences import TOLERANCES, difference, output_tensors
from onnx_export._eager import EagerRun, run_eager
from onnx_export._feeds import feeds_of
from onnx_export._first_difference import FailedRun, report_parting, report_refusal
from onnx_export._input_sets import InputSet, sizes_in_words
from onnx_export._precision import tolerances_of
from onnx_export._program import ONNXProgram
from onnx_export._runtime import Session, is_refusal, open_session
from onnx_export.rules import REPORT_ADVICE, SIZES_NOT_COMPARED, VERIFICATION_MISMATCH
from onnx_ir_capture.dialect import draws_random_numbers
from onnx_ir_capture.fx import broken_findings
from onnx_ir_capture.lowering import custom_translation

__all__ = ["Comparison", "Verification", "compare_outputs"]


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


class Verification:
    """The comparisons of one program, and the first run in which it fails."""

    def __init__(
        self,
        program: ONNXProgram,
        reference: Callable[..., object],
        diagnostics: DiagnosticContext,
        tolerances: Mapping[torch.dtype, float],
        providers: Sequence[str],
        results: list[Comparison],
        *,
        localise: bool,
    ) -> None:
        self._localise = localise
        self._program, self._reference, self._diagnostics = program, reference, diagnostics
        self._tolerances, self._providers = tolerances, providers
        self._failed: FailedRun | None = None
        self._is_told = False  # whether the export has warned of the sizes in which it failed
        self._results = results

    @contextlib.contextmanager
    def session(self, args: Sequence[object], kwargs: Mapping[str, object]) -> Iterator[Session]:
        """A session for the comparison alone; that of the program's own calls may have other options.

        A quantized model is compared node by node, which is what its file says: ONNX Runtime's kernels on
        integers round biases, too, and come out a step beside it now and then.
        """
        model = self._program.model
        with self._refusals(args, kwargs, sizes_in_words({})):
            optimized = not any(node.op_type == "QuantizeLinear" for node in model.graph.all_nodes())
            initializer = functools.partial(
                open_session, providers=self._providers, optimized=optimized, quiet=True
            )
            session = Session(model, initializer)
        try:
            yield session
        finally:
            session.close()

    @contextlib.contextmanager
    def _refusals(self, args: Sequence[object], kwargs: Mapping[str, object], sizes: str) -> Iterator[None]:
        """What ONNX Runtime refuses, as a finding; at the line of the operator, where that is found."""
        try:
            yield
        except Exception as error:
            if not is_refusal(error):
                raise
            stage = self._diagnostics.child()
            names = [str(value.name) for value in self._program.model.graph.outputs]
            report_refusal(
                self._program,
                FailedRun(names, sizes, args, kwargs, ()),
                error,
                stage,
                self._tolerances,
                self._providers,
                localise=self._localise,
            )
            self._report_mismatches(stage, _untold(self._program))
            raise VerificationError("the exported model could not be verified", stage.diagnostics) from error

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
        with self._refusals(args, kwargs, _place(sizes, number)):
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
            runs = eager, session.run(feeds)
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

    def conclude(self) -> None:
        """Report what differs, and raise if anything does."""
        if self._failed is None:
            return
        stage = self._diagnostics.child()
        advice = _untold(self._program)
        if self._localise and not self._is_told:
            # What begins the difference stands before what comes of it.
            advice = report_parting(self._program, self._failed, stage, self._tolerances, self._providers)
        self._report_mismatches(stage, advice)
        raise VerificationError(
            "the exported model does not compute what PyTorch computes", stage.diagnostics
        )

    def _report_mismatches(self, stage: DiagnosticContext, advice: str) -> None:
        draws = draws_random_numbers(self._program.program.model.graph)
        for found in self._results:
            if found.problem:
                stage.report(
                    VERIFICATION_MISMATCH,
                    output=found.output,
                    sizes=found.where,
                    difference=found.problem,
                    advice=_DRAWS if draws else self._told(found.sizes) or advice,
                )

    def _told(self, sizes: Mapping[str, int]) -> str:
        """What to do where the capture has told of a difference: keep to what it said."""
        broken = sorted(broken_findings(self._program.program, sizes), reverse=True)
        return f"{broken[0][1]}; {_LIMITED}" if broken else ""


_LIMITED = (
    "keep to such sizes (state bounds with Dim(name, min=…, max=…)), or write the model without that choice"
)
_DRAWS = "the model draws random numbers, so that no two runs agree: verify it with these taken out"


def _untold(program: ONNXProgram) -> str:
    """What to do about a difference of which nothing more is known."""
    calls = program.program.model.graph.all_nodes()
    own = dict.fromkeys(custom[0] for call in calls if (custom := custom_translation(call)) is not None)
    if not own:
        return REPORT_ADVICE
    return (
        f"look at your own translations, {', '.join(own)}; verify(program, localise=True) finds the operator"
    )


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
