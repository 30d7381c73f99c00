"""Copy on write for the memory of weights and inputs: a run that writes them leaves them as they were."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping

import onnx_ir as ir
import torch
from torch._subclasses import FakeTensor

from onnx_ir_capture.interpreter._values import is_plain_strided

__all__ = ["Protection"]

_Key = tuple[str, int]


class Protection:
    """Knows whose memory may not be written, and moves its views to a copy before the first write.

    The copy is one of the whole storage, so that tensors that share memory go on sharing it.
    """

    def __init__(self) -> None:
        self._protected: set[_Key] = set()
        # The original stays with its copy: as long as it lives, no other storage can have its address.
        self._copies: dict[_Key, tuple[object, torch.UntypedStorage]] = {}

    def protect(self, value: object) -> object:
        """Guard the memory of a weight or input, or give the same view of its copy if it has one already."""
        if not isinstance(value, torch.Tensor) or _has_no_values(value):
            return value
        key = _key(value)
        if key in self._copies:
            return _same_view(value, self._copies[key][1])
        self._protected.add(key)
        return value

    def before_write(self, target: object, values: MutableMapping[ir.Value, object]) -> None:
        """Make ``target`` (a tensor, or a list of them) safe to write.

        Args:
            target: what is going to be written.
            values: all values that are alive; those in the same memory are exchanged for views of the copy.
        """
        if isinstance(target, list | tuple):
            for item in target:
                self.before_write(item, values)
        if not isinstance(target, torch.Tensor) or _has_no_values(target):
            return
        key = _key(target)
        if key not in self._protected:
            return
        self._protected.remove(key)
        exchange = self._exchange(target, key)
        for value, held in values.items():
            values[value] = _map_tensors(held, exchange)

    def _exchange(self, target: torch.Tensor, key: _Key) -> Callable[[torch.Tensor], torch.Tensor]:
        """The function that maps each tensor in the memory of ``target`` to its counterpart in a copy."""
        done: dict[int, torch.Tensor] = {}
        copy: torch.UntypedStorage | torch.Tensor
        if is_plain_strided(target):
            copy = storage = target.untyped_storage().clone()
            self._copies[key] = (target.untyped_storage(), storage)
        else:
            copy = target.clone()

        def exchange(tensor: torch.Tensor) -> torch.Tensor:
            if _has_no_values(tensor) or _key(tensor) != key:
                return tensor
            # One tensor object stays one, since in-place changes of shape (`t_`) belong to the object.
            if id(tensor) not in done:
                done[id(tensor)] = copy if isinstance(copy, torch.Tensor) else _same_view(tensor, copy)
            return done[id(tensor)]

        return exchange


def _has_no_values(tensor: torch.Tensor) -> bool:
    """Whether a write changes no memory at all."""
    return isinstance(tensor, FakeTensor) or tensor.is_meta


def _key(tensor: torch.Tensor) -> _Key:
    """Equal for tensors that share memory; sparse, quantized and wrapped ones are taken one by one."""
    if is_plain_strided(tensor):
        return ("storage", tensor.untyped_storage()._cdata)
    return ("tensor", id(tensor))


def _same_view(tensor: torch.Tensor, storage: torch.UntypedStorage) -> torch.Tensor:
    """A tensor that sees ``storage`` as ``tensor`` sees its own."""
    view = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    view.set_(storage, tensor.storage_offset(), tensor.size(), tensor.stride())
    if tensor.is_conj():
        view = view.conj()
    return torch._neg_view(view) if tensor.is_neg() else view


def _map_tensors(value: object, function: Callable[[torch.Tensor], torch.Tensor]) -> object:
    """``value`` with its tensors mapped. A list stays the same list, since others may hold it too."""
    if isinstance(value, torch.Tensor):
        return function(value)
    if isinstance(value, tuple):
        return tuple(_map_tensors(item, function) for item in value)
    if isinstance(value, list):
        value[:] = [_map_tensors(item, function) for item in value]
    return value
