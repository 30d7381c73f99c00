"""Finding the operator at which an exported model and the program it was made from part.

The captured program runs once in the interpreter. The file runs in ONNX Runtime for one slice of its values
after the other, so that memory holds one slice only, and each captured value is held against its counterpart.
A difference that a value only inherits is told from one that its operator makes: the operator is computed
again on the very inputs that it has in the file.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._blocks import find_inside
from onnx_export._differences import output_tensors
from onnx_export._eager import copies
from onnx_export._feeds import leaves_of
from onnx_export._partings import Found, Parting, Refused, ValueComparison, operands, written_values
from onnx_export._program import ONNXProgram
from onnx_export._reference import with_outputs
from onnx_export._runtime import is_refusal, open_session
from onnx_ir_capture.dialect import is_literal
from onnx_ir_capture.interpreter import Observer, run_program, weight_tensor

__all__ = ["SLICE_BYTES", "captured_outputs", "find_parting"]

SLICE_BYTES = 2**28
"""How much of the values inside of a file is held at once."""


def find_parting(
    program: ONNXProgram,
    outputs: Sequence[str],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    tolerances: Mapping[torch.dtype, float],
    providers: Sequence[str],
    *,
    slice_bytes: int = SLICE_BYTES,
) -> Parting | None:
    """The first operator that makes a difference; where none does, the first whose result has one.

    Args:
        program: the exported model with its captured program.
        outputs: names of the file's outputs that differ; what they do not depend on is left out.
        args: inputs by position.
        kwargs: inputs by name.
        tolerances: as for verification.
        providers: ONNX Runtime's execution providers.
        slice_bytes: how much of the file's values is held at once.

    Returns:
        None where every value that the two have in common agrees.
    """
    pairs = _counterparts(program, outputs)
    weights = _weights(program)
    sizes: dict[ir.Value, int] = {}
    run = functools.partial(_run, program, args, kwargs, weights)
    run(_Sizes(pairs, sizes))
    open_file = functools.partial(open_session, providers=providers, quiet=True)
    compute = functools.partial(program.compute_values, args=args, kwargs=kwargs, initializer=open_file)
    slices = _Slices(_readable(program), list(_sliced(pairs, sizes, slice_bytes)), compute)
    given = _given(program, args, kwargs, weights)
    inside = functools.partial(
        find_inside, program, run=run, given=given, tolerances=tolerances, providers=providers
    )
    written = written_values(program.program.model.graph)
    comparison = ValueComparison(pairs, slices.of, written, given, inside, tolerances)
    try:
        run(comparison)
    except Found as found:
        return found.parting
    return comparison.inherited


def captured_outputs(
    program: ONNXProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> list[torch.Tensor]:
    """The results of the captured program, which may write on its inputs, as the file has them."""
    result = run_program(program.program, args, kwargs, weights=_weights(program))
    return output_tensors(result, program.program)


def _run(
    program: ONNXProgram,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    weights: Mapping[str, torch.Tensor],
    observer: Observer,
) -> None:
    given_args, given_kwargs = copies(args, kwargs)
    with torch.random.fork_rng(devices=()):
        run_program(program.program, given_args, given_kwargs, weights=weights, observer=observer)


def _counterparts(program: ONNXProgram, outputs: Sequence[str]) -> dict[ir.Value, ir.Value]:
    """For captured results in the order of the program the values of the file that hold them."""
    needed, _ = with_outputs(program.model, outputs)
    names = {value.name for node in needed.graph for value in node.outputs}
    own = {value for node in program.model.graph for value in node.outputs if value.name in names}
    # What is translated to nothing is an input itself, or a weight.
    own.update(program.model.graph.inputs, program.model.graph.initializers.values())
    return {
        captured: program.value_map[captured]
        for node in program.program.model.graph
        if not is_literal(node)
        for captured in node.outputs
        if program.value_map.get(captured) in own
    }


def _readable(program: ONNXProgram) -> dict[ir.Value, ir.Value]:
    """For captured values what can be looked at in the file: inputs and weights, too."""
    graph = program.model.graph
    present = {*graph.inputs, *graph.initializers.values(), *(out for node in graph for out in node.outputs)}
    return {captured: value for captured, value in program.value_map.items() if value in present}


def _given(
    program: ONNXProgram,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    weights: Mapping[str, torch.Tensor],
) -> Callable[[ir.Value], object]:
    """Gives inputs and weights of the captured program."""
    leaves = leaves_of(program.program, args, kwargs)
    inputs = {spec.value: leaf for spec, leaf in zip(program.program.inputs, leaves, strict=True)}

    def given(value: ir.Value) -> object:
        if value in inputs:
            return inputs[value]
        if value.const_value is None:
            raise LookupError(f"%{value.name} has no counterpart")
        return weights.get(str(value.name), weight_tensor(value.const_value))

    return given


def _weights(program: ONNXProgram) -> dict[str, torch.Tensor]:
    """The weights that the file has, which may be those of another checkpoint than the captured ones."""
    found: dict[str, torch.Tensor] = {}
    for value in program.program.model.graph.initializers.values():
        weight = program.value_map.get(value)
        raw = _raw(weight) if weight is not None and weight.is_initializer() else None
        if raw is not None and value.name is not None and _raw(value) is not raw:
            is_pair = raw.dim() == (len(value.shape) + 1 if value.shape is not None else -1)
            found[value.name] = torch.view_as_complex(raw) if is_pair else raw
    return found


def _raw(weight: ir.Value) -> torch.Tensor | None:
    tensor = weight.const_value
    raw = tensor.raw if isinstance(tensor, tensor_adapters.TorchTensor) else None
    return raw if isinstance(raw, torch.Tensor) else None


class _Sizes:
    """Notes how many bytes each value takes."""

    def __init__(self, pairs: Mapping[ir.Value, ir.Value], sizes: dict[ir.Value, int]) -> None:
        self._pairs, self._sizes = pairs, sizes

    def __call__(self, value: ir.Value, result: object) -> None:
        if value in self._pairs:
            self._sizes[value] = result.nbytes if isinstance(result, torch.Tensor) else 8


def _sliced(pairs: Iterable[ir.Value], sizes: Mapping[ir.Value, int], limit: int) -> Iterator[list[ir.Value]]:
    """The values in their order, in runs that take ``limit`` bytes with the inputs of their operators."""
    current: list[ir.Value] = []
    held: dict[ir.Value, int] = {}
    for value in pairs:
        needed = {member: sizes.get(member, 0) for member in (value, *operands(value))}
        if current and sum({**held, **needed}.values()) > limit:
            yield current
            current, held = [], {}
        current.append(value)
        held.update(needed)
    if current:
        yield current


class _Slices:
    """The file's values, of which one slice is there at a time."""

    def __init__(
        self,
        readable: Mapping[ir.Value, ir.Value],
        slices: Sequence[Sequence[ir.Value]],
        compute: functools.partial[Sequence[torch.Tensor]],
    ) -> None:
        self._readable, self._compute = readable, compute
        self._places = {value: index for index, members in enumerate(slices) for value in members}
        self._slices = slices
        self._current = -1
        self._values: dict[str, torch.Tensor] = {}
        self._refusal = ""

    def of(self, value: ir.Value) -> torch.Tensor:
        """What the file has for a captured value of the slice at hand, or for an operand of one.

        Raises:
            LookupError: it has no such value.
            Refused: ONNX Runtime does not compute it, or one before it.
        """
        if self._places.get(value, 0) > self._current:
            self._load(self._places[value])
        if value not in self._readable:
            raise LookupError(f"%{value.name} has no counterpart")
        name = str(self._readable[value].name)
        if name not in self._values and self._refusal:
            raise Refused(self._refusal)
        return self._values[name]

    def _load(self, index: int) -> None:
        members, self._current = self._slices[index], index
        self._values, self._refusal = self._computed(members)
        if not self._refusal:
            return
        computed, refused = 0, len(members)
        while refused - computed > 1:
            middle = (computed + refused) // 2
            values, refusal = self._computed(members[:middle])
            if refusal:
                refused, self._refusal = middle, refusal
            else:
                computed, self._values = middle, values

    def _computed(self, members: Sequence[ir.Value]) -> tuple[dict[str, torch.Tensor], str]:
        """What the file has for ``members`` and their operands, or why ONNX Runtime does not compute that."""
        wanted = [member for value in members for member in (value, *operands(value))]
        produced = [value for value in wanted if value.producer() is not None and value in self._readable]
        names = list(dict.fromkeys(str(self._readable[value].name) for value in produced))
        try:
            return dict(zip(names, self._compute(names), strict=True)), ""
        except Exception as error:
            if not is_refusal(error):
                raise
            return {}, str(error).strip()
