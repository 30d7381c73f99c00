"""Lists the operators whose form changed over the opsets that emit writes, and what changed at which version.

    python tools/list_emit_changes.py [--types] [--prose] [--markdown]

A changed *structure* (inputs, outputs, attributes and their defaults) needs a form function in
`onnx_ir_capture.emit`; changed *types* alone are met by casts from the table of accepted types.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence, Set
from typing import TypeAlias

from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit.schemas import AttributeForm, OperatorForm, Parameter


def forms(op_type: str) -> list[OperatorForm]:
    """The operator's forms, oldest first."""
    return [schemas.form(op_type, max(since, schemas.MIN_OPSET)) for since in schemas.versions(op_type)]


def structure_changes(old: OperatorForm, new: OperatorForm) -> list[str]:
    """What a caller must write differently, one phrase each; a parameter's mere renaming is not listed."""
    moved = _moved_attributes(old, new)
    return [
        *(
            f"attribute {name} became the {_describe(after)} input {after.name}"
            for name, after in moved.items()
        ),
        *_parameter_changes("input", old.inputs, new.inputs, {after.name for after in moved.values()}),
        *_parameter_changes("output", old.outputs, new.outputs, set()),
        *_attribute_changes(old, new, moved.keys()),
    ]


def _moved_attributes(old: OperatorForm, new: OperatorForm) -> dict[str, Parameter]:
    """The attributes that became inputs of the same name, but for the case: TopK's k became K."""
    gone = old.attributes.keys() - new.attributes.keys()
    added = {parameter.name.lower(): parameter for parameter in new.inputs[len(old.inputs) :]}
    return {name: added[name.lower()] for name in sorted(gone) if name.lower() in added}


def _parameter_changes(
    kind: str, old: Sequence[Parameter], new: Sequence[Parameter], known: set[str]
) -> Iterator[str]:
    """Compares by name where one's names are among the other's, else by place; `known` are told elsewhere."""
    names, new_names = [p.name for p in old], [p.name for p in new]
    by_name = set(names) <= set(new_names) or set(new_names) <= set(names)
    keys = new_names if by_name else names + [f"new {name}" for name in new_names[len(names) :]]
    matched = {key: (index, parameter) for index, (key, parameter) in enumerate(zip(names, old, strict=True))}
    for index, (key, after) in enumerate(zip(keys, new, strict=False)):
        if key in matched:
            yield from _matched_changes(kind, *matched[key], index, after)
        elif after.name not in known:
            yield f"new {_describe(after)} {kind} {after.name}"
    yield from (f"{kind} {name} is gone" for name in names if name not in keys[: len(new)])


def _matched_changes(
    kind: str, old_index: int, before: Parameter, index: int, after: Parameter
) -> Iterator[str]:
    if old_index != index:
        yield f"{kind} {after.name} moved from place {old_index} to {index}"
    if _describe(before) != _describe(after):
        yield f"{kind} {after.name}: {_describe(before)} became {_describe(after)}"


def _describe(parameter: Parameter) -> str:
    if parameter.option == "single":
        return "required"
    if parameter.option == "optional":
        return "optional"
    mixed = "" if parameter.homogeneous else " of mixed types"
    return f"variadic (at least {parameter.min_arity}){mixed}"


def _attribute_changes(old: OperatorForm, new: OperatorForm, moved: Set[str]) -> Iterator[str]:
    for name in sorted(old.attributes.keys() | new.attributes.keys()):
        before, after = old.attributes.get(name), new.attributes.get(name)
        if after is None:
            if name not in moved:
                yield f"attribute {name} is gone"
        elif before is None:
            yield f"new attribute {name}{_value(after)}"
        elif before != after:
            yield f"attribute {name}:{_value(before)} became{_value(after)}"


def _value(attribute: AttributeForm) -> str:
    if attribute.required:
        return f" ({attribute.type.name}, required)"
    if attribute.default is None:
        return f" ({attribute.type.name}, optional)"
    return f" = {attribute.default!r}"


def type_changes(old: OperatorForm, new: OperatorForm) -> list[str]:
    """The element and container types that inputs and outputs gained or lost, one phrase per parameter."""
    changes = []
    for before, after in zip(old.inputs + old.outputs, new.inputs + new.outputs, strict=False):
        gained, lost = sorted(after.types - before.types), sorted(before.types - after.types)
        if gained or lost:
            signs = [f"+{name}" for name in gained] + [f"-{name}" for name in lost]
            changes.append(f"{after.name}: {' '.join(signs)}")
    return changes


Steps: TypeAlias = list[tuple[int, list[str]]]
"""Since-versions, each with what changed there."""


def steps(op_type: str) -> tuple[Steps, Steps, Steps]:
    """The versions at which the structure changed, at which types did, and at which neither did.

    Of the last the schema's prose must tell what is new: most allow a negative axis since 11.
    """
    pairs = list(itertools.pairwise(forms(op_type)))
    structure = [(new.since, structure_changes(old, new)) for old, new in pairs]
    kinds = [(new.since, type_changes(old, new)) for old, new in pairs]
    told = {since for since, phrases in structure + kinds if phrases}
    silent = [(new.since, ["only the schema's prose"]) for _, new in pairs if new.since not in told]
    return [step for step in structure if step[1]], [step for step in kinds if step[1]], silent


def _print(rows: dict[str, Steps], markdown: bool) -> None:
    if markdown:
        print("| operator | since | change |", "|---|---|---|", sep="\n")
    for op_type, changed in rows.items():
        for since, phrases in changed:
            text = "; ".join(phrases)
            print(f"| {op_type} | {since} | {text} |" if markdown else f"{op_type}-{since}: {text}")


def main(arguments: list[str] | None = None) -> int:
    """Prints the list; the exit status."""
    parser = argparse.ArgumentParser(description="List the ONNX operators whose form changed.")
    parser.add_argument("--types", action="store_true", help="also list those of which only types changed")
    parser.add_argument("--prose", action="store_true", help="also list versions that changed neither")
    parser.add_argument("--markdown", action="store_true", help="print tables")
    options = parser.parse_args(arguments)
    found = {op_type: steps(op_type) for op_type in schemas.names()}
    structural = {op_type: structure for op_type, (structure, _, _) in found.items() if structure}
    typed = {op_type: kinds for op_type, (structure, kinds, _) in found.items() if kinds and not structure}
    prose = {op_type: silent for op_type, (_, _, silent) in found.items() if silent}
    _print(structural, options.markdown)
    if options.types:
        _print(typed, options.markdown)
    if options.prose:
        _print(prose, options.markdown)
    span = f"opset {schemas.MIN_OPSET} to {schemas.NEWEST_OPSET}"
    print(f"{span}: {len(structural)} operators changed structure, {len(typed)} only types")
    print(f"{len(prose)} have a version that changed neither (--prose)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
