"""Which nodes may be dropped, merged or moved."""

from __future__ import annotations

import math

import numpy as np
import onnx_ir as ir
import pytest

from onnx_ir_capture.dialect import (
    ConstantValue,
    Device,
    Effect,
    GraphBuilder,
    constant_key,
    effects_of,
    is_pure,
    parse_program,
    same_constant,
)
from onnx_ir_capture.dialect import _effects as tables

NONE = Effect(0)


def effects(line: str) -> Effect:
    params = "%x: f32[2], %p: float, %flag: bool, %m: f32[2], %v: f32[2]"
    model = parse_program(f"torch dialect 1\ngraph main({params}) {{\n{line}\nreturn }}")
    (node,) = [node for node in model.graph if node.op_type not in ("Constant", "ListConstruct")]
    assert is_pure(node) == (effects_of(node) == NONE)
    return effects_of(node)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%y: f32[2] = aten::relu(%x)", NONE),
        ("%y: f32[2] = aten::view(%x, [2]) views(0->0)", NONE),
        ("%y: int = aten::item(%x)", NONE),
        ("%y: f32[2] = mylib::gemm(%x)", NONE),
        ("%y: f32[2] = aten::relu_(%x) mutates(0) views(0->0)", Effect.WRITES),
        ("mylib::fill(%x) mutates(0)", Effect.WRITES | Effect.OTHER),
        ("%y: f32[2] = aten::relu(%x) unmarked", Effect.OTHER),
        ("%y: f32[2] = aten::rand_like(%x)", Effect.RANDOM),
        ("%y: f32[2] = aten::randint.low(0, 3, [2])", Effect.RANDOM),
        ("%y: f32[2] = aten::bernoulli_.float(%x, 0.5) mutates(0)", Effect.WRITES | Effect.RANDOM),
        ("%y: f32[2] = aten::dropout(%x, 0.5, False)", NONE),
        ("%y: f32[2] = aten::dropout(%x, 0.5, True)", Effect.RANDOM),
        ("%y: f32[2] = aten::dropout(%x, 0.5, %flag)", Effect.RANDOM),
        ("%y: f32[2], %z: b8[2] = aten::native_dropout(%x, 0.5, None)", Effect.RANDOM),
        ("%y: f32[2] = aten::scaled_dot_product_attention(%x, %x, %x, None, 0.0, False)", NONE),
        ("%y: f32[2] = aten::scaled_dot_product_attention(%x, %x, %x, None, %p, False)", Effect.RANDOM),
        ("%y: f32[2] = aten::lstm.data(%x, %x, [%x], [%x], True, 1, 0.1, True, False)", Effect.RANDOM),
        ("%y: f32[2] = aten::lstm.input(%x, [%x], [%x], True, 1, 0.1, False, True, True)", NONE),
        ("%y: f32[2] = aten::batch_norm(%x, None, None, %m, %v, True, 0.1, 1e-05, False)", Effect.WRITES),
        ("%y: f32[2] = aten::batch_norm(%x, None, None, %m, %v, False, 0.1, 1e-05, False)", NONE),
        ("%y: f32[2] = aten::batch_norm(%x, None, None, None, None, True, 0.1, 1e-05, False)", NONE),
        ('aten::_assert_scalar(%flag, "message")', Effect.CHECKS),
        ("%y: f32[] = aten::_functional_assert_async(%x)", Effect.CHECKS),
        ("aten::sym_constrain_range_for_size(3, None, None)", Effect.CHECKS),
        ('prim::RaiseException("no")', Effect.CHECKS),
        ('prim::Print("hello")', Effect.OTHER),
        ("prim::SetAttr(%x, %x)", Effect.WRITES),
        ("%y: object = prim::PythonOp(%x)", Effect.OTHER),
        ("%y: f32[2] = prim::Identity(%x)", NONE),
        ("%y: list<f32> = prim::ListConstruct(%x)", NONE),
    ],
)
def test_effects(line: str, expected: Effect) -> None:
    if "ListConstruct" in line:
        model = parse_program(f"torch dialect 1\ngraph main(%x: f32[2]) {{\n{line}\nreturn %y }}")
        assert is_pure(model.graph[0])
        return
    assert effects(line) == expected


def test_a_block_node_has_the_effects_of_its_blocks() -> None:
    def branch(inner: str) -> str:
        return f"prim::If(%flag) {{ {inner} yield }} else {{ %e: f32[2] = aten::neg(%x) yield }}"

    assert effects(branch("%d: f32[2] = aten::neg(%x)")) == NONE
    assert effects(branch("%d: f32[2] = aten::neg_(%x) mutates(0) views(0->0)")) == Effect.WRITES
    deep = branch(branch("%d: f32[2] = aten::rand_like(%x)").replace("%e", "%f"))
    assert effects(deep) == Effect.RANDOM


def test_a_drawing_node_without_uses_may_go() -> None:
    assert not Effect.RANDOM & Effect.LASTING
    for effect in (Effect.WRITES, Effect.CHECKS, Effect.OTHER):
        assert effect & Effect.LASTING


DISTINCT: list[ConstantValue] = [
    1, 1.0, True, 1 + 0j, 0, 0.0, -0.0, False, None, "None", math.nan, "cpu", Device("cpu"), 0j,
    complex(0.0, -0.0),
]  # fmt: skip


def test_constants_are_the_same_only_if_every_operator_takes_them_so() -> None:
    builder = GraphBuilder(ir.Graph([], [], nodes=[]))
    values = [builder.constant(value) for value in DISTINCT]
    assert len(set(values)) == len(DISTINCT)
    other = GraphBuilder(ir.Graph([], [], nodes=[]))
    for position, value in enumerate(DISTINCT):
        again = other.constant(value)
        assert [same_constant(again, one) for one in values].index(True) == position
        assert sum(same_constant(again, one) for one in values) == 1
    assert not same_constant(ir.Value(name="x"), values[0])


def test_a_number_of_numpy_is_the_number() -> None:
    assert constant_key(float(np.float64(0.1))) == constant_key(np.float64(0.1))


def test_the_tables_name_every_operator_that_torch_calls_random() -> None:
    torch = pytest.importorskip("torch")
    tagged: set[str] = set()
    for qualified in torch._C._dispatch_get_all_op_names():
        name, _, overload = qualified.removeprefix("aten::").partition(".")
        packet = getattr(torch.ops.aten, name, None) if qualified.startswith("aten::") else None
        op = getattr(packet, overload or "default", None)
        if op is None or torch.Tag.nondeterministic_seeded not in op.tags:
            continue
        tagged.add(name)
        key = f"{name}.{overload}" if f"{name}.{overload}" in tables._DRAWS_IF else name
        if key in tables._DRAWS_IF:
            flag = op._schema.arguments[tables._DRAWS_IF[key]].name
            assert flag in ("train", "training", "dropout_p"), f"{qualified}: the flag is no {flag}"
    assert tagged == tables._DRAWS | {key.partition(".")[0] for key in tables._DRAWS_IF}


def test_the_norms_that_write_take_their_flag_at_5() -> None:
    torch = pytest.importorskip("torch")
    for name in tables._WRITES_STATISTICS:
        arguments = [argument.name for argument in getattr(torch.ops.aten, name).default._schema.arguments]
        assert arguments[3:5] == ["running_mean", "running_var"], name
        assert arguments[5] in ("training", "use_input_stats"), name
