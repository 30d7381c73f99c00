"""The pass :class:`EvalMode`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, Rule
from onnx_ir_capture.dialect import Aliases, OpName, known_constant, op_name
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor, make_identity
from onnx_jitpasses._graphs import all_nodes, set_aliases
from onnx_jitpasses._words import words
from onnx_jitpasses.rules import MODE_KEPT, MODE_SWITCHED

__all__ = ["EvalMode", "note_training_mode"]

# Position of the training flag, from aten/src/ATen/native/native_functions.yaml.
_DROPOUTS = words(
    """
    alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_
    feature_dropout feature_dropout_ native_dropout
    """
)
_NORMS = words(
    """
    _batch_norm_impl_index _native_batch_norm_legit _native_batch_norm_legit_functional batch_norm
    cudnn_batch_norm instance_norm miopen_batch_norm native_batch_norm
    """
)
# Gives the new running statistics as its last results, where the others write them.
_FUNCTIONAL_NORM = "_native_batch_norm_legit_functional"
# What decomposed programs do with the statistics of a layer before a normalisation reads them.
_ARRANGING = words("alias expand repeat reshape view")
_RECURRENT = frozenset(["gru", "lstm", "rnn_relu", "rnn_tanh"])
_RANDOM_RELUS: Mapping[str, int] = {"rrelu": 3, "rrelu_": 3, "rrelu_with_noise": 4, "rrelu_with_noise_": 4}


class EvalMode(DialectPass):
    """Switches calls that were captured in training mode to what they do in evaluation mode.

    Dropout gives its input; normalisations that have running statistics use and no longer write them;
    recurrent layers drop nothing between layers; ``rrelu`` has a fixed slope. The alias marks follow. A
    normalisation without running statistics goes by its batch in both modes and stays as it is, and so does
    one whose batch statistics are used as outputs, since evaluation mode has none, and one whose running
    statistics are no weights of the model: those of a layer are. The forms that decomposed programs have of
    these operators are switched likewise.

    A captured call does not tell whether a module's mode or the model's own words put it into training mode,
    so the pass is for programs whose modules were in training mode. It reports each operator that it switches
    once, by rule JIT003.
    """

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        self._diagnostics = diagnostics

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> EvalMode:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        switched: dict[OpName, list[ir.Node]] = {}
        for node in list(all_nodes(model.graph)):
            position = _flag(node)
            if position is None:
                continue
            if known_constant(node.inputs[position]) is not False:
                node.replace_input_with(position, editor.constant_before(node, False))
                modified = True
                switched.setdefault(op_name(node), []).append(node)
            modified |= _adapt(node)
        if self._diagnostics is not None:
            _report(MODE_SWITCHED, switched, self._diagnostics)
        return ir.passes.PassResult(model, modified)

    def ensures(self, model: ir.Model) -> None:
        """Check that no flag is left that this pass switches."""
        for node in all_nodes(model.graph):
            position = _flag(node)
            if position is not None and known_constant(node.inputs[position]) is not False:
                raise ir.passes.PostconditionError(f"{node.op_type} is still in training mode")


def note_training_mode(graph: ir.Graph, diagnostics: DiagnosticContext) -> None:
    """Report each operator in training mode once, by rule JIT004, where evaluation mode was captured."""
    kept: dict[OpName, list[ir.Node]] = {}
    for node in all_nodes(graph):
        position = _flag(node)
        if position is not None and known_constant(node.inputs[position]) is not False:
            kept.setdefault(op_name(node), []).append(node)
    _report(MODE_KEPT, kept, diagnostics)


def _report(rule: Rule, found: Mapping[OpName, Sequence[ir.Node]], diagnostics: DiagnosticContext) -> None:
    for op, (first, *others) in found.items():
        related = [location_of(node) for node in others[:2]]
        diagnostics.report(rule, location=location_of(first), related=related, op=op)


def _flag(node: ir.Node) -> int | None:
    """Position of a training flag that evaluation mode sets to False."""
    name = node.op_type
    position = None
    if node.domain != "aten":
        return None
    if name in _DROPOUTS:
        position = 2
    elif name in _NORMS:
        position = 5 if _has_statistics(node) and not _gives_batch_statistics(node) else None
    elif name in _RECURRENT:
        position = 7 if node.overload == "data" else 6
    else:
        position = _RANDOM_RELUS.get(name)
    return position if position is not None and position < len(node.inputs) else None


def _has_statistics(node: ir.Node) -> bool:
    return len(node.inputs) > 5 and all(map(_is_weight, node.inputs[3:5]))


def _is_weight(value: ir.Value | None) -> bool:
    while value is not None and (node := value.producer()) is not None:
        if node.domain != "aten" or node.op_type not in _ARRANGING:
            return False
        value = node.inputs[0]
    return value is not None and value.is_initializer()


def _gives_batch_statistics(node: ir.Node) -> bool:
    of_batch = node.outputs[1:3] if node.op_type == _FUNCTIONAL_NORM else node.outputs[1:]
    return any(map(_is_used, of_batch))


def _is_used(value: ir.Value) -> bool:
    return bool(value.uses()) or value.is_graph_output()


def _adapt(node: ir.Node) -> bool:
    """Note what the call reads, writes and gives in evaluation mode; return whether that is news."""
    if node.op_type in _NORMS:
        is_rewired = node.op_type == _FUNCTIONAL_NORM and _keep_statistics(node)
        return set_aliases(node, Aliases()) or is_rewired
    if node.op_type not in _DROPOUTS:
        return False
    name = node.op_type.rstrip("_")
    if name == "native_dropout" and not _is_used(node.outputs[1]):
        node.resize_outputs(1)
        name = "dropout"
    is_renamed = node.op_type != name
    # In place or not, it returns its argument itself.
    node.op_type = name
    return set_aliases(node, Aliases((), ((0, 0),))) or is_renamed


def _keep_statistics(node: ir.Node) -> bool:
    """Let all that reads the new running statistics read those that the call was given, and write none."""
    readers = [
        (use.node, use.idx, running)
        for updated, running in zip(node.outputs[3:], node.inputs[3:5], strict=True)
        for use in updated.uses()
    ]
    for reader, position, running in readers:
        reader.replace_input_with(position, running)
        writes_itself = reader.domain == "aten" and reader.op_type == "copy_" and reader.inputs[0] is running
        if writes_itself and running is not None:
            make_identity(reader, running)
    return bool(readers)
