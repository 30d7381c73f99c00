"""Running a captured program on the arguments of the model it was captured from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.interpreter._errors import describe
from onnx_ir_capture.interpreter._interpreter import Interpreter, Observer
from onnx_ir_capture.interpreter._values import torch_constant
from onnx_ir_capture.program import CapturedProgram

__all__ = ["run_program"]


def run_program(
    program: CapturedProgram,
    args: Sequence[object] = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    weights: Mapping[str, torch.Tensor] | None = None,
    observer: Observer | None = None,
    protect: bool = True,
) -> object:
    """Call a captured program as the model itself is called.

    Args:
        program: the program, of a front end that keeps torch's pytree specs.
        args: positional arguments, nested as at capture.
        kwargs: keyword arguments, in any order.
        weights: as of :class:`Interpreter`.
        observer: as of :class:`Interpreter`.
        protect: as of :class:`Interpreter`.

    Returns:
        The model's result: tensors in the structure that the model returns.

    Raises:
        TypeError: an argument is of another kind than at capture.
        ValueError: the arguments are nested in another way, or one differs that the capture fixed.
        InterpreterError: a node failed.
    """
    in_spec, out_spec = program.input_tree, program.output_tree
    if not isinstance(in_spec, pytree.TreeSpec) or not isinstance(out_spec, pytree.TreeSpec):
        raise TypeError("the program does not know how its arguments and results are nested; run its graph")
    given = _given(program, _flatten(args, kwargs or {}, in_spec))
    interpreter = Interpreter(program.model, weights=weights, observer=observer, protect=protect)
    inputs = [given[value] for value in program.model.graph.inputs]
    results = iter(interpreter.run(inputs))
    flat = [torch_constant(spec.literal) if spec.value is None else next(results) for spec in program.outputs]
    return pytree.tree_unflatten(flat, out_spec)


def _given(program: CapturedProgram, leaves: Sequence[object]) -> dict[ir.Value, object]:
    """The arguments by graph input; those that the capture fixed must be what they were."""
    given: dict[ir.Value, object] = {}
    for spec, leaf in zip(program.inputs, leaves, strict=True):
        if spec.value is not None:
            given[spec.value] = leaf
        elif not _same(leaf, torch_constant(spec.literal)):
            raise ValueError(
                f"argument {spec.name!r} was {spec.literal!r} when the model was captured, which fixed it; "
                f"{describe(leaf)} needs another capture"
            )
    return given


def _same(actual: object, literal: object) -> bool:
    """Whether an argument is what the capture fixed it to; 1, 1.0 and True are three things, nan is one."""
    if isinstance(actual, torch.Tensor) or type(actual) is not type(literal):
        return False
    return actual == literal or (actual != actual and literal != literal)


def _flatten(args: Sequence[object], kwargs: Mapping[str, object], spec: pytree.TreeSpec) -> list[object]:
    """The leaves of the arguments in the order of ``spec``; dicts are matched by their keys."""
    try:
        leaves: list[object] = spec.flatten_up_to((tuple(args), dict(kwargs)))
    except ValueError as error:
        raise ValueError(
            f"the arguments are nested otherwise than at capture: {error}\n"
            f"  (args, kwargs) at capture: {spec}"
        ) from error
    return leaves
