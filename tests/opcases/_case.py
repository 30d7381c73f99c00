"""``OpCase``: one row of the op tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.dialect import OpName

__all__ = ["ALL_DIMS", "SYMBOLICS", "TORCHLIB", "OpCase", "Tensors", "bools", "floats", "ints"]

TORCHLIB = "onnx-torchlib"
SYMBOLICS = "onnx-symbolics"

Tensors = tuple[torch.Tensor, ...]

ALL_DIMS = "all"
"""Every dimension of every tensor is dynamic; those of size 1 stay as they are, since they broadcast."""


def floats(*shape: int, seed: int = 0) -> torch.Tensor:
    """Normally distributed float32 numbers, the same in every run."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def ints(low: int, high: int, *shape: int, seed: int = 0) -> torch.Tensor:
    """INT64 numbers of ``low`` up to and without ``high``, the same in every run."""
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(seed))


def bools(*shape: int, seed: int = 0) -> torch.Tensor:
    """Truth values, the same in every run."""
    return ints(0, 2, *shape, seed=seed) == 1


_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)


@dataclasses.dataclass(frozen=True)
class OpCase:
    """A call of one operator: captured once, lowered by each table that holds it, compared with eager.

    The tensors in ``args`` and ``kwargs`` (also inside lists) become the inputs of a module, everything else
    is closed over. Sizes are distinct primes: equal sizes are taken to be the same dimension, and change
    together.
    """

    name: str
    """``overload`` or ``overload words``: ``add.Tensor``, ``add.Tensor alpha``, ``prim::max.int``. The
    overload must be in the captured program; aten is the default domain."""
    function: Callable[..., object]
    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = dataclasses.field(default_factory=dict)
    dynamic: str | Sequence[Sequence[int]] | None = ALL_DIMS
    """Dynamic dimensions: ``ALL_DIMS``, None, or a list per tensor."""
    resized: Sequence[Mapping[int, int]] | None = None
    """Old size to new size for every rerun. By default two reruns: to other primes, and to 1."""
    from_zero: bool = False
    """The program is told that dynamic dimensions may be 0; by itself torch.export takes 2 for the least."""
    extremes: bool = False
    """Run again with 0, -0.0, negative numbers, infinities, NaN and the limits of the dtype."""
    dtypes: Sequence[torch.dtype] = ()
    """Run the row with each of these in place of the dtype of the first tensor."""
    only: str | None = None
    """The one table that serves the row, where the other holds the overload but not these arguments."""
    since: int | None = None
    """The first opset that can hold the call; below it, the table has to refuse."""
    until: int | None = None
    """The last opset that ONNX Runtime has kernels for; the call is translated above it, too."""
    refused: str | None = None
    """Words of the reason with which every table refuses the call."""
    xfail_reason: str | None = None

    def xfail(self, reason: str) -> OpCase:
        """The row as an expected failure, strict."""
        return dataclasses.replace(self, xfail_reason=reason)

    @property
    def op(self) -> OpName:
        """The overload under test."""
        text = self.name.split(" ")[0]
        return OpName.parse(text if "::" in text else f"aten::{text}")

    def variants(self) -> list[OpCase]:
        """The row itself, or one row per dtype."""
        if not self.dtypes:
            return [self]
        return [self._as_dtype(dtype) for dtype in self.dtypes]

    def _as_dtype(self, dtype: torch.dtype) -> OpCase:
        base = self.tensors()[0].dtype
        args, kwargs = pytree.tree_map_only(
            torch.Tensor, lambda t: t.to(dtype) if t.dtype == base else t, (self.args, dict(self.kwargs))
        )
        name = f"{self.name} {str(dtype).removeprefix('torch.')}"
        return dataclasses.replace(self, name=name, args=args, kwargs=kwargs, dtypes=())

    def tensors(self) -> Tensors:
        """The inputs, in the order of the arguments."""
        leaves = pytree.tree_leaves((self.args, dict(self.kwargs)))
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))

    def module(self) -> torch.nn.Module:
        """A module whose forward takes :meth:`tensors` and calls the function."""
        return _Call(self.function, self.args, self.kwargs)

    def dynamic_shapes(self) -> tuple[dict[int, object], ...]:
        """For each tensor its dynamic dimensions, as torch.export takes them."""
        if not self.from_zero:
            return tuple(dict.fromkeys(dims, torch.export.Dim.DYNAMIC) for dims in self._dynamic_dims())
        pairs = zip(self.tensors(), self._dynamic_dims(), strict=True)
        return tuple(
            {dim: torch.export.Dim(f"size_{tensor.shape[dim]}", min=0) for dim in dims}
            for tensor, dims in pairs
        )

    def _dynamic_dims(self) -> list[list[int]]:
        tensors = self.tensors()
        if self.dynamic is None:
            return [[] for _ in tensors]
        if isinstance(self.dynamic, str):
            return [[dim for dim, size in enumerate(tensor.shape) if size > 1] for tensor in tensors]
        return [list(dims) for dims in self.dynamic]

    def inputs(self) -> list[tuple[str, Tensors]]:
        """The sets of inputs to compare on, each with a word for messages; the captured ones first."""
        tensors = self.tensors()
        sets = [("as captured", tensors)]
        sets += [(f"resized {dict(sizes)}", self._resize(sizes)) for sizes in self._resizings()]
        if self.extremes:
            sets.append(("extremes", tuple(_extreme(tensor) for tensor in tensors)))
        return sets

    def _resizings(self) -> Sequence[Mapping[int, int]]:
        if self.resized is not None:
            return self.resized
        dims = zip(self.tensors(), self._dynamic_dims(), strict=True)
        sizes = sorted({tensor.shape[dim] for tensor, chosen in dims for dim in chosen})
        if not sizes:
            return []
        others = [prime for prime in _PRIMES if prime not in sizes]
        return [dict(zip(sizes, others, strict=False)), dict.fromkeys(sizes, 1)]

    def _resize(self, sizes: Mapping[int, int]) -> Tensors:
        pairs = zip(self.tensors(), self._dynamic_dims(), strict=True)
        return tuple(_resized(tensor, dims, sizes) for tensor, dims in pairs)


class _Call(torch.nn.Module):
    def __init__(
        self, function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> None:
        super().__init__()
        self._function = function
        self._leaves, self._tree = pytree.tree_flatten((args, dict(kwargs)))
        self._tensor = [isinstance(leaf, torch.Tensor) for leaf in self._leaves]
        self._leaves = [
            None if is_tensor else leaf for leaf, is_tensor in zip(self._leaves, self._tensor, strict=True)
        ]

    def forward(self, *tensors: torch.Tensor) -> object:
        given = iter(tensors)
        leaves = [
            next(given) if is_tensor else leaf
            for leaf, is_tensor in zip(self._leaves, self._tensor, strict=True)
        ]
        args, kwargs = pytree.tree_unflatten(leaves, self._tree)
        return self._function(*args, **kwargs)


def _resized(tensor: torch.Tensor, dims: Sequence[int], sizes: Mapping[int, int]) -> torch.Tensor:
    """Elements of ``tensor`` in another shape: indices stay in range, and nothing new comes in."""
    shape = [sizes.get(size, size) if dim in dims else size for dim, size in enumerate(tensor.shape)]
    if shape == list(tensor.shape):
        return tensor
    count = 1
    for size in shape:
        count *= size
    picks = torch.arange(count) * 7 % max(tensor.numel(), 1)
    return tensor.flatten()[picks].reshape(shape)


def _extreme(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of the same shape and dtype, filled with what breaks formulas, in turn."""
    values = _extreme_values(tensor.dtype)
    repeats = -(-max(tensor.numel(), 1) // len(values))
    return values.repeat(repeats)[: tensor.numel()].reshape(tensor.shape)


def _extreme_values(dtype: torch.dtype) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.tensor([False, True, True])
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, float("inf"), -float("inf"), float("nan")]
        return torch.tensor([*numbers, limits.max, limits.min, limits.tiny, 88.0, -104.0], dtype=dtype)
    bounds = torch.iinfo(dtype)
    signed = [-1, -2, -7] if bounds.min < 0 else []
    return torch.tensor([0, 1, 2, 7, *signed, bounds.max, bounds.min, bounds.max - 1], dtype=dtype)
