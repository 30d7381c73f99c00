"""Exact source lines in what torch.export records."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
import types
from collections.abc import Iterator

import torch
from torch.fx.experimental import _config
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.fx.proxy import TracerBase

__all__ = [
    "EXPORT_FILE",
    "any_size_as_example",
    "exact_source_lines",
    "is_model_file",
    "is_recorded_file",
]

_TORCH_FOLDER = os.path.dirname(torch.__file__) + os.sep
_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
EXPORT_FILE = os.path.join(os.path.dirname(torch.export.__file__), "_trace.py")
"""The file of torch.export._trace, which takes half a second to load."""
_LAYERS = os.path.dirname(torch.nn.__file__) + os.sep
_CALLING = os.path.join(_LAYERS, "modules", "module.py")


def is_model_file(path: str) -> bool:
    """Whether a frame of this file is the model's code, and neither torch's nor the exporter's."""
    return not path.startswith((_TORCH_FOLDER, _OWN_FOLDER, "<string>"))


@contextlib.contextmanager
def any_size_as_example() -> Iterator[None]:
    """Meanwhile torch keeps a dynamic dimension dynamic though it is 0 or 1 in the example."""
    before = _config.backed_size_oblivious
    _config.backed_size_oblivious = True
    try:
        yield
    finally:
        _config.backed_size_oblivious = before


@contextlib.contextmanager
def exact_source_lines() -> Iterator[None]:
    """Meanwhile torch notes every line of the model that leads to a call, and the line behind each guard.

    By itself torch keeps frames of functions called ``forward`` alone, so a helper's lines are lost, and a
    guard's place is often a line of torch.
    """
    with (
        # Torch's own place for another filter.
        _replaced(TracerBase, "_filter_traceback_frames", _model_frames),
        _replaced(ShapeEnv, "_get_user_frame", _model_frame),
    ):
        yield


@contextlib.contextmanager
def _replaced(owner: type, name: str, value: object) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _model_frames(tracer: TracerBase, stack: traceback.StackSummary) -> traceback.StackSummary:
    """The frames below torch.export, outermost first: the model's, and those of torch's own layers."""
    start = next((index for index, frame in enumerate(stack) if frame.filename == EXPORT_FILE), 0)
    frames = [frame for frame in stack[start:] if is_recorded_file(frame.filename)]
    return traceback.StackSummary.from_list(frames)


def is_recorded_file(path: str) -> bool:
    """Whether a frame of this file is the model's code or one of torch's own layers."""
    return is_model_file(path) or (path.startswith(_LAYERS) and path != _CALLING)


def _model_frame(env: ShapeEnv) -> types.FrameType | None:
    """The innermost frame of the model's own code; where all of it is torch's layers, of a layer."""
    innermost = sys._getframe(1)
    layer = None
    frame: types.FrameType | None = innermost
    while frame is not None and frame.f_code.co_filename != EXPORT_FILE:
        if is_model_file(frame.f_code.co_filename):
            return frame
        if layer is None and is_recorded_file(frame.f_code.co_filename):
            layer = frame
        frame = frame.f_back
    return layer or innermost
