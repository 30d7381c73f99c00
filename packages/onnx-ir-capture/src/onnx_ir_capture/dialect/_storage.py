"""Dialect programs as ``.onnx`` files, from which nothing is lost but what Python objects alone can hold.

Types come back through their denotation, sources through metadata, doubles through text. ``Node.meta`` and
``Value.meta`` are not kept beside the source.
"""

from __future__ import annotations

import os
from pathlib import Path

import onnx_ir as ir

from onnx_ir_capture.dialect._build import DIALECT_VERSION
from onnx_ir_capture.dialect._errors import DialectError
from onnx_ir_capture.dialect._source import SOURCE_KEY, get_source
from onnx_ir_capture.dialect._structure import BLOCK_NAMES
from onnx_ir_capture.dialect._types import restore_type
from onnx_ir_capture.dialect._verifier import verify

__all__ = ["load_program", "save_program"]

_VERSION_KEY = "torch.dialect_version"
_IR_VERSION = 10  # the first with overloads of nodes and metadata on them (onnx/onnx.in.proto)
_INLINE_BYTES = 64 << 20  # a protobuf message ends at 2 GiB, and is read whole at any size
_INLINE_TENSOR_BYTES = 1024


def save_program(model: ir.Model, path: str | os.PathLike[str]) -> None:
    """Save a program as an ONNX file that :func:`load_program` reads and ``onnx.checker`` accepts.

    (The checker wants a shape of every graph output, so it refuses one of unknown rank; loading does not.)
    Weights of more than 64 MiB together, or such as stand in external data already, go to ``<path>.data``.
    The file appears under its name only when it is whole. ``model`` is not changed.

    Raises:
        DialectError: the program does not verify, or a weight has no value.
        OSError: the file cannot be written.
    """
    verify(model)
    missing = [f"%{name}" for name, value in model.graph.initializers.items() if value.const_value is None]
    if missing:
        raise DialectError(
            f"weights without values cannot be saved: {', '.join(missing)}; set const_value of their"
            " initializers, or print the program instead"
        )
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    external = f"{target.name}.data" if _wants_external_data(model) else None
    try:
        ir.save(
            _annotated(model),
            partial,
            format="protobuf",
            external_data=external,
            size_threshold_bytes=_INLINE_TENSOR_BYTES,
        )
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def load_program(path: str | os.PathLike[str]) -> ir.Model:
    """Load what :func:`save_program` wrote. Large weights stay in their file until they are read.

    Raises:
        DialectError: the file is no ONNX file, holds no dialect program or one of another version, or the
            program does not verify.
        OSError: the file cannot be read.
    """
    try:
        model = ir.load(path, format="protobuf")
    except OSError:
        raise
    except Exception as error:  # protobuf's and onnx_ir's errors have no common base
        raise DialectError(f"{os.fspath(path)} is no ONNX file: {error}") from error
    version = model.metadata_props.get(_VERSION_KEY)
    if version is None:
        raise DialectError(
            f"{os.fspath(path)} holds no program of the torch dialect: its metadata lacks {_VERSION_KEY}."
            " Only save_program writes such files"
        )
    if version != str(DIALECT_VERSION):
        raise DialectError(
            f"{os.fspath(path)} is of version {version} of the torch dialect, this is version"
            f" {DIALECT_VERSION}: capture the model again, or load it with the release that saved it"
        )
    for graph in model.graphs():
        _restore_types(graph)
    verify(model)
    return model


def _wants_external_data(model: ir.Model) -> bool:
    tensors = [value.const_value for value in model.graph.initializers.values()]
    # A reference to an external file counts from the model's folder, which saving may change.
    if any(isinstance(tensor, ir.ExternalTensor) for tensor in tensors):
        return True
    return sum(tensor.nbytes for tensor in tensors if tensor is not None) > _INLINE_BYTES


def _annotated(model: ir.Model) -> ir.Model:
    """A copy (its weights shared) that says in the file's own terms what the dialect keeps in Python."""
    copy = model.clone()
    copy.ir_version = max(copy.ir_version or 0, _IR_VERSION)
    copy.metadata_props[_VERSION_KEY] = str(DIALECT_VERSION)
    copy.graph.name = copy.graph.name or "main"
    domains = copy.graph.opset_imports
    for node in copy.graph.all_nodes():
        domains.setdefault(node.domain, 1)
        source = get_source(node)
        if source is not None:
            node.metadata_props[SOURCE_KEY] = source.to_json()
        for name in BLOCK_NAMES.get(node.op_type, ()) if node.domain == "prim" else ():
            block = node.attributes[name].as_graph()
            block.name = block.name or name
    # A program without nodes needs one import all the same.
    domains.setdefault("prim", 1)
    return copy


def _restore_types(graph: ir.Graph) -> None:
    for value in (*graph.inputs, *graph.initializers.values()):
        value.type = restore_type(value.type)
    for node in graph:
        for value in node.outputs:
            value.type = restore_type(value.type)
