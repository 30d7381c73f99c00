"""What a model's own code decided by sizes, told from what operators check."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import os
import sys
import types
from collections.abc import Callable, Iterator, Sequence

import sympy
import torch
from torch._guards import TracingContext
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from onnx_diagnostics import Location
from onnx_ir_capture.fx._conditions import as_condition
from onnx_ir_capture.fx._immaterial import is_immaterial
from onnx_ir_capture.fx._replaced import changed_while_capturing
from onnx_ir_capture.fx._tracing import EXPORT_FILE, is_model_file

__all__ = ["Decision", "Questions", "questions_noted"]

_TORCH = os.path.dirname(torch.__file__) + os.sep
# Between a question and whoever asks it.
_SYMBOLIC_NUMBERS = _TORCH + "__init__.py"
_ASKING = (
    _SYMBOLIC_NUMBERS,
    *(
        os.path.join(_TORCH, "fx", "experimental", f"{name}.py")
        for name in ("recording", "sym_node", "symbolic_shapes")
    ),
)
_NUMBERS = frozenset({"guard_float", "guard_int"})
# They raise where the answer is no.
_CHECKS = frozenset({"_assert", "_check_with", "_check", "expect_true"})
# What torch comes by for every question, answered before or not.
_QUESTION = "evaluate_expr"
# Python of torch that models call, and that chooses what to call by sizes.
_LIBRARY = tuple(
    os.path.join(_TORCH, *parts)
    for parts in (("nn", ""), ("distributions", ""), ("signal", ""), ("functional.py",), ("_tensor.py",))
)
_OPERATORS = tuple(os.path.join(_TORCH, name) for name in ("_meta_registrations.py", "_decomp", "_refs"))
_KERNELS = os.path.join(_TORCH, "_subclasses", "fake_tensor.py")
_DYNAMO = os.path.join(_TORCH, "_dynamo", "variables", "")
_OPERATOR_CALL = _TORCH + "_ops.py"
# What they ask in C++ is whether memory has to be copied; the tensor is the same either way.
_OF_LAYOUT = frozenset({"_unsafe_view", "contiguous", "flatten", "reshape", "unflatten", "view", "view_as"})


@dataclasses.dataclass(frozen=True)
class Decision:
    """A condition on sizes, in torch's symbols, that the model chose its way by, and the line that asked.

    ``location`` is None where nothing was chosen: the model raises for all other sizes.
    """

    condition: sympy.Basic
    location: Location | None


@dataclasses.dataclass
class Questions:
    """What was asked of sizes during a capture: ``decisions`` in order, and what only the memory depends on.

    ``of_layout`` are conditions by which an operator copies or does not.
    """

    decisions: list[Decision] = dataclasses.field(default_factory=list)
    of_layout: set[sympy.Basic] = dataclasses.field(default_factory=set)


_noted: contextvars.ContextVar[Questions | None] = contextvars.ContextVar(
    "onnx_ir_capture.questions", default=None
)


@contextlib.contextmanager
def questions_noted(questions: Questions) -> Iterator[None]:
    """Meanwhile every question about sizes that has more than one answer goes into ``questions``.

    A guard of torch does not tell who asked first or asks again, so the questions are noted themselves.
    """
    with changed_while_capturing("questions about sizes", _listen):
        before = _noted.set(questions)
        try:
            yield
        finally:
            _noted.reset(before)


def _listen() -> Callable[[], None]:
    original = getattr(ShapeEnv, _QUESTION)

    def evaluate_expr(env: ShapeEnv, expression: sympy.Basic, *args: object, **options: object) -> object:
        answer = original(env, expression, *args, **options)
        questions = _noted.get()
        if questions is not None and expression.free_symbols and not ShapeEnv._suppress_guards_tls():
            _note(questions, as_condition(expression, answer), sys._getframe(1))
        return answer

    setattr(ShapeEnv, _QUESTION, evaluate_expr)
    return lambda: setattr(ShapeEnv, _QUESTION, original)


def _note(questions: Questions, condition: sympy.Basic, innermost: types.FrameType) -> None:
    between = list(_between(innermost))
    asker = between[-1].f_back if between else innermost
    if any(frame.f_code.co_name in _CHECKS for frame in between):
        questions.decisions.append(Decision(condition, None))
        return
    if asker is None:
        return
    path, location = asker.f_code.co_filename, None
    if path.startswith(_DYNAMO):
        location = _interpreted_place()
    elif path == _OPERATOR_CALL and _operator(asker) in _OF_LAYOUT:
        questions.of_layout.add(condition)
    elif (is_model_file(path) or path.startswith(_LIBRARY)) and _goes_on_by(between):
        location = None if is_immaterial(asker) else _place(asker)
    if location is not None:
        questions.decisions.append(Decision(condition, location))


def _between(innermost: types.FrameType) -> Iterator[types.FrameType]:
    """The frames of torch's own handling of questions, innermost first."""
    frame: types.FrameType | None = innermost
    while frame is not None and frame.f_code.co_filename.startswith(_ASKING):
        yield frame
        frame = frame.f_back


def _goes_on_by(between: Sequence[types.FrameType]) -> bool:
    """Whether Python took the answer, or a number; a truth that C++ asked for is of strides alone."""
    return any(
        frame.f_code.co_filename == _SYMBOLIC_NUMBERS or frame.f_code.co_name in _NUMBERS for frame in between
    )


def _operator(call: types.FrameType) -> str:
    operator = call.f_locals.get("self")
    return operator._schema.name.split("::")[-1] if isinstance(operator, torch._ops.OpOverload) else ""


def _place(asker: types.FrameType) -> Location | None:
    """The model's line, or that of the layer that asks where all is torch's; None within an operator."""
    found = None
    frame: types.FrameType | None = asker
    while frame is not None and frame.f_code.co_filename != EXPORT_FILE:
        path = frame.f_code.co_filename
        if path.startswith(_OPERATORS) or (path == _KERNELS and frame.f_code.co_name == "__torch_dispatch__"):
            return None
        if found is None and is_model_file(path):
            found = frame
        frame = frame.f_back
    place = found or asker
    return Location.at(place.f_code.co_filename, place.f_lineno, function=place.f_code.co_name)


def _interpreted_place() -> Location | None:
    """The line that Dynamo is at, if that is the model's or a layer's."""
    for frame in reversed(TracingContext.extract_stack()):
        if is_model_file(frame.filename) or frame.filename.startswith(_LIBRARY):
            return Location.at(frame.filename, frame.lineno, function=frame.name)
    return None
