"""How far an exported model is from the program it was made from, value by value."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import onnx_ir as ir
import torch

from onnx_export._complex import as_pairs
from onnx_export._differences import output_tensors
from onnx_export._eager import copies, run_eager, untouched
from onnx_export._feeds import feeds_of, leaves_of
from onnx_export._program import ONNXProgram
from onnx_export._runtime import CPU, InferenceSession, Session, open_session
from onnx_export._saving import check_values
from onnx_ir_capture.fx import known_caches

__all__ = ["VerificationInfo", "assert_onnx_program", "verify_onnx_program"]

_EDGES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 1e6)
# Keeps the relative difference finite where zero is expected.
_SMALLEST = 1e-7
_STRATEGIES = {"torch.export": "TorchExportNonStrictStrategy"}

Histogram = tuple[torch.Tensor, torch.Tensor]


@dataclasses.dataclass(frozen=True)
class VerificationInfo:
    """One value of the file held against PyTorch's.

    Attributes:
        name: name of the value in the file.
        max_abs_diff: largest absolute difference; infinite where the shapes differ, or only one side is NaN.
        max_rel_diff: largest difference relative to what PyTorch gives.
        abs_diff_hist: counts of absolute differences, and the edges between the counts.
        rel_diff_hist: the same for relative differences.
        expected_dtype: dtype in PyTorch.
        actual_dtype: dtype in the file.
    """

    name: str
    max_abs_diff: float
    max_rel_diff: float
    abs_diff_hist: Histogram
    rel_diff_hist: Histogram
    expected_dtype: torch.dtype
    actual_dtype: torch.dtype

    @classmethod
    def from_tensors(
        cls, name: str, expected: torch.Tensor | float | bool, actual: torch.Tensor | float | bool
    ) -> VerificationInfo:
        """Compare two tensors, or numbers; NaN equals NaN, and infinity itself."""
        want, got = (torch.as_tensor(side).detach().cpu() for side in (expected, actual))
        absolute = _differences(want, got)
        relative = absolute / (_real(want).abs() + _SMALLEST) if want.shape == got.shape else absolute
        # Neither zero nor infinity has a quotient by infinity that says anything.
        relative = torch.where((absolute == 0) | absolute.isinf(), absolute, relative)
        return cls(
            name,
            absolute.max().item() if absolute.numel() else 0.0,
            relative.max().item() if relative.numel() else 0.0,
            _histogram(absolute),
            _histogram(relative),
            want.dtype,
            got.dtype,
        )

    def asdict(self) -> dict[str, object]:
        """The same as plain values, for a table or JSON."""
        return {
            "name": self.name,
            "max_abs_diff": self.max_abs_diff,
            "max_rel_diff": self.max_rel_diff,
            "abs_diff_hist": [part.tolist() for part in self.abs_diff_hist],
            "rel_diff_hist": [part.tolist() for part in self.rel_diff_hist],
            "expected_dtype": str(self.expected_dtype),
            "actual_dtype": str(self.actual_dtype),
        }


def _differences(want: torch.Tensor, got: torch.Tensor) -> torch.Tensor:
    if want.shape != got.shape:
        return torch.tensor([math.inf], dtype=torch.float64)
    left, right = _real(want), _real(got)
    gap = (left - right).abs()
    gap = torch.where(gap.isnan(), math.inf, gap)
    return torch.where((left == right) | (left.isnan() & right.isnan()), 0.0, gap)


def _real(tensor: torch.Tensor) -> torch.Tensor:
    """As float64, in which every dtype that a file can hold has its differences."""
    return as_pairs(tensor).double()


def _histogram(differences: torch.Tensor) -> Histogram:
    edges = torch.tensor(_EDGES)
    counts, edges = torch.histogram(differences.flatten().float(), bins=edges)
    return counts, edges


@known_caches()
def verify_onnx_program(
    onnx_program: ONNXProgram,
    args: Sequence[object] | None = None,
    kwargs: Mapping[str, object] | None = None,
    compare_intermediates: bool = False,
    *,
    providers: Sequence[str] = CPU,
) -> list[VerificationInfo]:
    """Run an exported model in ONNX Runtime, and the program it was made from in PyTorch, and compare.

    Args:
        onnx_program: what ``export()`` returned.
        args: inputs by position; the example's, if neither these nor ``kwargs`` are given.
        kwargs: inputs by name.
        compare_intermediates: compare the results of all operators that the file still has, in its order,
            and not only the outputs.
        providers: ONNX Runtime's execution providers, in the order of preference.

    Returns:
        One comparison per value. Nothing is raised for values that differ.

    Raises:
        ValueError: the program was not made by torch.export, there are no inputs, or ONNX Runtime has not all
            of ``providers``.
    """
    exported, args, kwargs = _run_of(onnx_program, args, kwargs)
    initializer = functools.partial(open_session, providers=providers)
    if not compare_intermediates:
        actual = _run(onnx_program, initializer, args, kwargs)
        names = [str(value.name) for value in onnx_program.model.graph.outputs]
        expected = _outputs(onnx_program, exported, args, kwargs)
    else:
        names, expected = _intermediates(onnx_program, exported, args, kwargs)
        actual = onnx_program.compute_values(names, args, kwargs, initializer=initializer)
    return [
        VerificationInfo.from_tensors(name, want, got)
        for name, want, got in zip(names, expected, actual, strict=True)
    ]


@known_caches()
def assert_onnx_program(
    program: ONNXProgram,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    args: Sequence[object] | None = None,
    kwargs: Mapping[str, object] | None = None,
    strategy: str | None = "TorchExportNonStrictStrategy",
    backend: Literal["onnxruntime", "reference"] = "onnxruntime",
    providers: Sequence[str] = CPU,
) -> None:
    """Assert in a test that an exported model gives what the program gives that it was made from.

    Args:
        program: what ``export()`` returned.
        rtol: relative tolerance; that of ``torch.testing.assert_close`` by default.
        atol: absolute tolerance; both are given, or none.
        args: inputs by position; the example's, if neither these nor ``kwargs`` are given.
        kwargs: inputs by name.
        strategy: the way by which the model must have been captured, by torch.onnx's name; None for any.
        backend: what runs the file: ``"onnxruntime"`` or ``"reference"``.
        providers: ONNX Runtime's execution providers, in the order of preference.

    Raises:
        AssertionError: an output differs in dtype, shape or value; the text names it.
        ValueError: the program was captured otherwise, there are no inputs, or ``backend`` is unknown.
    """
    route = program.program.route
    if strategy is not None and _STRATEGIES.get(route, route) != strategy:
        raise ValueError(f"the model was captured by {_STRATEGIES.get(route, route)}, not by {strategy}")
    if backend not in ("onnxruntime", "reference"):
        raise ValueError(f"backend={backend!r} is unknown; there are 'onnxruntime' and 'reference'")
    exported, args, kwargs = _run_of(program, args, kwargs)
    if backend == "reference":
        actual = program.call_reference(*args, **kwargs)
    else:
        actual = _run(program, functools.partial(open_session, providers=providers), args, kwargs)
    expected = _outputs(program, exported, args, kwargs)
    names = [str(value.name) for value in program.model.graph.outputs]
    for name, got, want in zip(names, actual, expected, strict=True):
        try:
            torch.testing.assert_close(got, want, rtol=rtol, atol=atol, equal_nan=True)
        except AssertionError as error:
            raise AssertionError(f"output {name}: {error}") from None


def _run_of(
    program: ONNXProgram, args: Sequence[object] | None, kwargs: Mapping[str, object] | None
) -> tuple[torch.export.ExportedProgram, Sequence[object], Mapping[str, object]]:
    exported = program.exported_program
    if exported is None:
        raise ValueError("the model was not exported from a program of torch.export, so nothing compares")
    if args is None and kwargs is None:
        if exported.example_inputs is None:
            raise ValueError("the program has no example inputs; give args or kwargs")
        args, kwargs = exported.example_inputs
    return exported, args or (), kwargs or {}


def _run(
    program: ONNXProgram,
    initializer: Callable[[str | bytes], InferenceSession],
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> Sequence[torch.Tensor]:
    """The file's outputs, by a session that the program's own calls know nothing of."""
    feeds = feeds_of(program.program, program.model, args, kwargs, beyond_limits=True)
    check_values(program.model, program.diagnostic_context)
    session = Session(program.model, initializer)
    try:
        return session.run(feeds)
    finally:
        session.close()


def _outputs(
    program: ONNXProgram,
    exported: torch.export.ExportedProgram,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> list[torch.Tensor]:
    eager = run_eager(program, exported.module(), args, kwargs)
    return [*output_tensors(eager.result, program.program), *eager.state]


def _intermediates(
    program: ONNXProgram,
    exported: torch.export.ExportedProgram,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> tuple[list[str], list[torch.Tensor]]:
    """Names of the file's values that are results of operators in PyTorch, and what PyTorch gives."""
    copied_args, copied_kwargs = copies(args, kwargs)
    module = exported.module()
    with untouched(program, module), torch.no_grad():
        recorder = _Recorder(module)
        leaves = leaves_of(program.program, copied_args, copied_kwargs)
        recorder.run(*leaves, enable_io_processing=False)
    captured_names = {value: str(captured.name) for captured, value in program.value_map.items()}
    pairs = [
        (str(value.name), recorder.results[captured_names[value]])
        for value in _results(program.model.graph)
        if captured_names.get(value) in recorder.results
    ]
    return [name for name, _ in pairs], [tensor for _, tensor in pairs]


def _results(graph: ir.Graph) -> Iterator[ir.Value]:
    for node in graph:
        yield from node.outputs


class _Recorder(torch.fx.Interpreter):
    """Keeps what each operator of a program gives, as it was before anything wrote on it."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.results: dict[str, torch.Tensor] = {}

    def run_node(self, node: torch.fx.Node) -> object:
        result: object = super().run_node(node)
        if node.op == "call_function" and isinstance(result, torch.Tensor):
            self.results[node.name] = as_pairs(result.detach()).cpu().clone()
        return result
