"""Branches on sizes of a model's own code, told from what operators check and from what changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch.export import Dim

from onnx_diagnostics import Diagnostic, DiagnosticContext, Level
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import DIMENSION_LIMITED, SIZE_CONDITION

Tensor = torch.Tensor
Model = Callable[[Tensor], Tensor]
X = torch.ones(2, 8)


def warnings_of(
    model: Model, x: Tensor = X, *, shapes: object = ({0: "b", 1: "s"},), strict: bool = False
) -> list[Diagnostic]:
    diagnostics = DiagnosticContext("test", "1")
    capture(model, (x,), dynamic_shapes=shapes, diagnostics=diagnostics, strict=strict)
    return [found for found in diagnostics.diagnostics if found.level is Level.WARNING]


def indivisible(x: Tensor) -> Tensor:
    if x.shape[1] % 4 != 0:
        x = x + 100
    return x * 2


def padded(x: Tensor) -> Tensor:
    pad = (4 - x.shape[1] % 4) % 4
    if pad > 0:
        x = F.pad(x, (0, pad))
    return x * 2


def always_padded(x: Tensor) -> Tensor:
    pad = (7 - x.shape[1] % 7) % 7
    if pad > 0:
        x = F.pad(x, (0, pad))
    return x * 2


def single(x: Tensor) -> Tensor:
    if x.shape[0] < 2:
        return x
    return x * 2


def five(x: Tensor) -> Tensor:
    return x + 1 if x.shape[1] == 5 else x


def chosen(x: Tensor) -> Tensor:
    return x * [1, 2, 3, 4][x.shape[1] % 4]


def after_a_check(x: Tensor) -> Tensor:
    folded = x.t().reshape(4, -1)
    return folded * 2 if x.shape[1] % 2 == 0 else folded


def twice_asked(x: Tensor) -> Tensor:
    if x.shape[1] > 3:
        x = x + 1
    return x + 1 if x.shape[1] > 5 else x


@pytest.mark.parametrize("strict", [False, True], ids=["traced", "strict"])
@pytest.mark.parametrize(
    ("model", "condition", "line"),
    [
        (indivisible, "Mod(s, 4) == 0", 1),
        (padded, "(Mod(4 - (Mod(s, 4)), 4)) <= 0", 2),
        (always_padded, "(Mod(7 - (Mod(s, 7)), 7)) > 0", 2),
        (single, "b >= 2", 1),
        (five, "s != 5", 1),
        (chosen, "Mod(s, 4) == 0", 1),
        (twice_asked, "s >= 6", 3),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_the_model_decides_is_a_warning_at_its_line(
    model: Model, condition: str, line: int, strict: bool
) -> None:
    (found,) = warnings_of(model, strict=strict)
    assert found.rule == DIMENSION_LIMITED
    assert f"only for {condition}, where" in found.message
    assert found.location is not None
    assert (found.location.file, found.location.line) == (__file__, model.__code__.co_firstlineno + line)


def test_what_an_operator_has_asked_before() -> None:
    (found,) = warnings_of(after_a_check)
    assert "Mod(s, 2) == 0" in found.message


def raising(x: Tensor) -> Tensor:
    if x.shape[1] % 4:
        raise ValueError("not divisible")
    return x * 2


def raising_otherwise(x: Tensor) -> Tensor:
    if x.shape[1] % 4 == 0:
        x = x * 2
    else:
        raise ValueError("not divisible")
    return x


def asserting(x: Tensor) -> Tensor:
    assert x.shape[1] % 4 == 0
    return x * 2


def checking(x: Tensor) -> Tensor:
    torch._check(x.shape[1] % 4 == 0)
    return x * 2


def folding(x: Tensor) -> Tensor:
    return x.reshape(2, -1, 4)


def settled(x: Tensor, mask: Tensor | None = None) -> Tensor:
    masked = x.shape[1] > 1 and mask is not None
    return x if masked else x * 2


def settled_at_once(x: Tensor, mask: Tensor | None = None) -> Tensor:
    return x * 2 if x.shape[1] > 1 or mask is None else x


def only_while_running(x: Tensor) -> Tensor:
    if x.shape[1] == 5 and not torch.compiler.is_compiling():
        return x + x
    return x * 2


@pytest.mark.parametrize(
    "model",
    [
        raising,
        raising_otherwise,
        asserting,
        checking,
    ],
)
def test_where_other_sizes_are_refused(model: Model) -> None:
    assert not warnings_of(model)


def test_where_an_operator_refuses_other_sizes() -> None:
    assert not warnings_of(folding, shapes=({1: "s"},))


def test_layers_that_ask_for_nothing_but_strides() -> None:
    layer = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True).eval()
    assert not warnings_of(layer, torch.ones(2, 5, 8))


@pytest.mark.parametrize("model", [settled, settled_at_once, only_while_running])
def test_where_the_answer_changes_nothing(model: Model) -> None:
    assert not warnings_of(model)


def test_limits_that_were_asked_for() -> None:
    assert not warnings_of(single, shapes=({0: Dim("b", min=2), 1: "s"},))
    assert not warnings_of(five, shapes=({1: Dim("s", min=6)},))


def keeping_parts(x: Tensor) -> Tensor:
    count = x.shape[1] // 4
    return x[:, : count * 4].reshape(x.shape[0], count, 4).mean(-1)


def test_what_decides_of_memory_alone_is_no_warning() -> None:
    """The rest after the last whole part is cut off, and reshape asks whether there is one."""
    assert not warnings_of(keeping_parts)


def relating(x: Tensor) -> Tensor:
    return x * 2 if x.shape[1] % x.shape[0] == 0 else x


def test_relation_of_two_sizes() -> None:
    (found,) = warnings_of(relating)
    assert found.rule == SIZE_CONDITION
    assert found.location is not None
    assert found.location.line == relating.__code__.co_firstlineno + 1
