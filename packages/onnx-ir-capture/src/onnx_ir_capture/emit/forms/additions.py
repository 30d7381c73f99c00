"""Operators that only gained attributes, inputs and outputs, the default of which is what they did before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._fitting import without_later_additions
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__: list[str] = []

_REVIEWED = {
    "ArgMax": 13,
    "ArgMin": 13,
    "Attention": 25,
    "AveragePool": 22,
    "BatchNormalization": 15,
    "Cast": 28,
    "Constant": 25,
    "DepthToSpace": 28,
    "DequantizeLinear": 28,
    "GRU": 22,
    "LSTM": 22,
    "LpPool": 22,
    "MaxPool": 22,
    "QuantizeLinear": 28,
    "RNN": 22,
    "SpaceToDepth": 28,
}


def _with_additions(
    op_type: str, implied: Mapping[str, AttributeValue] = MappingProxyType({})
) -> FormFunction:
    def write(
        emitter: Emitter, *inputs: Argument | None, outputs: int = 1, **attributes: AttributeValue
    ) -> NodeOutput:
        if not emitter.has(op_type):
            return emitter.node(op_type, inputs, attributes, outputs)
        kept, known = without_later_additions(emitter, op_type, inputs, attributes, implied)
        return emitter.node(op_type, kept, known, outputs)

    write.__doc__ = f"{op_type}, without what the target does not know yet and the call does not use."
    return write


for _op_type, _reviewed in _REVIEWED.items():
    form(_op_type, reviewed=_reviewed)(_with_additions(_op_type))
# Before 16 the sampling grid was what is now called output_half_pixel, not the newer default.
form("RoiAlign", reviewed=22)(
    _with_additions("RoiAlign", {"coordinate_transformation_mode": "output_half_pixel"})
)
