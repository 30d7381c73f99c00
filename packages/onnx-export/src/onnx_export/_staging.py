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
(`clean_up`) unless a model stands there by then.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["Stage", "clean_up", "open_stage", "refers_to", "stage_of", "try_folder"]

_PREFIX = ".onnx-export-"
_SUFFIX = ".tmp"
_SEARCHED_BYTES = 2**20
_SECONDS_TO_LOCK = 60.0
_SECONDS_FOR_OTHERS = 2.0


@dataclass(frozen=True)
class Stage:
    """A hidden folder beside the destination.

    Attributes:
        path: the folder.
    """

    path: Path

    @property
    def folder(self) -> Path:
        """The folder of the destination."""
        return self.path.parent

    @property
    def model(self) -> Path:
        """Where the new model is written. It is the last to leave."""
        return self.path / "model"

    @property
    def data(self) -> Path:
        """Where its data is written."""
        return self.path / "data"

    @property
    def old(self) -> Path:
        """Folder of the old files, which keep their names."""
        return self.path / "old"

    @property
    def lock(self) -> Path:
        """A file that is locked as long as the process that made the stage lives."""
        return self.path / "lock"

    def move_in(self, model: str, data: str | None) -> None:
        """Move the new files to their place, in the order that the module describes.

        Args:
            model: name of the model.
            data: name of the data that the model refers to; None if it holds its weights itself.

        Raises:
            OSError: a move failed; the old files are in their place again.
        """
        with _alone_in(self.folder):
            _move(self._moves(model, data))

    def _moves(self, model: str, data: str | None) -> list[tuple[Path, Path]]:
        moves = []
        if data is not None:
            if refers_to(self.folder / model, data):
                moves.append((self.folder / model, self.old / model))
            if os.path.lexists(self.folder / data):
                moves.append((self.folder / data, self.old / data))
            if moves:
                os.mkdir(self.old)
            moves.append((self.data, self.folder / data))
        return [*moves, (self.model, self.folder / model)]

    def discard(self) -> None:
        """Remove the stage; if the moves ended half-way, put the old files back first."""
        names = sorted(os.listdir(self.old)) if self.old.is_dir() and self.model.exists() else []
        if names and not os.path.lexists(self.folder / names[0]):  # NAME stands before NAME.data
            with _alone_in(self.folder):
                _move([(self.old / name, self.folder / name) for name in reversed(names)])
        # What cannot be removed, such as a file that a program on Windows has open, the next save finds.
        shutil.rmtree(self.path, ignore_errors=True)


def try_folder(folder: Path) -> None:
    """Find out whether a stage can be made in a folder.

    Raises:
        OSError: the folder cannot be written to.
    """
    stage = _new_stage(folder)
    try:
        os.mkdir(stage.path)
    finally:
        stage.discard()


@contextlib.contextmanager
def open_stage(folder: Path) -> Iterator[Stage]:
    """Make a stage, for the duration of a `with`.

    Args:
        folder: folder of the destination.

    Raises:
        OSError: the folder cannot be written to.
    """
    stage = _new_stage(folder)
    try:
        os.mkdir(stage.path)
        with open(stage.lock, "wb") as lock:
            _hold(lock.fileno())
            yield stage
    finally:
        stage.discard()


def clean_up(folder: Path) -> None:
    """Remove the stages that killed processes left in a folder; put back an old pair that is on one.

    A stage whose process lives, here or in another container, is left alone, and so is one that this user may
    not remove.
    """
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        stage = Stage(path)
        # Another user's leftovers, or a race with another process that cleans up, are no reason not to save.
        with contextlib.suppress(OSError):
            if _is_abandoned(stage):
                stage.discard()


def refers_to(model: Path, data: str) -> bool:
    """Say whether a model file may refer to data of this name.

    The bytes are searched, not parsed: the model may be large, of a later version, or no model at all.
    """
    if not model.is_file():
        return False
    name = data.encode()
    tail = b""  # the name may lie across two pieces
    with open(model, "rb") as file:
        while piece := file.read(_SEARCHED_BYTES):
            if name in tail + piece:
                return True
            tail = piece[-len(name) :]
    return False


def stage_of(name: str) -> Path | None:
    """The stage that a path is, or lies on; None for other paths."""
    path = Path(name)
    return next((part for part in (path, *path.parents) if part.name.startswith(_PREFIX)), None)


def _new_stage(folder: Path) -> Stage:
    return Stage(folder / f"{_PREFIX}{os.getpid()}-{os.urandom(4).hex()}{_SUFFIX}")


def _move(moves: list[tuple[Path, Path]]) -> None:
    """Move files, all or none; once the last is in its place, the rest stays, too."""
    begun: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            # Noted first: an interrupt may strike between the move and the note.
            begun.append((source, target))
            os.replace(source, target)
    except BaseException:
        if os.path.lexists(moves[-1][0]):
            _move_back(begun)
        raise


def _move_back(moves: list[tuple[Path, Path]]) -> None:
    for source, target in reversed(moves):
        if not os.path.lexists(source):
            os.replace(target, source)


def _is_abandoned(stage: Stage) -> bool:
    if not stage.lock.exists():
        # Made this moment and about to be locked, or killed before it could be.
        return time.time() - stage.path.stat().st_mtime > _SECONDS_TO_LOCK
    if sys.platform == "win32":
        stage.lock.unlink()  # raises while its process has it open
        return True
    with open(stage.lock, "rb") as lock:
        return _hold(lock.fileno())


def _hold(descriptor: int) -> bool:
    """Lock a file until it is closed; False if another process holds it, or the file system has no locks."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other saves from moving files in a folder meanwhile.

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
    finally:
        os.close(descriptor)
