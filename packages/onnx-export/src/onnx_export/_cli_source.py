"""What the command line exports: a factory's model, or a file."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TypeAlias

import click
import torch

from onnx_export._input_option import example_inputs
from onnx_export._models import Exportable
from onnx_export._pt2 import holds_script

__all__ = ["Loaded", "load_source"]

Loaded: TypeAlias = "tuple[Exportable, Sequence[object], Mapping[str, object] | None]"
"""A model, a function, or the path of a saved one, and its example inputs by position and by name."""


def load_source(source: str, inputs: Sequence[str] = ()) -> Loaded:
    """Call the factory that ``MODULE:FACTORY`` names; a file of a saved program stands for itself.

    Args:
        source: what the command line names.
        inputs: each ``--input``, which an archive of TorchScript needs and nothing else takes.

    Raises:
        click.ClickException: there is no such thing, or it raises, or the inputs are not understood.
    """
    if source.endswith(".pt2"):
        _refuse_inputs(inputs, "a .pt2 has its own example inputs")
        return source, (), None
    if os.path.isfile(source) and not source.endswith(".py"):
        return source, *_archive_inputs(source, inputs)
    if ":" not in source:
        raise click.BadParameter(
            f"{source!r} is no file: give one of torch.export.save or torch.jit.save, or MODULE:FACTORY, "
            "such as my_model.py:build"
        )
    _refuse_inputs(inputs, "FACTORY returns the example inputs")
    return _made(source)


def _archive_inputs(source: str, inputs: Sequence[str]) -> tuple[Sequence[object], Mapping[str, object]]:
    if not inputs and holds_script(source):
        raise click.BadParameter(
            f"{source} has no example inputs: give one for each, such as --input 1x3x224x224:float32",
            param_hint="--input",
        )
    return example_inputs(inputs)


def _refuse_inputs(inputs: Sequence[str], reason: str) -> None:
    if inputs:
        raise click.BadParameter(f"it is for archives of torch.jit.save; {reason}", param_hint="--input")


def _made(source: str) -> Loaded:
    name, _, attribute = source.rpartition(":")
    if not name or not attribute:
        raise click.BadParameter(f"{source!r} lacks a name: give MODULE:FACTORY, such as my_model.py:build")
    module = _import(name)
    factory = getattr(module, attribute, None)
    if not callable(factory):
        raise click.BadParameter(f"{name} has no function {attribute!r}")
    try:
        made = factory()
    except (Exception, SystemExit) as error:
        raise click.ClickException(f"{source} raised {_described(error)}") from error
    wanted = f"{source} must return (model, args) or (model, args, kwargs)"
    if not isinstance(made, tuple):
        raise click.BadParameter(f"{wanted}, not a {type(made).__name__}")
    if len(made) not in (2, 3):
        raise click.BadParameter(f"{wanted}, not a tuple of {len(made)}")
    model, args = made[:2]
    if not _is_model(model):
        kind = (
            f"the class {model.__name__}" if isinstance(model, type) else f"of class {type(model).__name__}"
        )
        raise click.BadParameter(f"{wanted}, and its model is {kind}, neither a module nor a function")
    return model, args, made[2] if len(made) == 3 else None


def _is_model(model: object) -> bool:
    return isinstance(model, torch.export.ExportedProgram) or (
        callable(model) and not isinstance(model, type)
    )


def _described(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _import(name: str) -> ModuleType:
    try:
        return _file(name) if name.endswith(".py") else _module(name)
    except click.ClickException:
        raise
    except (Exception, SystemExit) as error:
        raise click.ClickException(f"importing {name} raised {_described(error)}") from error


def _module(name: str) -> ModuleType:
    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and imports one that is not
        raise click.BadParameter(f"no module named {error.name!r}; a file is given with its .py") from error


def _file(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(os.path.basename(name)[:-3], name)
    if spec is None or spec.loader is None or not os.path.exists(name):
        raise click.BadParameter(f"there is no file {name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
