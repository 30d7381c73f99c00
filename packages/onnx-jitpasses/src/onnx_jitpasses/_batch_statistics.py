"""The pass :class:`BatchStatistics`."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import Aliases, TorchDType, is_constant, known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes, set_aliases

__all__ = ["BatchStatistics"]

# What the running statistics may be, with torch's names.
_DTYPES = {TorchDType(name).onnx: TorchDType(name) for name in ("float16", "bfloat16", "float32", "float64")}


class BatchStatistics(DialectPass):
    """Takes the writes of running statistics out of normalisations in training mode.

    ``batch_norm`` and ``instance_norm`` that go by the statistics of their input, and write running ones on
    the way, become calls without running statistics, and calls that write those. The numbers stay.

    Source: aten/src/ATen/native/Normalization.cpp, ``batch_norm_cpu_update_stats_template`` and
    ``instance_norm``.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        found = [node for node in all_nodes(model.graph) if _writes_statistics(node)]
        for node in found:
            _split(node, editor)
        return ir.passes.PassResult(model, modified=bool(found))


def _writes_statistics(node: ir.Node) -> bool:
    if node.domain != "aten" or node.op_type not in ("batch_norm", "instance_norm") or len(node.inputs) < 7:
        return False
    value, mean, variance, flag, momentum = (node.inputs[at] for at in (0, 3, 4, 5, 6))
    if value is None or value.shape is None or known_constant(flag) is not True:
        return False
    known = momentum is not None and is_constant(momentum)
    return known and all(tensor is not None and tensor.dtype in _DTYPES for tensor in (mean, variance))


def _split(node: ir.Node, editor: Editor) -> None:
    value, mean, variance, momentum = (node.inputs[at] for at in (0, 3, 4, 6))
    if value is None or value.shape is None or mean is None or variance is None or momentum is None:
        raise ValueError(f"{node.op_type} lacks an argument")
    emission = Emission.before(editor, node)
    others = [axis for axis in range(len(value.shape)) if axis != 1]
    for running, write in ((mean, _mean), (variance, _variance)):
        wide = value
        if value.dtype != running.dtype:
            like = ir.Value(name=value.name, type=running.type, shape=value.shape)
            dtype = _DTYPES[running.dtype or ir.DataType.UNDEFINED]
            wide = emission.call("aten::to.dtype", [value, dtype, False, False, None], like)
        batch = write(emission, wide, others, running, each=node.op_type == "instance_norm")
        updated = emission.call("aten::lerp.Scalar", [running, batch, momentum], running)
        copied = emission.call("aten::copy_", [running, updated, False], running)
        producer = copied.producer()
        if producer is not None:
            set_aliases(producer, Aliases((0,), ((0, 0),)))
    for position in (3, 4):
        node.replace_input_with(position, editor.constant_before(node, None))
    set_aliases(node, Aliases())


def _mean(
    emission: Emission, value: ir.Value, axes: Sequence[int], like: ir.Value, *, each: bool
) -> ir.Value:
    """The mean of a channel, which is that of the means of its instances."""
    del each
    return emission.call("aten::mean.dim", [value, emission.ints(axes), False, None], like)


def _variance(
    emission: Emission, value: ir.Value, axes: Sequence[int], like: ir.Value, *, each: bool
) -> ir.Value:
    """The unbiased variance of a channel, or the mean of those of its instances."""
    if not each:
        return emission.call("aten::var.correction", [value, emission.ints(axes), 1, False], like)
    shape = None if value.shape is None else ir.Shape(list(value.shape[:2]))
    instances = emission.call(
        "aten::var.correction", [value, emission.ints(axes[1:]), 1, False], emission.like(like, shape)
    )
    return emission.call("aten::mean.dim", [instances, emission.ints([0]), False, None], like)
