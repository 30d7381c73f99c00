"""Names of the file's values and nodes: inputs and outputs as asked for, the rest after the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import onnx_ir as ir

from onnx_export._module_groups import blocks_in
from onnx_ir_capture.dialect import take_name

__all__ = ["name_function", "name_graph"]


def name_graph(
    graph: ir.Graph,
    inputs: Sequence[str],
    outputs: Sequence[str],
) -> None:
    """Name every value and node of ``graph``.

    Inputs and outputs get the names asked for, weights keep theirs, and a value that the captured program
    names keeps that name; one that has to give way to those gets a number. Nodes are named after their
    module and operator: ``encoder.layer.0/MatMul``.

    Args:
        graph: the graph, at its outermost.
        inputs: one name per graph input.
        outputs: one name per graph output.
    """
    fixed = _fixed_names(graph, inputs, outputs)
    taken = set(fixed.values()) | {str(value.name) for value in graph.initializers.values()}
    taken |= {str(value.name) for value in graph.inputs if value not in fixed}
    plan = dict(fixed)
    for node in graph.all_nodes():
        inputs_of_blocks = [value for block in blocks_in(node) for value in block.inputs]
        for value in (*inputs_of_blocks, *node.outputs):
            if value not in plan and not value.is_initializer():
                plan[value] = take_name(_wanted_name(value, node), taken)
    # Two steps, since onnx_ir refuses a name that another initializer of the graph still has.
    for value, name in plan.items():
        value.name = name
    _name_nodes(graph.all_nodes())


def name_function(function: ir.Function) -> None:
    """Name every value and node of ``function``; its inputs keep their names where these are distinct."""
    taken: set[str] = set()
    inputs = [take_name(str(value.name), taken) for value in function.inputs]
    outputs = [
        take_name(_wanted_name(value, node), taken)
        for value in function.outputs
        if (node := value.producer()) is not None
    ]
    name_graph(function.graph, inputs, outputs)


def _wanted_name(value: ir.Value, node: ir.Node) -> str:
    """What the captured program calls the value, if it has it, or a name after the operator."""
    if value.producer() is None:
        return value.name or "argument"
    wanted = value.meta.get("torch.name")
    return wanted if isinstance(wanted, str) else f"{node.op_type.lower()}_value"


def _fixed_names(graph: ir.Graph, inputs: Sequence[str], outputs: Sequence[str]) -> dict[ir.Value, str]:
    names = dict(zip(graph.inputs, inputs, strict=True))
    names.update(zip(graph.outputs, outputs, strict=True))
    return names


def _name_nodes(nodes: Iterable[ir.Node]) -> None:
    counts: dict[str, int] = {}
    for node in nodes:
        module = node.metadata_props.get("namespace", "")
        base = f"{module}/{node.op_type}" if module else node.op_type
        count = counts[base] = counts.get(base, -1) + 1
        node.name = f"{base}_{count}" if count else base
