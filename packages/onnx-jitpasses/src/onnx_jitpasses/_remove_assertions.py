"""The pass :class:`RemoveAssertions`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import Effect, ScalarType, blocks_of, effects_of, is_constant, known_constant
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import make_identity, remove_dead, remove_node
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses.rules import ASSERTION_DROPPED

__all__ = ["RemoveAssertions"]


class RemoveAssertions(DialectPass):
    """Removes calls that only check, or that only tell a compiler a bound, and what only fed them.

    ONNX has no assertions: the graph computes the same for every input that passes them, and what the model
    itself checks is reported as a note. The functional forms hand a token on; users of it get the token that
    went in. ``prim::RaiseException`` stays, since it is the whole of a branch.
    """

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        self._diagnostics = diagnostics

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> RemoveAssertions:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        checks = [node for node in all_nodes(model.graph) if _is_check(node)]
        if self._diagnostics is not None:
            _report(checks, self._diagnostics)
        fed: list[ir.Value | None] = []
        for node in checks:
            fed += node.inputs
            token = node.inputs[-1] if node.inputs else None
            if node.outputs and token is not None:
                make_identity(node, token)
            else:
                remove_node(node)
        remove_dead(fed)
        return ir.passes.PassResult(model, modified=bool(checks))

    def ensures(self, model: ir.Model) -> None:
        """Check that no assertion is left."""
        for node in all_nodes(model.graph):
            if _is_check(node):
                raise ir.passes.PostconditionError(f"{node.domain}::{node.op_type} is left")


def _is_check(node: ir.Node) -> bool:
    # All checks but prim::RaiseException are called so; asking for the effects of every node takes time.
    if not node.op_type.startswith(("_", "sym_")) or blocks_of(node):
        return False
    is_checking = bool(effects_of(node) & Effect.CHECKS)
    return is_checking and (not node.outputs or (len(node.outputs) == 1 and bool(node.inputs)))


# What torch._assert_async and torch._check become. Of the other checks, _assert_tensor_metadata is torch's
# own at each cast, and sym_constrain_range stands beside an _assert_scalar.
_OF_THE_MODEL = frozenset(
    ("_assert_async", "_assert_scalar", "_functional_assert_async", "_functional_assert_scalar")
)

_SIGNS: Mapping[str, str] = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<", "eq": "==", "ne": "!="}


def _report(checks: Iterable[ir.Node], diagnostics: DiagnosticContext) -> None:
    """Report what the model checks, each condition of a line once."""
    seen = set()
    for node in checks:
        if node.op_type not in _OF_THE_MODEL or not node.inputs or _is_torch_own(node.inputs[0]):
            continue
        place, text = location_of(node), _condition(node)
        if (place.file, place.line, text) not in seen:
            seen.add((place.file, place.line, text))
            diagnostics.report(ASSERTION_DROPPED, location=place, condition=text)


def _condition(node: ir.Node) -> str:
    """The message that the model gives for a check, or the condition."""
    compared = _compared(node.inputs[0])
    if compared is not None:
        first, sign, second = compared
        return f"{_operand(first)} {sign} {_operand(second)}"
    message = known_constant(node.inputs[1]) if len(node.inputs) > 1 else None
    if isinstance(message, str) and message:
        return repr(message)
    return "a condition" if node.inputs[0] is None else f"%{node.inputs[0].name}"


def _compared(condition: ir.Value | None) -> tuple[ir.Value | None, str, ir.Value | None] | None:
    """What a condition on numbers compares, and how; None for any other."""
    node = None if condition is None else condition.producer()
    if node is None or node.op_type not in _SIGNS or len(node.inputs) != 2 or node.overload == "Scalar":
        return None
    return node.inputs[0], _SIGNS[node.op_type], node.inputs[1]


def _operand(value: ir.Value | None) -> str:
    if value is None or is_constant(value):
        return repr(known_constant(value))
    size = value.producer()
    if size is not None and size.op_type == "sym_size" and size.inputs[0] is not None:
        return f"{size.inputs[0].name}.shape[{known_constant(size.inputs[1])}]"
    return str(value.name)


def _is_torch_own(condition: ir.Value | None) -> bool:
    """Whether torch writes such a condition down by itself.

    It does so for what it knows of each size that depends on data, and for each index: it is not negative.
    """
    if condition is None or not _reads_data(condition):
        return True
    compared = _compared(condition)
    return compared is not None and compared[1] == ">=" and known_constant(compared[2]) == 0


def _reads_data(value: ir.Value) -> bool:
    """Whether a number or a condition depends on what tensors hold, and not on their sizes alone."""
    if is_constant(value):
        return False
    node = value.producer()
    if node is None or not isinstance(value.type, ScalarType) or node.op_type == "item":
        return True
    return node.op_type != "sym_size" and any(
        _reads_data(given) for given in node.inputs if given is not None
    )
