"""One sample through one export: what came of it."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import signal
import warnings
from collections.abc import Iterator, Sequence
from types import FrameType, TracebackType

import torch
from _conformance_samples import Sample, calls_of

import onnx_export
from onnx_diagnostics import OnnxExporterError

__all__ = ["Finding", "Settings", "Verdict", "judge"]


class Verdict(enum.Enum):
    """What an export of a sample can come to, worst last."""

    OK = "ok"
    SKIPPED = "skipped"
    REFUSED = "refused"
    REJECTED = "rejected"
    FAULT = "fault"
    DIFFERS = "differs"


@dataclasses.dataclass(frozen=True)
class Settings:
    """How samples are exported."""

    opset: int
    dynamo: bool
    dynamic: bool
    most: int
    seconds: int


@dataclasses.dataclass(frozen=True)
class Finding:
    """A sample with its verdict; the text is the error's, or what differs."""

    operator: str
    sample: str
    verdict: Verdict
    text: str = ""


def judge(operator: str, settings: Settings) -> list[Finding]:
    """Export the samples of an operator and compare them with eager PyTorch in ONNX Runtime."""
    return list(_findings(operator, settings))


def _findings(operator: str, settings: Settings) -> Iterator[Finding]:
    signal.signal(signal.SIGALRM, _stop)
    samples = calls_of(operator, settings.most)
    while True:
        sample = None
        signal.alarm(settings.seconds)
        try:
            with _Caught() as caught:
                sample = next(samples, None)
            if caught.error is not None:
                yield Finding(operator, "", Verdict.SKIPPED, f"eager fails: {caught.error}")
            if sample is None:
                return
            verdict, reason = _verdict(sample, settings)
        except TimeoutError:
            verdict, reason = Verdict.FAULT, f"not done in {settings.seconds} s"
        finally:
            signal.alarm(0)
        yield Finding(operator, "" if sample is None else sample.text, verdict, reason)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


class _Caught(contextlib.AbstractContextManager["_Caught"]):
    """Holds the error that a block ends with, of whatever kind, but for the one that the time is up."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception) and not isinstance(error, TimeoutError):
            self.error = error
        return self.error is not None


def _verdict(sample: Sample, settings: Settings) -> tuple[Verdict, str]:
    with _Caught() as caught:
        program = _exported(sample, settings)
    if caught.error is not None:
        is_told = isinstance(caught.error, OnnxExporterError)
        return Verdict.REFUSED if is_told else Verdict.FAULT, _text(caught.error)
    with _Caught() as caught:
        results = program(*(tensor.detach().clone() for tensor in sample.call.tensors))
    if caught.error is not None:
        return Verdict.REJECTED, _text(caught.error)
    with _Caught() as caught:
        _compare(results, sample)
    return (Verdict.OK, "") if caught.error is None else (Verdict.DIFFERS, _text(caught.error))


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _exported(sample: Sample, settings: Settings) -> onnx_export.ONNXProgram:
    tensors = sample.call.tensors
    axes = [{axis: f"d{at}_{axis}" for axis in range(tensor.dim())} for at, tensor in enumerate(tensors)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if settings.dynamo:
            auto = [dict.fromkeys(tensor_axes, torch.export.Dim.AUTO) for tensor_axes in axes]
            return onnx_export.export(
                sample.call,
                tensors,
                opset_version=settings.opset,
                dynamic_shapes={"tensors": tuple(auto)} if settings.dynamic and tensors else None,
                fallback=False,
                verbose=False,
            )
        names = [f"x{at}" for at in range(len(tensors))]
        return onnx_export.export(
            sample.call,
            tensors,
            input_names=names,
            opset_version=settings.opset,
            dynamic_axes=dict(zip(names, axes, strict=True)) if settings.dynamic else None,
            dynamo=False,
            verbose=False,
        )


def _compare(results: Sequence[object], sample: Sample) -> None:
    """Dtypes, shapes and values by torch.testing's own tolerances.

    Raises:
        AssertionError: they differ.
    """
    assert len(results) == len(sample.expected), f"{len(results)} results for {len(sample.expected)}"
    for result, wanted in zip(results, sample.expected, strict=True):
        found, expected = torch.as_tensor(result), _as_in_file(wanted)
        if sample.is_random:
            expected = found if (found.dtype, found.shape) == (expected.dtype, expected.shape) else expected
        torch.testing.assert_close(found, expected, equal_nan=True)


def _as_in_file(wanted: object) -> torch.Tensor:
    """A result as ONNX has it: numbers are tensors, of double precision if floats, and complex ones pairs."""
    tensor = torch.as_tensor(wanted, dtype=torch.float64 if isinstance(wanted, float) else None)
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
