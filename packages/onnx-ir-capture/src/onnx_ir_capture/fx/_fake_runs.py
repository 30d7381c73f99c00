"""Runs on fake tensors with symbols for sizes, of a whole graph or of one call."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

import sympy
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

__all__ = ["fresh_mode", "named_size", "silenced", "without_mkldnn"]


def fresh_mode() -> tuple[FakeTensorMode, ShapeEnv]:
    """A mode, and its environment, which takes equal sizes for one only where it has to."""
    environment = ShapeEnv(duck_shape=False)
    return FakeTensorMode(shape_env=environment, allow_non_fake_inputs=True), environment


def named_size(environment: ShapeEnv, name: str, hint: int) -> tuple[sympy.Symbol, torch.SymInt]:
    """A new symbol for the dimension ``name``, which is ``hint`` in the example, and the size that it is."""
    from torch._dynamo.source import ConstantSource  # loads torch's compiler, as any capture does

    source = ConstantSource(name)
    symbol = environment.create_symbol(hint, source, DimDynamic.DYNAMIC, constraint_dim=None)
    size = environment.create_symintnode(symbol, hint=hint, source=source)
    assert isinstance(symbol, sympy.Symbol)
    assert isinstance(size, torch.SymInt)
    return symbol, size


@contextlib.contextmanager
def silenced(logger: str) -> Iterator[None]:
    """Meanwhile ``logger`` is quiet: what goes wrong is said by the exception, or is no error here."""
    log = logging.getLogger(logger)
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


@contextlib.contextmanager
def without_mkldnn() -> Iterator[None]:
    """Meanwhile torch takes no kernel of one CPU's library, which would be no step towards ONNX."""
    # torch.backends.mkldnn.flags() sets more than this, and warns of some of it.
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)
