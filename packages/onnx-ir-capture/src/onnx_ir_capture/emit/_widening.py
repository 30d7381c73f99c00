"""Detours through a wider dtype where the target, or ONNX Runtime, does not take the one at hand.

Only detours that lose nothing are taken: every value of the narrow dtype is one of the wide, and the result
in the wide dtype, cast back, is the one that the narrow dtype would have given. Integers go to wider
integers: a cast back drops the high bits, by Cast's own definition, as the narrow arithmetic does. Half
precision goes to float32 and is rounded once, at the end: for +, -, *, / and roots that is the same number
(24 bits are more than twice 11 and two), for anything else the better one, and what torch's kernels do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import onnx_ir as ir

from onnx_ir_capture.emit import schemas

if TYPE_CHECKING:
    from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["narrow_outputs", "widen_inputs"]

_WIDER: Mapping[ir.DataType, tuple[ir.DataType, ...]] = {
    ir.DataType.UINT8: (ir.DataType.INT32, ir.DataType.INT64),
    ir.DataType.INT8: (ir.DataType.INT32, ir.DataType.INT64),
    ir.DataType.UINT16: (ir.DataType.INT32, ir.DataType.INT64),
    ir.DataType.INT16: (ir.DataType.INT32, ir.DataType.INT64),
    ir.DataType.INT32: (ir.DataType.INT64,),
    ir.DataType.UINT32: (ir.DataType.INT64,),
    ir.DataType.FLOAT16: (ir.DataType.FLOAT,),
    ir.DataType.BFLOAT16: (ir.DataType.FLOAT,),
}

# Integer operators of which a wider dtype, cast back, may give another result. Arithmetic that wraps around
# (+, -, *, sums) is the same modulo the narrow width; order, signs, quotients, remainders and bits
# of sign-extended integers are the same outright, and so is everything that only moves elements. That leaves
_WIDTH_DEPENDENT = frozenset(
    {
        # what reads the width itself: shifts, bit casts, saturation to the range of a zero point's dtype,
        *("BitShift", "BitCast", "Cast", "CastLike"),
        *("ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger"),
        *("QLinearConv", "QLinearMatMul", "QuantizeLinear"),
        # what divides, scales or takes roots after a sum that the narrow dtype may have wrapped,
        *("Gemm", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean"),
        # what ONNX Runtime computes in double: out of range it saturates and does not wrap,
        *("Pow", "ReduceProd", "ReduceSumSquare"),
        # what interpolates, and may overshoot the narrow range.
        *("GridSample", "Resize", "Upsample"),
    }
)

# Operators that take bools, move them only, and have no kernel for them in ONNX Runtime: 0 and 1 of another
# dtype come back as the same bools.
_BOOL_MOVERS = frozenset({"DepthToSpace", "SpaceToDepth", "Where"})

# A sequence holds what is put in: its dtype is that of every other element, which no cast may change.
_CONTAINERS = frozenset(
    {
        *("ConcatFromSequence", "Identity", "If", "Loop", "Optional", "Scan", "SequenceAt"),
        *("SequenceConstruct", "SequenceErase", "SequenceInsert"),
    }
)


def widen_inputs(
    emitter: Emitter, op_type: str, inputs: Sequence[ir.Value | None]
) -> tuple[list[ir.Value | None], dict[str, ir.DataType]]:
    """Cast the inputs whose dtype ``op_type`` does not take.

    Returns:
        The inputs, and for every type parameter that was widened the dtype to cast outputs back to.

    Raises:
        Unsupported: no exact detour exists.
    """
    operator = schemas.form(op_type, emitter.opset)
    values = list(inputs)
    widened: dict[str, ir.DataType] = {}
    for index, value in enumerate(inputs):
        if value is None or value.dtype is None or not isinstance(value.type, ir.TensorType):
            continue
        dtype = value.dtype
        wide = _wide_dtype(op_type, emitter.opset, index, dtype)
        if wide is None:
            _refuse_dtype(emitter, op_type, index, dtype)
        if wide != dtype:
            values[index] = emitter.cast(value, wide)
            widened[operator.input(index).type_param] = dtype
    return values, widened


def _refuse_dtype(emitter: Emitter, op_type: str, index: int, dtype: ir.DataType) -> NoReturn:
    later = (version for version in schemas.versions(op_type) if version > emitter.opset)
    first = next((version for version in later if dtype in schemas.accepted(op_type, version, index)), None)
    hint = "" if first is None else f", but from {first} on"
    emitter.refuse(
        f"ONNX operator {op_type} does not take {dtype.name} at opset {emitter.opset}{hint}", first
    )


def narrow_outputs(
    emitter: Emitter, op_type: str, outputs: Sequence[ir.Value], widened: Mapping[str, ir.DataType]
) -> tuple[ir.Value, ...]:
    """Cast back the outputs that share a widened type parameter."""
    if not widened:
        return tuple(outputs)
    formal = schemas.form(op_type, emitter.opset).outputs
    results = []
    for index, value in enumerate(outputs):
        parameter = formal[min(index, len(formal) - 1)].type_param
        results.append(emitter.cast(value, widened[parameter]) if parameter in widened else value)
    return tuple(results)


def _wide_dtype(op_type: str, opset: int, index: int, dtype: ir.DataType) -> ir.DataType | None:
    """The dtype to compute in: ``dtype`` itself where it is taken, None where no exact one is."""
    accepted = schemas.accepted(op_type, opset, index)
    runs = _integer_kernels(op_type, opset, index, dtype)
    if dtype in accepted and (runs is None or dtype in runs):
        return dtype
    if dtype == ir.DataType.BOOL:
        moves = op_type in _BOOL_MOVERS and runs is not None and ir.DataType.UINT8 in runs
        return ir.DataType.UINT8 if moves else dtype if dtype in accepted else None
    if op_type not in _CONTAINERS and not (dtype.is_integer() and op_type in _WIDTH_DEPENDENT):
        for wide in _WIDER.get(dtype, ()):
            if wide in accepted and (runs is None or wide in runs):
                return wide
    return dtype if dtype in accepted else None


def _integer_kernels(
    op_type: str, opset: int, index: int, dtype: ir.DataType
) -> frozenset[ir.DataType] | None:
    """What ONNX Runtime's CPU kernels take, for integers; None where that does not decide.

    For float16 and bfloat16 the file keeps the model's dtype: accelerators have the kernels, and ONNX
    Runtime inserts its own casts for float16 on the CPU.
    """
    if not dtype.is_integer() and dtype != ir.DataType.BOOL:
        return None
    return schemas.ort_cpu_accepts(op_type, opset, index)
