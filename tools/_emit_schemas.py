"""Reads onnx's operator schemas and ONNX Runtime's kernel list into the tables of `onnx_ir_capture.emit`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import onnx
import onnxruntime
from onnx.defs import OpSchema
from onnx.helper import get_attribute_value
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_opkernel_def

__all__ = [
    "MIN_OPSET",
    "TypeSets",
    "attribute_default",
    "enum_name",
    "kernel_table",
    "operator_versions",
    "schema_table",
    "serves",
    "shortest_float32",
]

MIN_OPSET = 7
"""Lowest opset that `emit` writes; older forms are left out of the tables."""

PROVIDER = "CPUExecutionProvider"
UNBOUNDED = 2**31 - 1
"""ONNX Runtime's end version of a kernel whose schema version is still current."""

_TYPE_STRING = re.compile(r"^(?P<container>optional\(seq\(|optional\(|seq\(|)tensor\((?P<dtype>\w+)\)\)*$")
_CONTAINERS = {"": "tensor", "seq(": "seq", "optional(": "optional", "optional(seq(": "optional_seq"}

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def shortest_float32(value: float) -> float:
    """The shortest decimal that rounds to the same float32: 0.2 for onnx's 0.20000000298."""
    return float(str(np.float32(value)))


class TypeSets:
    """Numbers the distinct sets of type strings in the order of their first use.

    Schemas are fed oldest first, so a newer onnx appends sets and renumbers none.
    """

    def __init__(self) -> None:
        self._ids: dict[tuple[str, ...], str] = {}

    def intern(self, type_strings: Iterable[str]) -> str:
        """The name (`t0`, `t1`, ...) of the set of ONNX type strings such as `seq(tensor(float))`."""
        key = tuple(sorted(type_strings, key=_type_order))
        return self._ids.setdefault(key, f"t{len(self._ids)}")

    def lines(self) -> Iterator[str]:
        """One JSON member per set: `"t0": {"tensor": "float double"}`."""
        for key, name in self._ids.items():
            grouped: dict[str, list[str]] = {}
            for type_string in key:
                container, dtype = _split_type(type_string)
                grouped.setdefault(container, []).append(dtype)
            yield f"{_dump(name)}: {_dump({kind: ' '.join(names) for kind, names in grouped.items()})}"


def _split_type(type_string: str) -> tuple[str, str]:
    match = _TYPE_STRING.match(type_string)
    if match is None:
        raise ValueError(f"type string {type_string!r} is none of tensor, seq, optional and optional(seq)")
    return _CONTAINERS[match["container"]], match["dtype"]


def _type_order(type_string: str) -> tuple[int, int]:
    container, dtype = _split_type(type_string)
    return list(_CONTAINERS.values()).index(container), onnx.TensorProto.DataType.Value(dtype.upper())


def operator_versions() -> dict[str, list[OpSchema]]:
    """Every ai.onnx operator with the schemas that opsets `MIN_OPSET` and newer see, oldest first."""
    history: dict[str, list[OpSchema]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            history.setdefault(schema.name, []).append(schema)
    kept: dict[str, list[OpSchema]] = {}
    for name, schemas in sorted(history.items()):
        schemas.sort(key=lambda schema: schema.since_version)
        base = max((s.since_version for s in schemas if s.since_version <= MIN_OPSET), default=MIN_OPSET)
        visible = [schema for schema in schemas if schema.since_version >= base]
        if any(not schema.deprecated for schema in visible):
            kept[name] = visible
    return kept


def _parameter(formal: OpSchema.FormalParameter) -> str:
    """`X T`, `axes tensor(int64) optional`, `inputs T variadic 1` or `v_initial V heterogeneous 0`."""
    option = enum_name(formal.option).lower()
    if option == "single":
        return f"{formal.name} {formal.type_str}"
    if option == "optional":
        return f"{formal.name} {formal.type_str} {option}"
    kind = option if formal.is_homogeneous else "heterogeneous"
    return f"{formal.name} {formal.type_str} {kind} {formal.min_arity}"


def enum_name(member: OpSchema.AttrType | OpSchema.FormalParameterOption) -> str:
    """`INT` or `Optional`: onnx's type stub leaves out the members' `name`."""
    return str(member).rpartition(".")[2]


def attribute_default(attribute: OpSchema.Attribute) -> Json:
    """The default in JSON's types, None where there is none."""
    if attribute.default_value.type == onnx.AttributeProto.UNDEFINED:
        return None
    return _default(get_attribute_value(attribute.default_value))


def _default(value: object) -> Json:
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        return shortest_float32(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Sequence):
        return [_default(item) for item in value]
    raise ValueError(f"an attribute default of type {type(value).__name__} has no form in the table")


def _form(schema: OpSchema, sets: TypeSets) -> str:
    if schema.deprecated:
        return _dump("deprecated")
    constraints = {c.type_param_str: sets.intern(c.allowed_type_strs) for c in schema.type_constraints}
    attributes = sorted(schema.attributes.items())
    defaults = {name: attribute_default(attribute) for name, attribute in attributes}
    form: dict[str, Json] = {
        "inputs": [_parameter(formal) for formal in schema.inputs],
        "outputs": [_parameter(formal) for formal in schema.outputs],
        "attributes": {n: enum_name(a.type) + " required" * a.required for n, a in attributes},
        "defaults": {name: value for name, value in defaults.items() if value is not None},
        "types": constraints,
        # onnx's type stub lacks both properties.
        "function": any(getattr(schema, f"has_{kind}function") for kind in ("", "context_dependent_")),
    }
    return _dump(form)


def _members(lines: Iterable[str], indent: str) -> str:
    return ",\n".join(indent + line for line in lines)


def schema_table() -> str:
    """The text of `_schemas.json`: one operator version per line."""
    versions = operator_versions()
    sets = TypeSets()
    forms: dict[tuple[str, int], str] = {}
    oldest_first = sorted((s.since_version, name, s) for name, schemas in versions.items() for s in schemas)
    for since, name, schema in oldest_first:
        forms[name, since] = f'"{since}": {_form(schema, sets)}'
    operators = (
        f'"{name}": {{\n{_members((forms[name, s.since_version] for s in schemas), "   ")}\n  }}'
        for name, schemas in versions.items()
    )
    return (
        "{\n"
        f' "newest_opset": {onnx.defs.onnx_opset_version()},\n'
        f' "types": {{\n{_members(sets.lines(), "  ")}\n }},\n'
        f' "operators": {{\n{_members(operators, "  ")}\n }}\n'
        "}\n"
    )


Kernel = tuple[int, int, dict[str, frozenset[str]]]
"""First and last schema version that a kernel serves, and the type strings it takes per constraint."""


def serves(first: int, last: int, since: int) -> bool:
    """Whether ONNX Runtime gives a kernel of versions `first` to `last` to a schema of version `since`.

    A kernel with an open end serves its own version alone: a newer schema may mean something else.
    """
    return first == since or (last != UNBOUNDED and first < since <= last)


def _kernels() -> dict[str, list[Kernel]]:
    seen = {name: [s.since_version for s in schemas] for name, schemas in operator_versions().items()}
    kernels: dict[str, list[Kernel]] = {}
    for definition in get_all_opkernel_def():
        if definition.provider != PROVIDER or definition.domain not in ("", "ai.onnx"):
            continue
        first, last = definition.version_range
        if not any(serves(first, last, since) for since in seen.get(definition.op_name, [])):
            continue
        types = {key: frozenset(value) for key, value in definition.type_constraints.items()}
        kernels.setdefault(definition.op_name, []).append((first, last, types))
    return kernels


def _merged(kernels: Iterable[Kernel]) -> list[Kernel]:
    """Joins kernels of one version range that differ in one constraint only, which loses no combination."""
    result: list[Kernel] = []
    for first, last, types in sorted(kernels, key=_kernel_order):
        for index, (other_first, other_last, other) in enumerate(result):
            differing = [key for key in types.keys() | other.keys() if types.get(key) != other.get(key)]
            joinable = types.keys() == other.keys() and len(differing) <= 1
            if (first, last) == (other_first, other_last) and joinable:
                result[index] = (first, last, {key: types[key] | other[key] for key in types})
                break
        else:
            result.append((first, last, types))
    return result


def _kernel_order(kernel: Kernel) -> tuple[int, int, list[tuple[str, list[str]]]]:
    first, last, types = kernel
    return first, last, [(key, sorted(value)) for key, value in sorted(types.items())]


def kernel_table() -> str:
    """The text of `_ort_kernels.json`: one operator per line, the end version `null` where it is open."""
    sets = TypeSets()
    lines = []
    for name, kernels in sorted(_kernels().items()):
        rows: list[Json] = [
            [first, None if last == UNBOUNDED else last, {k: sets.intern(types[k]) for k in sorted(types)}]
            for first, last, types in _merged(kernels)
        ]
        lines.append(f"{_dump(name)}: {_dump(rows)}")
    return (
        "{\n"
        f' "onnxruntime": {_dump(onnxruntime.__version__)},\n'
        f' "types": {{\n{_members(sets.lines(), "  ")}\n }},\n'
        f' "kernels": {{\n{_members(lines, "  ")}\n }}\n'
        "}\n"
    )
