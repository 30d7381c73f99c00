"""Complex tensors in other shapes: the same call on pairs, whose last dimension stays the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import onnx_ir as ir

from onnx_jitpasses._pair_arithmetic import conjugate, to_real
from onnx_jitpasses._pair_call import PARTS, PairCall, Rewrite

__all__ = ["SHAPES"]

_Argument = Callable[[PairCall, int], ir.Value]
"""Makes the argument at a position that the call on pairs has."""


def _dim(call: PairCall, position: int) -> ir.Value:
    return call.held(call.axis(call.tensor(0), call.integer(position)))


def _new_dim(call: PairCall, position: int) -> ir.Value:
    return call.held(call.axis(call.tensor(0), call.integer(position), 1))


def _dims(call: PairCall, position: int) -> ir.Value:
    return call.ints([call.axis(call.tensor(0), dim) for dim in call.integers(position)])


def _order(call: PairCall, position: int) -> ir.Value:
    rank = call.rank(call.tensor(0))
    return call.ints([*(call.axis(call.tensor(0), dim) for dim in call.integers(position)), rank])


def _sizes(call: PairCall, position: int) -> ir.Value:
    return call.ints([*call.items(position), 2])


def _repeats(call: PairCall, position: int) -> ir.Value:
    return call.ints([*call.items(position), 1])


def _joined(call: PairCall, position: int) -> ir.Value:
    return call.list([call.pair(item) for item in call.items(position)])


def _carried(*overloads: str, **arguments: _Argument) -> Rewrite:
    """The same call on pairs; ``a1=_dim`` says how its argument 1 is made."""
    changed = {int(name[1:]): argument for name, argument in arguments.items()}

    def rewrite(call: PairCall) -> Sequence[ir.Value]:
        if overloads and call.node.overload not in overloads:
            raise call.refuse(f"its overload {call.node.overload} has no form on pairs of real numbers")
        return call.copy({position: argument(call, position) for position, argument in changed.items()})

    return rewrite


def _moved(rewrite: Rewrite) -> Rewrite:
    """What only moves elements leaves a 0-d tensor as it is, whose dimension 0 would be that of the pairs."""

    def guarded(call: PairCall) -> ir.Value | Sequence[ir.Value]:
        value = call.tensor(0)
        return rewrite(call) if call.rank(value) else call.same(value)

    return guarded


def _squeeze(call: PairCall) -> Sequence[ir.Value]:
    """Without dimensions it takes those of size 1, which that of the pairs is not."""
    arguments = {"": {}, "dim": {1: _dim}, "dims": {1: _dims}}
    chosen: Mapping[int, _Argument] | None = arguments.get(call.node.overload)
    if chosen is None:
        raise call.refuse("it names its dimensions")
    return call.copy({position: argument(call, position) for position, argument in chosen.items()})


def _movedim(call: PairCall) -> Sequence[ir.Value]:
    argument = _dim if call.node.overload == "int" else _dims
    return call.copy({1: argument(call, 1), 2: argument(call, 2)})


def _cat(call: PairCall) -> Sequence[ir.Value]:
    """Without the empty 1-d tensors that torch joins to all others, and that would meet only their kind."""
    items, rank = call.items(0), call.rank(call.output)
    joined = [item for item in items if rank == 1 or list(call.dims(item)) != [0]]
    pairs = call.list([call.pair(item) for item in joined])
    return call.copy({0: pairs, 1: call.held(call.axis(joined[0], call.integer(1)))})


def _stack(call: PairCall) -> Sequence[ir.Value]:
    pairs = _joined(call, 0)
    first = call.items(0)[0]
    return call.copy({0: pairs, 1: call.held(call.axis(first, call.integer(1), 1))})


def _flatten(call: PairCall) -> ir.Value | Sequence[ir.Value]:
    if call.node.overload != "using_ints":
        raise call.refuse("it names its dimensions")
    value = call.tensor(0)
    if call.rank(value) == 0:
        return call.call("aten::unsqueeze", [value, 0], call.pair_like([1]))
    return call.copy({1: _dim(call, 1), 2: _dim(call, 2)})


def _t(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    rank = call.rank(value)
    order = [*reversed(range(rank)), rank]
    return call.call("aten::permute", [value, call.ints(order)], call.pair_like(call.dims(call.output)))


def _mt(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    rank = call.rank(value)
    if rank < 2:
        raise call.refuse("its argument is no matrix")
    like = call.pair_like(call.dims(call.output))
    return call.mark(call.call("aten::transpose.int", [value, rank - 2, rank - 1], like))


def _mh(call: PairCall) -> ir.Value:
    return conjugate(call, _mt(call))


def _same(call: PairCall) -> ir.Value:
    return call.same(call.tensor(0))


def _to(call: PairCall) -> ir.Value:
    value = call.tensor(0)
    real = call.output.dtype not in PARTS
    return call.same(to_real(call, value) if real else call.pair(value))


def _numel(call: PairCall) -> Sequence[ir.Value]:
    return call.copy({0: call.component(call.tensor(0), 0)})


SHAPES: Mapping[str, Rewrite] = {
    "H": _mh,
    "_reshape_alias": _carried(a1=_sizes),
    "_to_copy": _to,
    "_unsafe_view": _carried(a1=_sizes),
    "adjoint": _mh,
    "alias": _same,
    "broadcast_to": _carried(a1=_sizes),
    "cat": _cat,
    "chunk": _carried(a2=_dim),
    "clone": _same,
    "concat": _cat,
    "concatenate": _cat,
    "contiguous": _same,
    "detach": _same,
    "expand": _carried(a1=_sizes),
    "flatten": _flatten,
    "flip": _moved(_carried(a1=_dims)),
    "index": _carried("Tensor"),
    "index_select": _moved(_carried("", a1=_dim)),
    "lift_fresh": _same,
    "lift_fresh_copy": _same,
    "mH": _mh,
    "mT": _mt,
    "matrix_H": _mh,
    "moveaxis": _moved(_movedim),
    "movedim": _moved(_movedim),
    "narrow": _carried("", a1=_dim),
    "numel": _numel,
    "numpy_T": _t,
    "permute": _carried(a1=_order),
    "positive": _same,
    "repeat": _carried(a1=_repeats),
    "reshape": _carried(a1=_sizes),
    "resolve_conj": _same,
    "resolve_neg": _same,
    "select": _carried("int", a1=_dim),
    "size": _carried("int", a1=_dim),
    "slice": _carried("Tensor", a1=_dim),
    "split": _carried("Tensor", "sizes", a2=_dim),
    "split_with_sizes": _carried(a2=_dim),
    "squeeze": _moved(_squeeze),
    "stack": _stack,
    "swapaxes": _moved(_carried(a1=_dim, a2=_dim)),
    "swapdims": _moved(_carried(a1=_dim, a2=_dim)),
    "sym_numel": _numel,
    "sym_size": _carried("int", a1=_dim),
    "t": _t,
    "tile": _carried(a1=_repeats),
    "to": _to,
    "transpose": _moved(_carried("int", a1=_dim, a2=_dim)),
    "type_as": _to,
    "unbind": _carried("int", a1=_dim),
    "unflatten": _carried("int", a1=_dim),
    "unsqueeze": _carried(a1=_new_dim),
    "view": _carried("", a1=_sizes),
}
"""Rewrites by the operator's name."""
