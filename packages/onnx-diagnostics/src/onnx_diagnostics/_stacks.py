"""Call stacks: how a program came to the place of a finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType

from onnx_diagnostics._locations import Location

__all__ = ["Stack"]


@dataclass(frozen=True)
class Stack:
    """The calls that led to a place, innermost first (SARIF 2.1.0, section 3.44).

    Attributes:
        frames: the lines that were being executed.
        message: what the stack has to do with the finding.

    Raises:
        ValueError: there is no frame.
    """

    frames: tuple[Location, ...]
    message: str | None = None

    def __post_init__(self) -> None:
        if not self.frames:
            raise ValueError("a stack needs a frame")

    @classmethod
    def of_exception(cls, error: BaseException, message: str | None = None) -> Stack:
        """Return the calls through which an exception went.

        Args:
            error: an exception that was raised.
            message: what the stack has to do with the finding.

        Raises:
            ValueError: the exception was never raised.
        """
        frames = [_location(traceback.tb_frame, traceback.tb_lineno) for traceback in _links(error)]
        return cls(tuple(reversed(frames)), message)

    @classmethod
    def of_frame(cls, frame: FrameType, message: str | None = None) -> Stack:
        """Return the calls that led to a frame of the interpreter, such as `inspect.currentframe()`.

        Args:
            frame: the innermost call.
            message: what the stack has to do with the finding.
        """
        return cls(tuple(_location(call, call.f_lineno) for call in _callers(frame)), message)


def _links(error: BaseException) -> Iterator[TracebackType]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _callers(frame: FrameType) -> Iterator[FrameType]:
    call: FrameType | None = frame
    while call is not None:
        yield call
        call = call.f_back


def _location(frame: FrameType, line: int) -> Location:
    code = frame.f_code
    return Location.at(code.co_filename or "<unknown>", max(line or 1, 1), function=code.co_name)
