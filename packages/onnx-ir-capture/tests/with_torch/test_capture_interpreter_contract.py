"""What the interpreter promises beside right numbers: weights, protection, memory, modes, errors."""

from __future__ import annotations

import gc
import weakref

import ml_dtypes
import numpy as np
import onnx_ir as ir
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from onnx_ir import tensor_adapters

from onnx_ir_capture.dialect import parse_program
from onnx_ir_capture.interpreter import Interpreter, InterpreterError


def parsed(text: str) -> ir.Model:
    return parse_program(f"torch dialect 1\n{text}")


def tensor(value: object) -> torch.Tensor:
    assert isinstance(value, torch.Tensor)
    return value


WEIGHT = """
graph main(%x: f32[2]) {
  weight %w: f32[2]
  %y: f32[2] = aten::add.Tensor(%x, %w, 1)
  %v: f32[2] = aten::alias(%w) views(0 -> 0)
  return %y, %v
}
"""


def with_weight(text: str, weight: ir.TensorProtocol | None) -> ir.Model:
    model = parsed(text)
    model.graph.initializers["w"].const_value = weight
    return model


class TestWeights:
    def test_torch_tensor_is_used_without_a_copy(self) -> None:
        w = torch.tensor([1.0, 2.0])
        result = Interpreter(with_weight(WEIGHT, tensor_adapters.TorchTensor(w))).run([torch.ones(2)])
        assert tensor(result[0]).tolist() == [2, 3]
        assert tensor(result[1]).data_ptr() == w.data_ptr()

    def test_array_is_used_without_a_copy(self) -> None:
        array = np.array([1.0, 2.0], dtype=np.float32)
        result = Interpreter(with_weight(WEIGHT, ir.tensor(array))).run([torch.ones(2)])
        assert tensor(result[1]).data_ptr() == array.ctypes.data

    def test_read_only_array_is_copied(self) -> None:
        array = np.array([1.0, 2.0], dtype=np.float32)
        array.flags.writeable = False
        result = Interpreter(with_weight(WEIGHT, ir.tensor(array))).run([torch.ones(2)])
        assert tensor(result[0]).tolist() == [2, 3]

    def test_mapping_stands_in(self) -> None:
        model = with_weight(WEIGHT, None)
        weights = {"w": torch.tensor([5.0, 6.0]), "another name": torch.ones(1)}
        assert tensor(Interpreter(model, weights=weights).run([torch.ones(2)])[0]).tolist() == [6, 7]

    def test_missing_values_are_named(self) -> None:
        with pytest.raises(InterpreterError, match=r"weight 'w' has no values; pass them in weights="):
            Interpreter(with_weight(WEIGHT, None)).run([torch.ones(2)])

    @given(
        st.sampled_from(["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"]),
        st.data(),
    )
    def test_dtypes_that_numpy_lacks_keep_their_bits(self, name: str, data: st.DataObject) -> None:
        dtype = np.dtype(getattr(ml_dtypes, name))
        bits = data.draw(st.lists(st.integers(0, 2 ** (8 * dtype.itemsize) - 1), min_size=1, max_size=5))
        raw = np.array(bits, dtype=f"u{dtype.itemsize}")
        weight = ir.tensor(raw.view(dtype))
        kind = f"{weight.dtype.short_name()}[{len(bits)}]"
        text = f"graph main() {{ weight %w: {kind} %v: {kind} = aten::alias(%w) views(0 -> 0) return %v }}"
        (result,) = Interpreter(with_weight(text, weight)).run([])
        assert tensor(result).dtype == getattr(torch, name)
        assert tensor(result).view(torch.uint8).tolist() == raw.view(np.uint8).tolist()

    def test_packed_values_are_refused(self) -> None:
        weight = ir.tensor(np.array([1, 2], dtype=ml_dtypes.int4))
        text = "graph main() { weight %w: i4[2] %v: i4[2] = aten::alias(%w) views(0 -> 0) return %v }"
        with pytest.raises(InterpreterError, match=r"weight .* holds INT4"):
            Interpreter(with_weight(text, weight)).run([])


WRITES = """
graph main(%x: f32[2, 2]) {
  weight %w: f32[2, 2]
  %row: f32[2] = aten::select.int(%x, 0, 0) views(0 -> 0)
  %list: list<f32> = prim::ListConstruct(%x, %w)
  %a: f32[2, 2] = aten::add_.Tensor(%w, %x, 1) mutates(0) views(0 -> 0)
  %b: f32[2] = aten::fill_.Scalar(%row, 9) mutates(0) views(0 -> 0)
  aten::_foreach_mul_.Scalar(%list, 2) mutates(0)
  %s: f32[2, 2] = aten::add.Tensor(%x, %w, 1)
  return %s
}
"""


def written(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    w.add_(x)
    x[0].fill_(9)
    x.mul_(2)
    w.mul_(2)
    return x + w


class TestProtection:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    w = torch.tensor([[5.0, 6.0], [7.0, 8.0]])

    def test_inputs_and_weights_stay(self) -> None:
        x, w = self.x.clone(), self.w.clone()
        interpreter = Interpreter(with_weight(WRITES, tensor_adapters.TorchTensor(w)))
        for _ in range(2):
            (result,) = interpreter.run([x])
            assert torch.equal(tensor(result), written(self.x.clone(), self.w.clone()))
        assert torch.equal(x, self.x)
        assert torch.equal(w, self.w)

    def test_without_it_they_are_written(self) -> None:
        x, w = self.x.clone(), self.w.clone()
        Interpreter(with_weight(WRITES, tensor_adapters.TorchTensor(w)), protect=False).run([x])
        wanted_x, wanted_w = self.x.clone(), self.w.clone()
        written(wanted_x, wanted_w)
        assert torch.equal(x, wanted_x)
        assert torch.equal(w, wanted_w)

    def test_inputs_that_share_memory_go_on_sharing_it(self) -> None:
        text = """
        graph main(%x: f32[2, 2], %y: f32[2]) {
          %a: f32[2] = aten::fill_.Scalar(%y, 9) mutates(0) views(0 -> 0)
          %s: f32[2, 2] = aten::mul.Tensor(%x, 1)
          return %s
        }
        """
        x = self.x.clone()
        (result,) = Interpreter(parsed(text)).run([x, x.t()[1]])
        assert tensor(result).tolist() == [[1, 9], [3, 9]]
        assert torch.equal(x, self.x)

    def test_what_is_not_written_is_not_copied(self) -> None:
        text = """
        graph main(%x: f32[2, 2], %y: f32[2]) {
          %a: f32[2] = aten::fill_.Scalar(%y, 9) mutates(0) views(0 -> 0)
          %s: f32[2, 2] = aten::alias(%x) views(0 -> 0)
          return %s
        }
        """
        (result,) = Interpreter(parsed(text)).run([self.x, torch.ones(2)])
        assert tensor(result).data_ptr() == self.x.data_ptr()

    def test_conjugate_view_of_a_copy_stays_conjugate(self) -> None:
        text = """
        graph main(%x: c64[2]) {
          %c: c64[2] = aten::_conj(%x) views(0 -> 0)
          %a: c64[2] = aten::mul_.Scalar(%x, complex(0.0, 1.0)) mutates(0) views(0 -> 0)
          %s: c64[2] = aten::resolve_conj(%c) views(0 -> 0)
          return %s
        }
        """
        x = torch.tensor([1 + 2j, 3 - 1j])
        (result,) = Interpreter(parsed(text)).run([x])
        assert torch.equal(tensor(result), (x * 1j).conj())

    def test_sparse_input_stays(self) -> None:
        text = """
        graph main(%x: f32[2, 2]) {
          %a: f32[2, 2] = aten::mul_.Scalar(%x, 3) mutates(0) views(0 -> 0)
          %s: f32[2, 2] = aten::to_dense(%a, None, None)
          return %s
        }
        """
        x = self.x.to_sparse()
        (result,) = Interpreter(parsed(text)).run([x])
        assert torch.equal(tensor(result), self.x * 3)
        assert torch.equal(x.to_dense(), self.x)


CHAIN = """
graph main(%x: f32[1000]) {
  %a: f32[1000] = aten::add.Tensor(%x, 1, 1)
  %unused: f32[1000] = aten::mul.Tensor(%a, 2)
  %b: f32[1000] = aten::add.Tensor(%a, 1, 1)
  %c: f32[1000] = aten::add.Tensor(%b, 1, 1)
  return %c
}
"""


def test_values_go_after_their_last_use() -> None:
    alive: dict[str, weakref.ref[torch.Tensor]] = {}
    seen: dict[str, set[str]] = {}

    def note(value: ir.Value, result: object) -> None:
        gc.collect()
        seen[str(value.name)] = {name for name, ref in alive.items() if ref() is not None}
        if isinstance(result, torch.Tensor):
            alive[str(value.name)] = weakref.ref(result)

    Interpreter(parsed(CHAIN), observer=note).run([torch.ones(1000)])
    assert seen["unused"] == {"a"}
    assert seen["b"] == {"a"}
    assert seen["c"] == {"b"}


def test_modes_around_a_run_neither_matter_nor_change() -> None:
    text = """
    graph main(%x: f32[2, 2]) {
      %y: f32[2, 2] = aten::mm(%x, %x)
      return %y
    }
    """
    x = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.enable_grad():
        (result,) = Interpreter(parsed(text)).run([x])
        assert torch.is_grad_enabled()
        assert torch.mm(x, x).dtype == torch.bfloat16
    assert tensor(result).dtype == torch.float32
    assert not tensor(result).requires_grad
    with torch.inference_mode():
        Interpreter(parsed(text)).run([x])
        assert torch.is_inference_mode_enabled()


class TestInputs:
    text = """
    graph main(%x: f32[batch, 3], %n: int, %f: float) {
      %y: float = aten::add.int_float(%n, %f)
      return %y
    }
    """

    def test_by_name(self) -> None:
        assert Interpreter(parsed(self.text)).run({"f": 0.5, "n": 2, "x": torch.ones(1, 3)}) == [2.5]

    @pytest.mark.parametrize(
        ("inputs", "error", "match"),
        [
            ((torch.ones(1, 3), 2), ValueError, "2 inputs are given, and the graph has 3: x, n, f"),
            ({"x": torch.ones(1, 3), "m": 2}, ValueError, "missing: n, f; unknown: m"),
            ((2, 2, 0.5), TypeError, "input 'x' is a tensor, and 2 is given"),
            (
                (torch.ones(1, 3), torch.tensor(2), 0.5),
                TypeError,
                r"input 'n' is a int, and int64\[\] is given",
            ),
            ((torch.ones(1, 3), True, 0.5), TypeError, "input 'n' is a int, and True is given"),
            ((torch.ones(1, 3).double(), 2, 0.5), TypeError, r"dtype f32, and float64\[1, 3\] is given"),
            ((torch.ones(1, 4), 2, 0.5), ValueError, r"shape \[batch, 3\], and float32\[1, 4\] is given"),
            ((torch.ones(3), 2, 0.5), ValueError, r"shape \[batch, 3\], and float32\[3\] is given"),
        ],
    )
    def test_wrong_ones_are_named(
        self, inputs: list[object] | dict[str, object], error: type[Exception], match: str
    ) -> None:
        with pytest.raises(error, match=match):
            Interpreter(parsed(self.text)).run(inputs)


class TestErrors:
    def run(self, body: str, *inputs: object) -> list[object]:
        return Interpreter(parsed(f"graph main(%x: f32[2, 3]) {{ {body} return %y }}")).run(inputs)

    def test_unknown_operator(self) -> None:
        with pytest.raises(InterpreterError, match=r"nobody::op.x failed: .* import the library"):
            self.run("%y: f32[2] = nobody::op.x(%x)", torch.ones(2, 3))

    def test_wrong_number_of_arguments(self) -> None:
        with pytest.raises(
            InterpreterError, match=r"the node has 1 inputs, and its schema 3: aten::add.Tensor"
        ):
            self.run("%y: f32[2] = aten::add.Tensor(%x)", torch.ones(2, 3))

    def test_wrong_number_of_results(self) -> None:
        body = "%a: f32[3], %b: f32[3], %y: f32[3] = aten::unbind.int(%x, 0) views(0 -> 0, 1 -> 0, 2 -> 0)"
        with pytest.raises(InterpreterError, match="it gave 2 results where the captured program has 3"):
            self.run(body, torch.ones(2, 3))

    def test_constant_that_torch_lacks(self) -> None:
        body = "%y: f32[2, 3] = aten::to.dtype(%x, dtype.float3, False, False, None) views(0 -> 0)"
        with pytest.raises(InterpreterError, match="has no TorchDType 'float3'"):
            self.run(body, torch.ones(2, 3))

    def test_text_names_node_place_and_inputs(self) -> None:
        body = "%y: f32[...] = aten::cat([%x, %x, None]: list<f32>, 7) @net.join lib/net.py:31"
        with pytest.raises(InterpreterError) as caught:
            self.run(body, torch.ones(2, 3))
        lines = str(caught.value).splitlines()
        assert lines[0].startswith("aten::cat failed: ")
        assert lines[1:] == [
            "  node: %y = aten::cat([float32[2, 3], float32[2, 3], None], 7)",
            "  at: lib/net.py:31",
            "  in module: net.join",
        ]
        assert caught.value.__cause__ is not None

    def test_fault_of_an_observer_is_its_own(self) -> None:
        def broken(value: ir.Value, result: object) -> None:
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            Interpreter(parsed(CHAIN), observer=broken).run([torch.ones(1000)])


def test_lists_are_objects_that_can_be_written() -> None:
    text = """
    graph main(%x: f32[2], %n: int) {
      %list: list<f32> = prim::ListConstruct(%x)
      %same: list<f32> = prim::Identity(%list)
      %a: list<f32> = aten::append.t(%list, %x) mutates(0) views(0 -> 0)
      %len: int = aten::len.t(%same)
      %two: list<f32> = aten::slice.t(%same, 0, None, 2)
      %three: list<f32> = aten::add.t(%same, %two)
      %y: f32[6] = aten::cat(%three, 0)
      %pair: tuple<int, f32> = prim::TupleConstruct(%len, %y)
      return %pair
    }
    """
    (result,) = Interpreter(parsed(text)).run([torch.ones(2), 1])
    assert isinstance(result, tuple)
    assert result[0] == 2
    assert torch.equal(result[1], torch.ones(6))


@pytest.mark.parametrize(
    ("constant", "wanted"),
    [
        ("dtype.float64", torch.float64),
        ("device.cpu", torch.device("cpu")),
        ("layout.strided", torch.strided),
        ("memory_format.channels_last", torch.channels_last),
        ("complex(1.0, -2.0)", 1 - 2j),
        ("None", None),
        ("True", True),
        ("7", 7),
        ("1e-05", 1e-05),
        ('"tanh"', "tanh"),
    ],
)
def test_constants_become_what_torch_takes(constant: str, wanted: object) -> None:
    (result,) = Interpreter(parsed(f"graph main() {{ return {constant} }}")).run([])
    assert type(result) is type(wanted)
    assert result == wanted
