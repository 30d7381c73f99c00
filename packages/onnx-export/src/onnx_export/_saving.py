"""Writing a model to its place: one `.onnx`, or one with its weights in `.onnx.data` beside it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export._destination import (
    check_destination,
    check_space,
    data_path_of,
    explained,
    refusal,
    reporter,
)
from onnx_export._external import ExternalData, initializers
from onnx_export._model_file import ModelFile
from onnx_export._serialized import serialized
from onnx_export._staging import clean_up, open_stage, refers_to
from onnx_export._tensor_bytes import ByteSink, UnreadableTensorError, unreadable
from onnx_export.rules import EXTERNAL_DATA_FORCED, MODEL_TOO_LARGE, WEIGHTS_WITHOUT_VALUES

__all__ = [
    "PROTOBUF_LIMIT",
    "SavedModel",
    "check_destination",
    "check_values",
    "save_model",
    "save_to_buffer",
]

PROTOBUF_LIMIT = 2**31 - 1
"""Largest size of a protobuf message in bytes, and so of an `.onnx` file."""

_NAMES_IN_TEXT = 5


@dataclass(frozen=True)
class SavedModel:
    """What `save_model` wrote.

    Attributes:
        model_path: the `.onnx` file.
        data_path: the file of its external data; None if it holds its weights itself.
        model_bytes: size of the `.onnx` file.
        data_bytes: size of the external data; 0 without.
        forced_external: whether one file would have been preferred, but is too large for protobuf.
    """

    model_path: Path
    data_path: Path | None
    model_bytes: int
    data_bytes: int
    forced_external: bool


def save_model(
    model: ir.Model,
    destination: str | os.PathLike[str],
    *,
    external_data: bool | None = True,
    diagnostics: DiagnosticContext | None = None,
    inline_limit: int = PROTOBUF_LIMIT,
) -> SavedModel:
    """Write a model to a path; whatever happens meanwhile, an older model there is whole or replaced.

    The `.onnx`, and the `.onnx.data` that holds its weights, are written beside their place and moved in;
    `onnx_export._staging` says in which order, and what is there if the process is killed.
    Symbolic links are replaced, not followed, since the data must stand beside the name by which the model is
    opened. An `.onnx.data` that the replaced model used and the new one does not is removed last.

    Weights are written one by one from where they are. The model keeps its tensors; only an
    `ir.ExternalTensor` that lies in the very file that is replaced lies in the new one afterwards.

    Args:
        model: the model.
        destination: path of the `.onnx` file.
        external_data: True for initializers larger than 256 bytes in `NAME.onnx.data`, which is not made if
            there is none; False for one file; None for one file, or external data if that would be too large.
        diagnostics: where findings are reported: errors, and that False could not be obeyed.
        inline_limit: size in bytes up to which one file is possible.

    Returns:
        The files and their sizes.

    Raises:
        TypeError: the destination is no path.
        OnnxExporterError: the model cannot be saved there; the text says why and what to do.
    """
    path = check_destination(destination, diagnostics, external_data=False)
    check_values(model, diagnostics)
    plan = _plan(model, path, external_data, inline_limit, diagnostics)
    with explained(path, diagnostics), _values_explained(diagnostics):
        clean_up(path.parent)
        check_space(path, plan.file.nbytes + plan.data_bytes, diagnostics)
        _put_in_place(model, plan, path)
    if plan.forced and external_data is False:
        data, gigabytes = os.fspath(data_path_of(path)), f"{inline_limit / 1e9:.1f}"
        reporter(diagnostics).report(EXTERNAL_DATA_FORCED, data=repr(data), gigabytes=gigabytes)
    data_path = None if plan.data is None else data_path_of(path)
    return SavedModel(path, data_path, plan.file.nbytes, plan.data_bytes, plan.forced)


def save_to_buffer(
    model: ir.Model,
    buffer: ByteSink,
    *,
    diagnostics: DiagnosticContext | None = None,
    inline_limit: int = PROTOBUF_LIMIT,
) -> int:
    """Write a model, its weights included, to a buffer or a binary file that is open.

    Args:
        model: the model; it is left as it is.
        buffer: where to, such as an `io.BytesIO`; untouched if one of the errors below is raised.
        diagnostics: where a finding is reported, too.
        inline_limit: size in bytes up to which this is possible.

    Returns:
        The number of bytes written.

    Raises:
        OnnxExporterError: the model is larger than protobuf's 2 GB, or a weight has no value.
    """
    check_values(model, diagnostics)
    file = ModelFile.with_weights(model)
    if file.nbytes > inline_limit:
        raise refusal(reporter(diagnostics).report(MODEL_TOO_LARGE, gigabytes=f"{file.nbytes / 1e9:.1f}"))
    with _values_explained(diagnostics):
        file.write(buffer)
    return file.nbytes


@dataclass(frozen=True)
class _Plan:
    """What will be written.

    Attributes:
        file: the `.onnx`.
        data: the external data; None without.
        stand_ins: initializers with the tensors that `file` holds instead of theirs.
        forced: whether there is external data only because one file would be too large.
    """

    file: ModelFile
    data: ExternalData | None
    stand_ins: tuple[tuple[ir.Value, ir.TensorProtocol], ...]
    forced: bool

    @property
    def data_bytes(self) -> int:
        return 0 if self.data is None else self.data.nbytes


def _plan(
    model: ir.Model,
    path: Path,
    external_data: bool | None,
    inline_limit: int,
    diagnostics: DiagnosticContext | None,
) -> _Plan:
    data = ExternalData.of(model)
    wants_one_file = not external_data or not data.places
    if wants_one_file:
        one_file = ModelFile.with_weights(model)
        if one_file.nbytes <= inline_limit:
            return _Plan(one_file, None, (), forced=False)
    check_destination(path, diagnostics)  # the data needs its place, too
    stand_ins = tuple(data.stand_ins(model, data_path_of(path).name, path.parent))
    proto = serialized(model, stand_ins)
    size = proto.ByteSize()
    if size > inline_limit:
        raise refusal(reporter(diagnostics).report(MODEL_TOO_LARGE, gigabytes=f"{size / 1e9:.1f}"))
    return _Plan(ModelFile(proto.SerializeToString()), data, stand_ins, forced=wants_one_file)


def _put_in_place(model: ir.Model, plan: _Plan, path: Path) -> None:
    data_path = data_path_of(path)
    had_data = refers_to(path, data_path.name) and data_path.exists()
    tensors_in_old = [value for value, tensor in initializers(model) if _lies_in(tensor, data_path)]
    with open_stage(path.parent) as stage:
        if plan.data is not None:
            _write(stage.data, data_path, plan.data.write)
        _write(stage.model, path, plan.file.write)
        stage.move_in(path.name, None if plan.data is None else data_path.name)
    if plan.data is not None:
        for value, tensor in plan.stand_ins:
            if value in tensors_in_old:
                value.const_value = tensor
    elif had_data and not tensors_in_old:
        # The new model is whole without it: a file that cannot be removed must not fail the save.
        with contextlib.suppress(OSError):
            data_path.unlink()


def _write(staged: Path, place: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a file onto the stage, with the permissions of what it will replace.

    It is handed to the operating system, which outlives a killed process, and not waited for until it is on
    the disk: that would take longer than all the rest for a model of some gigabytes.
    """
    with open(staged, "wb") as file:
        write(file)
    if place.exists():
        os.chmod(staged, stat.S_IMODE(place.stat().st_mode))


def _lies_in(tensor: ir.TensorProtocol, path: Path) -> bool:
    return isinstance(tensor, ir.ExternalTensor) and path.exists() and os.path.samefile(tensor.path, path)


def check_values(model: ir.Model, diagnostics: DiagnosticContext | None) -> None:
    """Refuse a model with weights that have no values.

    Raises:
        OnnxExporterError: there are such weights; the text names them.
    """
    faults = []
    for graph in model.graphs():
        for value in graph.initializers.values():
            fault = unreadable(value.const_value)
            if fault is not None:
                faults.append(f"{value.name} ({fault})")
    if faults:
        raise _without_values(faults, diagnostics)


@contextlib.contextmanager
def _values_explained(diagnostics: DiagnosticContext | None) -> Iterator[None]:
    """Say for a lazy tensor, too, which is evaluated only when it is written, that it has no values."""
    try:
        yield
    except UnreadableTensorError as error:
        raise _without_values([str(error)], diagnostics) from error


def _without_values(faults: list[str], diagnostics: DiagnosticContext | None) -> OnnxExporterError:
    more = ", ..." if len(faults) > _NAMES_IN_TEXT else ""
    names = ", ".join(faults[:_NAMES_IN_TEXT]) + more
    return refusal(reporter(diagnostics).report(WEIGHTS_WITHOUT_VALUES, count=len(faults), names=names))
