"""Running a model in ONNX Runtime on the arguments of the PyTorch model."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters
from torch.utils import _pytree as pytree

from onnx_export._saving import save_model
from onnx_ir_capture.dialect import ScalarType
from onnx_ir_capture.program import CapturedProgram

__all__ = ["Session", "feeds_of"]

# Above this, a model goes to ONNX Runtime as files: it would not fit into one protobuf message.
_IN_MEMORY_LIMIT = 3 * 2**29


def feeds_of(
    program: CapturedProgram, model: ir.Model, args: Sequence[object], kwargs: Mapping[str, object]
) -> dict[str, torch.Tensor]:
    """The graph inputs' tensors, by their names in the file, for a call of the PyTorch model.

    Raises:
        TypeError: the arguments do not have the structure of the example inputs.
    """
    leaves = _leaves(program, args, kwargs)
    names = iter(model.graph.inputs)
    feeds = {}
    for spec, leaf in zip(program.inputs, leaves, strict=True):
        if spec.value is None:
            continue
        name = next(names).name or ""
        if isinstance(spec.value.type, ScalarType):
            leaf = torch.tensor(leaf, dtype=_SCALARS[spec.value.type.kind])
        if not isinstance(leaf, torch.Tensor):
            raise TypeError(f"input {name!r} is a tensor of the exported model, got {type(leaf).__name__}")
        feeds[name] = leaf.detach()
    return feeds


_SCALARS = {"int": torch.int64, "float": torch.float64, "bool": torch.bool}


def _leaves(program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
    tree = program.input_tree
    if isinstance(tree, pytree.TreeSpec) and (names := _keyword_names(tree)) is not None:
        if set(names) != set(kwargs):
            wanted, found = (", ".join(part) or "none" for part in (names, kwargs))
            raise TypeError(f"the model was exported with the keyword arguments {wanted}, got {found}")
        kwargs = {name: kwargs[name] for name in names}
    leaves, given = pytree.tree_flatten((tuple(args), dict(kwargs)))
    if isinstance(tree, pytree.TreeSpec) and given != tree:
        raise TypeError(f"the model was exported for inputs of the structure {tree}, got {given}")
    return leaves


def _keyword_names(tree: pytree.TreeSpec) -> list[str] | None:
    """The keyword arguments of the example, in its order, in which their leaves are flattened."""
    if tree.num_children != 2:
        return None
    context = tree.child(1).context
    return [str(name) for name in context] if isinstance(context, list) else None


class Session:
    """An ONNX Runtime session over a model that stays in memory, or over a temporary copy on disk."""

    def __init__(self, model: ir.Model) -> None:
        try:
            import onnxruntime  # an extra: only who runs models needs it
        except ImportError as error:
            raise ImportError("running a model needs onnxruntime: pip install onnx-export[verify]") from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._session = onnxruntime.InferenceSession(
            self._source(model), options, providers=onnxruntime.get_available_providers()
        )
        self._ort_value = onnxruntime.OrtValue
        self._names = [str(value.name) for value in model.graph.outputs]

    def _source(self, model: ir.Model) -> str | bytes:
        tensors = (value.const_value for value in model.graph.initializers.values())
        size = sum(tensor.nbytes for tensor in tensors if tensor is not None)
        if size < _IN_MEMORY_LIMIT:
            serialized: bytes = ir.to_proto(model).SerializeToString()
            return serialized
        self._folder = tempfile.TemporaryDirectory(prefix="onnx-export-", ignore_cleanup_errors=True)
        path = os.path.join(self._folder.name, "model.onnx")
        save_model(model, path, external_data=True)
        return path

    def run(self, feeds: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
        """All outputs for ``feeds``."""
        values = {name: self._to_ort(tensor) for name, tensor in feeds.items()}
        return [_to_torch(value) for value in self._session.run_with_ort_values(self._names, values)]

    def _to_ort(self, tensor: torch.Tensor) -> object:
        tensor = tensor.contiguous().cpu()
        dtype = tensor_adapters.from_torch_dtype(tensor.dtype)
        if dtype not in _WITHOUT_NUMPY:
            return self._ort_value.ortvalue_from_numpy(tensor.numpy())
        bits = tensor.view(torch.uint8 if dtype.itemsize == 1 else torch.int16).numpy()
        return self._ort_value.ortvalue_from_numpy_with_onnx_type(bits, dtype.value)


# numpy has no such dtypes of its own, so ONNX Runtime neither takes nor gives arrays of them.
_WITHOUT_NUMPY = frozenset(
    dtype for dtype in ir.DataType if dtype == ir.DataType.BFLOAT16 or dtype.name.startswith("FLOAT8")
)


class _OrtValue(Protocol):
    """What is used of ``onnxruntime.OrtValue``, which has no types."""

    def element_type(self) -> int: ...
    def shape(self) -> list[int]: ...
    def numpy(self) -> npt.NDArray[np.generic]: ...
    def data_ptr(self) -> int: ...
    def tensor_size_in_bytes(self) -> int: ...


def _to_torch(value: _OrtValue) -> torch.Tensor:
    dtype = ir.DataType(value.element_type())
    if dtype not in _WITHOUT_NUMPY:
        return torch.from_numpy(np.array(value.numpy()))
    content = bytearray(ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes()))
    flat = torch.frombuffer(content, dtype=tensor_adapters.to_torch_dtype(dtype))
    return flat.reshape(value.shape())
