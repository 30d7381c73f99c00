"""From a call's arguments to the tensors for the file's inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters
from torch.utils import _pytree as pytree

from onnx_export._complex import as_pairs
from onnx_export._state import read_state
from onnx_export._structure import leaves_like
from onnx_ir_capture.dialect import ScalarType
from onnx_ir_capture.fx import InputSize, known_caches, size_faults
from onnx_ir_capture.program import CapturedProgram, InputSpec

__all__ = ["feeds_of", "leaves_of", "tensor_faults"]

_COMPLEX = (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128)
_SCALARS = {"int": torch.int64, "float": torch.float64, "bool": torch.bool}
_NUMBERS: Mapping[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,)}


def feeds_of(
    program: CapturedProgram,
    model: ir.Model,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    *,
    beyond_limits: bool = False,
) -> dict[str, torch.Tensor]:
    """The graph inputs' tensors, by their names in the file, for a call of the PyTorch model.

    Args:
        program: what was captured.
        model: the exported model.
        args: arguments by position.
        kwargs: arguments by name.
        beyond_limits: take sizes, too, for which the exported model does not hold.

    Raises:
        TypeError: the arguments do not have the structure of the example inputs.
        ValueError: a tensor has another dtype or shape than the file's input, or one that the model does not
            hold for, or a value that the export fixed is given differently; every such argument is listed.
    """
    inputs = iter(model.graph.inputs)
    feeds: dict[str, torch.Tensor] = {}
    faults: list[str] = []
    sizes: dict[str, tuple[int, str]] = {}
    given: list[InputSize] = []
    for spec, leaf in zip(program.inputs, leaves_of(program, args, kwargs), strict=True):
        if spec.value is None:
            faults += _fixed_faults(spec, leaf)
            continue
        value = next(inputs)
        name = str(value.name)
        feeds[name] = tensor = _tensor(name, spec.value, leaf)
        found = [f"{name} {fault}" for fault in tensor_faults(value, tensor, sizes)]
        given += [] if found or beyond_limits else _sizes(name, spec.value, tensor)
        faults += found
    faults += size_faults(program, given)
    for variable in read_state(model):
        if variable.initial is not None:
            feeds[variable.input] = as_pairs(variable.initial)
    if faults:
        raise ValueError(f"the exported model does not take these inputs: {'; '.join(faults)}")
    return feeds


def _sizes(name: str, captured: ir.Value, tensor: torch.Tensor) -> list[InputSize]:
    """The sizes of the dimensions that vary, in the names of the captured program."""
    # The file has real and imaginary parts in one dimension more.
    pairs = zip(captured.shape or (), tensor.shape, strict=False)
    return [
        InputSize(name, axis, size, dim)
        for axis, (dim, size) in enumerate(pairs)
        if isinstance(dim, ir.SymbolicDim) and dim.value is not None
    ]


def _tensor(name: str, captured: ir.Value, leaf: object) -> torch.Tensor:
    if isinstance(leaf, torch.Tensor):
        return as_pairs(leaf.detach()) if captured.dtype in _COMPLEX else leaf.detach()
    kind = captured.type.kind if isinstance(captured.type, ScalarType) else ""
    if isinstance(leaf, _NUMBERS.get(kind, ())):
        return torch.tensor(leaf, dtype=_SCALARS[kind])
    wanted = f"a number ({kind})" if kind else "a tensor"
    raise TypeError(f"input {name!r} is {wanted} of the exported model, got {type(leaf).__name__}")


def _fixed_faults(spec: InputSpec, leaf: object) -> Iterator[str]:
    """That an argument differs from the one that the graph was made for."""
    plain = (bool, int, float, str)
    if spec.literal is None and leaf is not None:
        yield f"{spec.name} was None in the example, and is a {type(leaf).__name__} now"
    elif isinstance(spec.literal, plain) and spec.literal != leaf:
        given = repr(leaf) if isinstance(leaf, plain) else f"a {type(leaf).__name__}"
        yield f"{spec.name} was fixed to the example's {spec.literal!r}, and is {given} now"


def tensor_faults(value: ir.Value, tensor: torch.Tensor, sizes: dict[str, tuple[int, str]]) -> Iterator[str]:
    """What keeps ``tensor`` from being fed to ``value``; ``sizes`` has what the dimensions were so far."""
    wanted = None if value.dtype is None else tensor_adapters.to_torch_dtype(value.dtype)
    if tensor.dtype != wanted:
        yield f"has dtype {tensor.dtype} instead of {wanted}"
    if value.shape is None:
        return
    if len(value.shape) != tensor.dim():
        yield f"has {tensor.dim()} dimensions instead of {len(value.shape)} ({value.shape})"
        return
    for axis, (dim, size) in enumerate(zip(value.shape, tensor.shape, strict=True)):
        if isinstance(dim, int):
            if dim != size:
                yield f"has size {size} instead of {dim} in dimension {axis}"
            continue
        known, place = sizes.setdefault(str(dim.value), (size, f"dimension {axis} of {value.name}"))
        if dim.value is not None and known != size:
            yield f"has size {size} in dimension {axis}, but {dim.value} is {known} in {place}"


@known_caches()
def leaves_of(program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
    """The flattened arguments of a call, in the order of the example's.

    Raises:
        TypeError: the arguments do not have the structure of the example inputs.
    """
    tree = program.input_tree
    if not isinstance(tree, pytree.TreeSpec):
        return pytree.tree_leaves((tuple(args), dict(kwargs)))
    keywords = _keyword_names(tree)
    if keywords is None:
        return list(leaves_like(tree, (tuple(args), dict(kwargs)), "the structure of the arguments"))
    args, kwargs = _arranged(program, tree, keywords, args, kwargs)
    named = [*zip(_positional_names(program, len(args)), args, strict=True), *kwargs.items()]
    children = [*tree.child(0).children(), *tree.child(1).children()]
    return [
        leaf
        for child, (name, value) in zip(children, named, strict=True)
        for leaf in leaves_like(child, value, name)
    ]


def _arranged(
    program: CapturedProgram,
    tree: pytree.TreeSpec,
    keywords: Sequence[str],
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> tuple[list[object], dict[str, object]]:
    """The arguments as the example had them, by position or by name and in its order.

    What was given by position may be given by the name that the model's forward has for it, and what the
    example fixed, such as None, may be left out.
    """
    count = tree.child(0).num_children
    names = _positional_names(program, count)
    slots = [*names, *keywords]
    found = dict(zip(range(count), args, strict=False))
    found.update((index, kwargs[name]) for index, name in enumerate(slots) if name in kwargs)
    fixed = _fixed_arguments(program, tree)
    missing = [name for index, name in enumerate(slots) if index not in found and index not in fixed]
    twice = [name for name in names[: len(args)] if name in kwargs]
    unknown = [name for name in kwargs if name not in slots]
    if missing or twice or unknown or len(args) > count:
        parts = (("missing", missing), ("given twice", twice), ("unknown", unknown))
        faults = [f"{what}: {', '.join(some)}" for what, some in parts if some]
        if len(args) > count:
            faults.append(f"{len(args)} arguments by position instead of {count}")
        wanted = ", ".join([*names, *(f"{name}=" for name in keywords)]) or "no arguments"
        raise TypeError(f"the model was exported with ({wanted}); {'; '.join(faults)}")
    values = [found.get(index, fixed.get(index)) for index in range(len(slots))]
    return values[:count], dict(zip(keywords, values[count:], strict=True))


def _positional_names(program: CapturedProgram, count: int) -> list[str]:
    origin = program.origin
    signature = (
        origin.module_call_graph[0].signature if isinstance(origin, torch.export.ExportedProgram) else None
    )
    names = list(signature.forward_arg_names or ()) if signature is not None else []
    return names[:count] if len(names) >= count else [f"argument {index}" for index in range(count)]


def _fixed_arguments(program: CapturedProgram, tree: pytree.TreeSpec) -> dict[int, object]:
    """Value of each argument that is no input of the graph, by its number."""
    children = [child for side in (tree.child(0), tree.child(1)) for child in side.children()]
    fixed: dict[int, object] = {}
    leaf = 0
    for index, child in enumerate(children):
        if child.is_leaf() and program.inputs[leaf].value is None:
            fixed[index] = program.inputs[leaf].literal
        leaf += child.num_leaves
    return fixed


def _keyword_names(tree: pytree.TreeSpec) -> list[str] | None:
    """The keyword arguments of the example, in its order, in which their leaves are flattened."""
    if tree.num_children != 2:
        return None
    context = tree.child(1).context
    return [str(name) for name in context] if isinstance(context, list) else None
