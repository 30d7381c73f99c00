"""Calls that become one node: of a custom domain on request, and those of ``torch.onnx.ops``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import onnx
import onnx_ir as ir
import pytest
import torch
import torch.onnx.ops

import onnx_export
from onnx_diagnostics import ConversionError, UnsupportedOperatorError
from onnx_ir_capture.emit.schemas import NEWEST_OPSET


@torch.library.custom_op("my_domain::sharpen", mutates_args=())
def sharpen(
    x: torch.Tensor, mask: torch.Tensor | None, by: float, sizes: list[int], mode: str
) -> torch.Tensor:
    return x * by


@sharpen.register_fake
def _(x: torch.Tensor, mask: torch.Tensor | None, by: float, sizes: list[int], mode: str) -> torch.Tensor:
    return torch.empty_like(x)


LIBRARY = torch.library.Library("my_domain", "FRAGMENT")  # registered as long as this module
LIBRARY.define("halves.named(Tensor[] parts, *, bool up=False, ScalarType? dtype=None) -> (Tensor, Tensor)")
LIBRARY.impl(
    "halves.named", lambda parts, up=False, dtype=None: (parts[0], parts[1]), "CompositeExplicitAutograd"
)
LIBRARY.define("sized(Tensor x, SymInt size) -> Tensor")
LIBRARY.impl("sized", lambda x, size: x + size, "CompositeExplicitAutograd")


class Model(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> object:
        return self.function(*args)


X = torch.randn(5, 7)


def exported(
    function: Callable[..., object],
    *args: torch.Tensor,
    dynamic: Mapping[int, str] | None = None,
    **options: object,
) -> onnx_export.ONNXProgram:
    shapes = None if dynamic is None else (tuple(dynamic for _ in args),)
    program = onnx_export.export(
        Model(function).eval(),
        args,
        dynamic_shapes=shapes,
        verbose=False,
        **options,  # type: ignore[arg-type]  # passed on
    )
    onnx.checker.check_model(program.model_proto, full_check=True)
    return program


def test_operators_of_a_named_domain_become_its_nodes() -> None:
    program = exported(
        lambda x: sharpen(x, None, 0.5, [2, 3], "soft") + 1,
        X,
        dynamic={0: "n"},
        custom_opsets={"my_domain": 3},
    )
    node = next(iter(program.model.graph))
    assert (node.domain, node.op_type) == ("my_domain", "sharpen")
    assert list(node.inputs) == list(program.model.graph.inputs), (
        "a trailing input that is absent is left out"
    )
    assert {name: attribute.value for name, attribute in node.attributes.items()} == {
        "by": 0.5,
        "sizes": (2, 3),
        "mode": "soft",
    }
    assert program.model.graph.opset_imports["my_domain"] == 3
    assert str(node.outputs[0].shape) == "[n,7]"
    assert node.outputs[0].dtype == ir.DataType.FLOAT
    assert node.metadata_props["pkg.torch.op"] == "my_domain::sharpen"


def test_overloads_lists_and_several_results() -> None:
    def function(x: torch.Tensor) -> object:
        first, second = torch.ops.my_domain.halves.named([x, x + 1], up=True, dtype=torch.float16)
        return first - second

    program = exported(function, X, custom_opsets={"my_domain": 1})
    node = next(node for node in program.model.graph if node.domain)
    assert node.op_type == "halves_named"
    assert (len(node.inputs), len(node.outputs)) == (2, 2)
    assert node.attributes["up"].as_int() == 1
    assert node.attributes["dtype"].as_int() == onnx.TensorProto.FLOAT16


def test_a_size_of_run_time_is_an_input_and_a_constant_one_an_attribute() -> None:
    def function(x: torch.Tensor) -> object:
        return torch.ops.my_domain.sized(x, x.shape[0]), torch.ops.my_domain.sized(x, 3)

    program = exported(function, X, dynamic={0: "n"}, custom_opsets={"my_domain": 1})
    dynamic, static = (node for node in program.model.graph if node.domain)
    assert (len(dynamic.inputs), "size" in dynamic.attributes) == (2, False)
    assert (len(static.inputs), static.attributes["size"].as_int()) == (1, 3)


def test_without_being_named_the_operator_has_no_translation() -> None:
    with pytest.raises(UnsupportedOperatorError, match="my_domain::sharpen") as caught:
        exported(lambda x: sharpen(x, None, 0.5, [2, 3], "soft"), X)
    assert "custom_translation_table={torch.ops.my_domain.sharpen.default: function}" in str(caught.value)
    assert "custom_opsets={'my_domain': 1}" in str(caught.value)


@pytest.mark.parametrize(
    ("versions", "error", "words"),
    [
        ({"my_domain": 0}, ValueError, "must be 1 or more"),
        ({"my_domain": "1"}, TypeError, "{'domain': version}"),
        ({"aten": 1}, ValueError, "no domain of custom operators"),
    ],
)
def test_wrong_versions_are_refused(versions: dict[str, int], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        exported(torch.relu, X, custom_opsets=versions)


def symbolic(x: torch.Tensor) -> torch.Tensor:
    return torch.onnx.ops.symbolic(
        "vendor::Warp",
        (x, None, x),
        {
            "gain": 1.5,
            "axes": [0, 1],
            "mode": "fast",
            "flag": True,
            "names": ["a", "b"],
            "scales": [1.0, 2.0],
        },
        dtype=torch.float16,
        shape=(x.shape[0], 3),
        version=4,
        metadata_props={"owner": "me"},
    )


def test_a_symbolic_call_becomes_the_node_it_stands_for() -> None:
    program = exported(symbolic, X, dynamic={0: "n"})
    (node,) = program.model.graph
    assert (node.domain, node.op_type, len(node.inputs)) == ("vendor", "Warp", 3)
    assert {name: attribute.value for name, attribute in node.attributes.items()} == {
        "gain": 1.5,
        "axes": (0, 1),
        "mode": "fast",
        "flag": 1,
        "names": ("a", "b"),
        "scales": (1.0, 2.0),
    }
    assert node.metadata_props["owner"] == "me"
    assert (node.outputs[0].dtype, str(node.outputs[0].shape)) == (ir.DataType.FLOAT16, "[n,3]")
    assert program.model.graph.opset_imports["vendor"] == 4


def test_a_symbolic_call_of_several_outputs() -> None:
    def function(x: torch.Tensor) -> object:
        values, places = torch.onnx.ops.symbolic_multi_out(
            "TopK",
            (x, torch.tensor([2])),
            {"axis": 1},
            dtypes=(x.dtype, torch.int64),
            shapes=((x.shape[0], 2), (x.shape[0], 2)),
        )
        return values, places

    program = exported(function, X, dynamic={0: "n"})
    node = next(node for node in program.model.graph if node.op_type == "TopK")
    assert node.domain == ""
    assert [output.dtype for output in node.outputs] == [ir.DataType.FLOAT, ir.DataType.INT64]


def test_an_integer_is_written_for_a_float_attribute_of_onnx() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.onnx.ops.symbolic("Elu", (x,), {"alpha": 2}, dtype=x.dtype, shape=x.shape)

    (node,) = exported(function, X).model.graph
    assert node.attributes["alpha"].as_float() == 2.0


@pytest.mark.parametrize(
    ("op_type", "version", "words"),
    [
        ("Nonsense", None, "ai.onnx has no operator Nonsense"),
        ("RMSNormalization", None, "which exists from opset 23"),
        ("Cast", None, "Cast needs the attribute to"),
        ("Add", None, "it gives Add 1 inputs, which takes 2"),
        ("Cast", 6, "in opset 20 that is another one"),
    ],
)
def test_a_symbolic_call_that_the_target_lacks_is_refused(
    op_type: str, version: int | None, words: str
) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.onnx.ops.symbolic(op_type, (x,), dtype=x.dtype, shape=x.shape, version=version)

    with pytest.raises(ConversionError, match=words):
        exported(function, X)


def test_a_symbolic_call_may_name_another_opset_with_the_same_operator() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.onnx.ops.symbolic("Gelu", (x,), dtype=x.dtype, shape=x.shape, version=23)

    assert [node.op_type for node in exported(function, X).model.graph] == ["Gelu"]


def rotary(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    return torch.onnx.ops.rotary_embedding(x, cos, sin)


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    result, *_ = torch.onnx.ops.attention(q, k, v, is_causal=True)
    return result


@pytest.mark.parametrize("opset", [20, 23, NEWEST_OPSET])
def test_onnx_s_own_operators_compute_the_same(opset: int) -> None:
    x, cos = torch.randn(2, 3, 5, 8), torch.randn(2, 5, 4)
    embedded = exported(rotary, x, cos, cos.flip(0), opset_version=opset, verify=True)
    attended = exported(attention, x, x * 2, x + 1, opset_version=opset, verify=True)
    types = [next(iter(program.model.graph)).op_type for program in (embedded, attended)]
    assert (types == ["RotaryEmbedding", "Attention"]) == (opset >= 23)
