"""Arguments of a call in the structure of the example: what may differ, and what is said of the rest."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping

import pytest
import torch

import onnx_export

A, B = torch.randn(2), torch.randn(3)
Given = Mapping[str, torch.Tensor]
Pair = collections.namedtuple("Pair", ["first", "second"])


def both(given: Given) -> torch.Tensor:
    return given["b"] * 2 + given["a"].sum()


def exported(example: Given) -> onnx_export.ONNXProgram:
    shapes = {"given": {"b": {0: "n"}, "a": {0: "k"}}}
    return onnx_export.export(both, (example,), dynamic_shapes=shapes, verbose=False)


@pytest.mark.parametrize("cls", [dict, collections.OrderedDict])
def test_keys_stand_in_any_order(cls: Callable[[object], Given]) -> None:
    program = exported(cls({"b": B, "a": A}))
    other = cls({"a": A, "b": B})
    torch.testing.assert_close(program(other)[0], both(other))


def test_keys_stand_in_any_order_where_a_program_is_verified() -> None:
    program = exported({"b": B, "a": A})
    sizes = [found.sizes for found in onnx_export.verify(program, ({"a": A, "b": B},))]
    assert sizes == [{}, {"n": 1, "k": 3}, {"n": 4, "k": 5}, {"n": 4, "k": 3}]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"a": A}, r"^given lacks 'b'$"),
        ({"a": A, "b": B, "c": B}, r"^given has beside those of the example 'c'$"),
        ([A, B], r"^given is a list instead of a dict$"),
        ({"a": [A], "b": B}, r"^given\['a'\] is a list, and no container in the example$"),
        (A, r"^given is a Tensor instead of a dict$"),
    ],
)
def test_another_structure_is_told_in_words(other: object, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        exported({"b": B, "a": A})(other)


def test_the_members_of_other_containers_are_told_in_words() -> None:
    def total(pair: Pair, rest: list[torch.Tensor]) -> torch.Tensor:
        result: torch.Tensor = pair.first + sum(item.sum() for item in rest)
        return result

    program = onnx_export.export(total, (Pair(A, B), [A, B]), verbose=False)
    with pytest.raises(TypeError, match=r"^rest has 1 instead of 2 members, as the example has$"):
        program(Pair(A, B), [A])
    with pytest.raises(TypeError, match=r"^pair is a tuple instead of a Pair$"):
        program((A, B), [A, B])
