"""Which weights go into the external data of a model, and where in it they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import onnx_ir as ir

from onnx_export._tensor_bytes import SeekableSink, in_memory, share_key, write_tensor

__all__ = ["ExternalData", "initializers"]

_INLINE_BYTES = (
    256  # as torch.onnx and onnx_ir have it: shapes and scalars stay where shape inference sees them
)
_ALIGNED_BYTES = 2**20
_ALIGNMENT = 2**16  # ONNX, ExternalData.md: pages of 4 KiB, 64 KiB on Windows, where the file may be read


@dataclass(frozen=True)
class ExternalData:
    """The layout of a file of external data.

    onnx_ir's `external_data` has such a layout, too. This one stores tied weights once, aligns large tensors
    so that they can be mapped, leaves the model's values alone, and checks what each tensor wrote.

    Attributes:
        places: each initializer that goes out, its tensor, and the offset of its bytes. Offsets ascend, but
            for tied weights, which share one.
        nbytes: size of the file.
    """

    places: tuple[tuple[ir.Value, ir.TensorProtocol, int], ...]
    nbytes: int

    @classmethod
    def of(cls, model: ir.Model) -> ExternalData:
        """Lay out the initializers larger than 256 bytes of a model and its subgraphs, in their order."""
        offsets: dict[tuple[object, ...], int] = {}
        places = []
        end = 0
        for value, tensor in initializers(model):
            if not _goes_out(tensor):
                continue
            key = share_key(tensor)
            if key not in offsets:
                offsets[key] = _aligned(end) if tensor.nbytes >= _ALIGNED_BYTES else end
                end = offsets[key] + tensor.nbytes
            places.append((value, tensor, offsets[key]))
        return cls(tuple(places), end)

    def stand_ins(
        self, model: ir.Model, location: str, folder: Path
    ) -> Iterator[tuple[ir.Value, ir.TensorProtocol]]:
        """Yield the initializers that the model's file must hold in another form, with that form.

        Args:
            model: the model of this layout.
            location: name of the file of this layout.
            folder: the folder that it will be in, with the model's file.
        """
        outside = {value for value, _, _ in self.places}
        for value, tensor in initializers(model):
            if isinstance(tensor, ir.ExternalTensor) and value not in outside:
                yield value, in_memory(tensor)
        for value, tensor, offset in self.places:
            yield value, _reference(value, tensor, offset, location, folder)

    def write(self, file: SeekableSink) -> None:
        """Write the file, one tensor after the other; gaps are holes that read as zeros."""
        end = 0
        for _, tensor, offset in self.places:
            if offset < end:  # tied to one that is written
                continue
            file.seek(offset)
            write_tensor(tensor, file)
            end = offset + tensor.nbytes


def initializers(model: ir.Model) -> Iterator[tuple[ir.Value, ir.TensorProtocol]]:
    """Yield the initializers of a model, those of subgraphs and functions included, with their tensors."""
    for graph in model.graphs():
        for value in graph.initializers.values():
            if value.const_value is not None:
                yield value, value.const_value


def _reference(
    value: ir.Value, tensor: ir.TensorProtocol, offset: int, location: str, folder: Path
) -> ir.ExternalTensor:
    return ir.ExternalTensor(
        location,
        offset,
        tensor.nbytes,
        tensor.dtype,
        shape=ir.Shape(tensor.shape.numpy()),
        name=str(value.name),
        doc_string=tensor.doc_string,
        metadata_props=dict(tensor.metadata_props),
        base_dir=folder,
    )


def _goes_out(tensor: ir.TensorProtocol) -> bool:
    return tensor.dtype != ir.DataType.STRING and tensor.nbytes > _INLINE_BYTES


def _aligned(offset: int) -> int:
    return (offset + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
