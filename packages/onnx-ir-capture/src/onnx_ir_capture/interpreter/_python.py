"""Operators that ``torch.ops`` does not have: arithmetic on numbers and symbolic sizes, what lists can do.

``torch.ops`` refuses symbolic sizes in TorchScript's scalar operators, and lists of just anything. A list
that it takes it copies, so that a write would be lost.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence

import torch

from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.interpreter._autograd import autograd_call

__all__ = ["python_function"]

_Function = Callable[..., object]


def _power(base: complex, exponent: complex) -> object:
    """``aten::pow`` on numbers gives a float, except by its overload ``int_to_int``."""
    result: object = base**exponent
    return torch.sym_float(result) if isinstance(result, int | torch.SymInt) else result


def _integer(value: complex | torch.SymBool) -> object:
    """``aten::Int``. A symbolic truth value becomes a symbolic number without being looked at."""
    return torch.sym_ite(value, 1, 0) if isinstance(value, torch.SymBool) else torch.sym_int(value)


_NUMBERS: Mapping[str, _Function] = {
    "aten::add": operator.add,
    "aten::sub": operator.sub,
    "aten::mul": operator.mul,
    "aten::div": operator.truediv,
    "aten::floordiv": operator.floordiv,
    "aten::remainder": operator.mod,
    "aten::pow": _power,
    "aten::neg": operator.neg,
    "aten::eq": operator.eq,
    "aten::ne": operator.ne,
    "aten::lt": operator.lt,
    "aten::le": operator.le,
    "aten::gt": operator.gt,
    "aten::ge": operator.ge,
    "aten::__and__": operator.and_,
    "aten::__or__": operator.or_,
    "aten::__xor__": operator.xor,
    "aten::__lshift__": operator.lshift,
    "aten::__rshift__": operator.rshift,
    "aten::__not__": torch.sym_not,
    "aten::Bool": bool,
    "aten::Float": torch.sym_float,
    "aten::Int": _integer,
    "aten::sqrt": torch.sym_sqrt,
    "aten::ceil": math.ceil,
    "aten::floor": math.floor,
    "aten::round": round,
    "prim::abs": operator.abs,
    "prim::max": torch.sym_max,
    "prim::min": torch.sym_min,
    "prim::ite": torch.sym_ite,
}
"""By name, for every overload that takes numbers only."""

_INT_TO_INT = OpName("aten", "pow", "int_to_int")


def _dft(self: torch.Tensor, length: int | None, dim: int, inverse: bool, onesided: bool) -> torch.Tensor:
    """ONNX's DFT: the last dimension holds real and imaginary parts, or real ones alone."""
    signal = torch.view_as_complex(self.contiguous()) if self.shape[-1] == 2 else self[..., 0]
    transform = torch.fft.rfft if onesided else torch.fft.ifft if inverse else torch.fft.fft
    return torch.view_as_real(transform(signal, length, dim).resolve_conj())


def _append(items: list[object], item: object) -> list[object]:
    items.append(item)
    return items


def _extend(items: list[object], more: Sequence[object]) -> list[object]:
    items.extend(more)
    return items


def _set_item(items: list[object], position: int, item: object) -> list[object]:
    items[position] = item
    return items


def _pop(items: list[object], position: int = -1) -> object:
    return items.pop(position)


def _slice(items: list[object], start: int | None, end: int | None, step: int) -> list[object]:
    return items[start:end:step]


def _tensor(
    items: list[object], dtype: torch.dtype | None, device: torch.device | None, requires_grad: bool
) -> torch.Tensor:
    return torch.tensor(items, dtype=dtype, device=device, requires_grad=requires_grad)


_LISTS: Mapping[str, _Function] = {
    "aten::__getitem__": operator.getitem,
    "aten::add": operator.add,
    "aten::copy": list,
    "aten::len": len,
    "aten::list": list,
    "aten::mul": operator.mul,
    "aten::slice": _slice,
    "aten::tensor": _tensor,
    # These write their first argument.
    "aten::Delete": operator.delitem,
    "aten::_set_item": _set_item,
    "aten::add_": _extend,
    "aten::append": _append,
    "aten::clear": list.clear,
    "aten::extend": lambda items, more: items.extend(more),
    "aten::insert": list.insert,
    "aten::pop": _pop,
    "aten::reverse": list.reverse,
}
"""On a list as the first argument; by name."""


def _format(template: str, *items: object) -> str:
    return template.format(*items)


def _raise(message: str) -> None:
    raise RuntimeError(
        f"the model raises an error here: {message}" if message else "the model raises an error here"
    )


_ANY: Mapping[str, _Function] = {
    "aten::__is__": operator.is_,
    "aten::__isnot__": operator.is_not,
    "aten::format": _format,
    "prim::RaiseException": _raise,
    "prim::TupleIndex": operator.getitem,
    "prim::Uninitialized": lambda: None,
    "prim::dft": _dft,
    "prim::dtype": lambda tensor: tensor.dtype,
}
"""Whatever the arguments are; by name."""


def python_function(op: OpName, inputs: Sequence[object]) -> _Function | None:
    """What computes ``op`` on these inputs in Python, or None where ``torch.ops`` shall do it."""
    found = autograd_call(op)
    if found is not None:
        return found.run
    key = f"{op.domain}::{op.name}"
    if key in _ANY:
        return _ANY[key]
    if inputs and isinstance(inputs[0], list) and key in _LISTS:
        return _LISTS[key]
    if key not in _NUMBERS or not all(_is_number(value) for value in inputs):
        return None
    return operator.pow if op == _INT_TO_INT else _NUMBERS[key]


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float | complex | torch.SymInt | torch.SymFloat | torch.SymBool)
