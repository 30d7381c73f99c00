"""Complex tensors: pairs of real numbers in the file, at its inputs and outputs, too."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import onnxruntime as ort
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, Diagnostic

SEED = torch.Generator().manual_seed(0)


def real(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=SEED)


def complexes(*shape: int, dtype: torch.dtype = torch.complex64) -> torch.Tensor:
    return torch.randn(shape, generator=SEED, dtype=dtype)


class Rotary(torch.nn.Module):
    """Rotary embeddings as the first code of Llama has them."""

    freqs_cis: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        angles = torch.outer(torch.arange(32), 1 / 10000 ** (torch.arange(0, 8, 2) / 8))
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles))

    def forward(self, q: torch.Tensor) -> torch.Tensor:
        z = torch.view_as_complex(q.float().unflatten(-1, (-1, 2)))
        freqs = self.freqs_cis[: q.shape[1]].unsqueeze(0).unsqueeze(2)
        return torch.view_as_real(z * freqs).flatten(3).type_as(q)


def test_rotary_embeddings_with_a_dynamic_sequence(tmp_path: Path) -> None:
    model, q = Rotary().eval(), real(2, 5, 3, 8)
    path = tmp_path / "model.onnx"
    program = onnx_export.export(
        model, (q,), path, dynamic_shapes=({0: "batch", 1: "sequence"},), verify=True, verbose=False
    )
    other = real(3, 11, 3, 8)
    torch.testing.assert_close(program(other)[0], model(other))
    assert [found.message.split(" is ")[0] for found in noted(program)] == ["the weight 'freqs_cis'"]
    (found,) = ort.InferenceSession(path).run(None, {"q": other.numpy()})
    torch.testing.assert_close(torch.from_numpy(found), model(other))


def noted(program: onnx_export.ONNXProgram) -> list[Diagnostic]:
    return [found for found in program.diagnostics if found.rule.code == "EXP006"]


def test_inputs_outputs_and_weights_are_pairs_and_said_to_be() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(complexes(3))

        def forward(self, z: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return (z * self.w).conj(), x + z.real

    model, z, x = Model().eval(), complexes(2, 3), real(2, 3)
    program = onnx_export.export(
        model,
        (z.conj(), x),
        output_names=["y", "s"],
        dynamic_shapes=({0: "n"}, {0: "n"}),
        verify=True,
        verbose=False,
    )
    shapes = [list(value.shape or ()) for value in program.model.graph.inputs]
    assert [[str(size) for size in shape] for shape in shapes] == [["n", "3", "2"], ["n", "3"]]
    names = [found.message.split(" is ")[0] for found in noted(program)]
    assert names == ["the input 'z'", "the output 'y'", "the weight 'w'"]
    with torch.no_grad():
        expected = model(z, x)
    y, s = program(z, x)
    torch.testing.assert_close(torch.view_as_complex(y), expected[0].resolve_conj())
    torch.testing.assert_close(s, expected[1])
    for found in onnx_export.verify_onnx_program(program, (z, x), compare_intermediates=True):
        assert found.max_abs_diff < 1e-6
    doubled = {"w": model.w.detach() * 2}
    program.apply_weights(doubled)
    torch.testing.assert_close(program(z, x)[0], 2 * y)
    with pytest.raises(ValueError, match="2 dimensions instead of 3"):
        program(x, x)


CASES: Sequence[tuple[str, Callable[..., object], tuple[torch.Tensor, ...]]] = [
    ("mul", lambda z, w: z * w, (complexes(2, 3), complexes(3))),
    ("mul real", lambda z, x: (z * x, x * z, z / x), (complexes(2, 3), real(3))),
    (
        "numbers",
        lambda z: (z * 2j, z * (1 + 3j), 2 * z, z + 1, z - 2j, 1j - z, z / 2, z / (1 - 2j)),
        (complexes(2, 3),),
    ),
    ("real with complex number", lambda x: (x * 2j, x * (1 + 1j), x + 1j, x - 1j, x / 2j), (real(2, 3),)),
    ("promotion", lambda z, x: (z * x, z + x), (complexes(2, 3), real(3).double())),
    ("promotion of 0-d", lambda z, x: (z * x, z + x), (complexes(2, 3), real().double())),
    ("integers", lambda z, n: (z * n, z + n, z - n), (complexes(2, 3), torch.arange(3))),
    (
        "add",
        lambda z, w, x: (z + w, torch.add(z, w, alpha=2), x + z, z - x),
        (complexes(2, 3), complexes(3), real(1)),
    ),
    ("div", lambda z, w, x: (z / w, x / w, 2 / z, z.reciprocal()), (complexes(2, 3), complexes(3), real(3))),
    ("large quotient", lambda z, w: z / w, (complexes(2, 3) * 1e30, complexes(3) * 1e30)),
    (
        "parts",
        lambda z: (z.real, z.imag, z.abs(), -z, z.conj(), z.conj().imag),
        (complexes(2, 3),),
    ),
    ("large absolute value", lambda z: z.abs(), (complexes(2, 3) * 1e30,)),
    ("functions", lambda z: (z.exp(), z.square(), z**2, z**3, z.sgn()), (complexes(2, 3),)),
    ("sgn of 0", lambda z: (z * 0).sgn(), (complexes(2, 3),)),
    ("polar", lambda r, a: (torch.polar(r, a), torch.complex(r, a)), (real(2, 3).abs(), real(2, 3))),
    ("polar broadcast", lambda r, a: (torch.polar(r, a), torch.complex(r, a)), (real(2, 1), real(3))),
    (
        "sums",
        lambda z: (z.sum(), z.mean(), z.sum(-1), z.mean(0, keepdim=True), z.sum((0, -1))),
        (complexes(2, 3),),
    ),
    (
        "cumsum",
        lambda z: (z.cumsum(-1), z.roll(1, 0), torch.nn.functional.pad(z, (1, 2))),
        (complexes(2, 3),),
    ),
    ("norm", lambda z: (torch.linalg.vector_norm(z), z.var()), (complexes(2, 3),)),
    (
        "matmul",
        lambda z, w: (z @ w, w.mT @ z.mT, torch.mm(z, w), torch.mv(z, w[:, 0])),
        (complexes(2, 3), complexes(3, 5)),
    ),
    ("bmm", lambda z, w: (torch.bmm(z, w), z @ w), (complexes(2, 3, 5), complexes(2, 5, 7))),
    ("einsum", lambda z, w: torch.einsum("bi,io->bo", z, w), (complexes(2, 3), complexes(3, 5))),
    (
        "linear",
        lambda z, w, b: torch.nn.functional.linear(z, w, b),
        (complexes(2, 3), complexes(5, 3), complexes(5)),
    ),
    (
        "vdot",
        lambda z, w: (torch.vdot(z, w), torch.dot(z, w), torch.outer(z, w)),
        (complexes(3), complexes(3)),
    ),
    (
        "views",
        lambda z: (z.mT, z.mH, z.T, z.reshape(-1), z.flatten(), z[:, 1:], z[0], z[..., None], z[:, ::2]),
        (complexes(2, 5),),
    ),
    (
        "permute",
        lambda z: (z.permute(-1, 0, 1), z.transpose(-1, 0), z.movedim(0, -1), z.flip(-1)),
        (complexes(2, 3, 5),),
    ),
    (
        "squeeze",
        lambda z: (z.squeeze(), z.squeeze(-2), z.expand(-1, 7, -1), z.repeat(2, 1, 1)),
        (complexes(2, 1, 5),),
    ),
    ("split", lambda z: (*z.split(2, -1), *z.chunk(3, -1), *z.unbind(-2)), (complexes(2, 6),)),
    (
        "cat",
        lambda z, x: (torch.cat([z, x], -1), torch.stack([z, z.conj()], -1)),
        (complexes(2, 3), real(2, 3)),
    ),
    (
        "index",
        lambda z, i: (z[i], z[:, i], z.index_select(-1, i), z[i, i]),
        (complexes(3, 5), torch.tensor([2, 0, 1, 0])),
    ),
    (
        "where",
        lambda z, w: (torch.where(z.real > 0, z, w), z.masked_fill(z.real > 0, 1 - 1j)),
        (complexes(2, 3), complexes(3)),
    ),
    ("like", lambda z: (torch.zeros_like(z), torch.ones_like(z), torch.full_like(z, 2j)), (complexes(2, 3),)),
    (
        "factories",
        lambda z: (z + torch.ones(3, dtype=z.dtype), torch.zeros(z.shape, dtype=z.dtype)),
        (complexes(2, 3),),
    ),
    (
        "to",
        lambda z, x: (z.to(torch.complex128), x.to(torch.complex64), z.to(torch.float64)),
        (complexes(2, 3), real(2, 3)),
    ),
    (
        "0-d",
        lambda z, w: (z * w, z.sum(), z.reshape(1), z[None], z.conj().abs(), z.flatten()),
        (complexes(), complexes()),
    ),
    (
        "sizes",
        lambda z: (z.reshape(z.shape[-1], -1) * z.numel(), z.real.sum() / z.shape[0]),
        (complexes(2, 3),),
    ),
    ("real view written", lambda x: torch.view_as_real(torch.view_as_complex(x)) * x, (real(5, 2),)),
]


SOME_ZERO = torch.tensor([[1j, 0, 1], [1 + 1j, 0, -2j]])
INDEX = torch.tensor([0])

MIXED: Sequence[tuple[str, Callable[..., object], tuple[torch.Tensor, ...]]] = [
    (
        "rsub",
        lambda z, w, x: (torch.rsub(z, w, alpha=2), torch.rsub(z, x, alpha=3), torch.rsub(x, z, alpha=2)),
        (complexes(2, 3), complexes(3), real(3)),
    ),
    (
        "rsub numbers",
        lambda z, x, n: (torch.rsub(z, 3, alpha=2), torch.rsub(x, 1j, alpha=2), 1j - x, 1j - n),
        (complexes(2, 3), real(3), torch.arange(3)),
    ),
    ("signs of zero", lambda z: 1 / ((z + 1).imag), (torch.tensor([complex(1, -0.0), 1j]),)),
    (
        "to bool",
        lambda z, b: (z.to(torch.bool), z.type_as(b), torch.ops.aten._to_copy(z, dtype=torch.bool)),
        (SOME_ZERO, torch.tensor(True)),
    ),
    ("to bool of NaN", lambda z: z.bool(), (torch.tensor([complex(0, float("nan")), 0]),)),
    (
        "0-d moved",
        lambda z: (z.flip(-1), z.flip(0), z.transpose(0, -1), z.squeeze(-1), z.movedim(0, -1), z.roll(1)),
        (complexes(),),
    ),
    ("0-d index_select", lambda z, i: (z.index_select(0, i), z.index_select(-1, i)), (complexes(), INDEX)),
    (
        "0-d sums",
        lambda z, x: (z.sum(-1), z.cumsum(0), x.sum(dtype=z.dtype), x.mean(dtype=z.dtype)),
        (complexes(), real()),
    ),
    (
        "like in a real dtype",
        lambda z: (
            torch.zeros_like(z, dtype=torch.float32),
            torch.ones_like(z, dtype=torch.int64),
            torch.full_like(z, 2, dtype=torch.float64),
            z.new_ones(z.shape, dtype=torch.bool),
        ),
        (complexes(2, 3),),
    ),
    (
        "like in a complex dtype",
        lambda x, z: (
            torch.ones_like(x, dtype=torch.complex64),
            torch.full_like(z, 2 + 1j, dtype=torch.complex64),
            x.new_full((2,), 1j, dtype=torch.complex128),
            z.new_zeros(z.shape),
        ),
        (torch.arange(3), complexes(2, 3)),
    ),
    (
        "full",
        lambda z: (torch.full((2, 3), 2j) * z, torch.full(z.shape, 2, dtype=z.dtype)),
        (complexes(2, 3),),
    ),
    (
        "cumsum dtype",
        lambda x, z, n: (
            x.cumsum(-1, dtype=z.dtype),
            z.cumsum(-1, dtype=x.dtype),
            n.cumsum(0, dtype=z.dtype),
        ),
        (real(2, 3), complexes(2, 3), torch.arange(3)),
    ),
    (
        "sum dtype",
        lambda x, z, n: (
            x.sum(dtype=z.dtype),
            x.mean(0, dtype=z.dtype),
            n.sum(dtype=z.dtype),
            z.sum(0, dtype=x.dtype),
            z.mean(dtype=x.dtype),
        ),
        (real(2, 3), complexes(2, 3), torch.arange(3)),
    ),
    ("sum to bool", lambda z: (z.sum(dtype=torch.bool), z.sum(0, dtype=torch.bool)), (SOME_ZERO,)),
    (
        "shape of another",
        lambda x, z: (x.expand_as(z), z[0].expand_as(z.real), x.view_as(z[0]), z.reshape_as(z.real.T)),
        (real(3), complexes(2, 3)),
    ),
    (
        "real with number",
        lambda x, n: (x * 2j, n * 2j, n / 2j, n * (1 + 1j), x * (2 + 0j), x / 1j),
        (real(3), torch.arange(3)),
    ),
    (
        "over zero",
        lambda z, w: (z / w, z / 0j, z / 0, z / w.real),
        (SOME_ZERO, torch.tensor([0j, 0, 1j])),
    ),
    ("real over zero", lambda x, w: (x / w, x / 0j, w.reciprocal()), (real(3), torch.tensor([0j, 0, 1j]))),
    (
        "where numbers",
        lambda z: (torch.where(z.real > 0, z, 0), torch.where(z.real > 0, 1j, z), z.where(z.real > 0, 2.5)),
        (complexes(2, 3),),
    ),
    (
        "where real",
        lambda x, z: (torch.where(x > 0, 1j, 2 + 1j), torch.where(x > 0, x, 1j), torch.where(x > 0, x, z)),
        (real(2, 3), complexes(3)),
    ),
    (
        "masked_fill",
        lambda z, x: (z.masked_fill(x > 0, 1), z.masked_fill(x > 0, z[0])),
        (complexes(3), real(2, 3)),
    ),
    (
        "number first",
        lambda z: (torch.mul(2j, z), torch.add(2, z, alpha=2), torch.sub(2, z), torch.div(2, z)),
        (complexes(3),),
    ),
    (
        "cat of none",
        lambda z: (torch.cat([torch.zeros(0), z], -1), torch.cat([z, torch.zeros(0, dtype=z.dtype)])),
        (complexes(2, 3),),
    ),
    (
        "norm in a dtype",
        lambda z: torch.linalg.vector_norm(z, dtype=torch.complex128),
        (complexes(2, 3),),
    ),
]


@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.parametrize(("name", "function", "args"), MIXED, ids=[name for name, _, _ in MIXED])
def test_real_and_complex_in_one_call(
    name: str, function: Callable[..., object], args: tuple[torch.Tensor, ...]
) -> None:
    compare(function, args)


def test_angles() -> None:
    """In float32: ONNX Runtime has no Atan of float64."""
    compare(lambda z: (z.angle(), z.log(), z.log2()), (complexes(2, 3),))
    compare(torch.angle, (torch.tensor([1, -1, 1j, -1j, 0, -1 - 1j]),))


@pytest.mark.filterwarnings("ignore:Casting complex values to real")
@pytest.mark.parametrize("double", [False, True], ids=["complex64", "complex128"])
@pytest.mark.parametrize(("name", "function", "args"), CASES, ids=[name for name, _, _ in CASES])
def test_calls(
    name: str, function: Callable[..., object], args: tuple[torch.Tensor, ...], double: bool
) -> None:
    compare(function, tuple(doubled(arg) if double else arg for arg in args))


def doubled(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.is_complex():
        return tensor.to(torch.complex128)
    return tensor.double() if tensor.is_floating_point() else tensor


class Call(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> object:
        return self.function(*args)


def compare(
    function: Callable[..., object],
    args: tuple[torch.Tensor, ...],
) -> None:
    """Export with dynamic sizes, and compare with eager in dtype, shape and value as torch.testing does."""
    model = Call(function).eval()
    dynamic = tuple(
        {dim: torch.export.Dim.AUTO for dim, size in enumerate(arg.shape) if size > 1} for arg in args
    )
    program = onnx_export.export(
        model,
        args,
        dynamic_shapes=(dynamic,),
        verbose=False,
    )
    result = model(*args)
    expected = result if isinstance(result, tuple | list) else (result,)
    for got, want in zip(program(*args), expected, strict=True):
        pairs = torch.view_as_real(want.resolve_conj()) if want.is_complex() else want.resolve_neg()
        torch.testing.assert_close(got, pairs, equal_nan=True)


frames = functools.partial(torch.stft, return_complex=True)


TRANSFORMS: Sequence[tuple[str, Callable[..., object], tuple[torch.Tensor, ...]]] = [
    (
        "fft",
        lambda z, x: (torch.fft.fft(z), torch.fft.ifft(z), torch.fft.fft(x), torch.fft.ifft(x, dim=0)),
        (complexes(3, 10), real(3, 10)),
    ),
    (
        "lengths",
        lambda z: (
            torch.fft.fft(z, 7),
            torch.fft.ifft(z, 12),
            torch.fft.fft(z, 8, 0),
            torch.fft.ifft(z.real, 16),
        ),
        (complexes(3, 10),),
    ),
    (
        "norms",
        lambda z: [
            f(z, norm=n) for f in (torch.fft.fft, torch.fft.ifft) for n in ("forward", "ortho", "backward")
        ],
        (complexes(3, 10),),
    ),
    (
        "rfft",
        lambda x: (torch.fft.rfft(x), torch.fft.rfft(x, 7, 0), torch.fft.rfft(x, norm="ortho").abs()),
        (real(3, 10),),
    ),
    (
        "irfft",
        lambda z: (torch.fft.irfft(z), torch.fft.irfft(z, 9), torch.fft.irfft(z, 7), torch.fft.irfft(z, 16)),
        (complexes(3, 6),),
    ),
    (
        "irfft norms",
        lambda z: [
            torch.fft.irfft(z, n, 0, norm) for n in (4, 5) for norm in ("forward", "ortho", "backward")
        ],
        (complexes(3, 6),),
    ),
    ("there and back", lambda x: torch.fft.irfft(torch.fft.rfft(x) * 2, n=x.shape[-1]), (real(3, 11),)),
    ("of real tensors", lambda x: (torch.fft.irfft(x), torch.fft.hfft(x, norm="ortho")), (real(3, 6),)),
    (
        "hermitian",
        lambda z, x: (torch.fft.hfft(z), torch.fft.ihfft(x), torch.fft.hfft(z, norm="forward")),
        (complexes(3, 6), real(3, 7)),
    ),
    (
        "fft2",
        lambda z, x: (torch.fft.fft2(z), torch.fft.ifft2(z), torch.fft.rfft2(x), torch.fft.irfft2(z)),
        (complexes(2, 3, 6), real(2, 3, 5)),
    ),
    (
        "fftn",
        lambda z, x: (
            torch.fft.fftn(z),
            torch.fft.ifftn(z, norm="ortho"),
            torch.fft.rfftn(x),
            torch.fft.irfftn(z),
        ),
        (complexes(2, 3, 6), real(2, 3, 5)),
    ),
    (
        "fftn sizes",
        lambda z, x: (
            torch.fft.fftn(z, s=(4, -1)),
            torch.fft.rfftn(x, s=(4, 6), dim=(0, 2)),
            torch.fft.irfftn(z, s=(4, 5)),
        ),
        (complexes(2, 3, 6), real(2, 3, 5)),
    ),
    ("FNet", lambda x: torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real, (real(2, 7, 12),)),
    ("integers", lambda n: torch.fft.rfft(n), (torch.arange(10),)),
    (
        "stft",
        lambda x: (frames(x, 16, 4), frames(x[0], 13), frames(x, 16, 5, normalized=True, onesided=False)),
        (real(2, 67),),
    ),
    (
        "stft windows",
        lambda x, w: (
            frames(x, 16, 4, 11, w),
            frames(x, 16, 4, 12, center=False),
            frames(x, 16, 4, window=torch.hann_window(16, dtype=x.dtype), pad_mode="constant"),
        ),
        (real(2, 67), real(11)),
    ),
    ("stft in double", lambda x: frames(x, 16, window=torch.ones(16, dtype=torch.float64)), (real(2, 67),)),
    (
        "stft of complex signals",
        lambda z: (frames(z, 16, 4), frames(z[0], 16, onesided=False, normalized=True)),
        (complexes(2, 67),),
    ),
    (
        "stft as pairs",
        lambda x: (torch.stft(x, 16, 4, return_complex=False), frames(x, 16).abs()),
        (real(2, 67),),
    ),
    (
        "stft that pads itself",
        lambda x: (
            torch.ops.aten.stft.center(x, 16, 4, None, None, True, "reflect", False, True, True),
            torch.ops.aten.stft.center(x[0], 16, 4, None, None, True, "reflect", True, None, True),
        ),
        (real(2, 67),),
    ),
    ("shifts", lambda z: torch.fft.ifftshift(torch.fft.fftshift(torch.fft.fft(z)) * 2), (complexes(10),)),
]


@pytest.mark.parametrize("double", [False, True], ids=["complex64", "complex128"])
@pytest.mark.parametrize(("name", "function", "args"), TRANSFORMS, ids=[name for name, _, _ in TRANSFORMS])
def test_transforms(
    name: str, function: Callable[..., object], args: tuple[torch.Tensor, ...], double: bool
) -> None:
    compare(function, tuple(doubled(arg) if double else arg for arg in args))


def test_short_time_transforms_of_signals_of_any_length(tmp_path: Path) -> None:
    def spectrum(x: torch.Tensor) -> torch.Tensor:
        return torch.stft(x, 400, 160, window=torch.hann_window(400), return_complex=True).abs() ** 2

    dynamic = ({0: torch.export.Dim("batch"), 1: torch.export.Dim("samples", min=800)},)
    program = onnx_export.export(
        Call(spectrum).eval(), (real(2, 1600),), dynamic_shapes=(dynamic,), verify=True, verbose=False
    )
    other = real(3, 2311)
    torch.testing.assert_close(program(other)[0], spectrum(other), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("opset", [18, 20, 23])
@pytest.mark.parametrize("size", [64, 400, 997])
def test_long_transforms_lose_no_digits(opset: int, size: int) -> None:
    """Against float64, since torch's float32 has errors of its own."""

    def transforms(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.fft.rfft(x), torch.fft.ifft(x)

    x = real(2, size)
    program = onnx_export.export(Call(transforms).eval(), (x,), opset_version=opset, verbose=False)
    for got, want in zip(program(x), transforms(x.double()), strict=True):
        torch.testing.assert_close(
            got.double(), torch.view_as_real(want.resolve_conj()), rtol=0, atol=5e-7 * want.abs().max().item()
        )


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (torch.linalg.inv, "aten::linalg_inv computes with complex numbers"),
        (lambda z: z**0.5, "the first three can be had"),
        (lambda z: torch.prod(z, 0), "has no form on pairs"),
    ],
)
def test_what_has_no_form_is_refused_with_its_place(
    function: Callable[[torch.Tensor], torch.Tensor], reason: str
) -> None:
    with pytest.raises(ConversionError) as caught:
        onnx_export.export(Call(function).eval(), (complexes(3, 3),), verbose=False)
    (found,) = caught.value.diagnostics
    assert found.rule.code == "JIT005"
    assert reason in found.message
    assert found.location is not None
    assert found.location.file == __file__
