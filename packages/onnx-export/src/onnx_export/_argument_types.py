"""Arguments of wrong types, told by their names before any work."""

from __future__ import annotations

import os
from collections.abc import Mapping

from onnx_diagnostics import DiagnosticContext

__all__ = ["check_types"]

_FORMS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "artifacts_dir": ((str, os.PathLike), "the path of a folder"),
    "custom_opsets": ((Mapping,), "a dict of versions by domain, such as {'mydomain': 1}"),
    "custom_translation_table": ((Mapping,), "a dict of functions by operator"),
    "decompose": ((bool, Mapping), "True, False or a decomposition table of torch"),
    "diagnostics": ((DiagnosticContext,), "a DiagnosticContext of onnx_diagnostics"),
}
"""Argument: the types that it may have beside None, and what to give, in words."""


def check_types(**given: object) -> None:
    """Check arguments of ``export()``, given by their names; None is no argument.

    Raises:
        TypeError: one is of a wrong type; the message names it.
    """
    for argument, value in given.items():
        types, form = _FORMS[argument]
        if value is not None and not isinstance(value, types):
            raise TypeError(f"{argument} must be {form}, not {value!r} of class {type(value).__qualname__}")
