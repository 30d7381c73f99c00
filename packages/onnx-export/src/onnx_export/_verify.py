"""Comparison of an exported model with PyTorch, at the example's sizes and at others."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext, VerificationError
from onnx_export._complex import as_pairs
from onnx_export._eager import run_eager
from onnx_export._feeds import feeds_of
from onnx_export._program import ONNXProgram
from onnx_export._runtime import CPU, Session, open_session
from onnx_export._saving import check_values
from onnx_export.rules import RUNTIME_REFUSES, SIZES_NOT_COMPARED, VERIFICATION_MISMATCH
from onnx_ir_capture.dialect import draws_random_numbers
from onnx_ir_capture.fx import fitting_sizes, known_caches
from onnx_ir_capture.program import CapturedProgram

__all__ = [
    "TOLERANCES",
    "Comparison",
    "InputSet",
    "compare_outputs",
    "input_sets",
    "output_tensors",
    "verify_program",
]

TOLERANCES: Mapping[torch.dtype, float] = {
    torch.float64: 1e-7,
    torch.float32: 1e-4,
    torch.float16: 1e-2,
    torch.bfloat16: 5e-2,
}
"""Largest difference allowed, relative to the largest magnitude of the output. Other dtypes must be equal."""


@dataclasses.dataclass(frozen=True)
class Comparison:
    """One output held against PyTorch's. ``problem`` is empty when they agree."""

    output: str
    sizes: Mapping[str, int]
    largest_difference: float
    problem: str


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
            that is not above the dtype's epsilon counts as none.
        providers: ONNX Runtime's execution providers, in the order of preference.

    Returns:
        One comparison per output and set of sizes.

    Raises:
        VerificationError: an output differs in dtype, shape or value; every difference is listed.
        OnnxExporterError: weights have no values yet.
        ValueError: ONNX Runtime has not all of ``providers``.
    """
    check_values(program.model, diagnostics)
    results: list[Comparison] = []
    with _session(program, providers, diagnostics) as session:
        for sizes, resized_args, resized_kwargs in input_sets(program.program, args, kwargs):
            try:
                eager = run_eager(program, reference, resized_args, resized_kwargs)
            except Exception as error:
                if not sizes:
                    raise
                # The sizes were chosen here, and the model may have its reasons not to take them.
                reason = f"{type(error).__name__}: {error}"
                diagnostics.report(SIZES_NOT_COMPARED, sizes=_described(sizes), reason=reason)
                continue
            expected = [*output_tensors(eager.result, program.program), *eager.state]
            with _refusals(diagnostics):
                actual = session.run(feeds_of(program.program, program.model, resized_args, resized_kwargs))
            names = [str(value.name) for value in program.model.graph.outputs]
            results += compare_outputs(names, actual, expected, sizes, tolerances)
    stage = diagnostics.child()
    for found in results:
        if found.problem:
            at = _described(found.sizes)
            stage.report(
                VERIFICATION_MISMATCH,
                output=found.output,
                sizes=at,
                difference=found.problem,
                advice=_DRAWS if draws_random_numbers(program.program.model.graph) else _REPORT,
            )
    if stage.has_errors:
        raise VerificationError("the exported model does not compute what PyTorch computes", stage.errors)
    return results


_REPORT = "report this as a bug with the log attached"
_DRAWS = "the model draws random numbers, so that no two runs agree: verify it with these taken out"


def _described(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={size}" for name, size in sizes.items()) or "the example's sizes"


@contextlib.contextmanager
def _session(
    program: ONNXProgram, providers: Sequence[str], diagnostics: DiagnosticContext
) -> Iterator[Session]:
    """A session for the comparison alone; that of the program's own calls may have other options."""
    with _refusals(diagnostics):
        session = Session(program.model, functools.partial(open_session, providers=providers))
    try:
        yield session
    finally:
        session.close()


@contextlib.contextmanager
def _refusals(diagnostics: DiagnosticContext) -> Iterator[None]:
    """What ONNX Runtime refuses, as a finding."""
    try:
        yield
    except Exception as error:
        # ONNX Runtime's exceptions have no base class of their own, and live in its extension module.
        if not type(error).__module__.startswith("onnxruntime"):
            raise
        found = diagnostics.report(RUNTIME_REFUSES, reason=str(error))
        raise VerificationError("the exported model could not be verified", (found,)) from error


def compare_outputs(
    names: Sequence[str],
    actual: Sequence[torch.Tensor],
    expected: Sequence[torch.Tensor],
    sizes: Mapping[str, int],
    tolerances: Mapping[torch.dtype, float] = TOLERANCES,
) -> list[Comparison]:
    """Compare outputs in dtype, shape and value; NaN equals NaN."""
    if len(actual) != len(expected):
        problem = f"the model gives {len(actual)} outputs, PyTorch {len(expected)}"
        return [Comparison("", sizes, float("inf"), problem)]
    return [
        Comparison(name, sizes, *_difference(got, want, tolerances))
        for name, got, want in zip(names, actual, expected, strict=True)
    ]


def _difference(
    got: torch.Tensor, want: torch.Tensor, tolerances: Mapping[torch.dtype, float]
) -> tuple[float, str]:
    if got.dtype != want.dtype:
        return float("inf"), f"dtype {got.dtype} instead of {want.dtype}"
    if got.shape != want.shape:
        return float("inf"), f"shape {tuple(got.shape)} instead of {tuple(want.shape)}"
    if want.numel() == 0:
        return 0.0, ""
    tolerance = tolerances.get(want.dtype)
    if tolerance is None:
        unequal = int((got != want).sum())
        return float(unequal), f"{unequal} of {want.numel()} elements differ" if unequal else ""
    if not torch.equal(got.isnan(), want.isnan()):
        return float("inf"), "NaN stands in other places"
    same = (got == want) | got.isnan()
    gap = torch.where(same, 0.0, (got.double() - want.double()).abs()).max().item()
    finite = want[want.isfinite()].double().abs()
    # Where zeros are expected, what rounding leaves of numbers around one is no difference.
    allowed = max(tolerance * (finite.max().item() if finite.numel() else 0.0), torch.finfo(want.dtype).eps)
    return gap, f"by up to {gap:.3g}, allowed are {allowed:.3g}" if gap > allowed else ""


@known_caches()
def output_tensors(result: object, program: CapturedProgram) -> list[torch.Tensor]:
    """The leaves of the model's result that are outputs of the file."""
    leaves, _ = pytree.tree_flatten(result)
    if len(leaves) != len(program.outputs):
        return [_tensor(leaf) for leaf in leaves if leaf is not None]
    return [
        _tensor(leaf) for leaf, spec in zip(leaves, program.outputs, strict=True) if spec.value is not None
    ]


def _tensor(leaf: object) -> torch.Tensor:
    if isinstance(leaf, torch.Tensor):
        return as_pairs(leaf.detach()).cpu()
    # A Python float is a DOUBLE in the file, whatever torch's default dtype.
    return torch.tensor(leaf, dtype=torch.float64 if isinstance(leaf, float) else None)


InputSet = tuple[Mapping[str, int], tuple[object, ...], dict[str, object]]
"""Dynamic sizes, where they are not the example's, with arguments of these sizes."""


def input_sets(
    program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[InputSet]:
    """The example, and the example resized along every dynamic dimension, twice."""
    yield {}, tuple(args), dict(kwargs)
    leaves, tree = pytree.tree_flatten((tuple(args), dict(kwargs)))
    groups = _groups(program, leaves)
    if not groups:
        return
    example = _example_sizes(program, leaves)
    for step in (1, 3):
        sizes = {
            symbol: _other_size(program, symbol, step + 2 * position)
            for position, group in enumerate(groups)
            for symbol in group
        }
        sizes = fitting_sizes(program, example, sizes)
        resized = [
            _resized(leaf, spec.value, sizes) for leaf, spec in zip(leaves, program.inputs, strict=True)
        ]
        new_args, new_kwargs = pytree.tree_unflatten(resized, tree)
        yield sizes, new_args, new_kwargs


# What torch calls a dimension that has no name of the user's.
_UNNAMED = re.compile(r"s\d+")


def _groups(program: CapturedProgram, leaves: Sequence[object]) -> list[list[str]]:
    """The dynamic sizes that are varied together.

    Torch keeps two dimensions apart that the model needs to be equal as long as nothing in it compares
    them. Where the user named neither, equal sizes in the example are taken for one size.
    """
    groups: dict[object, list[str]] = {}
    for leaf, spec in zip(leaves, program.inputs, strict=True):
        for axis, symbol in _symbols(spec.value):
            key: object = symbol
            if isinstance(leaf, torch.Tensor) and _UNNAMED.fullmatch(symbol):
                key = leaf.shape[axis]
            members = groups.setdefault(key, [])
            if not any(symbol in group for group in groups.values()):
                members.append(symbol)
    return [group for group in groups.values() if group]


def _example_sizes(program: CapturedProgram, leaves: Sequence[object]) -> dict[str, int]:
    """What the dynamic sizes are in the example, as far as a dimension of an input is just that."""
    return {
        str(dim): leaf.shape[axis]
        for leaf, spec in zip(leaves, program.inputs, strict=True)
        if isinstance(leaf, torch.Tensor) and spec.value is not None and spec.value.shape is not None
        for axis, dim in enumerate(spec.value.shape)
        if isinstance(dim, ir.SymbolicDim)
    }


def _symbols(value: ir.Value | None) -> Iterator[tuple[int, str]]:
    """The symbols in the shape of a graph input, with the axes where they stand."""
    for axis, dim in enumerate(value.shape if value is not None and value.shape is not None else ()):
        if isinstance(dim, ir.SymbolicDim):
            yield from ((axis, symbol) for symbol in sorted(dim.free_symbols()))


def _other_size(program: CapturedProgram, name: str, size: int) -> int:
    """``size``, held within the range that the program demands."""
    limits = program.dimensions.get(name)
    if limits is None:
        return size
    size = max(size, limits.lower)
    return size if limits.upper is None else min(size, limits.upper)


def _resized(leaf: object, value: ir.Value | None, sizes: Mapping[str, int]) -> object:
    """The example tensor cut or repeated along each dynamic dimension, so that its values stay legal."""
    if not isinstance(leaf, torch.Tensor) or value is None or value.shape is None:
        return leaf
    shape = value.shape.evaluate(sizes)
    for axis, size in enumerate(shape):
        if isinstance(size, int) and size != leaf.shape[axis] and leaf.shape[axis] > 0:
            index = torch.arange(size, device=leaf.device) % leaf.shape[axis]
            leaf = leaf.index_select(axis, index)
    return leaf
