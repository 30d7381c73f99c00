"""Weights that quantized modules hold packed for a library of kernels, as calls that pack them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import OpName, scalar_type
from onnx_ir_capture.fx._values import constant_of
from onnx_ir_capture.torchscript._attributes import AttributePath, asked

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["UnpackedWeights", "packed_weights"]

_PER_TENSOR = OpName("aten", "_make_per_tensor_quantized_tensor")
_PER_CHANNEL = OpName("aten", "_make_per_channel_quantized_tensor")

# Attributes of quantized modules that hold packed weights, and no name of their own.
_HOLDERS = frozenset(["_packed_params", "_packed_weight"])

_AXES: Mapping[str, int] = {"Conv2dPackedParamsBase": 2, "Conv3dPackedParamsBase": 3}


@dataclasses.dataclass(frozen=True)
class UnpackedWeights:
    """What packed weights hold; ``scales`` and ``zero_points`` where each channel has its own."""

    weight: torch.Tensor
    bias: torch.Tensor | None
    integers: torch.Tensor | None
    scales: torch.Tensor | None
    zero_points: torch.Tensor | None

    @classmethod
    def of(cls, packed: torch.ScriptObject) -> UnpackedWeights:
        """The weights of an object.

        Raises:
            LookupError: it does not tell them.
        """
        found = asked(packed, "unpack")
        if not isinstance(found, tuple) or not isinstance(found[0], torch.Tensor):
            raise LookupError("packed weights do not tell what they hold")
        weight, bias = found
        if not weight.is_quantized:
            return cls(weight, bias, None, None, None)
        integers = weight.int_repr()
        if weight.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
            return cls(weight, bias, integers, None, None)
        # Kernels have the scales in 32 bits, as ONNX has them.
        scales = weight.q_per_channel_scales().float()
        zero_points = weight.q_per_channel_zero_points().to(integers.dtype)
        return cls(weight, bias, integers, scales, zero_points)


def packed_weights(importer: ScriptImporter, packed: torch.ScriptObject, path: AttributePath) -> ir.Value:
    """What stands for packed weights: the weights under their plain names, and the call that packs them.

    Raises:
        LookupError: the object holds something else.
    """
    kind = str(packed._type()).rpartition(".")[2]
    if kind != "LinearPackedParamsBase" and kind not in _AXES:
        name = ".".join(path).removeprefix(f"{importer.wrapper}.")
        raise LookupError(f"{name} is an object of the class {kind}, which cannot be exported")
    if path not in importer.unpacked:
        importer.unpacked[path] = UnpackedWeights.of(packed)
    weights = importer.unpacked[path]
    owner = [name for name in path if name not in _HOLDERS]
    values = [_weight(importer, weights, ".".join([*owner, "weight"])), importer.builder.constant(None)]
    if weights.bias is not None:
        values[1] = importer.weight(weights.bias, ".".join([*owner, "bias"]))
    name = "linear_prepack" if weights.integers is not None else "linear_prepack_fp16"
    if kind in _AXES:
        is_transposed = bool(asked(packed, "transpose"))
        settings = ["stride", "padding", *(["output_padding"] if is_transposed else []), "dilation", "groups"]
        values += [_constants(importer, asked(packed, setting)) for setting in settings]
        name = f"conv{'_transpose' if is_transposed else ''}{_AXES[kind]}d_prepack"
    output = ir.Value(
        name=importer.unique_name("packed_weights"), type=scalar_type("object"), shape=ir.Shape(())
    )
    importer.builder.call(OpName("quantized", name), values, [output])
    return output


def _weight(importer: ScriptImporter, weights: UnpackedWeights, name: str) -> ir.Value:
    if weights.integers is None:  # of 16 bits, told as numbers of 32
        return importer.weight(weights.weight, name)
    values = [importer.weight(weights.integers, name)]
    output = ir.Value(
        name=importer.unique_name(f"{values[0].name}_quantized"),
        type=values[0].type,
        shape=ir.Shape(weights.weight.shape),
    )
    op = _PER_TENSOR
    if weights.scales is None or weights.zero_points is None:
        numbers: list[float | int] = [weights.weight.q_scale(), weights.weight.q_zero_point()]
    else:
        op, numbers = _PER_CHANNEL, [weights.weight.q_per_channel_axis()]
        values.append(importer.weight(weights.scales, f"{name}_scale"))
        values.append(importer.weight(weights.zero_points, f"{name}_zero_point"))
    importer.builder.call(op, [*values, *map(importer.builder.constant, numbers)], [output])
    return output


def _constants(importer: ScriptImporter, found: object) -> ir.Value:
    if isinstance(found, list):
        return importer.builder.list([_constants(importer, item) for item in found], scalar_type("int"))
    return importer.builder.constant(constant_of(found))
