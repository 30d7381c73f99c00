"""Imports every module of one installed package.

``import_all.py DISTRIBUTION VERSION [MODULE TO LEAVE OUT]...``, run by ``tools/check_wheels.py`` with the
Python of an environment that holds the wheel; hence it needs nothing but the standard library.
"""

import importlib
import importlib.metadata
import pkgutil
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType


def modules(package: ModuleType, left_out: Collection[str]) -> Iterator[ModuleType]:
    """Imports the modules below ``package``, packages before what is in them.

    ``__main__`` modules are left out, since importing one runs its command.
    """
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name in left_out or found.name.endswith(".__main__"):
            continue
        module = importlib.import_module(found.name)
        yield module
        if found.ispkg:
            yield from modules(module, left_out)


def main(distribution: str, version: str, *left_out: str) -> int:
    """Imports the package and all below it; 1 where it is not the installed one at ``version``."""
    package = importlib.import_module(distribution.replace("-", "_"))
    place = Path(str(package.__file__))
    if not place.is_relative_to(sys.prefix):
        print(f"{distribution} comes from {place}, outside of {sys.prefix}")
        return 1
    versions = {package.__version__, importlib.metadata.version(distribution)}
    if versions != {version}:
        print(f"{distribution} should be {version}, and says {versions}")
        return 1
    print(distribution, version, "imports:", 1 + sum(1 for _ in modules(package, left_out)), "modules")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
