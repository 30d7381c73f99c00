"""What is said of the place at which an exported model and PyTorch part."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext, Location
from onnx_export._differences import difference
from onnx_export._eager import copies
from onnx_export._localise import captured_outputs, find_parting
from onnx_export._partings import Parting
from onnx_export._program import ONNXProgram
from onnx_export._runtime import open_session
from onnx_export.rules import DIFFERENCE_NOT_LOCALISED, FIRST_DIFFERENCE, REPORT_ADVICE, RUNTIME_REFUSES
from onnx_ir_capture.dialect import Effect, effects_of, op_name
from onnx_ir_capture.lowering import call_stack, custom_translation, location_of, translation_of

__all__ = ["FailedRun", "report_parting", "report_refusal"]

# How ONNX Runtime names the node that it cannot run.
_NODE = re.compile(r"(?:Name:|node with name |Node \()'?([^')\s]+)")


class FailedRun(NamedTuple):
    """A run whose outputs differ from PyTorch's.

    Attributes:
        outputs: names of the outputs that differ.
        sizes: its sizes, in words.
        args: its inputs by position.
        kwargs: its inputs by name.
        expected: what PyTorch gives for all outputs.
    """

    outputs: Sequence[str]
    sizes: str
    args: Sequence[object]
    kwargs: Mapping[str, object]
    expected: Sequence[torch.Tensor]


def report_parting(
    program: ONNXProgram,
    failed: FailedRun,
    diagnostics: DiagnosticContext,
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
) -> str:
    """Report the operator that makes the difference, at its line in the model, or why there is none.

    Returns:
        What to do about the outputs that differ.
    """
    try:
        parting = find_parting(program, failed.outputs, failed.args, failed.kwargs, tolerances, providers)
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        # That outputs differ is what the caller has to know, whatever keeps the search from its end.
        reason = f"the search for it failed with {type(error).__name__}: {error}"
        diagnostics.report(DIFFERENCE_NOT_LOCALISED, sizes=failed.sizes, reason=reason, advice=REPORT_ADVICE)
        return REPORT_ADVICE
    if parting is None:
        reason, advice = _elsewhere(program, failed, tolerances, providers)
        diagnostics.report(DIFFERENCE_NOT_LOCALISED, sizes=failed.sizes, reason=reason, advice=advice)
        return advice
    if parting.inherited:
        return _report_growth(parting, failed.sizes, diagnostics)
    return _report_operator(parting, failed.sizes, diagnostics)


def report_refusal(
    program: ONNXProgram,
    refused: FailedRun,
    error: Exception,
    diagnostics: DiagnosticContext,
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
    *,
    localise: bool,
) -> None:
    """Report that ONNX Runtime does not run the file: at the operator that is to blame, where one is found.

    An operator before it that is computed wrongly is reported as well: what comes behind it gets what it was
    not made for.
    """
    parting = _first_wrong(program, refused, tolerances, providers) if localise else None
    advice = _OTHER_RUNTIME
    if parting is not None and not parting.refused:
        if not parting.inherited:
            advice = _report_operator(parting, refused.sizes, diagnostics)
        parting = None
    call = named_call(program, str(error)) if parting is None else parting.node
    custom = None if call is None else _custom(call, None if parting is None else parting.value)
    if custom is not None:
        advice = f"look at {custom[0]}, which translates it"
    diagnostics.report(
        RUNTIME_REFUSES,
        location=None if call is None else location_of(call),
        related=() if call is None else (*(() if custom is None else custom[1]), *call_stack(call)),
        what="the model" if call is None else f"what the file has for {op_name(call)}",
        sizes=refused.sizes,
        reason=str(error).strip() if parting is None else parting.problem,
        advice=advice,
    )


_OTHER_RUNTIME = (
    "export without verify=True for another runtime, use a dtype that ONNX Runtime has kernels for (float32 "
    "on the CPU), or a lower opset_version if it has them for older forms of the operator only"
)


def _first_wrong(
    program: ONNXProgram,
    refused: FailedRun,
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
) -> Parting | None:
    """The first operator that is wrong or refused, where the search for it comes to its end."""
    try:
        return find_parting(program, refused.outputs, refused.args, refused.kwargs, tolerances, providers)
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        return None  # the refusal itself is reported in any case


def named_call(program: ONNXProgram, message: str) -> ir.Node | None:
    """The captured operator of the node that a message of ONNX Runtime names."""
    name = _NODE.search(message)
    node = None if name is None else next((n for n in program.model.graph if n.name == name[1]), None)
    made_for = {value: captured.producer() for captured, value in program.value_map.items()}
    while node is not None:
        value = node.outputs[0]
        if value in made_for:
            return made_for[value]
        node = next((use.node for use in value.uses()), None)
    return None


def _custom(call: ir.Node, value: ir.Value | None) -> tuple[str, tuple[Location, ...]] | None:
    """The caller's own translation of a call, or of a part of what it decomposes into."""
    made_by = None if value is None or translation_of(call) is not None else value.producer()
    return custom_translation(call if made_by is None else made_by)


def _report_operator(parting: Parting, sizes: str, diagnostics: DiagnosticContext) -> str:
    custom = _custom(parting.node, parting.value)
    op = op_name(parting.node)
    if custom is not None:
        advice, short = (
            f"look at {custom[0]}, which translates it",
            f"look at {custom[0]}, which translates {op}",
        )
    elif effects_of(parting.node) & Effect.RANDOM:
        short = advice = "it draws random numbers, so that no two runs agree: verify the model without it"
    else:
        advice = f"{REPORT_ADVICE}; until it is mended, translate the operator with custom_translation_table"
        short = f"see {FIRST_DIFFERENCE.code}: it begins at {op}"
    diagnostics.report(
        FIRST_DIFFERENCE,
        location=location_of(parting.node),
        related=(*(() if custom is None else custom[1]), *call_stack(parting.node)),
        op=op,
        sizes=sizes,
        difference=f"ONNX Runtime refuses it: {parting.problem}" if parting.refused else parting.problem,
        value=f"%{parting.value.name}",
        advice=advice,
    )
    return short


def _report_growth(parting: Parting, sizes: str, diagnostics: DiagnosticContext) -> str:
    advice = "verify in float64, or with tolerances that such a model can hold"
    diagnostics.report(
        DIFFERENCE_NOT_LOCALISED,
        location=location_of(parting.node),
        related=call_stack(parting.node),
        sizes=sizes,
        reason="each computes what PyTorch computes from the same inputs, and rounding alone grows until it "
        f"is above the tolerance at {op_name(parting.node)}: {parting.problem}",
        advice=advice,
    )
    return advice


def _elsewhere(
    program: ONNXProgram,
    failed: FailedRun,
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
) -> tuple[str, str]:
    """The reason and advice where every value agrees, and an output does not."""

    def are_right(outputs: Sequence[torch.Tensor]) -> bool:
        pairs = zip(outputs, failed.expected, strict=False)
        return not any(difference(got, want, tolerances)[1] for got, want in pairs)

    if not are_right(captured_outputs(program, *copies(failed.args, failed.kwargs))):
        reason = "the file computes what was captured, and the model itself computes something else"
        advice = (
            "look for what a capture cannot see: values that Python or NumPy compute, and state that changes "
            "from call to call"
        )
        return reason, advice
    names = [str(value.name) for value in program.model.graph.outputs]
    plain = functools.partial(open_session, providers=providers, optimized=False, quiet=True)
    if are_right(program.compute_values(names, failed.args, failed.kwargs, initializer=plain)):
        reason = "the file is right node by node, and ONNX Runtime's optimization of it is not"
        return reason, "run the file with graph optimization disabled, and report this to ONNX Runtime"
    reason = "each value that the file shares with the program agrees, and what it makes of them does not"
    return reason, "take the model as export() gave it: something has changed its graph since"
