"""One home per public name, read from the sources without importing them.

A module is public when no part of its name starts with an underscore. What it defines without an underscore
is public and stands in its ``__all__``. A package may be the home of what its private modules define.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(ROOT.glob("packages/*/src"))


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    exports: tuple[str, ...] | None
    """``__all__``, or None where it is missing or computed."""
    defined: frozenset[str]
    imported: dict[str, tuple[str, str]]
    """The module and the name there, by the name here, of every ``from ... import ...`` at the top level."""

    @property
    def is_public(self) -> bool:
        return not any(part.startswith("_") for part in self.name.split("."))


def module_name(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Top-level statements, with those inside ``if`` and ``try``."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from statements([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handlers = [inner for handler in statement.handlers for inner in handler.body]
            yield from statements([*statement.body, *handlers, *statement.orelse, *statement.finalbody])


def targets(statement: ast.stmt) -> Iterator[str]:
    """Names that a definition or an assignment binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    assigned = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        assigned = [statement.target]
    for target in assigned:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def literal_all(statement: ast.stmt) -> tuple[str, ...] | None:
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or "__all__" not in targets(statement):
        return None
    if not isinstance(statement.value, (ast.List, ast.Tuple)):
        return None
    values = [
        element.value if isinstance(element, ast.Constant) else None for element in statement.value.elts
    ]
    return tuple(str(value) for value in values)


def read_module(path: Path, source: Path) -> Module:
    name = module_name(path, source)
    top = list(statements(ast.parse(path.read_bytes(), filename=str(path)).body))
    imported = {
        alias.asname or alias.name: (statement.module or "", alias.name)
        for statement in top
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    defined = frozenset(target for statement in top for target in targets(statement))
    exports = next((found for statement in top if (found := literal_all(statement)) is not None), None)
    return Module(name, path, exports, defined, imported)


@cache
def modules() -> dict[str, Module]:
    found = [read_module(path, source) for source in SOURCES for path in sorted(source.rglob("*.py"))]
    return {module.name: module for module in found}


def public_modules() -> list[Module]:
    return [module for module in modules().values() if module.is_public]


def origin(module: Module, name: str) -> tuple[str, str]:
    """Module and name of the definition behind an exported name, through any number of imports."""
    source, original = module.imported.get(name, (module.name, name))
    if source == module.name or source not in modules():
        return source, original
    return origin(modules()[source], original)


@pytest.mark.parametrize("module", public_modules(), ids=lambda module: module.name)
def test_all_lists_exactly_what_is_public_here(module: Module) -> None:
    where = module.path.relative_to(ROOT)
    assert module.exports is not None, (
        f"{where}: give it `__all__ = [...]` with literal names (empty if it offers none), or start the "
        "module's name with an underscore"
    )
    hidden = sorted(name for name in module.defined - set(module.exports) if not name.startswith("_"))
    assert not hidden, f"{where}: add {hidden} to __all__, or start the names with an underscore"
    submodules = {name.removeprefix(f"{module.name}.") for name in modules() if name.startswith(module.name)}
    unknown = sorted(set(module.exports) - module.defined - module.imported.keys() - submodules)
    if "__getattr__" not in module.defined:
        assert not unknown, f"{where}: __all__ lists {unknown}, which the module neither defines nor imports"
    assert len(set(module.exports)) == len(module.exports), f"{where}: __all__ lists a name twice"


def test_every_public_name_has_one_home() -> None:
    homes: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for module in public_modules():
        for name in module.exports or ():
            homes[origin(module, name)].append(f"{module.name}.{name}")
    twice = [
        f"{name} of {source} is exported as {' and '.join(places)}: keep one; drop the others from __all__ "
        "or make the module that defines it private"
        for (source, name), places in homes.items()
        if len(places) > 1
    ]
    assert not twice, "\n".join(twice)


def test_packages_export_nothing_that_is_another_package_s() -> None:
    foreign = [
        f"{module.name}.__all__ lists {name}, which {source} defines: let users import it from there"
        for module in public_modules()
        for name in module.exports or ()
        if (source := origin(module, name)[0]).partition(".")[0] != module.name.partition(".")[0]
    ]
    assert not foreign, "\n".join(foreign)
