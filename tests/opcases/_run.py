"""Runs an op case: capture, lower by one table, check, run in ONNX Runtime, compare with eager."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime as ort
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext, render_text
from onnx_ir_capture.contracts import OpTable, Target
from onnx_ir_capture.dialect import OpName, op_name
from onnx_ir_capture.emit import schemas
from onnx_ir_capture.fx import any_number_of_steps, covariance_of_any_values, import_exported_program
from onnx_ir_capture.lowering import LoweredProgram, OpRegistry, lower
from onnx_ir_capture.program import CapturedProgram
from onnx_symbolics import BASE_OPSET as SYMBOLICS_BASE
from onnx_symbolics import SYMBOLICS
from onnx_torchlib import BASE_OPSET as TORCHLIB_BASE
from onnx_torchlib import TRANSLATORS
from opcases._case import SYMBOLICS as SYMBOLICS_NAME
from opcases._case import TORCHLIB as TORCHLIB_NAME
from opcases._case import OpCase, Tensors

__all__ = ["TABLES", "Captured", "capture", "check_case", "tables_of"]


@dataclasses.dataclass(frozen=True)
class Table:
    """A table under test, and the lowest opset it serves."""

    registry: OpRegistry
    base: int
    op_table: OpTable


TABLES = {
    TORCHLIB_NAME: Table(TRANSLATORS, TORCHLIB_BASE, TRANSLATORS),
    SYMBOLICS_NAME: Table(SYMBOLICS, SYMBOLICS_BASE, SYMBOLICS),
}


@dataclasses.dataclass(frozen=True)
class Captured:
    """A case's program, what eager gives for each set of inputs, and the nodes that were compared with it."""

    program: CapturedProgram
    runs: Sequence[tuple[str, Tensors, Sequence[object]]]
    forms: set[str] = dataclasses.field(default_factory=set)
    """Of whichever table: those of another that are the same need no other comparison."""
    done: set[tuple[str, int]] = dataclasses.field(default_factory=set)
    """The forms with the opset at which they ran."""


def tables_of(case: OpCase) -> list[str]:
    """The tables that the case runs through: those that hold the overload, or the one that the row names."""
    if case.only is not None:
        return [case.only]
    return [name for name, table in TABLES.items() if table.registry.first_opset(case.op) is not None]


def capture(case: OpCase) -> Captured:
    """Export and import the case, and run eager.

    Raises:
        AssertionError: the overload under test is not in the program.
    """
    module, tensors = case.module(), case.tensors()
    shapes = {"tensors": case.dynamic_shapes()} if tensors else None
    with any_number_of_steps(), covariance_of_any_values():
        exported = torch.export.export(module, tensors, dynamic_shapes=shapes)
    diagnostics = DiagnosticContext("opcases", "0")
    program = import_exported_program(exported, diagnostics)
    assert not diagnostics.has_errors, render_text(list(diagnostics))
    _drop_assertions(program)
    ops = [op_name(node) for node in program.model.graph]
    assert case.op in ops, f"the program has no {case.op}, but {', '.join(map(str, ops))}"
    runs = [(word, inputs, pytree.tree_leaves(module(*inputs))) for word, inputs in case.inputs()]
    return Captured(program, runs)


def _drop_assertions(program: CapturedProgram) -> None:
    for node in list(program.model.graph):
        if node.op_type.startswith("_assert") or node.op_type.startswith("sym_constrain"):
            program.model.graph.remove(node)


def check_case(case: OpCase, captured: Captured, table_name: str) -> None:
    """Lower and compare at every opset where an operator that the table emits has a new version."""
    table = TABLES[table_name]
    if case.refused is not None:
        _check_refusal(captured, table, _newest(), case.refused)
        return
    first = max(table.base, case.since or 0, table.registry.first_opset(case.op) or 0)
    if case.since is not None and case.since > table.base:
        _check_refusal(captured, table, case.since - 1, "")
    ends = sorted({first, *_sinces(table.registry, case.op, first), _newest()})
    forms = _Forms(case, captured, table)
    for opset in ends:
        forms.run(opset)
    for low, high in itertools.pairwise(ends):
        forms.run_between(low, high)


@dataclasses.dataclass(frozen=True)
class _Forms:
    """What a table makes of a case at the opsets where an operator that it emits has a new version.

    Between two opsets with the same nodes nothing is lowered: a form, once left, does not come back. Whether
    the schemas and the runtime take it at the versions between is still seen at each of them.
    """

    case: OpCase
    captured: Captured
    table: Table
    models: dict[int, tuple[str, ir.Model]] = dataclasses.field(default_factory=dict)

    def run(self, opset: int) -> None:
        """Lower at ``opset`` and compare with eager."""
        lowered, text = _lower(self.captured.program, self.table, opset)
        assert not lowered.failed, f"opset {opset}: {text}"
        self.models[opset] = _form(lowered.model), lowered.model
        self._compare(opset, *self.models[opset])

    def run_between(self, low: int, high: int) -> None:
        """The same where something changes between two opsets that ran, by halves."""
        form, model = self.models[low]
        last_form, last_model = self.models[high]
        between = sorted(_breakpoints(model, low + 1, high - 1) | _breakpoints(last_model, low + 1, high - 1))
        if form == last_form:
            for opset in between:
                self._compare(opset, form, model)
            return
        if not between:
            return
        middle = between[len(between) // 2]
        self.run(middle)
        self.run_between(low, middle)
        self.run_between(middle, high)

    def _compare(self, opset: int, form: str, model: ir.Model) -> None:
        captured = self.captured
        # The values depend on the form only; whether the runtime has the kernels, on the version too.
        runs = captured.runs if form not in captured.forms else captured.runs[:1]
        if (form, opset) not in captured.done and opset <= (self.case.until or opset):
            _compare(model, captured.program, runs, opset)
        captured.forms.add(form)
        captured.done.add((form, opset))


@functools.cache
def _newest() -> int:
    """The newest opset that both onnx's schemas and the installed ONNX Runtime know."""
    for opset in range(schemas.NEWEST_OPSET, SYMBOLICS_BASE, -1):
        x = ir.Value(name="x", type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([2]))
        node = ir.node("Identity", [x])
        node.outputs[0].type, node.outputs[0].shape = x.type, x.shape
        graph = ir.Graph([x], node.outputs, nodes=[node], opset_imports={"": opset}, name="probe")
        try:
            _session(ir.to_proto(ir.Model(graph, ir_version=10)))
        except ort.capi.onnxruntime_pybind11_state.Fail:
            continue
        return opset
    raise RuntimeError("ONNX Runtime takes no opset")


def _sinces(registry: OpRegistry, op: OpName, first: int) -> set[int]:
    return {since for since in _all_sinces(registry).get(str(op), ()) if first <= since <= _newest()}


@functools.cache
def _all_sinces(registry: OpRegistry) -> dict[str, set[int]]:
    sinces: dict[str, set[int]] = {}
    for entry in registry:
        sinces.setdefault(entry.op, set()).add(entry.since)
    return sinces


def _breakpoints(model: ir.Model, first: int, last: int) -> set[int]:
    versions = {version for node in model.graph.all_nodes() for version in schemas.versions(node.op_type)}
    return {version for version in versions if first <= version <= last}


def _lower(program: CapturedProgram, table: Table, opset: int) -> tuple[LoweredProgram, str]:
    diagnostics = DiagnosticContext("opcases", "0")
    lowered = lower(program, [table.op_table], Target(opset), diagnostics)
    return lowered, render_text(list(diagnostics))


def _check_refusal(captured: Captured, table: Table, opset: int, words: str) -> None:
    lowered, text = _lower(captured.program, table, opset)
    assert lowered.failed, f"opset {opset}: the call was to be refused, and went through"
    assert "LOW003" not in text, text
    assert words in text


def _form(model: ir.Model) -> str:
    """The nodes as text, without the versions of their operators and the names that a table gives."""
    values = [value for node in model.graph.all_nodes() for value in (*node.inputs, *node.outputs)]
    numbers = {value: f"%{number}" for number, value in enumerate(dict.fromkeys(values))}

    def text(value: ir.Value | None) -> str:
        if value is None:
            return ""
        constant = value.const_value
        known = numbers[value] if constant is None else constant.tobytes().hex()
        return f"{known} {value.type} {value.shape}"

    lines = [(n.op_type, *map(text, n.inputs), n.attributes) for n in model.graph.all_nodes()]
    return "\n".join(map(repr, lines))


def _session(proto: onnx.ModelProto) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _compare(
    model: ir.Model,
    program: CapturedProgram,
    runs: Sequence[tuple[str, Tensors, Sequence[object]]],
    opset: int,
) -> None:
    proto = ir.to_proto(model)
    for entry in proto.opset_import:
        entry.version = entry.version if entry.domain else opset
    onnx.checker.check_model(proto, full_check=True)
    session = _session(proto)
    names = [spec.name for spec in program.inputs if spec.value is not None]
    for word, tensors, expected in runs:
        feeds = {name: _array(tensor) for name, tensor in zip(names, tensors, strict=True)}
        results = iter(session.run(None, feeds))
        for spec, wanted in zip(program.outputs, expected, strict=True):
            got = next(results) if spec.value is not None else spec.literal
            _assert_close(got, wanted, f"opset {opset}, {word}")


def _array(tensor: torch.Tensor) -> np.ndarray:
    array: np.ndarray = tensor.detach().numpy()
    return array


def _assert_close(got: object, wanted: object, place: str) -> None:
    """Dtype, shape and values; the tolerance is torch.testing's for the dtype, and NaN equals NaN."""
    if not isinstance(wanted, torch.Tensor):
        wanted = torch.tensor(wanted, dtype=torch.double if isinstance(wanted, float) else None)
    found = torch.from_numpy(np.asarray(got))
    torch.testing.assert_close(found, wanted, equal_nan=True, msg=lambda text: f"{place}: {text}")
