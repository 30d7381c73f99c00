"""Sizes for which a file holds: what is said of them at export, at verification and in a call."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import pytest
import torch
from torch.export import Dim

import onnx_export
from onnx_diagnostics import CaptureError, VerificationError
from onnx_export.rules import REPORT_ADVICE, VERIFICATION_MISMATCH
from onnx_ir_capture.rules import DIMENSION_FIXED

Tensor = torch.Tensor


class Squeezing(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.squeeze(0) * 2


def test_a_squeezed_dimension_that_is_one_in_the_example_is_refused_by_every_route() -> None:
    with pytest.raises(CaptureError) as caught:
        onnx_export.export(Squeezing(), (torch.randn(1, 3),), dynamic_shapes={"x": {0: "b"}})
    assert caught.value.diagnostics[0].rule == DIMENSION_FIXED
    assert "it keeps the dimension 'b'" in caught.value.diagnostics[1].message


class Calling(torch.nn.Module):
    """A function as a model."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *tensors: Tensor) -> object:
        return self.function(*tensors)


def exported(
    function: Callable[..., object], sizes: Sequence[tuple[int, ...]], *shapes: object, verify: bool = False
) -> onnx_export.ONNXProgram:
    args = tuple(torch.randn(size) for size in sizes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return onnx_export.export(
            Calling(function).eval(), args, dynamic_shapes=[shapes], verbose=False, verify=verify
        )


def twice(x: Tensor) -> Tensor:
    return x * 2


def both_twice(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * 2, y * 2


def few(x: Tensor) -> Tensor:
    return x * 2 if x.shape[0] <= 3 else x


def in_fours(x: Tensor) -> Tensor:
    if x.shape[1] % 4 != 0:
        x = x + 100
    return x * 2


B = Dim("b")
Sizes = Sequence[tuple[int, int]]


@pytest.mark.parametrize(
    ("function", "example", "shapes", "right", "wrong", "fault"),
    [
        (few, [(2, 3)], [{0: "b"}], [(1, 3)], [(5, 3)], "size 5 in dimension 0, .* only for b <= 3"),
        (in_fours, [(2, 8)], [{1: "s"}], [(2, 4)], [(2, 7)], r"size 7 in .* only for Mod\(s, 4\) == 0"),
        (twice, [(2, 3)], [{0: Dim("b", max=4)}], [(1, 3)], [(5, 3)], "only for b <= 4"),
        (twice, [(2, 3)], [{0: Dim("b", min=2)}], [(2, 3)], [(1, 3)], "only for b >= 2"),
        (twice, [(2, 3)], [{0: Dim.DYNAMIC(max=4)}], [(1, 3)], [(5, 3)], "only for .* <= 4"),
        (twice, [(4, 3)], [{0: 2 * B}], [(2, 3)], [(5, 3)], r"which is 2\*b for no b"),
        (twice, [(4, 3)], [{0: 2 * Dim("b", max=4)}], [(8, 3)], [(10, 3)], r"only for 2\*b <= 8"),
        (both_twice, [(2, 3), (4, 3)], [{0: B}, {0: 2 * B}], [(3, 3), (6, 3)], [(3, 3), (8, 3)], "is 6 as"),
    ],
)
def test_a_call_is_refused_beyond_the_sizes_that_the_file_holds_for(
    function: Callable[..., object],
    example: Sizes,
    shapes: Sequence[object],
    right: Sizes,
    wrong: Sizes,
    fault: str,
) -> None:
    program = exported(function, example, *shapes)
    inputs = [torch.randn(size) for size in right]
    expected = function(*inputs)
    for got, want in zip(
        program(*inputs), expected if isinstance(expected, tuple) else [expected], strict=True
    ):
        torch.testing.assert_close(got, want)
    with pytest.raises(ValueError, match=fault):
        program(*[torch.randn(size) for size in wrong])


def test_a_limit_that_only_torch_assumes_is_none() -> None:
    program = exported(lambda x: x.transpose(0, 1).reshape(-1, 2), [(4, 2)], {0: "b"})
    assert program(torch.ones(1, 2))[0].shape == (1, 2)


def test_limits_of_an_exported_program() -> None:
    saved = torch.export.export(
        Calling(twice), (torch.randn(2, 3),), dynamic_shapes={"tensors": ({0: Dim("b", max=4)},)}
    )
    program = onnx_export.export(saved, verbose=False)
    assert program(torch.ones(1, 3))[0].shape == (1, 3)
    with pytest.raises(ValueError, match="<= 4"):
        program(torch.ones(5, 3))


def single(x: Tensor) -> Tensor:
    return x * 2 if x.shape[0] < 2 else x


def rooted(x: Tensor) -> Tensor:
    return x * int(x.shape[1] ** 0.5)


@pytest.mark.parametrize(
    ("function", "shapes", "told"),
    [
        (in_fours, {1: "s"}, "Mod(s, 4) == 0, as CAP010 tells of"),
        (single, {0: "b"}, "b >= 2, as CAP010 tells of"),
        (rooted, {1: "s"}, "as CAP013 tells of"),
        (lambda x: x * 2 if x.shape[1] > 11 else x, {1: "s"}, "s <= 11, as CAP010 tells of"),
    ],
)
def test_verification_tries_the_sizes_that_the_capture_leaves_out(
    function: Callable[..., object], shapes: object, told: str
) -> None:
    with pytest.raises(VerificationError) as caught:
        exported(function, [(2, 8)], shapes, verify=True)
    assert {found.rule for found in caught.value.diagnostics} == {VERIFICATION_MISMATCH}
    assert all(told in found.advice for found in caught.value.diagnostics)
    assert not any(REPORT_ADVICE in found.advice for found in caught.value.diagnostics)


def raising(x: Tensor) -> Tensor:
    if x.shape[0] < 2:
        raise ValueError("too few")
    return x.transpose(0, 1).reshape(-1, 2)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (single, {0: Dim("b", min=2)}),
        (raising, {0: "b"}),
        (lambda x: x[:, : x.shape[1] // 4 * 4].reshape(x.shape[0], -1, 4).mean(-1), {0: "b", 1: "s"}),
    ],
)
def test_verification_of_limits_that_the_user_asked_for_or_the_model_has(
    function: Callable[..., object], shapes: object
) -> None:
    program = exported(function, [(2, 8)], shapes, verify=True)
    assert not program.diagnostic_context.has_errors
