"""Questions of a model's code whose answer changes nothing in what the model computes."""

from __future__ import annotations

import ast
import functools
import linecache
import types
from collections.abc import Iterator, Sequence

__all__ = ["is_immaterial"]

_TALK = frozenset({"debug", "info", "log", "print", "warn", "warning", "warning_once"})
_CAPTURING = ("compiling", "exporting", "tracing")
_UNKNOWN = object()


def is_immaterial(frame: types.FrameType) -> bool:
    """Whether the line that ``frame`` is at goes on alike for either answer, or raises for the other one.

    That holds for ``assert``, for an ``if`` one way of which raises or only logs, and for ``size > 1 and
    mask is None`` where there is a mask.

    Args:
        frame: of the code that asks for the truth of a condition.
    """
    path = _path_to(frame.f_code.co_filename, frame.f_lineno)
    if _is_guarded(path):
        return True
    choices = [node for node in path if isinstance(node, ast.BoolOp)]
    if not choices:
        return False
    # With two of them in a line, either may be the one that asks.
    if any(isinstance(node, ast.IfExp) and node.test is not choices[0] for node in path):
        return False
    inside = {id(node) for node in ast.walk(choices[0])}
    return all(id(choice) in inside for choice in choices) and _is_settled(choices[0], frame)


@functools.lru_cache(maxsize=1024)
def _path_to(path: str, line: int) -> Sequence[ast.AST]:
    """The syntax that covers the line, outermost first; nothing where there is no source."""
    tree = _tree(path)
    return [] if tree is None else list(_covering(tree, line))


@functools.lru_cache(maxsize=64)
def _tree(path: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return None


def _covering(node: ast.AST, line: int) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.expr | ast.excepthandler | ast.withitem | ast.match_case):
            first, last = getattr(child, "lineno", line), getattr(child, "end_lineno", line)
            if first <= line <= (last or first):
                yield child
                yield from _covering(child, line)


def _is_guarded(path: Sequence[ast.AST]) -> bool:
    """Whether the innermost statement is a test of which one way raises, or says something and no more."""
    statements = [node for node in path if isinstance(node, ast.stmt)]
    if not statements or any(isinstance(node, ast.Try) for node in statements):
        return False
    innermost = next((node for node in reversed(statements) if isinstance(node, ast.Assert | ast.If)), None)
    if isinstance(innermost, ast.Assert):
        return innermost is statements[-1]
    if innermost is None or not any(part is innermost.test for part in path):
        return False
    if any(way and isinstance(way[-1], ast.Raise) for way in (innermost.body, innermost.orelse)):
        return True
    return not innermost.orelse and all(map(_only_talks, innermost.body))


def _only_talks(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    function = statement.value.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _TALK


def _is_settled(choice: ast.BoolOp, frame: types.FrameType) -> bool:
    """Whether another part of an ``and`` is false, or of an ``or`` true, so that the answer is of no use."""
    settling = isinstance(choice.op, ast.Or)
    return any(_truth(part, frame) is settling for part in choice.values)


def _truth(part: ast.expr, frame: types.FrameType) -> bool | None:
    """What is known of a condition without running anything of the model's."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
        truth = _truth(part.operand, frame)
        return None if truth is None else not truth
    if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Is | ast.IsNot) and len(part.ops) == 1:
        left, right = _value(part.left, frame), _value(part.comparators[0], frame)
        if right is not None or left is _UNKNOWN:
            return None
        return (left is None) is isinstance(part.ops[0], ast.Is)
    if isinstance(part, ast.Call) and not part.args and not part.keywords:
        return _answer(_value(part.func, frame))
    value = _value(part, frame)
    return bool(value) if value is None or isinstance(value, bool) else None


def _answer(function: object) -> bool | None:
    """What ``torch.compiler.is_compiling`` or another such question of the capture itself says."""
    if isinstance(function, types.FunctionType) and function.__name__.endswith(_CAPTURING):
        answer = function()
        return answer if isinstance(answer, bool) else None
    return None


def _value(node: ast.expr, frame: types.FrameType) -> object:
    """The value of a constant, a variable, or a member of a module."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id, _UNKNOWN))
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, frame)
        return getattr(owner, node.attr, _UNKNOWN) if isinstance(owner, types.ModuleType) else _UNKNOWN
    return _UNKNOWN
