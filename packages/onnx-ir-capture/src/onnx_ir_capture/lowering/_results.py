"""What a lowering returned, held against what the captured program says."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import ScalarType

__all__ = ["check_results", "expected_dtype", "placeholder"]


def expected_dtype(value: ir.Value) -> ir.DataType | None:
    """The ONNX element type of a captured value: a Python float is a DOUBLE, an int an INT64."""
    dtype = value.dtype
    return None if dtype is None or dtype == ir.DataType.UNDEFINED else dtype


def check_results(node: ir.Node, results: Sequence[ir.Value]) -> None:
    """Compare number, dtype and rank of a lowering's results with the outputs of the call.

    A wrong number without a message is the worst that an export can do, and a wrong dtype is how most of
    them begin; so the lowering is at fault here, not later in a runtime.

    Raises:
        ValueError: they differ; the message says how.
    """
    if len(results) != len(node.outputs):
        raise ValueError(f"it returned {len(results)} values, the call has {len(node.outputs)} outputs")
    for value, result in zip(node.outputs, results, strict=True):
        if not value.uses() and not value.is_graph_output():
            continue
        _check(value, result)


def _check(value: ir.Value, result: ir.Value) -> None:
    wanted = expected_dtype(value)
    if wanted is not None and result.dtype is not None and result.dtype != wanted:
        raise ValueError(f"%{value.name} came out as {result.dtype.name}, the program has {wanted.name}")
    if result.dtype is None and wanted is not None and not isinstance(value.type, ir.SequenceType):
        result.type = ir.TensorType(wanted)
    if value.shape is None or result.shape is None:
        return
    if len(value.shape) != len(result.shape):
        raise ValueError(f"%{value.name} came out with shape {result.shape}, the program has {value.shape}")
    for wanted_dim, got in zip(value.shape, result.shape, strict=True):
        if isinstance(wanted_dim, int) and isinstance(got, int) and wanted_dim != got:
            raise ValueError(
                f"%{value.name} came out with shape {result.shape}, the program has {value.shape}"
            )


def placeholder(value: ir.Value) -> ir.Value:
    """A stand-in for the output of a call that could not be lowered, and never part of a file.

    It is typed, so that its consumers can be tried.
    """
    shape = value.shape.copy() if value.shape is not None else None
    dtype = ir.DataType.INT64 if isinstance(value.type, ScalarType) else value.dtype
    return ir.Value(
        name=value.name, type=ir.TensorType(expected_dtype(value) or dtype or ir.DataType.FLOAT), shape=shape
    )
