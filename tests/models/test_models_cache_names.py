"""Caches of transformers: their names in the file, their dynamic shapes, and calls that were observed."""

from __future__ import annotations

import pytest
import torch
import transformers
from torch.utils import _pytree as pytree

import onnx_export
from onnx_diagnostics import CaptureError


class Reader(torch.nn.Module):
    """Adds to a cache of two layers, and returns it."""

    def forward(
        self, x: torch.Tensor, cache: transformers.DynamicCache
    ) -> tuple[torch.Tensor, transformers.DynamicCache]:
        for layer in range(2):
            keys, values = cache.update(x, x + layer, layer)
            x = x + (keys * values).mean(-2, keepdim=True)
        return x, cache


class Both(torch.nn.Module):
    """Adds to the decoder's own cache, and reads the one of the encoder's output."""

    def forward(self, x: torch.Tensor, cache: transformers.EncoderDecoderCache) -> torch.Tensor:
        keys, _ = cache.self_attention_cache.update(x, x, 0)
        source = next(iter(cache.cross_attention_cache))[0] if cache.is_updated[0] else None
        return keys.sum(-2) + (0 if source is None else source.sum(-2))


def tensor(length: int, batch: int = 2) -> torch.Tensor:
    return torch.randn(batch, 3, length, 4)


def cache(length: int, batch: int = 2) -> transformers.DynamicCache:
    pairs = [(tensor(length, batch), tensor(length, batch)) for _ in range(2)]
    return transformers.DynamicCache(pairs)


NAMES = ["cache_0_key", "cache_0_value", "cache_1_key", "cache_1_value"]
AXES = {0: "batch", 2: "past"}


@pytest.mark.parametrize(
    "shapes",
    [
        AXES,
        [AXES] * 4,
        [[AXES] * 2] * 2,
        [(AXES, AXES)] * 2,
        [{"key": AXES, "value": AXES}] * 2,
        {"key_cache": [AXES] * 2, "value_cache": [AXES] * 2},
        [["batch", None, "past", None]] * 4,
    ],
    ids=["all", "flat", "columns", "pairs", "names", "torch-names", "per-dimension"],
)
def test_dynamic_shapes_of_a_cache(shapes: object) -> None:
    program = onnx_export.export(
        Reader(),
        (tensor(3), cache(5)),
        dynamic_shapes=({0: "batch", 2: "new"}, shapes),
        verify=True,
        verbose=False,
    )
    inputs = {str(value.name): str(value.shape) for value in program.model.graph.inputs}
    assert inputs == {"x": "[batch,3,new,4]", **dict.fromkeys(NAMES, "[batch,3,past,4]")}


def test_keys_and_values_have_axes_of_their_own() -> None:
    columns = [[{0: "a"}, {0: "b"}], [{0: "c"}, {0: "d"}]]
    pairs = [({0: "a"}, {0: "c"}), ({0: "b"}, {0: "d"})]

    class Flat(torch.nn.Module):
        def forward(self, cache: transformers.DynamicCache) -> list[torch.Tensor]:
            return [part + 1 for layer in cache for part in layer[:2] if part is not None]

    for shapes in (columns, pairs):
        program = onnx_export.export(
            Flat(), (cache(5),), dynamic_shapes={"cache": shapes}, verify=True, verbose=False
        )
        found = [str(value.shape[0]) for value in program.model.graph.inputs if value.shape is not None]
        assert found == ["a", "c", "b", "d"]


@pytest.mark.parametrize("past", [None, "past"])
def test_a_trace_takes_a_cache(past: str | None) -> None:
    axes = None if past is None else {"x": {2: "new"}, **{name: {2: past} for name in NAMES}}
    program = onnx_export.export(
        Reader(), (tensor(3), cache(5)), dynamo=False, dynamic_axes=axes, verify=True, verbose=False
    )
    assert [str(value.name) for value in program.model.graph.inputs] == ["x", *NAMES]
    if past is not None:
        outputs = program(tensor(2), cache(9))
        assert [tuple(output.shape) for output in outputs[1:]] == [(2, 3, 11, 4)] * 4


class Asking(Reader):
    """Asks a tensor for its value on the way."""

    def forward(
        self, x: torch.Tensor, cache: transformers.DynamicCache
    ) -> tuple[torch.Tensor, transformers.DynamicCache]:
        x, cache = super().forward(x, cache)
        return (x + 1 if x.sum() > 0 else x), cache


@pytest.mark.parametrize("shapes", [None, ({2: "new"}, AXES)])
def test_every_route_refuses_a_choice_by_value(shapes: object) -> None:
    with pytest.raises(CaptureError) as caught:
        onnx_export.export(Asking(), (tensor(3), cache(5)), dynamic_shapes=shapes, verbose=False)
    first, *routes = caught.value.diagnostics
    assert first.rule.code == "CAP006"
    assert [finding.rule.code for finding in routes] == ["EXP010"] * 2


def test_nothing_stays_registered_and_the_cache_is_as_before() -> None:
    given = cache(5)
    program = onnx_export.export(Reader(), (tensor(3), given), verify=True, verbose=False)
    assert given.get_seq_length() == 5
    assert transformers.DynamicCache not in pytree.SUPPORTED_NODES
    outputs = program(tensor(3), cache(5))
    assert [tuple(output.shape) for output in outputs[1:]] == [(2, 3, 8, 4)] * 4
    with pytest.raises(TypeError, match="cache has 1 instead of 2 members"):
        program(tensor(3), transformers.DynamicCache([(tensor(5), tensor(5))]))


def test_registrations_of_others_are_kept() -> None:
    from transformers.integrations.executorch import register_dynamic_cache_export_support

    register_dynamic_cache_export_support()
    try:
        program = onnx_export.export(Reader(), (tensor(3), cache(5)), verify=True, verbose=False)
        assert transformers.DynamicCache in pytree.SUPPORTED_NODES
    finally:
        pytree._deregister_pytree_node(transformers.DynamicCache)
    names = [str(value.name) for value in program.model.graph.inputs]
    assert names == [
        "x",
        "cache_key_cache_0",
        "cache_key_cache_1",
        "cache_value_cache_0",
        "cache_value_cache_1",
    ]


def windowed(*lengths: int) -> transformers.DynamicCache:
    config = transformers.MistralConfig(
        num_hidden_layers=2, sliding_window=6, num_key_value_heads=3, head_dim=4
    )
    made = transformers.DynamicCache(config=config)
    for length in lengths:
        for layer in range(2):
            made.update(tensor(length), tensor(length), layer)
    return made


def test_layers_with_a_window() -> None:
    program = onnx_export.export(Reader(), (tensor(4), windowed(4)), verify=True, verbose=False)
    assert [tuple(output.shape) for output in program(tensor(4), windowed(4))[1:]] == [(2, 3, 5, 4)] * 4
    # A full window's count of tokens is no tensor of it, and fixed in the file.
    full = onnx_export.export(Reader(), (tensor(4), windowed(4, 5)), verify=True, verbose=False)
    full(tensor(4), windowed(5, 4))
    with pytest.raises(TypeError, match="cumulative_length=11"):
        full(tensor(4), windowed(5, 6))


def test_static_cache() -> None:
    given = transformers.StaticCache(config=transformers.LlamaConfig(num_hidden_layers=2), max_cache_len=7)
    for layer in range(2):
        given.update(tensor(4), tensor(4), layer)
    program = onnx_export.export(Reader(), (tensor(3), given), verify=True, verbose=False)
    names = [str(value.name) for value in program.model.graph.inputs]
    assert names[1:4] == ["cache_0_key", "cache_0_value", "cache_0_cumulative_length"]


def test_cache_of_encoder_and_decoder() -> None:
    given = transformers.EncoderDecoderCache(cache(5), cache(7))
    program = onnx_export.export(
        Both(),
        (tensor(3), given),
        dynamic_shapes={"x": {0: "batch"}, "cache": [{0: "batch"}, {0: "batch", 2: "source"}]},
        verify=True,
        verbose=False,
    )
    shapes = {str(value.name): str(value.shape) for value in program.model.graph.inputs}
    assert shapes["cache_self_attention_cache_1_value"] == "[batch,3,5,4]"
    assert shapes["cache_cross_attention_cache_0_key"] == "[batch,3,source,4]"


def test_observed_calls_with_a_cache() -> None:
    model = Reader()
    observer = onnx_export.InputObserver()
    with observer(model):
        _, seen = model(tensor(4), transformers.DynamicCache())
        _, seen = model(tensor(2), seen)
        model(tensor(3, batch=5), cache(7, batch=5))
    shapes = observer.infer_dynamic_shapes()
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    program = onnx_export.export(model, args, kwargs=kwargs, dynamic_shapes=shapes, verbose=False)
    assert [str(value.name) for value in program.model.graph.inputs] == ["x", *NAMES]
    rows = observer.check_discrepancies(program)
    assert [row["SUCCESS"] for row in rows] == [True] * 3
    assert [row["n_empty"] for row in rows] == [4, 0, 0]
