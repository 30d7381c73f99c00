"""Putting a model and its weights in their place so that no reader ever finds a mixture.

A save writes into a *stage*, a hidden folder beside the destination (a rename is atomic only inside one file
system), and then moves its files out. What a kill leaves after each move, `.onnx` and `.onnx.data` being
called model and data:

| destination before | moves | cut after it |
| --- | --- | --- |
| anything | (writing) | the old files, untouched |
| pair; new one file | new model in place | the new model; the old data beside it, unused |
| no model, or one without data; new pair | new data in place | the old model or none; unused data |
| | new model in place | the new pair |
| pair; new pair | old model onto the stage | no model: loading raises FileNotFoundError |
| | old data onto the stage | the same |
| | new data in place | the same |
| | new model in place | the new pair |

Two models that refer to data of one name can not be exchanged in one step, and data of the same layout under
the other model would load and be wrong; hence the old model goes first. A failure that raises undoes the
moves. After a kill the old pair is still on the stage, and the next save into the folder puts it back
(`clean_up`) unless a model stands there.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["clean_up", "move_in", "open_stage", "refers_to"]

_PREFIX = ".onnx-export-"
_SUFFIX = ".tmp"
_OLD = "old"
_LOCK = "lock"
_SECONDS_TO_LOCK = 60.0
_SECONDS_FOR_OTHERS = 2.0


@contextlib.contextmanager
def open_stage(folder: Path) -> Iterator[Path]:
    """Make a stage, for the duration of a `with`.

    Args:
        folder: folder of the destination.

    Raises:
        OSError: the folder cannot be written to.
    """
    stage = folder / f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}{_SUFFIX}"
    os.mkdir(stage)
    try:
        with open(stage / _LOCK, "wb") as lock:
            _hold(lock.fileno())
            yield stage
    finally:
        _discard(stage)


def clean_up(folder: Path) -> None:
    """Remove the stages that killed processes left in a folder; put back an old pair that is on one.

    A stage whose process lives, here or in another container, is left alone, and so is one that cannot be
    removed.
    """
    for stage in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        # Another user's leftovers, or a race with another process that cleans up, are no reason not to save.
        with contextlib.suppress(OSError):
            if _is_abandoned(stage):
                _discard(stage)


def move_in(stage: Path, model: str, data: str | None) -> None:
    """Move the new files from the stage to their place, in the order that the module describes.

    Args:
        stage: where they stand, under their final names, complete and flushed.
        model: name of the model.
        data: name of the data that the model refers to; None if it holds its weights itself.

    Raises:
        OSError: a move failed; the old files are in their place again.
    """
    folder = stage.parent
    with _alone_in(folder):
        moves = _moves(stage, model, data)
        _move(moves)
        if data is not None:
            shutil.rmtree(stage / _OLD)


def _moves(stage: Path, model: str, data: str | None) -> list[tuple[Path, Path]]:
    folder, old = stage.parent, stage / _OLD
    new_model = (stage / model, folder / model)
    if data is None:
        return [new_model]
    os.mkdir(old)
    moves = [(folder / model, old / model)] if refers_to(folder / model, data) else []
    if os.path.lexists(folder / data):
        moves.append((folder / data, old / data))
    return [*moves, (stage / data, folder / data), new_model]


def refers_to(model: Path, data: str) -> bool:
    """Say whether a model file may refer to data of this name.

    The bytes are searched, not parsed: the model may be large, of a later version, or no model at all.
    """
    if not model.is_file() or model.stat().st_size == 0:
        return False
    with open(model, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(data.encode()) >= 0


def _move(moves: list[tuple[Path, Path]]) -> None:
    begun: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            # Noted first: an interrupt may strike between the move and the note.
            begun.append((source, target))
            os.replace(source, target)
    except BaseException:
        for source, target in reversed(begun):
            if not os.path.lexists(source):
                os.replace(target, source)
        raise


def _discard(stage: Path) -> None:
    _put_back(stage)
    shutil.rmtree(stage)


def _put_back(stage: Path) -> None:
    """Undo the moves of a process that was killed between them; the model goes last, as ever."""
    old = stage / _OLD
    if not old.is_dir():
        return
    names = sorted(os.listdir(old), key=len, reverse=True)  # NAME.data before NAME
    if len(names) == 0 or os.path.lexists(stage.parent / names[-1]):
        return
    for name in names:
        os.replace(old / name, stage.parent / name)


def _is_abandoned(stage: Path) -> bool:
    if not (stage / _LOCK).exists():
        # Made this moment and about to be locked, or killed before it could.
        return time.time() - stage.stat().st_mtime > _SECONDS_TO_LOCK
    if sys.platform == "win32":
        os.unlink(stage / _LOCK)  # raises while the owner has it open
        return True
    with open(stage / _LOCK, "rb") as lock:
        return _hold(lock.fileno())


def _hold(descriptor: int) -> bool:
    """Lock a file until it is closed; False if another process holds it, or the file system has no locks."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other saves from moving files in a folder meanwhile, and flush the folder to the disk afterwards.

    Without it, two processes that export to one path, as the ranks of a distributed job may, could leave the
    model of one with the data of the other. Where a folder cannot be locked, or someone keeps it locked, it
    goes on without.
    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + _SECONDS_FOR_OTHERS
        while not _hold(descriptor) and time.monotonic() < deadline:
            time.sleep(0.01)
        yield
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
