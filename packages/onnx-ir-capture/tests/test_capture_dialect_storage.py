"""Saving and loading: what is refused and why, what is on disk, and that nothing half-written stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx_ir as ir
import pytest
from onnx_ir.passes.common import NameFixPass

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    DialectError,
    Frame,
    GraphBuilder,
    OpName,
    ScalarType,
    Source,
    aliases_of,
    constant_key,
    constant_node,
    constant_value,
    get_source,
    load_program,
    parse_program,
    print_program,
    save_program,
    scalar_type,
)

SMALL = "torch dialect 1 graph main(%x: f32[2]) { %y: f32[2] = aten::add.Tensor(%x, 1.0, 1) return %y }"


def test_the_file_is_an_onnx_file_like_any_other(tmp_path: Path) -> None:
    model = parse_program(SMALL)
    model.metadata_props["mine"] = "kept"
    save_program(model, tmp_path / "a.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["a.onnx"]
    proto = onnx.load(tmp_path / "a.onnx")
    onnx.checker.check_model(proto, full_check=True)
    assert {entry.domain: entry.version for entry in proto.opset_import} == {"aten": 1, "prim": 1}
    metadata = {entry.key: entry.value for entry in proto.metadata_props}
    assert metadata == {"torch.dialect_version": "1", "mine": "kept"}
    (add,) = [node for node in proto.graph.node if node.domain == "aten"]
    assert (add.op_type, add.overload) == ("add", "Tensor")
    # The model that was saved says nothing of the file.
    assert set(model.metadata_props) == {"mine"}


@pytest.mark.parametrize(
    "value", [1e-5, -0.0, 2**63 - 1, -(2**63), True, 1, 1.0, None, "é", complex(-0.0, 1e-300), 0.1 + 0.2]
)
def test_a_constant_survives_to_the_last_bit(tmp_path: Path, value: ConstantValue) -> None:
    graph = ir.Graph([], [], nodes=[constant_node(value, "k")], name="main")
    save_program(ir.Model(graph, ir_version=10), tmp_path / "a.onnx")
    (node,) = load_program(tmp_path / "a.onnx").graph
    assert "value" not in node.meta
    assert constant_key(constant_value(node.outputs[0])) == constant_key(value)


def test_a_source_survives_whole(tmp_path: Path) -> None:
    model = parse_program(SMALL)
    source = Source((Frame("a.py", 1, "forward"), Frame("b.py", 2)), "layer.0", "torch.nn.Linear", "add_3")
    call = next(node for node in model.graph if node.op_type == "add")
    call.meta["torch.source"] = source
    save_program(model, tmp_path / "a.onnx")
    assert not call.metadata_props
    loaded = next(node for node in load_program(tmp_path / "a.onnx").graph if node.op_type == "add")
    assert get_source(loaded) == source
    assert get_source(loaded) is get_source(loaded)


def test_aliases_and_scalar_types_survive(tmp_path: Path) -> None:
    n = ir.Value(name="n", type=scalar_type("int"), shape=ir.Shape(()))
    graph = ir.Graph([n], [], nodes=[], name="main")
    out = ir.Value(name="y", type=scalar_type("object"), shape=ir.Shape(()))
    GraphBuilder(graph).call(OpName("my", "op"), [n], [out], Aliases((0,), ((0, 0),)))
    graph.outputs.append(out)
    save_program(ir.Model(graph, ir_version=8), tmp_path / "a.onnx")
    loaded = load_program(tmp_path / "a.onnx")
    assert aliases_of(loaded.graph[0]) == Aliases((0,), ((0, 0),))
    assert isinstance(loaded.graph.inputs[0].type, ScalarType)
    assert isinstance(loaded.graph.outputs[0].type, ScalarType)
    assert loaded.ir_version == 10


def test_weights_without_values_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    model = parse_program(
        "torch dialect 1 graph main() { weight %a.b: f32[2] weight %c: f32[] = [1.0] return }"
    )
    assert model.graph.initializers["a.b"].const_value is None
    with pytest.raises(DialectError, match=r"weights without values cannot be saved: %a\.b; set const_value"):
        save_program(model, tmp_path / "a.onnx")
    assert list(tmp_path.iterdir()) == []


def test_a_program_with_faults_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DialectError, match="a call without alias marks"):
        save_program(
            parse_program("torch dialect 1 graph main() { aten::f(1) unmarked return }"), tmp_path / "a.onnx"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    save_program(parse_program(SMALL), path)
    before = path.read_bytes()

    def fail() -> ir.TensorProtocol:
        raise RuntimeError("out of memory")

    lazy = ir.LazyTensor(fail, dtype=ir.DataType.FLOAT, shape=ir.Shape([4]), name="w")
    weight = ir.Value(name="w", type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([4]), const_value=lazy)
    model = ir.Model(ir.Graph([], [], nodes=[], initializers=[weight], name="main"), ir_version=10)
    with pytest.raises(ir.serde.SerdeError) as caught:
        save_program(model, path)
    cause: BaseException | None = caught.value
    while cause is not None and str(cause) != "out of memory":
        cause = cause.__cause__
    assert isinstance(cause, RuntimeError)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.onnx"]
    assert path.read_bytes() == before


def test_a_missing_folder_and_a_missing_file_are_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save_program(parse_program(SMALL), tmp_path / "none" / "a.onnx")
    with pytest.raises(FileNotFoundError):
        load_program(tmp_path / "a.onnx")


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    save_program(parse_program(SMALL), path)
    proto = onnx.load(path)
    proto.metadata_props[0].value = "7"
    onnx.save(proto, path)
    with pytest.raises(
        DialectError, match=r"a\.onnx is of version 7 of the torch dialect, this is version 1"
    ):
        load_program(path)


def test_an_onnx_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    graph = onnx.helper.make_graph([], "g", [], [])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "a.onnx")
    with pytest.raises(DialectError, match=r"a\.onnx holds no program of the torch dialect"):
        load_program(tmp_path / "a.onnx")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip", b"\xff" * 100])
def test_what_is_no_onnx_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.onnx"
    path.write_bytes(content)
    with pytest.raises(
        DialectError, match=r"a\.onnx (is no ONNX file|holds no program of the torch dialect)"
    ):
        load_program(path)


def test_a_file_changed_by_others_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    save_program(parse_program(SMALL), path)
    proto = onnx.load(path)
    for node in proto.graph.node:
        if node.domain == "aten":
            del node.attribute[:]
    onnx.save(proto, path)
    with pytest.raises(DialectError, match=r"%y = aten::add\.Tensor: a call without alias marks"):
        load_program(path)


def test_any_suffix_will_do(tmp_path: Path) -> None:
    path = tmp_path / "program.json"
    save_program(parse_program(SMALL), path)
    assert print_program(load_program(path)) == print_program(parse_program(SMALL))


def test_an_output_of_unknown_rank_comes_back(tmp_path: Path) -> None:
    text = "torch dialect 1\ngraph main(%x: f32[...]) {\n  %y: ?[...] = aten::neg(%x)\n  return %y\n}\n"
    save_program(parse_program(text), tmp_path / "a.onnx")
    assert print_program(load_program(tmp_path / "a.onnx")) == text


def test_names_that_clash_between_blocks_can_be_repaired(tmp_path: Path) -> None:
    """Builders of two graphs give the same names; the verifier names onnx_ir's own pass as the remedy."""
    x = ir.Value(name="x", type=ir.TensorType(ir.DataType.FLOAT), shape=ir.Shape([2]))
    graph = ir.Graph([x], [], nodes=[], name="main")
    builder = GraphBuilder(graph)
    condition = builder.constant(True)
    blocks = [ir.Graph([], [], nodes=[]) for _ in range(2)]
    for block in blocks:
        GraphBuilder(block).constant(1)
    builder.branch(condition, blocks[0], blocks[1], [])
    model = ir.Model(graph, ir_version=10)
    with pytest.raises(DialectError, match="NameFixPass"):
        save_program(model, tmp_path / "a.onnx")
    NameFixPass()(model)
    save_program(model, tmp_path / "a.onnx")
    onnx.checker.check_model(str(tmp_path / "a.onnx"), full_check=True)


def test_tied_weights_and_shared_types_stay(tmp_path: Path) -> None:
    text = "torch dialect 1\ngraph main() {\n  weight %w: i64[2] = [1, 2]\n  return %w\n}\n"
    save_program(parse_program(text), tmp_path / "a.onnx")
    loaded = load_program(tmp_path / "a.onnx")
    assert print_program(loaded, max_elements=2) == text
    assert loaded.graph.outputs[0] is loaded.graph.initializers["w"]
    tensor = loaded.graph.initializers.get_tensor("w")
    assert tensor is not None
    np.testing.assert_array_equal(tensor.numpy(), [1, 2])
