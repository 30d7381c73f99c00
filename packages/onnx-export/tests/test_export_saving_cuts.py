"""A save that is cut short, by an error, Ctrl-C or SIGKILL, at each of its steps and at random moments."""

from __future__ import annotations

import builtins
import contextlib
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnx_ir as ir
import pytest
import torch
from onnx_ir.tensor_adapters import TorchTensor

from onnx_diagnostics import OnnxExporterError
from onnx_export import _staging
from onnx_export._saving import save_model

forks = pytest.mark.skipif(sys.platform == "win32", reason="kills a forked process")


def model_of(number: int, size: int = 500) -> ir.Model:
    """A model of which every part holds its number: one of another number would fit it, and be wrong."""
    x = ir.val("x", ir.DataType.FLOAT, [1])
    node = ir.node("Identity", [x])
    y = node.outputs[0]
    y.name, y.type, y.shape = "y", ir.TensorType(ir.DataType.FLOAT), ir.Shape([1])
    tensors = {
        "small": TorchTensor(torch.tensor(float(number))),
        "large": TorchTensor(torch.full((size,), float(number))),
        "tail": TorchTensor(torch.full((500,), float(number))),
    }
    values = [
        ir.Value(name=name, const_value=t, type=ir.TensorType(t.dtype), shape=t.shape)
        for name, t in tensors.items()
    ]
    graph = ir.Graph([x], [y], nodes=[node], initializers=values, opset_imports={"": 20}, name="g")
    return ir.Model(graph, ir_version=10)


MODELS = {number: model_of(number) for number in range(3)}


def found(path: Path) -> int | None:
    """Number of the model that loads; None if loading finds no model.

    Raises:
        AssertionError: what loads is a mixture.
    """
    try:
        model = onnx.load(path)
    except FileNotFoundError:
        return None
    numbers = {
        int(n) for tensor in model.graph.initializer for n in np.unique(onnx.numpy_helper.to_array(tensor))
    }
    [number] = numbers
    return number


def visible(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stages(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_dir()]


@contextlib.contextmanager
def struck(step: int, strike: Callable[[], None], *, after: bool = False) -> Iterator[list[str]]:
    """Strike before or after one of the calls that change files; yields the names of those made so far."""
    calls: list[str] = []

    def counted(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def counting(*args: object, **kwargs: object) -> object:
            calls.append(name)
            due = len(calls) - 1 == step
            if due and not after:
                strike()
            result = call(*args, **kwargs)
            if due and after:
                strike()
            return result

        return counting

    with pytest.MonkeyPatch.context() as patch:
        for name in ("mkdir", "replace", "chmod", "unlink", "rmdir"):
            patch.setattr(os, name, counted(name, getattr(os, name)))
        patch.setattr(builtins, "open", counted("open", builtins.open))
        yield calls


class Stopped(BaseException):
    """Ctrl-C, told apart from that of the person who runs the tests."""


def fail() -> None:
    raise OSError(5, "Input/output error")


def stop() -> None:
    raise Stopped


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Case:
    """Model 1 is saved over model 0, or where nothing was."""

    path: Path
    before: bool | None
    external_data: bool

    @property
    def old(self) -> int | None:
        return None if self.before is None else 0

    def reset(self) -> dict[str, bytes]:
        """Put the old files there again; returns them."""
        shutil.rmtree(self.path.parent, ignore_errors=True)
        self.path.parent.mkdir()
        if self.before is not None:
            save_model(MODELS[0], self.path, external_data=self.before)
        return visible(self.path.parent)

    def save(self) -> None:
        save_model(MODELS[1], self.path, external_data=self.external_data)

    def steps(self) -> list[str]:
        self.reset()
        with struck(-1, fail) as calls:
            self.save()
        return calls


CASES: dict[str, tuple[bool | None, bool]] = {
    "nothing then pair": (None, True),
    "nothing then one file": (None, False),
    "pair then pair": (True, True),
    "pair then one file": (True, False),
    "one file then pair": (False, True),
    "one file then one file": (False, False),
}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    # A stage without a lock counts as abandoned at once: no other process makes one here.
    monkeypatch.setattr(_staging, "_SECONDS_TO_LOCK", -1.0)
    before, external_data = CASES[request.param]
    return Case(tmp_path / "folder" / "model.onnx", before, external_data)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("strike", [fail, stop])
def test_an_exception_at_any_step(case: Case, strike: Callable[[], None], after: bool) -> None:
    steps = case.steps()
    new_files = visible(case.path.parent)
    assert {"mkdir", "open", "replace"} <= set(steps)
    for step, name in enumerate(steps):
        old_files = case.reset()
        raised = False
        with struck(step, strike, after=after):
            try:
                case.save()
            except (OnnxExporterError, Stopped):
                raised = True
        if raised and found(case.path) == case.old:
            assert visible(case.path.parent) == old_files, steps[: step + 1]
        else:
            assert found(case.path) == 1
            assert visible(case.path.parent).items() >= new_files.items()
        # What cannot be removed is left to the next save.
        assert name in ("unlink", "rmdir") or not stages(case.path.parent), steps[: step + 1]
        save_model(MODELS[2], case.path, external_data=True)
        assert found(case.path) == 2
        assert sorted(os.listdir(case.path.parent)) == ["model.onnx", "model.onnx.data"]


def test_an_error_before_the_last_move_brings_the_old_files_back(case: Case) -> None:
    steps = case.steps()
    last = max(step for step, name in enumerate(steps) if name == "replace")
    for step, name in enumerate(steps[: last + 1]):
        if name in ("unlink", "rmdir"):  # of the folder that the destination was tried with
            continue
        old_files = case.reset()
        with struck(step, fail), pytest.raises(OnnxExporterError):
            case.save()
        assert visible(case.path.parent) == old_files, steps[: step + 1]


def test_moves_that_fail_and_cannot_be_undone(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    for done in range(case.steps().count("replace")):
        case.reset()
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", failing_after(done, os.replace))
            with pytest.raises(OnnxExporterError):
                case.save()
        assert found(case.path) in (case.old, None)
        save_model(MODELS[2], case.path.with_name("other.onnx"))
        assert found(case.path) == case.old
        assert not stages(case.path.parent)


def failing_after(calls: int, call: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    """A call that works so many times, and never again."""
    left = iter(range(calls))

    def limited(source: Path, target: Path) -> None:
        if next(left, None) is None:
            fail()
        call(source, target)

    return limited


def forked(action: Callable[[], None]) -> int:
    """Run an action in a process of its own; returns its id."""
    process = os.fork()
    if process == 0:
        try:
            action()
        finally:
            os._exit(0)
    return process


@forks
def test_a_kill_at_any_step(case: Case) -> None:
    steps = case.steps()
    states = set()
    for step in range(len(steps)):
        case.reset()

        def save(step: int = step) -> None:
            with struck(step, kill):
                case.save()

        _, status = os.waitpid(forked(save), 0)
        assert os.WIFSIGNALED(status), steps[step]
        number = found(case.path)
        states.add(number)
        if number is None and case.old is not None:
            assert case == Case(case.path, before=True, external_data=True), "only then may it be missing"
        save_model(MODELS[2], case.path.with_name("other.onnx"))
        assert found(case.path) == (case.old if number is None else number), steps[: step + 1]
        assert not stages(case.path.parent), steps[: step + 1]
    assert {case.old, 1} <= states


@forks
def test_a_kill_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_staging, "_SECONDS_TO_LOCK", -1.0)
    path = tmp_path / "model.onnx"
    large = [model_of(number, 200_000) for number in range(2)]
    chance = random.Random(0)

    def save_and_save() -> None:
        while True:
            for model in large:
                save_model(model, path)

    save_model(large[0], path)
    for _ in range(40):
        process = forked(save_and_save)
        time.sleep(chance.uniform(0.005, 0.05))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        number = found(path)
        save_model(MODELS[2], tmp_path / "other.onnx")
        assert found(path) in ((0, 1) if number is None else (number,))
        assert not stages(tmp_path)


@forks
def test_many_processes_save_to_one_path(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"

    def save_often(number: int) -> Callable[[], None]:
        return lambda: [save_model(MODELS[number], path) for _ in range(10)].clear()

    processes = [forked(save_often(number)) for number in MODELS]
    assert [os.waitpid(process, 0)[1] for process in processes] == [0, 0, 0]
    assert found(path) in MODELS
    assert not stages(tmp_path)


def wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.001)


@forks
def test_two_processes_do_not_move_files_at_once(tmp_path: Path) -> None:
    entered, left = tmp_path / "entered", tmp_path / "left"

    def move_slowly() -> None:
        with _staging._alone_in(tmp_path):
            entered.touch()
            time.sleep(0.2)
            left.touch()

    process = forked(move_slowly)
    wait_for(entered)
    save_model(MODELS[0], tmp_path / "model.onnx")
    assert left.exists()
    assert os.waitpid(process, 0)[1] == 0


@forks
def test_the_stage_of_a_living_process_is_left_alone(tmp_path: Path) -> None:
    ready = tmp_path / "ready"

    def wait() -> None:
        with _staging.open_stage(tmp_path):
            ready.touch()
            time.sleep(60)

    process = forked(wait)
    wait_for(ready)
    try:
        save_model(MODELS[0], tmp_path / "model.onnx")
        assert len(stages(tmp_path)) == 1
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    save_model(MODELS[0], tmp_path / "model.onnx")
    assert stages(tmp_path) == []
