"""The symbols of a captured program's sizes, for fake runs of single calls of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import sympy
import torch
from torch._subclasses import FakeTensor
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.utils import _pytree as pytree

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.fx._fake_runs import fresh_mode, named_size
from onnx_ir_capture.program import CapturedProgram

__all__ = ["ProgramSizes", "symbols_of"]

# The sizes of a program that keeps no example: apart from each other, and from those that torch knows.
_HINTS = (7, 11, 13, 17, 19, 23)


class ProgramSizes:
    """What the sizes of a program's values are in torch's symbols.

    Those of a program of torch.export are its own; others get a symbol for each name of a dimension.
    """

    def __init__(self, program: CapturedProgram) -> None:
        is_exported = isinstance(program.origin, torch.export.ExportedProgram)
        values = _fake_values(program.origin) if is_exported else []
        tensors = [value for value in values if isinstance(value, FakeTensor)]
        self.mode = tensors[0].fake_mode if tensors else fresh_mode()[0]
        """Where fake tensors of the program belong."""
        self.device = tensors[0].device if tensors else torch.device("cpu")
        """Where the program runs."""
        self.dimensions = program.symbols if isinstance(program.symbols, Dimensions) else Dimensions()
        """The names of the symbols."""
        self._sizes = {str(self.dimensions.rename(size.node.expr)): size for size in _sizes_in(values)}
        if not is_exported:
            self._name_dimensions(program)
        self.symbols = symbols_of(self._sizes.values())
        """The symbols that the program knows."""

    def of(self, text: str | None) -> int | torch.SymInt:
        """The size that the program writes so; one that nothing is known of where it has no text for it."""
        if text is None:
            return self.env.create_unbacked_symint()
        if text not in self._sizes:
            self._sizes[text] = self._computed(text) or self.env.create_unbacked_symint()
        return self._sizes[text]

    @property
    def env(self) -> ShapeEnv:
        """What knows the symbols.

        Raises:
            Unsupported: the program has none.
        """
        if self.mode.shape_env is None:
            raise Unsupported("would need sizes that are known at run time only")
        return self.mode.shape_env

    def _name_dimensions(self, program: CapturedProgram) -> None:
        names: dict[sympy.Symbol, sympy.Expr] = {}
        for name, hint in zip(program.dimensions, itertools.cycle(_HINTS), strict=False):
            symbol, size = named_size(self.env, name, hint)
            self._sizes[name] = size
            names[symbol] = sympy.Symbol(name, integer=True, nonnegative=True)
        self.dimensions = Dimensions(names, program.dimensions)

    def _computed(self, text: str) -> torch.SymInt | None:
        """A size that is an expression of others; None if one of them is unknown."""
        known = {name: size.node.expr for name, size in self._sizes.items()}
        expression = sympy.sympify(text, known)
        if not isinstance(expression, sympy.Expr) or not expression.free_symbols <= self.symbols:
            return None
        size = self.env.create_symintnode(expression, hint=None)
        return size if isinstance(size, torch.SymInt) else None


def symbols_of(values: Iterable[object]) -> set[sympy.Symbol]:
    """The symbols in sizes: those of tensors, and symbolic integers themselves."""
    return {symbol for size in _sizes_in(values) for symbol in size.node.expr.free_symbols}


def _fake_values(exported: object) -> list[object]:
    """What the calls of the program and of the blocks in it gave when they were captured."""
    assert isinstance(exported, torch.export.ExportedProgram)
    modules = [m for m in exported.graph_module.modules() if isinstance(m, torch.fx.GraphModule)]
    return pytree.tree_leaves([node.meta.get("val") for module in modules for node in module.graph.nodes])


def _sizes_in(values: Iterable[object]) -> Iterator[torch.SymInt]:
    for value in pytree.tree_leaves(list(values)):
        for size in value.shape if isinstance(value, torch.Tensor) else (value,):
            if isinstance(size, torch.SymInt):
                yield size
