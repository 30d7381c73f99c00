"""``InputObserver``: examples and dynamic dimensions from the calls of a model."""

from __future__ import annotations

import inspect

import pytest
import torch

import onnx_export

DYNAMIC = torch.export.Dim.DYNAMIC


class Net(torch.nn.Module):
    """Takes its inputs in every manner."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 5)

    def forward(
        self, x: torch.Tensor, cache: list[torch.Tensor] | None = None, double: bool = False
    ) -> dict[str, torch.Tensor]:
        y = self.fc(x)
        if cache is not None:
            y = torch.cat([cache[0], y], 1)
        return {"y": y * 2 if double else y, "cache": y[:, -1:]}


def observed(*lengths: tuple[int, int | None]) -> tuple[onnx_export.InputObserver, Net]:
    """Calls with ``(length of x, length of the cache)``, the batch being 2."""
    model, observer = Net().eval(), onnx_export.InputObserver()
    with observer(model, store_n_calls=10):
        for length, cached in lengths:
            cache = None if cached is None else [torch.randn(2, cached, 5)]
            model(torch.randn(2, length, 3), cache=cache, double=True)
    return observer, model


def test_calls_are_recorded_until_there_are_enough() -> None:
    model, observer = torch.nn.Linear(3, 2), onnx_export.InputObserver()
    before = inspect.signature(model.forward)
    with observer(model, store_n_calls=2) as same:
        assert same is observer
        assert inspect.signature(model.forward) == before
        for _ in range(3):
            assert model(torch.ones(1, 3)).shape == (1, 2)
    assert observer.num_obs() == 2
    assert "forward" not in vars(model)
    model(torch.ones(1, 3))
    assert observer.num_obs() == 2
    with observer(model, store_n_calls=1):
        model(torch.ones(1, 3))
    assert observer.num_obs() == 3


def test_the_method_is_put_back_after_an_error() -> None:
    model, observer = torch.nn.Linear(3, 2), onnx_export.InputObserver()
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"), observer(model):
        model(torch.ones(1, 5))
    assert "forward" not in vars(model)
    assert observer.num_obs() == 0
    with pytest.raises(RuntimeError, match="no call was recorded"):
        observer.infer_arguments()
    with (
        pytest.raises(ValueError, match="Linear has no method 'generate'"),
        observer(model, method_name="generate"),
    ):
        pass


def test_inputs_by_position() -> None:
    class Pair(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return x + y

    model, observer = Pair(), onnx_export.InputObserver()
    first = torch.ones(2, 3)
    with observer(model):
        model(first, torch.ones(1, 3))
        first.zero_()  # what is recorded is a copy
        model(torch.ones(7, 3), torch.ones(1, 3))
    args = observer.infer_arguments()
    assert isinstance(args, tuple)
    assert torch.equal(observer.infer_arguments(flat=True)[0], torch.ones(2, 3))
    assert observer.infer_dynamic_shapes() == ({0: DYNAMIC}, {})
    assert observer.infer_dynamic_shapes({"y"}) == ({0: DYNAMIC}, {0: DYNAMIC})
    assert observer.infer_dynamic_shapes({1}) == observer.infer_dynamic_shapes(True)
    with pytest.raises(ValueError, match=r"no inputs 5, 'z' were observed; those that were: x, y"):
        observer.infer_dynamic_shapes([5, "z"])


def test_a_cache_that_a_call_lacks_is_empty() -> None:
    observer, model = observed((4, None), (1, 4), (1, 5))
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    assert [tuple(leaf.shape) for leaf in observer.infer_arguments(flat=True)] == [(2, 1, 3), (2, 4, 5)]
    assert kwargs["double"] is True
    assert [tuple(leaf.shape) for leaf in observer.infer_arguments(0, flat=True)] == [(2, 4, 3), (2, 0, 5)]
    by_name = observer.infer_arguments()
    assert isinstance(by_name, dict)
    assert list(by_name) == ["x", "cache", "double"]
    shapes = observer.infer_dynamic_shapes(set_batch_dimension_for=True)
    both = {0: DYNAMIC, 1: DYNAMIC}
    assert shapes == {"x": both, "cache": [both], "double": None}
    program = onnx_export.export(
        model, args, kwargs=kwargs, dynamic_shapes=shapes, verbose=False, verify=True
    )
    rows = observer.check_discrepancies(program)
    assert [row["SUCCESS"] for row in rows] == [True] * 3
    assert [(row["n_inputs"], row["n_none"], row["n_empty"]) for row in rows] == [
        (2, 1, 1),
        (2, 0, 0),
        (2, 0, 0),
    ]
    assert [row["index"] for row in rows] == [0, 1, 2]


def test_discrepancies_and_refusals_are_told() -> None:
    observer, model = observed((4, 2), (3, 2))
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    program = onnx_export.export(model, args, kwargs=kwargs, verbose=False)
    torch.nn.init.zeros_(model.fc.weight)
    program.apply_weights(model.state_dict())
    wrong, refused = observer.check_discrepancies(program)
    assert not wrong["SUCCESS"]
    assert float(wrong["abs"]) > 0.1
    assert "has size 3 instead of 4" in str(refused["error"])


def test_given_arguments_are_completed() -> None:
    observer, _ = observed((4, None), (1, 4), (1, 5))
    x = torch.ones(2, 9, 3)
    for given in ((x,), {"x": x}):
        full = observer.infer_arguments(given)
        assert isinstance(full, dict)
        assert full["x"] is x
        assert [tuple(leaf.shape) for leaf in observer.infer_arguments(given, flat=True)[1:]] == [(2, 0, 5)]
    with pytest.raises(IndexError, match="call 3 is not recorded; there are 3"):
        observer.infer_arguments(3)


def test_what_no_two_calls_have_is_said() -> None:
    class Either(torch.nn.Module):
        def forward(
            self, *, image: torch.Tensor | None = None, text: torch.Tensor | None = None
        ) -> torch.Tensor:
            return torch.cat([part for part in (image, text) if part is not None])

    model = Either()
    observer = onnx_export.InputObserver({"image": torch.zeros(0, 3)})
    with observer(model):
        model(image=torch.ones(2, 3), text=torch.ones(4, 3))
        model(text=torch.ones(4, 3))
    shapes = observer.infer_dynamic_shapes()
    assert shapes == {"image": {0: DYNAMIC}, "text": {}}
    assert observer.infer_arguments(1, flat=True)[0].shape == (0, 3)


def test_arguments_of_any_number() -> None:
    class Many(torch.nn.Module):
        def forward(self, x: torch.Tensor, *rest: torch.Tensor, **named: torch.Tensor) -> torch.Tensor:
            return x + sum(rest) + sum(named.values())

    model, observer = Many().eval(), onnx_export.InputObserver()
    with observer(model):
        for size in (2, 5):
            model(torch.ones(size), torch.ones(size), torch.ones(1), a=torch.ones(size))
    shapes = observer.infer_dynamic_shapes()
    assert shapes == {"x": {0: DYNAMIC}, "rest": ({0: DYNAMIC}, {}), "named": {"a": {0: DYNAMIC}}}
    with pytest.raises(ValueError, match=r"\*rest cannot be given by name"):
        observer.infer_arguments()
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    assert (len(args), list(kwargs)) == (3, ["a"])
    assert isinstance(shapes, dict)
    program = onnx_export.export(model, args, kwargs=kwargs, dynamic_shapes=shapes, verbose=False)
    assert [row["SUCCESS"] for row in observer.check_discrepancies(program)] == [True, True]


def test_structures_that_differ_are_refused() -> None:
    model, observer = torch.nn.Identity(), onnx_export.InputObserver()
    with observer(model):
        model([torch.ones(1)])
        model([torch.ones(1), torch.ones(1)])
    with pytest.raises(
        ValueError, match=r"the input 'input' is .*\[\*\]\) in one call, and .* in another one"
    ):
        observer.infer_dynamic_shapes()
    observer = onnx_export.InputObserver()
    with observer(model):
        model(torch.ones(1))
        model(torch.ones(1, 1))
    with pytest.raises(ValueError, match="the input 'input' has 1 and 2 dimensions by turns"):
        observer.infer_dynamic_shapes()
