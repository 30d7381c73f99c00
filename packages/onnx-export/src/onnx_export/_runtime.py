"""Running a model in ONNX Runtime, on tensors of PyTorch."""

from __future__ import annotations

import ctypes
import importlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._saving import save_model

__all__ = [
    "CPU",
    "InferenceSession",
    "Session",
    "check_runtime",
    "default_session",
    "is_refusal",
    "open_session",
]

CPU: tuple[str, ...] = ("CPUExecutionProvider",)
"""Execution providers that every build of ONNX Runtime has, and that compute like PyTorch on the CPU."""

# Above this, a model goes to ONNX Runtime as files: it would not fit into one protobuf message.
_IN_MEMORY_LIMIT = 3 * 2**29
_FATAL = 4  # of ONNX Runtime's log levels; what it raises, it also logs as an error


InferenceSession: TypeAlias = "_Runner"
"""What is used of ``onnxruntime.InferenceSession``."""


def default_session(model: str | bytes) -> InferenceSession:
    """A session on the GPU where ONNX Runtime has one, and on the CPU.

    Args:
        model: the path of a model, or its bytes.

    Raises:
        ImportError: onnxruntime is not installed.
    """
    # Others that may be there, such as CoreML, compute in lower precision.
    wanted = ("CUDAExecutionProvider", *CPU)
    available = _onnxruntime().get_available_providers()
    return open_session(model, [name for name in wanted if name in available])


def open_session(
    model: str | bytes, providers: Sequence[str], *, optimized: bool = True, quiet: bool = False
) -> InferenceSession:
    """A session on the execution providers that are asked for.

    Args:
        model: the path of a model, or its bytes.
        providers: names of execution providers, in the order of preference.
        optimized: let ONNX Runtime fuse and fold what it can; else it computes node by node.
        quiet: keep it from writing what it raises to the terminal as well.

    Raises:
        ImportError: onnxruntime is not installed.
        ValueError: this build of ONNX Runtime has not all of ``providers``.
    """
    onnxruntime = _onnxruntime()
    available = onnxruntime.get_available_providers()
    missing = [name for name in providers if name not in available]
    if missing or isinstance(providers, str):
        # ONNX Runtime itself goes on with those that it has.
        raise ValueError(
            f"providers={providers!r}: this onnxruntime has {', '.join(available)} to choose a list from"
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _FATAL if quiet else 3
    if not optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session: InferenceSession = onnxruntime.InferenceSession(model, options, providers=list(providers))
    return session


def is_refusal(error: BaseException) -> bool:
    """Whether ONNX Runtime raised it."""
    # Its exceptions have no base class of their own, and live in its extension module.
    return type(error).__module__.startswith("onnxruntime")


class Session:
    """An ONNX Runtime session over a model that stays in memory, or over a temporary copy on disk."""

    def __init__(
        self,
        model: ir.Model,
        initializer: Callable[[str | bytes], InferenceSession] = default_session,
    ) -> None:
        onnxruntime = _onnxruntime()
        self._ort_value = onnxruntime.OrtValue
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._session = initializer(self._source(model))
        self._names = [str(value.name) for value in model.graph.outputs]
        self._has_sequences = any(isinstance(value.type, ir.SequenceType) for value in model.graph.outputs)

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

    def close(self) -> None:
        """Remove the copy on disk; the session itself ends with this object."""
        if self._folder is not None:
            self._folder.cleanup()

    def run(self, feeds: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
        """All outputs for ``feeds``; the members of a sequence stand one after the other.

        Args:
            feeds: the inputs by their names.
        """
        if self._has_sequences:
            # A sequence among OrtValues cannot be looked into from Python.
            arrays = {name: tensor.contiguous().cpu().numpy() for name, tensor in feeds.items()}
            outputs = self._session.run(self._names, arrays, None)
            members = [output if isinstance(output, list) else [output] for output in outputs]
            return [torch.from_numpy(np.array(member)) for group in members for member in group]
        values = {name: self._to_ort(tensor) for name, tensor in feeds.items()}
        outcome = self._session.run_with_ort_values(self._names, values, None)
        return [_to_torch(value) for value in outcome]

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


class _Runner(Protocol):
    def run_with_ort_values(
        self, output_names: Sequence[str], input_dict_ort_values: Mapping[str, object], run_options: object, /
    ) -> Sequence[_OrtValue]: ...

    def run(
        self, output_names: Sequence[str], input_feed: Mapping[str, object], run_options: object, /
    ) -> Sequence[npt.ArrayLike]: ...


def check_runtime() -> None:
    """See that ONNX Runtime is there before work is done that needs it in the end.

    Raises:
        ImportError: it is not installed; the message says how to.
    """
    _onnxruntime()


def _onnxruntime() -> ModuleType:
    try:
        return importlib.import_module("onnxruntime")  # an extra: only who runs models needs it
    except ImportError as error:
        raise ImportError("running a model needs onnxruntime: pip install 'onnx-export[verify]'") from error


def _to_torch(value: _OrtValue) -> torch.Tensor:
    dtype = ir.DataType(value.element_type())
    if dtype not in _WITHOUT_NUMPY:
        return torch.from_numpy(np.array(value.numpy()))
    if value.tensor_size_in_bytes() == 0:
        return torch.empty(value.shape(), dtype=tensor_adapters.to_torch_dtype(dtype))
    content = bytearray(ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes()))
    flat = torch.frombuffer(content, dtype=tensor_adapters.to_torch_dtype(dtype))
    return flat.reshape(value.shape())
