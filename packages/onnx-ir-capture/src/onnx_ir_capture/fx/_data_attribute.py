"""``Tensor.data`` while a model is captured."""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Iterator

import torch

from onnx_ir_capture.fx._replaced import (
    changed_while_capturing,
    is_captured_here,
    replaced_while_capturing,
)

__all__ = ["data_followed"]

_ADOPTED = (
    "an assignment to .data, which no graph can hold; write tensor.copy_(value) under torch.no_grad(), or "
    "compute with the value itself"
)


@contextlib.contextmanager
def data_followed() -> Iterator[None]:
    """Meanwhile a capture sees what a model reads from, and writes into, the ``data`` of a tensor.

    It is the one view of a tensor that no tracer of torch records: what is read from it would be a constant,
    and what is written would be lost. ``detach()`` is the same view, but for the count of writes that
    autograd keeps.
    """
    with (
        changed_while_capturing((torch.Tensor, "data"), _put_property),
        # What Dynamo records, which never runs the property.
        replaced_while_capturing(torch._C._autograd, "_get_data_attr", lambda own: torch.detach),
    ):
        yield


def _put_property() -> Callable[[], None]:
    own: types.GetSetDescriptorType = inspect.getattr_static(torch.Tensor, "data")

    def read(tensor: torch.Tensor) -> torch.Tensor:
        if is_captured_here():
            return tensor.detach()
        view: torch.Tensor = own.__get__(tensor, type(tensor))
        return view

    def write(tensor: torch.Tensor, value: torch.Tensor) -> None:
        if is_captured_here():
            raise NotImplementedError(_ADOPTED)
        own.__set__(tensor, value)

    name = "data"  # which mypy knows as the tensor that it gives
    setattr(torch.Tensor, name, property(read, write))
    return lambda: delattr(torch.Tensor, name)
