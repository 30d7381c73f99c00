"""Which weights a file holds, and how; names of values that are returned more than once."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import onnx
import onnxruntime
import pytest
import torch

import onnx_export


class Weighted(torch.nn.Module):
    """Has a weight, a buffer, a constant of its own, and a size and a literal that become constants."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3, 5))
        self.register_buffer("shift", torch.randn(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = (x @ self.weight + self.get_buffer("shift")).reshape(-1, 5, 1)
        return y * 1.5 + torch.tensor([[2.0], [3.0], [5.0], [7.0], [11.0]])


MODEL, X = Weighted(), torch.randn(2, 3)


def written(
    to_buffer: bool, folder: Path, export_params: bool = True, as_inputs: bool = False
) -> onnx.ModelProto:
    target: io.BytesIO | Path = io.BytesIO() if to_buffer else folder / "model.onnx"
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "a BytesIO", DeprecationWarning)
        onnx_export.export(
            MODEL,
            (X,),
            target,
            verbose=False,
            external_data=False,
            export_params=export_params,
            keep_initializers_as_inputs=as_inputs,
        )
    content = target.getvalue() if isinstance(target, io.BytesIO) else target.read_bytes()
    return onnx.load_from_string(content)


@pytest.mark.parametrize("to_buffer", [False, True], ids=["file", "buffer"])
def test_parameters_and_buffers_alone_become_inputs(to_buffer: bool, tmp_path: Path) -> None:
    proto = written(to_buffer, tmp_path, export_params=False)
    assert {value.name for value in proto.graph.input} == {"x", "weight", "shift"}
    assert not {"weight", "shift"} & {tensor.name for tensor in proto.graph.initializer}
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    feeds = {"x": X, "weight": MODEL.weight.detach(), "shift": MODEL.get_buffer("shift")}
    (found,) = session.run(None, {name: tensor.numpy() for name, tensor in feeds.items()})
    torch.testing.assert_close(torch.from_numpy(found), MODEL(X).detach())


@pytest.mark.parametrize("to_buffer", [False, True], ids=["file", "buffer"])
def test_weights_are_listed_among_the_inputs_too(to_buffer: bool, tmp_path: Path) -> None:
    proto = written(to_buffer, tmp_path, as_inputs=True)
    assert {value.name for value in proto.graph.input} == {"x", "weight", "shift"}
    assert {"weight", "shift"} <= {tensor.name for tensor in proto.graph.initializer}


def test_saving_leaves_the_program_as_it_was(tmp_path: Path) -> None:
    program = onnx_export.export(MODEL, (X,), verbose=False)
    before = list(program.model.graph.initializers)
    program.save(tmp_path / "model.onnx", include_initializers=False)
    assert list(program.model.graph.initializers) == before
    assert [value.name for value in program.model.graph.inputs] == ["x"]
    torch.testing.assert_close(program(X)[0], MODEL(X).detach())


@pytest.mark.parametrize("optimize", [False, True])
def test_every_output_has_its_name(optimize: bool) -> None:
    class Plain(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
            y = x + 1
            return torch.relu(x), y, torch.relu(y)

    def itself(op: object, x: object) -> object:
        return x

    program = onnx_export.export(
        Plain(),
        (torch.ones(3),),
        verbose=False,
        optimize=optimize,
        input_names=["given"],
        output_names=["first", "second", "third"],
        custom_translation_table={torch.ops.aten.relu.default: itself},
    )
    graph = program.model.graph
    assert [value.name for value in (*graph.inputs, *graph.outputs)] == ["given", "first", "second", "third"]
    assert [found.tolist() for found in program(torch.ones(3))] == [[1.0] * 3, [2.0] * 3, [2.0] * 3]


def test_a_negated_view_is_another_weight_than_the_view(tmp_path: Path) -> None:
    class Negated(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            z = torch.randn(3, dtype=torch.complex64)
            self.register_buffer("plain", z.imag)
            self.register_buffer("negated", z.conj().imag)

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return x + self.get_buffer("plain"), x + self.get_buffer("negated")

    model, x = Negated(), torch.randn(3)
    program = onnx_export.export(model, (x,), tmp_path / "model.onnx", verbose=False)
    torch.testing.assert_close(tuple(program(x)), model(x))
    program.apply_weights(model.state_dict())
    torch.testing.assert_close(tuple(program(x)), model(x))
    found = onnxruntime.InferenceSession(tmp_path / "model.onnx").run(None, {"x": x.numpy()})
    torch.testing.assert_close(tuple(map(torch.from_numpy, found)), model(x))
    session = onnxruntime.InferenceSession(program.model_proto.SerializeToString())
    torch.testing.assert_close(tuple(map(torch.from_numpy, session.run(None, {"x": x.numpy()}))), model(x))
