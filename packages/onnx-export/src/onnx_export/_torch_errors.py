"""Calls and errors of an export as code written for torch.onnx makes and catches them.

``except torch.onnx.OnnxExporterError`` asks for a class of torch's. It is never imported here: where nobody
has loaded it, nobody can ask for it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from onnx_diagnostics import CaptureError, ConversionError, OnnxExporterError, UnsupportedOperatorError
from onnx_export._removed_arguments import refuse_removed

__all__ = ["used_like_torch"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_PUBLIC = "torch.onnx.errors"
_PRIVATE = "torch.onnx._internal.exporter._errors"

# What torch.onnx raises for the like; each has torch's OnnxExporterError among its bases.
_COUNTERPARTS: Mapping[type[OnnxExporterError], tuple[tuple[str, str], ...]] = {
    UnsupportedOperatorError: ((_PUBLIC, "UnsupportedOperatorError"), (_PRIVATE, "DispatchError")),
    ConversionError: ((_PUBLIC, "SymbolicValueError"), (_PRIVATE, "ConversionError")),
    CaptureError: ((_PRIVATE, "TorchExportError"),),
    OnnxExporterError: ((_PUBLIC, "OnnxExporterError"),),
}

_JOINED: dict[tuple[type[Exception], ...], type[OnnxExporterError]] = {}


def used_like_torch(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let the errors that leave ``function`` be torch.onnx's as well, where torch.onnx is loaded.

    An error stays the object that it is: the name of its class, its findings and its traceback are kept.
    Arguments that torch.onnx.export took once are refused with what to give instead; the signature does not
    have them.
    """

    @functools.wraps(function)
    def catching(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        refuse_removed(kwargs)
        try:
            return function(*args, **kwargs)
        except OnnxExporterError as error:
            _join(error)
            # A bare raise would go on with the class that Python 3.10 noted when it caught the error.
            raise error

    return catching


def _join(error: OnnxExporterError) -> None:
    own = type(error)
    theirs = _counterparts(own)
    if theirs and not issubclass(own, theirs):
        key = (own, *theirs)
        if key not in _JOINED:
            _JOINED[key] = _joined(own, theirs)
        error.__class__ = _JOINED[key]


def _counterparts(own: type[OnnxExporterError]) -> tuple[type[Exception], ...]:
    """Torch's classes for the nearest class of ours, as far as they are loaded."""
    names = next(_COUNTERPARTS[base] for base in own.__mro__ if base in _COUNTERPARTS)
    found = [getattr(sys.modules.get(module), name, None) for module, name in names]
    return tuple(kind for kind in found if isinstance(kind, type) and issubclass(kind, Exception))


def _joined(own: type[OnnxExporterError], theirs: tuple[type[Exception], ...]) -> type[OnnxExporterError]:
    """A class of both kinds that goes by the name of ours."""

    def reduce(error: OnnxExporterError) -> tuple[object, ...]:
        # The class is found under no name; where the copy is made, torch.onnx may not be loaded.
        return _restored, (own, error.args), error.__dict__

    namespace = {
        "__module__": own.__module__,
        "__qualname__": own.__qualname__,
        "__doc__": own.__doc__,
        "__reduce__": reduce,
    }
    return type(own.__name__, (own, *theirs), namespace)


def _restored(own: type[OnnxExporterError], args: tuple[object, ...]) -> OnnxExporterError:
    """A copy of an error before it gets its findings."""
    error = own.__new__(own, *args)
    _join(error)
    return error
