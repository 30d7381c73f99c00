"""The forms of ai.onnx's operators, opset `MIN_OPSET` to `NEWEST_OPSET`, and ONNX Runtime's kernels for them.

The facts stand in two generated tables beside this module (`tools/generate_emit.py` writes them from
`onnx.defs` and from ONNX Runtime's kernel list), so neither package is needed at run time. Import reads the
schema table; forms are built, and the kernel table is read, on first use and then kept.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import onnx_ir as ir

from onnx_ir_capture.emit import _tables

__all__ = [
    "MIN_OPSET",
    "NEWEST_OPSET",
    "AttributeDefault",
    "AttributeForm",
    "OperatorForm",
    "OperatorNotFoundError",
    "Parameter",
    "ParameterOption",
    "accepted",
    "exists",
    "first_opset",
    "form",
    "names",
    "ort_cpu_accepts",
    "ort_cpu_has_kernel",
    "ort_version",
    "since",
    "versions",
]

MIN_OPSET: Final = 7
"""Lowest opset that can be written; below it elementwise operators broadcast by attributes of their own."""

NEWEST_OPSET: Final[int] = _tables.schema_table()["newest_opset"]
"""Newest opset of ai.onnx that the table knows."""

_RANGE: Final = range(MIN_OPSET, NEWEST_OPSET + 1)

ParameterOption: TypeAlias = Literal["single", "optional", "variadic"]
AttributeDefault: TypeAlias = "int | float | str | tuple[int | float | str, ...]"


class OperatorNotFoundError(LookupError):
    """An operator that ai.onnx does not have, or not at the opset that was asked for."""


@dataclass(frozen=True)
class Parameter:
    """A formal input or output of an operator."""

    name: str
    type_param: str
    """Name of the type constraint (`T`), or one ONNX type (`tensor(int64)`)."""
    types: frozenset[str]
    """Every ONNX type string it takes: `tensor(float)`, `seq(tensor(float))`, `optional(...)`."""
    option: ParameterOption
    min_arity: int
    """Fewest values of a variadic parameter; 0 for an optional one, 1 for a single one."""
    homogeneous: bool
    """Whether all values of a variadic parameter share one type."""

    @property
    def dtypes(self) -> frozenset[ir.DataType]:
        """Element types of the plain tensors it takes; empty where it takes only sequences or optionals."""
        return _tables.tensor_dtypes(self.types)


@dataclass(frozen=True)
class AttributeForm:
    """An attribute of an operator; `default` is None when required, and when unset means absent."""

    name: str
    type: ir.AttributeType
    required: bool
    default: AttributeDefault | None


@dataclass(frozen=True, eq=False)
class OperatorForm:
    """One version of an operator's schema. Two look-ups of one version give the same object."""

    op_type: str
    since: int
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    attributes: Mapping[str, AttributeForm]
    type_constraints: Mapping[str, frozenset[str]]
    has_function: bool
    """Whether the schema carries a function body, which a runtime without a kernel expands."""

    def input(self, index: int) -> Parameter:
        """The parameter that the input at `index` belongs to; a variadic last one takes all that follow.

        Raises:
            IndexError: The operator has no such input.
        """
        if 0 <= index < len(self.inputs):
            return self.inputs[index]
        if index >= 0 and self.inputs and self.inputs[-1].option == "variadic":
            return self.inputs[-1]
        known = ", ".join(parameter.name for parameter in self.inputs) or "none"
        version = f"{self.op_type}-{self.since}"
        raise IndexError(f"ONNX operator {version} has no input {index}; its inputs: {known}")


def names() -> tuple[str, ...]:
    """All ai.onnx operators that exist at some opset of the range, in alphabetical order."""
    return tuple(_tables.schema_table()["operators"])


@functools.cache
def versions(op_type: str) -> tuple[int, ...]:
    """The since-versions of the forms that the opsets of the range see, oldest first.

    The first may be below `MIN_OPSET`: Relu's form at opset 7 is that of 6. A version that only deprecates
    the operator is none of them.

    Raises:
        OperatorNotFoundError: No opset of the range has the operator; the message offers near matches.
    """
    return tuple(version for version, deprecated in _history(op_type) if not deprecated)


@functools.cache
def _history(op_type: str) -> tuple[tuple[int, bool], ...]:
    """All since-versions, oldest first, each with whether it deprecates the operator."""
    raw = _tables.schema_table()["operators"].get(op_type)
    if raw is None:
        near = difflib.get_close_matches(op_type, names(), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise OperatorNotFoundError(f"ai.onnx has no operator {op_type!r} in opset {_span(_RANGE)}{hint}")
    return tuple((int(version), entry == "deprecated") for version, entry in raw.items())


def _span(opsets: range) -> str:
    return f"{opsets[0]}" if len(opsets) == 1 else f"{opsets[0]} to {opsets[-1]}"


def _life(op_type: str) -> tuple[range, ...]:
    """The stretches of opsets with the operator; GroupNormalization was withdrawn at 18, back at 21."""
    history = _history(op_type)
    ends = [*(version for version, _ in history[1:]), NEWEST_OPSET + 1]
    stretches: list[range] = []
    for (version, deprecated), end in zip(history, ends, strict=True):
        if deprecated:
            continue
        if stretches and stretches[-1].stop == version:
            stretches[-1] = range(stretches[-1].start, end)
        else:
            stretches.append(range(max(version, MIN_OPSET), end))
    return tuple(stretches)


def _require_opset(opset: int) -> None:
    if opset not in _RANGE:
        raise ValueError(f"opset {opset} is outside the supported range {_span(_RANGE)}")


def first_opset(op_type: str) -> int:
    """The lowest opset, not below `MIN_OPSET`, that has the operator.

    Raises:
        OperatorNotFoundError: ai.onnx has no such operator.
    """
    return max(versions(op_type)[0], MIN_OPSET)


@functools.cache
def exists(op_type: str, opset: int) -> bool:
    """Whether the operator exists, and is not deprecated, at an opset; False for an unknown name.

    Raises:
        ValueError: The opset is outside the range.
    """
    _require_opset(opset)
    if op_type not in _tables.schema_table()["operators"]:
        return False
    seen = [deprecated for version, deprecated in _history(op_type) if version <= opset]
    return bool(seen) and not seen[-1]


@functools.cache
def since(op_type: str, opset: int) -> int:
    """The since-version of the form that an opset sees.

    Raises:
        OperatorNotFoundError: The operator does not exist there; the message says where it does.
        ValueError: The opset is outside the range.
    """
    known = versions(op_type)
    if not exists(op_type, opset):
        stretches = " and ".join(_span(stretch) for stretch in _life(op_type))
        raise OperatorNotFoundError(
            f"ONNX operator {op_type} does not exist at opset {opset}; it exists in opset {stretches}"
        )
    return max(version for version in known if version <= opset)


def form(op_type: str, opset: int) -> OperatorForm:
    """The form of an operator that an opset sees.

    Raises:
        OperatorNotFoundError: The operator does not exist there; the message says where it does.
        ValueError: The opset is outside the range.
    """
    return _form(op_type, since(op_type, opset))


@functools.cache
def _form(op_type: str, version: int) -> OperatorForm:
    raw = _tables.schema_table()["operators"][op_type][str(version)]
    if raw == "deprecated":
        raise AssertionError(f"{op_type}-{version} is a deprecation; since() must not return it")
    constraints = {name: _tables.schema_types(types) for name, types in raw["types"].items()}
    return OperatorForm(
        op_type,
        version,
        tuple(_parameter(text, constraints) for text in raw["inputs"]),
        tuple(_parameter(text, constraints) for text in raw["outputs"]),
        MappingProxyType(
            {name: _attribute(name, kind, raw["defaults"]) for name, kind in raw["attributes"].items()}
        ),
        MappingProxyType(constraints),
        raw["function"],
    )


def _parameter(text: str, constraints: Mapping[str, frozenset[str]]) -> Parameter:
    name, type_param, *rest = text.split(" ")
    types = constraints.get(type_param, frozenset({type_param}))
    if not rest:
        return Parameter(name, type_param, types, "single", 1, True)
    if rest == ["optional"]:
        return Parameter(name, type_param, types, "optional", 0, True)
    return Parameter(name, type_param, types, "variadic", int(rest[1]), rest[0] == "variadic")


def _attribute(name: str, kind: str, defaults: Mapping[str, _tables.RawDefault]) -> AttributeForm:
    type_name, _, required = kind.partition(" ")
    return AttributeForm(name, ir.AttributeType[type_name], bool(required), _frozen(defaults.get(name)))


def _frozen(default: _tables.RawDefault | None) -> AttributeDefault | None:
    return tuple(default) if isinstance(default, list) else default


def accepted(op_type: str, opset: int, input_index: int) -> frozenset[ir.DataType]:
    """The element types that the schema allows for a tensor at an input.

    Empty where the input takes only sequences or optionals; `form(...).input(i).types` tells those.

    Raises:
        OperatorNotFoundError: The operator does not exist at the opset.
        ValueError: The opset is outside the range.
        IndexError: The operator has no such input.
    """
    return form(op_type, opset).input(input_index).dtypes


def ort_version() -> str:
    """The version of ONNX Runtime whose kernels `ort_cpu_accepts` knows."""
    return _tables.kernel_table()["onnxruntime"]


@functools.cache
def ort_cpu_accepts(op_type: str, opset: int, which: int | str) -> frozenset[ir.DataType] | None:
    """The element types for which ONNX Runtime's CPU provider has a kernel.

    Args:
        op_type: An ai.onnx operator.
        opset: The model's opset.
        which: Index of the input, or name of a type constraint such as `T`.

    Returns:
        The types, each of which at least one kernel takes (a kernel may still tie it to the type of another
        input); None when no kernel serves this form.

        A type that is not among them may run all the same: FLOAT16, where there is a kernel, by casts to
        FLOAT that ONNX Runtime inserts itself; any type by the function body where `form(...).has_function`.

    Raises:
        OperatorNotFoundError: The operator does not exist at the opset.
        ValueError: The opset is outside the range, or the operator has no such type constraint.
        IndexError: The operator has no such input.
    """
    target = form(op_type, opset)
    keys, allowed = _constraint(target, which)
    kernels = _kernels(target)
    if not kernels:
        return None
    result: frozenset[ir.DataType] = frozenset()
    for kernel in kernels:
        named = next((kernel[key] for key in keys if key in kernel), None)
        result |= allowed if named is None else _tables.tensor_dtypes(_tables.kernel_types(named))
    return result & allowed


@functools.cache
def ort_cpu_has_kernel(
    op_type: str,
    opset: int,
    inputs: tuple[ir.DataType | None, ...],
    outputs: tuple[ir.DataType | None, ...] = (),
) -> bool:
    """Whether one kernel of ONNX Runtime's CPU provider takes all element types of a node.

    A kernel for FLOAT takes FLOAT16, too, between casts that ONNX Runtime inserts itself. A node without a
    kernel may still run, by the function body of its operator.

    Args:
        op_type: An ai.onnx operator.
        opset: The model's opset.
        inputs: The element types of the inputs, None for one that is left out, no tensor or not known.
        outputs: Those of the outputs.

    Raises:
        OperatorNotFoundError: The operator does not exist at the opset.
        ValueError: The opset is outside the range.
        IndexError: The operator has no such input or output.
    """
    target = form(op_type, opset)
    if op_type == "Constant":  # an initializer to ONNX Runtime
        return True
    formal = [target.input(index) for index in range(len(inputs))]
    formal += [_member(target.outputs, index) for index in range(len(outputs))]
    dtypes = (*inputs, *outputs)
    return any(all(map(_kernel_takes, formal, dtypes, repeat(kernel))) for kernel in _kernels(target))


def _member(parameters: tuple[Parameter, ...], index: int) -> Parameter:
    is_variadic = bool(parameters) and parameters[-1].option == "variadic"
    return parameters[min(index, len(parameters) - 1) if is_variadic else index]


def _kernel_takes(parameter: Parameter, dtype: ir.DataType | None, kernel: Mapping[str, str]) -> bool:
    named = next((kernel[key] for key in (parameter.name, parameter.type_param) if key in kernel), None)
    if named is None or dtype is None:
        return True
    taken = _tables.tensor_dtypes(_tables.kernel_types(named))
    return dtype in taken or (dtype == ir.DataType.FLOAT16 and ir.DataType.FLOAT in taken)


def _kernels(target: OperatorForm) -> list[dict[str, str]]:
    """The kernels that serve a form, each the types that it takes by constraint."""
    rows = _tables.kernel_table()["kernels"].get(target.op_type, [])
    return [types for first, last, types in rows if _serves(first, last, target.since)]


def _constraint(target: OperatorForm, which: int | str) -> tuple[tuple[str, ...], frozenset[ir.DataType]]:
    """The names by which a kernel may constrain it, the input's own first, and what the schema allows."""
    if isinstance(which, int):
        parameter = target.input(which)
        return (parameter.name, parameter.type_param), parameter.dtypes
    if which not in target.type_constraints:
        known = ", ".join(target.type_constraints) or "none"
        raise ValueError(
            f"ONNX operator {target.op_type}-{target.since} has no type constraint {which!r}; it has: {known}"
        )
    return (which,), _tables.tensor_dtypes(target.type_constraints[which])


def _serves(first: int, last: int | None, version: int) -> bool:
    # ONNX Runtime gives a kernel without an end to its own schema version only: a newer one may differ.
    return first == version or (last is not None and first < version <= last)
