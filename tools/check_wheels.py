"""Checks the six built wheels as a user meets them: installed one by one, without the source tree.

First ``hatch build -t wheel --all``, then ``hatch run wheels``. Each wheel holds exactly its package's
sources, its licence and ``py.typed``. The five torch-free packages go into one empty environment in layer
order, each with its own dependencies, and every module is imported right after its package came in: what a
package forgot to declare is missing then, unless a lower layer brought it. No torch may have arrived.
onnx-export goes into an environment of its own, where the tests of ``tests/integration`` run on the wheels.
"""

from __future__ import annotations

import argparse
import os
import runpy
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TORCH_FREE = ("onnx-diagnostics", "onnx-ir-capture", "onnx-jitpasses", "onnx-symbolics", "onnx-torchlib")
TOP = "onnx-export"
NEED_TORCH = ("onnx_ir_capture.fx", "onnx_ir_capture.interpreter", "onnx_ir_capture.torchscript")
"""Modules of a torch-free package that its extra ``[torch]`` is for."""

NEEDS_DEMO = "onnx_export.demo"
"""The package that the extra ``[demo]`` of onnx-export is for: model, tokenizer and transformers."""

IMPORT_ALL = str(ROOT / "tools" / "import_all.py")


class CheckFailed(Exception):
    """A wheel is not what it should be; the text says which and what to do."""


def declared_version(package: str) -> str:
    """The version that the sources of ``package`` declare."""
    about = ROOT / "packages" / package / "src" / package.replace("-", "_") / "__about__.py"
    return str(runpy.run_path(str(about))["__version__"])


def find_wheel(dist: Path, package: str) -> Path:
    """The wheel of ``package`` at its declared version.

    Raises:
        CheckFailed: There is none.
    """
    wheel = dist / f"{package.replace('-', '_')}-{declared_version(package)}-py3-none-any.whl"
    if not wheel.is_file():
        raise CheckFailed(f"{wheel} is missing: run `hatch build -t wheel --all` first")
    return wheel


def content_faults(wheel: Path, package: str) -> Iterator[str]:
    """What the wheel's content lacks, or holds beside or unlike the sources."""
    source = ROOT / "packages" / package / "src"
    files = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    wanted = {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    info = f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info/"
    for name in (f"{package.replace('-', '_')}/py.typed", f"{info}licenses/LICENSE"):
        if name not in packed:
            yield f"{wheel.name} lacks {name}"
    for name in sorted(wanted.keys() - packed.keys()):
        yield f"{wheel.name} lacks {name}, which the sources have"
    for name in sorted(packed.keys() - wanted.keys()):
        if not name.startswith(info):
            yield f"{wheel.name} holds {name}, which the sources do not have"
    for name in sorted(wanted.keys() & packed.keys()):
        if wanted[name] != packed[name]:
            yield f"{wheel.name} holds another {name} than the sources: build it again"


def run(command: list[str], directory: Path) -> None:
    """Runs a command in ``directory``, away from the source tree, with its output shown.

    Raises:
        CheckFailed: It exits with anything but 0.
    """
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["ONNX_EXPORT_TEST_WHEELS"] = "1"
    done = subprocess.run(command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise CheckFailed(f"exit code {done.returncode} of: {' '.join(command)}")


def new_environment(directory: Path) -> str:
    """Makes an empty virtual environment; its Python."""
    venv.create(directory, with_pip=True, clear=True)
    return str(directory / ("Scripts" if os.name == "nt" else "bin") / "python")


def install(python: str, directory: Path, *requirements: str) -> None:
    """Installs with pip, siblings only from what is installed already or named."""
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements], directory)


def check_torch_free(dist: Path, directory: Path) -> None:
    """Installs the torch-free wheels one by one and imports all that each brought."""
    python = new_environment(directory / "torch-free")
    for package in TORCH_FREE:
        install(python, directory, str(find_wheel(dist, package)))
        run([python, str(ROOT / "tools" / "no_torch.py")], directory)
        run([python, IMPORT_ALL, package, declared_version(package), *NEED_TORCH], directory)


def check_top(dist: Path, directory: Path) -> None:
    """Installs onnx-export with everything and runs the integration tests against the wheels."""
    python = new_environment(directory / "full")
    siblings = [str(find_wheel(dist, package)) for package in TORCH_FREE]
    integration = ROOT / "tests" / "integration"
    top = f"{TOP}[verify] @ {find_wheel(dist, TOP).resolve().as_uri()}"
    install(python, directory, *siblings, top, "-r", str(integration / "requirements.txt"))
    for package in (*TORCH_FREE, TOP):
        run([python, IMPORT_ALL, package, declared_version(package), NEEDS_DEMO], directory)
    settings = ["-c", str(ROOT / "pytest.ini"), "--rootdir", str(ROOT), "-p", "no:cacheprovider"]
    run([python, "-m", "pytest", *settings, str(integration)], directory)


def main(arguments: list[str]) -> int:
    """Runs every check; 1 at the first that fails, and 0 otherwise."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dist", type=Path, nargs="?", default=ROOT / "dist", help="folder of the wheels")
    dist: Path = parser.parse_args(arguments).dist.resolve()
    try:
        packages = (*TORCH_FREE, TOP)
        faults = [
            fault for package in packages for fault in content_faults(find_wheel(dist, package), package)
        ]
        if faults:
            raise CheckFailed("\n".join(faults))
        with tempfile.TemporaryDirectory(prefix="wheels-") as directory:
            check_torch_free(dist, Path(directory))
            check_top(dist, Path(directory))
    except CheckFailed as failure:
        print(f"wheels: {failure}", file=sys.stderr)
        return 1
    print("wheels: all six are good")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
