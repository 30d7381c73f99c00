"""What torch asks about symbolic sizes, and takes from the example."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import sympy
from torch.fx.experimental.symbolic_shapes import ShapeEnv

__all__ = ["as_condition", "recorded_conditions"]

# Where torch comes by whenever a question has no answer but the example's.
_QUESTION = "_check_frozen"


@contextlib.contextmanager
def recorded_conditions(env: ShapeEnv | None) -> Iterator[list[sympy.Basic]]:
    """Meanwhile ``env`` answers from the example and learns nothing; what held of the example is listed."""
    conditions: list[sympy.Basic] = []
    if env is None:
        yield conditions
        return

    def record(_env: ShapeEnv, expression: sympy.Basic, answer: sympy.Basic) -> None:
        conditions.append(as_condition(expression, answer))

    before = getattr(ShapeEnv, _QUESTION)
    setattr(ShapeEnv, _QUESTION, record)
    try:
        # A question that was answered before would not come by again.
        ShapeEnv._inner_evaluate_expr.cache_clear()
        with env.suppress_guards(), env.ignore_fresh_unbacked_symbols():
            yield conditions
    finally:
        setattr(ShapeEnv, _QUESTION, before)


def as_condition(expression: sympy.Basic, answer: object) -> sympy.Basic:
    """What holds where ``expression`` has this answer."""
    if answer is sympy.true:
        return expression
    return sympy.Not(expression) if answer is sympy.false else sympy.Eq(expression, answer)
