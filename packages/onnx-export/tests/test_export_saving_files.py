"""What is written where, and that it is the model."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime
import pytest
import torch
from onnx_ir.tensor_adapters import TorchTensor

from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export import _staging
from onnx_export._saving import save_model, save_to_buffer
from onnx_export.rules import DISK_FULL, EXTERNAL_DATA_FORCED, MODEL_TOO_LARGE, WEIGHTS_WITHOUT_VALUES


def sum_of(tensors: Mapping[str, ir.TensorProtocol]) -> ir.Model:
    """A model that adds the sums of float initializers to its input, of shape [1]."""
    x = ir.val("x", ir.DataType.FLOAT, [1])
    values = [
        ir.Value(
            name=name,
            const_value=tensor,
            type=ir.TensorType(tensor.dtype),
            shape=ir.Shape(tensor.shape.numpy()),
        )
        for name, tensor in tensors.items()
    ]
    nodes, total = [], x
    for value in values:
        if value.dtype != ir.DataType.FLOAT:
            continue
        reduced = ir.node("ReduceSum", [value], {"keepdims": 0})
        added = ir.node("Add", [total, reduced.outputs[0]])
        nodes += [reduced, added]
        total = added.outputs[0]
    total.name, total.type, total.shape = "y", ir.TensorType(ir.DataType.FLOAT), ir.Shape([1])
    graph = ir.Graph([x], [total], nodes=nodes, initializers=values, opset_imports={"": 20}, name="sums")
    return ir.Model(graph, ir_version=10)


def assorted() -> dict[str, ir.TensorProtocol]:
    torch.manual_seed(0)
    matrix = torch.randn(24, 30)
    return {
        "matrix": TorchTensor(matrix),
        "transposed": TorchTensor(torch.randn(40, 20).t()),
        "tied": TorchTensor(matrix),
        "scalar": TorchTensor(torch.tensor(2.5)),
        "empty": TorchTensor(torch.empty(0, 3)),
        "half": TorchTensor(torch.randn(200).bfloat16()),
        "flags": TorchTensor(torch.arange(300) % 2 == 0),
        "text": ir.tensor(["a", "b"]),
        "lazy": ir.LazyTensor(
            lambda: ir.tensor(np.arange(100, dtype=np.float32)), ir.DataType.FLOAT, ir.Shape([100])
        ),
        "large": TorchTensor(torch.randn(600, 500)),
        "last": TorchTensor(torch.randn(70)),
    }


def tensors_of(path: Path) -> dict[str, onnx.TensorProto]:
    return {tensor.name: tensor for tensor in onnx.load(path).graph.initializer}


def place_of(path: Path) -> dict[str, tuple[int, int]]:
    model = onnx.load(path, load_external_data=False)
    return {
        tensor.name: (int(entries["offset"]), int(entries["length"]))
        for tensor in model.graph.initializer
        if (entries := {entry.key: entry.value for entry in tensor.external_data})
    }


def run(path: Path | bytes) -> float:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    source = path if isinstance(path, bytes) else os.fspath(path)
    [total] = onnxruntime.InferenceSession(source, options).run(None, {"x": np.zeros(1, np.float32)})
    return float(total[0])


def expected_sum(model: ir.Model) -> float:
    floats = [v for v in model.graph.initializers.values() if v.dtype == ir.DataType.FLOAT]
    return sum(
        float(np.sum(v.const_value.numpy(), dtype=np.float64)) for v in floats if v.const_value is not None
    )


def assert_same(path: Path, model: ir.Model) -> None:
    found = tensors_of(path)
    assert set(found) == set(model.graph.initializers)
    for name, value in model.graph.initializers.items():
        assert value.const_value is not None
        read = ir.serde.deserialize_tensor(found[name])
        assert read.dtype == value.const_value.dtype
        assert read.shape == value.const_value.shape
        np.testing.assert_array_equal(read.numpy(), value.const_value.numpy(), err_msg=name)


@pytest.mark.parametrize("external_data", [True, False, None])
def test_both_forms_hold_the_model(tmp_path: Path, external_data: bool | None) -> None:
    model = sum_of(assorted())
    path = tmp_path / "model.onnx"
    saved = save_model(model, path, external_data=external_data)
    names = ["model.onnx", "model.onnx.data"] if external_data else ["model.onnx"]
    assert sorted(os.listdir(tmp_path)) == names
    assert saved.model_path == path
    assert saved.model_bytes == path.stat().st_size
    assert saved.data_bytes == (tmp_path.joinpath("model.onnx.data").stat().st_size if external_data else 0)
    assert (saved.data_path is not None) is bool(external_data)
    onnx.checker.check_model(path, full_check=True)
    assert_same(path, model)
    assert run(path) == pytest.approx(expected_sum(model), rel=1e-3, abs=1e-2)


def test_one_file_is_what_protobuf_writes() -> None:
    model = sum_of({name: tensor for name, tensor in assorted().items() if name != "text"})
    model.graph.initializers["matrix"].const_value.metadata_props["key"] = "value"  # type: ignore[union-attr]
    model.graph.initializers["matrix"].const_value.doc_string = "of a layer"  # type: ignore[union-attr]
    buffer = io.BytesIO()
    size = save_to_buffer(model, buffer)
    assert size == len(buffer.getvalue())
    assert onnx.load_from_string(buffer.getvalue()) == ir.to_proto(model)
    assert run(buffer.getvalue()) == pytest.approx(expected_sum(model), rel=1e-3, abs=1e-2)


def test_the_model_keeps_its_tensors(tmp_path: Path) -> None:
    model = sum_of(assorted())
    before = {name: value.const_value for name, value in model.graph.initializers.items()}
    for external_data in (True, False):
        save_model(model, tmp_path / "model.onnx", external_data=external_data)
    save_to_buffer(model, io.BytesIO())
    for name, value in model.graph.initializers.items():
        assert value.const_value is before[name]


def test_small_tensors_stay_in_the_model(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    save_model(sum_of({"in": TorchTensor(torch.ones(64)), "out": TorchTensor(torch.ones(65))}), path)
    assert place_of(path) == {"out": (0, 260)}


def test_without_large_tensors_there_is_no_data(tmp_path: Path) -> None:
    saved = save_model(sum_of({"w": TorchTensor(torch.ones(64))}), tmp_path / "model.onnx")
    assert os.listdir(tmp_path) == ["model.onnx"]
    assert saved.data_path is None
    assert not saved.forced_external


def test_tied_weights_are_stored_once_and_large_ones_aligned(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    saved = save_model(sum_of(assorted()), path)
    places = place_of(path)
    assert places["tied"] == places["matrix"] == (0, 24 * 30 * 4)
    assert places["transposed"] == (24 * 30 * 4, 40 * 20 * 4)
    assert places["large"] == (65536, 600 * 500 * 4)
    assert places["last"] == (65536 + 600 * 500 * 4, 280)
    assert saved.data_bytes == sum(places["last"])


def test_initializers_of_subgraphs_go_out_too(tmp_path: Path) -> None:
    weight = ir.Value(
        name="inner",
        const_value=TorchTensor(torch.full((100,), 3.0)),
        type=ir.TensorType(ir.DataType.FLOAT),
        shape=ir.Shape([100]),
    )
    model = with_branch(weight)
    path = tmp_path / "model.onnx"
    saved = save_model(model, path)
    assert saved.data_bytes == 400
    onnx.checker.check_model(path)
    assert run(path) == 300.0
    save_model(model, path, external_data=False)
    assert os.listdir(tmp_path) == ["model.onnx"]
    assert run(path) == 300.0
    loaded = ir.load(path)
    save_model(loaded, path)
    reloaded = ir.load(path)
    save_model(reloaded, tmp_path / "copy.onnx", external_data=False)
    os.unlink(tmp_path / "model.onnx.data")
    assert run(tmp_path / "copy.onnx") == 300.0


def with_branch(weight: ir.Value) -> ir.Model:
    """A model whose `if` holds the weight, and adds its sum to x."""
    x = ir.val("x", ir.DataType.FLOAT, [1])
    condition = ir.val("condition", ir.DataType.BOOL, [], const_value=ir.tensor(True, name="condition"))
    branches = []
    for name in ("then", "else"):
        own = ir.Value(name=f"{name}_w", const_value=weight.const_value, type=weight.type, shape=weight.shape)
        reduced = ir.node("ReduceSum", [own], {"keepdims": 1})
        output = reduced.outputs[0]
        output.name, output.type, output.shape = f"{name}_y", ir.TensorType(ir.DataType.FLOAT), ir.Shape([1])
        branches.append(ir.Graph([], [output], nodes=[reduced], initializers=[own], name=name))
    chosen = ir.node("If", [condition], {"then_branch": branches[0], "else_branch": branches[1]})
    added = ir.node("Add", [x, chosen.outputs[0]])
    y = added.outputs[0]
    y.name, y.type, y.shape = "y", ir.TensorType(ir.DataType.FLOAT), ir.Shape([1])
    graph = ir.Graph(
        [x], [y], nodes=[chosen, added], initializers=[condition], opset_imports={"": 20}, name="branching"
    )
    return ir.Model(graph, ir_version=10)


def test_stale_data_is_removed(tmp_path: Path) -> None:
    model = sum_of(assorted())
    save_model(model, tmp_path / "model.onnx")
    save_model(model, tmp_path / "model.onnx", external_data=False)
    assert os.listdir(tmp_path) == ["model.onnx"]


@pytest.mark.parametrize("shift", range(-1, 16))
def test_a_reference_is_found_wherever_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    monkeypatch.setattr(_staging, "_SEARCHED_BYTES", 64)
    path = tmp_path / "model.onnx"
    path.write_bytes(b"x" * (64 - shift) + b"model.onnx.data")
    assert _staging.refers_to(path, "model.onnx.data")
    assert not _staging.refers_to(path, "model.onnx.dat_")
    assert not _staging.refers_to(tmp_path / "missing", "model.onnx.data")


def test_data_that_the_old_model_does_not_use_is_kept(tmp_path: Path) -> None:
    model = sum_of(assorted())
    save_model(model, tmp_path / "model.onnx", external_data=False)
    (tmp_path / "model.onnx.data").write_bytes(b"someone's")
    save_model(model, tmp_path / "model.onnx", external_data=False)
    assert (tmp_path / "model.onnx.data").read_bytes() == b"someone's"


@pytest.mark.parametrize("external_data", [True, False])
def test_a_loaded_model_can_be_saved_over_itself(tmp_path: Path, external_data: bool) -> None:
    path = tmp_path / "model.onnx"
    original = sum_of(assorted())
    save_model(original, path)
    loaded = ir.load(path)
    loaded.graph.initializers["matrix"].const_value = TorchTensor(torch.ones(7, 111))  # all offsets move
    loaded.graph.initializers["matrix"].shape = ir.Shape([7, 111])
    original.graph.initializers["matrix"].const_value = TorchTensor(torch.ones(7, 111))
    for _ in range(2):
        save_model(loaded, path, external_data=external_data)
        assert_same(path, original)
        save_model(loaded, tmp_path / "copy.onnx")
        assert_same(tmp_path / "copy.onnx", original)


def test_too_large_for_one_file(tmp_path: Path) -> None:
    model = sum_of(assorted())
    diagnostics = DiagnosticContext("test", "1")
    saved = save_model(
        model, tmp_path / "model.onnx", external_data=False, inline_limit=100_000, diagnostics=diagnostics
    )
    assert saved.forced_external
    assert saved.data_path == tmp_path / "model.onnx.data"
    [finding] = diagnostics
    assert finding.rule is EXTERNAL_DATA_FORCED
    assert "model.onnx.data" in finding.message
    assert_same(tmp_path / "model.onnx", model)


def test_as_large_as_one_file_may_be(tmp_path: Path) -> None:
    model = sum_of(assorted())
    size = save_model(model, tmp_path / "a.onnx", external_data=False).model_bytes
    assert not save_model(model, tmp_path / "b.onnx", external_data=None, inline_limit=size).forced_external
    diagnostics = DiagnosticContext("test", "1")
    saved = save_model(
        model, tmp_path / "b.onnx", external_data=None, inline_limit=size - 1, diagnostics=diagnostics
    )
    assert saved.forced_external
    assert not diagnostics.diagnostics  # None leaves the choice open


def huge() -> ir.LazyTensor:
    def make() -> ir.TensorProtocol:
        raise AssertionError("evaluated, although the size says that it does not fit")

    return ir.LazyTensor(make, ir.DataType.UINT8, ir.Shape([2**31]))


def test_buffer_takes_no_more_than_protobuf() -> None:
    buffer = io.BytesIO()
    with pytest.raises(OnnxExporterError, match=r"2\.1 GB in one piece") as caught:
        save_to_buffer(sum_of({"w": TorchTensor(torch.ones(9)), "huge": huge()}), buffer)
    assert caught.value.diagnostics[0].rule is MODEL_TOO_LARGE
    assert buffer.getvalue() == b""


def test_too_large_without_initializers(tmp_path: Path) -> None:
    model = sum_of({"w": TorchTensor(torch.ones(9))})
    constant = ir.node("Constant", [], {"value": ir.tensor(np.zeros(50_000, np.float32))})
    model.graph.insert_before(model.graph[0], constant)
    with pytest.raises(OnnxExporterError, match="one piece"):
        save_model(model, tmp_path / "model.onnx", inline_limit=100_000)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("external_data", [True, False])
def test_weights_without_values_are_named(tmp_path: Path, external_data: bool) -> None:
    tensors = {f"layer.{i}.weight": TorchTensor(torch.empty(90, device="meta")) for i in range(7)}
    diagnostics = DiagnosticContext("test", "1")
    with pytest.raises(
        OnnxExporterError, match=r"7 weights .* layer\.0\.weight \(on the meta device\), "
    ) as caught:
        save_model(sum_of(tensors), tmp_path / "m.onnx", external_data=external_data, diagnostics=diagnostics)
    assert caught.value.diagnostics == diagnostics.diagnostics
    assert caught.value.diagnostics[0].rule is WEIGHTS_WITHOUT_VALUES
    assert os.listdir(tmp_path) == []


def test_lazy_weight_without_values_is_named(tmp_path: Path) -> None:
    lazy = ir.LazyTensor(
        lambda: TorchTensor(torch.empty(90, device="meta")), ir.DataType.FLOAT, ir.Shape([90]), name="gates"
    )
    for save in (lambda m: save_model(m, tmp_path / "m.onnx"), lambda m: save_to_buffer(m, io.BytesIO())):
        with pytest.raises(OnnxExporterError, match=r"1 weights .* gates \(on the meta device\)"):
            save(sum_of({"gates": lazy}))
    assert os.listdir(tmp_path) == []


def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    save_model(sum_of(assorted()), path)
    default = stat.S_IMODE(path.stat().st_mode)
    os.chmod(path, 0o640)
    save_model(sum_of(assorted()), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "model.onnx.data").stat().st_mode) == default


def test_no_room_is_noticed_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = sum_of(assorted())
    save_model(model, tmp_path / "model.onnx")
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    usage = type("usage", (), {"total": 10**9, "used": 10**9 - 1000, "free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(OnnxExporterError, match=r"1\.3 MB are needed, 0\.0 MB are free") as caught:
        save_model(model, tmp_path / "model.onnx")
    assert caught.value.diagnostics[0].rule is DISK_FULL
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of a file")
def test_no_room_while_writing(tmp_path: Path) -> None:
    import resource

    model = sum_of(assorted())
    save_model(model, tmp_path / "model.onnx")
    before = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, hard))
    try:
        with pytest.raises(OnnxExporterError, match="the disk is full") as caught:
            save_model(model, tmp_path / "model.onnx")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert isinstance(caught.value.__cause__, OSError)
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before
