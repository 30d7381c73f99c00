"""Packed sequences in torch.export, for any lengths.

How many elements a packed sequence has depends on values, and torch's kernels for tensors without values give
it wrong shapes. Here it stays padded while a model is captured, and its lengths go along.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.nn.utils.rnn import PackedSequence

from onnx_ir_capture.fx._padded_networks import NETWORKS
from onnx_ir_capture.fx._replaced import changed_while_capturing, is_captured_here

__all__ = ["any_lengths"]

_Function = Callable[..., object]

_LAYERS: tuple[type[torch.nn.RNNBase], ...] = (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN)

_ONLY_PADDED = (
    "the elements of a packed sequence are used by themselves, and how many there are is known by no size: "
    "compute with the padded tensor, before pack_padded_sequence or after pad_packed_sequence, and mask what "
    "is beyond the lengths"
)


class _Untouched:
    """What stands for a member of a packed sequence: every use of it but ours is refused."""

    def __getattr__(self, name: str) -> NoReturn:
        raise NotImplementedError(_ONLY_PADDED)

    def _refused(self, *given: object) -> NoReturn:
        raise NotImplementedError(_ONLY_PADDED)

    @classmethod
    def __torch_function__(
        cls, func: _Function, types: Sequence[type], args: Sequence[object] = (), kwargs: object = None
    ) -> NoReturn:
        raise NotImplementedError(_ONLY_PADDED)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refused
    __matmul__ = __rmatmul__ = __pow__ = __neg__ = __abs__ = __getitem__ = __setitem__ = _refused
    __lt__ = __le__ = __ge__ = __iter__ = __len__ = __bool__ = __int__ = __index__ = _refused


@dataclasses.dataclass(frozen=True, eq=False)
class _Padded(_Untouched):
    """The elements: all rows with what pads them, steps first."""

    rows: torch.Tensor
    lengths: torch.Tensor
    is_zero_beyond: bool


class _BatchSizes(_Untouched):
    """How many rows have which step."""

    device = torch.device("cpu")  # the only one that torch takes

    def size(self, axis: int) -> _Longest:
        return _Longest()


class _Longest(_Untouched):
    """The steps of the longest row, which pad_packed_sequence compares with the length that it is given."""

    def __gt__(self, total: object) -> bool:
        return False


@contextlib.contextmanager
def any_lengths() -> Iterator[None]:
    """Meanwhile torch.export captures recurrent networks over packed sequences of whatever lengths."""
    with changed_while_capturing(_LAYERS, _put):
        yield


def _put() -> Callable[[], None]:
    """Put our functions in place of torch's own; return what puts those back."""
    undo = [
        _replace(torch._VF, "_pack_padded_sequence", _pack),
        _replace(torch._VF, "_pad_packed_sequence", _pad),
        *(_replace(layer, "forward", _forward) for layer in _LAYERS),
    ]

    def restore() -> None:
        for put_back in undo:
            put_back()

    return restore


def _replace(home: object, name: str, run: Callable[..., object]) -> Callable[[], None]:
    own = getattr(home, name)

    @functools.wraps(own)
    def replacement(*args: object, **kwargs: object) -> object:
        return run(own, *args, **kwargs) if is_captured_here() else own(*args, **kwargs)

    setattr(home, name, replacement)
    return lambda: setattr(home, name, own)


def _pack(own: _Function, input: torch.Tensor, lengths: torch.Tensor, batch_first: bool) -> object:
    rows = input.transpose(0, 1) if batch_first else input
    # Packing copies: what is written into the padded tensor afterwards does not change the packed one.
    return _Padded(rows.clone(), lengths, is_zero_beyond=False), _BatchSizes()


def _pad(
    own: _Function,
    data: object,
    batch_sizes: object,
    batch_first: bool,
    padding_value: float,
    total_length: int | _Longest,
) -> object:
    if not isinstance(data, _Padded):
        return own(data, batch_sizes, batch_first, padding_value, total_length)
    rows = _of_steps(data, total_length).clone()
    if padding_value != 0 or not data.is_zero_beyond:
        is_element = torch.arange(rows.shape[0]).unsqueeze(1) < data.lengths
        is_element = is_element.reshape(*is_element.shape, *[1] * (rows.dim() - 2))
        rows = torch.where(is_element, rows, padding_value)
    return rows.transpose(0, 1) if batch_first else rows, data.lengths.clone()


def _of_steps(data: _Padded, total: int | _Longest) -> torch.Tensor:
    """So many of the steps, or zeros behind them."""
    rows, known = data.rows, data.rows.shape[0]
    if isinstance(total, _Longest):
        steps = data.lengths.max().item()
        assert not isinstance(steps, float), "lengths are integers"
        torch._check(steps >= 1)
        torch._check(steps <= known)
        return rows.narrow(0, 0, steps)
    if statically_known_true(total == known):
        return rows
    if not statically_known_true(total <= known):
        rows = torch.cat([rows, rows.new_zeros([total, *rows.shape[1:]])])
    return rows.narrow(0, 0, total)


def _forward(
    own: _Function,
    layer: torch.nn.RNNBase,
    input: object,
    hx: torch.Tensor | Sequence[torch.Tensor] | None = None,
) -> object:
    data: object = input.data if isinstance(input, PackedSequence) else None
    if not isinstance(input, PackedSequence) or not isinstance(data, _Padded):
        return own(layer, input, hx)
    order, back = input.sorted_indices, input.unsorted_indices
    layer._update_flat_weights()
    given = data.rows.shape[-1]
    if given != layer.input_size:
        raise RuntimeError(f"the layer takes {layer.input_size} features, and the sequence has {given}")
    output, *last = NETWORKS[layer.mode](
        data.rows,
        data.lengths,
        _states(layer, data.rows, hx, order),
        layer._flat_weights,
        layer.bias,
        layer.num_layers,
        layer.dropout,
        layer.training,
        layer.bidirectional,
    )
    states = [state if back is None else state.index_select(1, back) for state in last]
    packed: Callable[..., PackedSequence] = PackedSequence
    result = packed(_Padded(output, data.lengths, is_zero_beyond=True), input.batch_sizes, order, back)
    return result, states[0] if len(states) == 1 else tuple(states)


def _states(
    layer: torch.nn.RNNBase,
    rows: torch.Tensor,
    hx: torch.Tensor | Sequence[torch.Tensor] | None,
    order: torch.Tensor | None,
) -> list[torch.Tensor]:
    """The first states, in the order of the packed rows; zeros where the model gives none."""
    leading = (layer.num_layers * (2 if layer.bidirectional else 1), rows.shape[1])
    features = [layer.proj_size or layer.hidden_size, layer.hidden_size]
    shapes = [(*leading, size) for size in features[: 2 if layer.mode == "LSTM" else 1]]
    if hx is None:
        return [rows.new_zeros(shape) for shape in shapes]
    given = [hx] if isinstance(hx, torch.Tensor) else list(hx)
    for state, shape in zip(given, shapes, strict=True):
        layer.check_hidden_size(state, shape)
    return given if order is None else [state.index_select(1, order) for state in given]
