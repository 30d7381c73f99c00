"""Models quantized in eager mode, traced and scripted: the file computes torch's integers, step for step."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from pathlib import Path

import onnx
import onnx.reference
import onnxruntime
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, OnnxExporterError
from onnx_ir_capture.emit.schemas import NEWEST_OPSET
from onnx_jitpasses.rules import QUANTIZED_OPERATOR

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch.ao is deprecated, and what there are models of
    import torch.ao.quantization as quantization
    from torch.ao.nn.quantized import FloatFunctional

pytestmark = pytest.mark.filterwarnings("ignore:.*torch.ao:DeprecationWarning")

# ONNX Runtime 1.32 has no kernel of the QuantizeLinear that came with 28.
RUNTIME_OPSET = 27

STEPWISE = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
FUSED = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL


class ConvLinear(torch.nn.Module):
    """Convolutions, one of them before a skip, and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.quant = quantization.QuantStub()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.relu = torch.nn.ReLU()
        self.mix = torch.nn.Conv2d(8, 8, 3, padding=1, groups=2, bias=False)
        self.skip = FloatFunctional()
        self.pool = torch.nn.AdaptiveAvgPool2d(3)
        self.fc = torch.nn.Linear(72, 5)
        self.dequant = quantization.DeQuantStub()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.relu(self.conv(self.quant(x)))
        hidden = self.skip.add(hidden, self.mix(hidden))
        logits: torch.Tensor = self.dequant(self.fc(self.pool(hidden).flatten(1)))
        return logits


@pytest.fixture(autouse=True)
def engine() -> Iterator[None]:
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = "x86" if "x86" in torch.backends.quantized.supported_engines else before
    yield
    torch.backends.quantized.engine = before


def quantized(model: torch.nn.Module, example: torch.Tensor, *, per_channel: bool = True) -> torch.nn.Module:
    """``model`` with its ranges taken from an example."""
    config = quantization.get_default_qconfig() if per_channel else quantization.default_qconfig
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = copy.deepcopy(model).eval()
        object.__setattr__(model, "qconfig", config)  # which torch's stubs take for a tensor or module
        prepared = quantization.prepare(model)
        prepared(example)
        converted: torch.nn.Module = quantization.convert(prepared)
    return converted


def conv_linear(*, per_channel: bool) -> torch.nn.Module:
    torch.manual_seed(0)
    model = quantization.fuse_modules(ConvLinear().eval(), [["conv", "relu"]])
    return quantized(model, torch.randn(4, 3, 12, 12), per_channel=per_channel)


def export(model: torch.nn.Module, x: torch.Tensor, path: Path, opset: int = 18) -> onnx.ModelProto:
    """Export a model with dynamic batch, and verify it where ONNX Runtime can run it."""
    onnx_export.export(
        model,
        (x,),
        path,
        dynamo=False,
        input_names=["x"],
        dynamic_axes={"x": {0: "batch"}},
        opset_version=opset,
        verify=opset <= RUNTIME_OPSET,
        verbose=False,
    )
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    return proto


def run(path: Path, x: torch.Tensor, level: onnxruntime.GraphOptimizationLevel) -> torch.Tensor:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return torch.from_numpy(session.run(None, {"x": x.numpy()})[0])


@pytest.mark.parametrize("opset", [13, 18, RUNTIME_OPSET])
@pytest.mark.parametrize("scripted", [False, True], ids=["traced", "scripted"])
@pytest.mark.parametrize("per_channel", [False, True], ids=["per tensor", "per channel"])
def test_conv_linear(per_channel: bool, scripted: bool, opset: int, tmp_path: Path) -> None:
    model = conv_linear(per_channel=per_channel)
    path, others = tmp_path / "model.onnx", torch.randn(37, 3, 12, 12)
    export(torch.jit.script(model) if scripted else model, torch.randn(2, 3, 12, 12), path, opset)
    expected = model(others)
    assert torch.equal(run(path, others, STEPWISE), expected)
    # ONNX Runtime's kernels on integers round the biases, too: a step or two beside torch's in some places.
    step: object = getattr(model.get_submodule("fc"), "scale", None)
    assert isinstance(step, float)
    torch.testing.assert_close(run(path, others, FUSED), expected, rtol=0, atol=2.001 * step)


def test_the_newest_opset(tmp_path: Path) -> None:
    model, path = conv_linear(per_channel=True), tmp_path / "model.onnx"
    proto = export(model, torch.randn(2, 3, 12, 12), path, NEWEST_OPSET)
    others = torch.randn(3, 3, 12, 12)
    (found,) = onnx.reference.ReferenceEvaluator(proto).run(None, {"x": others.numpy()})
    assert torch.equal(torch.from_numpy(found), model(others))


def test_weights_have_their_own_names_and_integers(tmp_path: Path) -> None:
    proto = export(conv_linear(per_channel=True), torch.randn(2, 3, 12, 12), tmp_path / "model.onnx")
    weights = {tensor.name: tensor.data_type for tensor in proto.graph.initializer}
    for name in ("conv.weight", "mix.weight", "fc.weight"):
        assert weights[name] == onnx.TensorProto.INT8
        assert weights[f"{name}_scale"] == onnx.TensorProto.FLOAT
    assert weights["conv.bias"] == weights["fc.bias"] == onnx.TensorProto.FLOAT
    assert "mix.bias" not in weights


def test_an_archive(tmp_path: Path) -> None:
    model, path = conv_linear(per_channel=True), tmp_path / "model.onnx"
    torch.jit.save(torch.jit.script(model), str(tmp_path / "model.pt"))
    export(torch.jit.load(str(tmp_path / "model.pt")), torch.randn(2, 3, 12, 12), path)
    others = torch.randn(7, 3, 12, 12)
    assert torch.equal(run(path, others, STEPWISE), model(others))


class Between(torch.nn.Module):
    """Something between a stub that quantizes and one that takes floats again."""

    def __init__(self, inner: torch.nn.Module) -> None:
        super().__init__()
        self.quant = quantization.QuantStub()
        self.inner = inner
        self.dequant = quantization.DeQuantStub()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.dequant(self.inner(self.quant(x)))
        return result


class Arithmetic(torch.nn.Module):
    """Sums, products and joins, with numbers, too."""

    def __init__(self) -> None:
        super().__init__()
        self.plus, self.product, self.joined = (FloatFunctional() for _ in range(3))
        self.scaled, self.moved = FloatFunctional(), FloatFunctional()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        turned = x.flip(1)
        both = self.joined.cat([self.plus.add_relu(x, turned), self.product.mul(x, turned)], 1)
        result: torch.Tensor = self.moved.add_scalar(self.scaled.mul_scalar(both, -1.5), 0.75)
        return result


class Shapes(torch.nn.Module):
    """What only moves integers, and averages of them."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.nn.functional.avg_pool2d(torch.nn.functional.interpolate(x, scale_factor=2), 3, 2, 1)
        first, second = x.reshape(x.size(0), 2, -1).chunk(2, 1)
        return torch.cat([first.permute(0, 2, 1), second.transpose(1, 2)], 2).mean(1)


INNER = {
    "conv1d": (torch.nn.Conv1d(3, 4, 3, padding=1), (2, 3, 10)),
    "conv3d": (torch.nn.Conv3d(3, 4, 3, stride=2), (2, 3, 5, 6, 7)),
    "transposed": (torch.nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1), (2, 3, 5, 6)),
    "linear of sequences": (torch.nn.Linear(7, 4), (2, 3, 7)),
    "normalized": (torch.nn.Sequential(torch.nn.BatchNorm2d(4), torch.nn.InstanceNorm2d(4)), (2, 4, 5, 5)),
    "activations": (
        torch.nn.Sequential(torch.nn.ReLU6(), torch.nn.LeakyReLU(), torch.nn.Hardswish(), torch.nn.Sigmoid()),
        (2, 60),
    ),
    "in place": (torch.nn.Sequential(torch.nn.ReLU(inplace=True), torch.nn.Linear(6, 5)), (2, 6)),
    "arithmetic": (Arithmetic(), (2, 6)),
    "shapes": (Shapes(), (2, 4, 6, 6)),
}


@pytest.mark.parametrize("name", INNER)
def test_other_modules(name: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    inner, shape = INNER[name]
    model = quantized(Between(inner), torch.randn(shape) * 2, per_channel=name != "transposed")
    export(model, torch.randn(shape), tmp_path / "model.onnx")
    others = torch.randn(11, *shape[1:])
    assert torch.equal(run(tmp_path / "model.onnx", others, STEPWISE), model(others))


@pytest.mark.parametrize("dtype", [torch.qint8, torch.float16])
def test_weights_alone(dtype: torch.dtype, tmp_path: Path) -> None:
    """Activations are floats, and for weights of 8 bits rounded to the grid of their own range."""
    torch.manual_seed(0)
    plain = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = quantization.quantize_dynamic(plain, {torch.nn.Linear}, dtype=dtype)
    export(model, torch.randn(2, 6), tmp_path / "model.onnx")
    others = torch.cat([torch.randn(4, 6), torch.zeros(1, 6)])
    torch.testing.assert_close(run(tmp_path / "model.onnx", others, STEPWISE), model(others))


class Left(torch.nn.Module):
    """Returns a quantized tensor."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)


class Sorted(torch.nn.Module):
    """Asks of integers what they cannot say."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.quantize_per_tensor(x, 0.1, 0, torch.quint8).sort().values.dequantize()


@pytest.mark.parametrize(
    ("model", "reason"),
    [(Left(), "its quantized result leaves the model"), (Sorted(), "it has no form on the integers")],
)
def test_what_has_no_form_is_refused(model: torch.nn.Module, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=reason) as caught:
        export(model, torch.randn(2, 6), tmp_path / "model.onnx")
    (found,) = caught.value.diagnostics
    assert found.rule == QUANTIZED_OPERATOR
    assert found.location is not None
    assert Path(str(found.location.file)).name == Path(__file__).name
    assert not (tmp_path / "model.onnx").exists()


class Recurrent(torch.nn.Module):
    """A recurrent layer, whose packed weights tell nobody what they hold."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.lstm(x)[0]
        return hidden


def test_recurrent_layers_are_refused_by_name(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = quantization.quantize_dynamic(Recurrent().eval(), {torch.nn.LSTM}, dtype=torch.qint8)
    with pytest.raises(OnnxExporterError, match="of the class CellParamsBase, which cannot be exported"):
        export(model, torch.randn(3, 2, 4), tmp_path / "model.onnx")
