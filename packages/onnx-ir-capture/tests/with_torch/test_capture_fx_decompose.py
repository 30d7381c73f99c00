"""Calls of captured programs taken apart by torch's decompositions."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir
import pytest
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Decomposition, Unsupported
from onnx_ir_capture.dialect import op_name
from onnx_ir_capture.fx import CallDecomposer, call_signature, capture
from onnx_ir_capture.program import CapturedProgram

DYNAMIC = {0: "rows", 1: "columns"}


def captured(
    function: Callable[..., object], *args: torch.Tensor, dynamic: bool = True
) -> tuple[CapturedProgram, dict[str, ir.Node]]:
    """The program, and its calls by operator."""
    shapes = tuple(DYNAMIC for _ in args) if dynamic else None
    program = capture(function, args, dynamic_shapes=shapes, diagnostics=DiagnosticContext("test", "0"))
    return program, {str(op_name(node)): node for node in program.model.graph if node.domain != "prim"}


def apart(program: CapturedProgram, node: ir.Node) -> Decomposition:
    found = CallDecomposer(program).decompose(node)
    assert found is not None
    return found


def ops(graph: ir.Graph) -> list[str]:
    return [str(op_name(node)) for node in graph if node.domain != "prim"]


def huber(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.huber_loss(x, x * 2, reduction="none")


def test_the_graph_has_the_program_s_types_and_names() -> None:
    program, calls = captured(huber, torch.randn(5, 7))
    found = apart(program, calls["aten::huber_loss"])
    assert ops(found.graph)[:2] == ["aten::sub.Tensor", "aten::abs"]
    assert [str(value.shape) for value in (*found.graph.inputs, *found.graph.outputs)] == [
        "[rows,columns]"
    ] * 3
    assert found.operands == list(calls["aten::huber_loss"].inputs[:2])
    assert found.is_general


def test_an_operator_without_decomposition_has_none() -> None:
    program, calls = captured(torch.exp, torch.randn(5, 7))
    assert CallDecomposer(program).decompose(calls["aten::exp"]) is None


def test_what_holds_for_the_example_only_is_refused() -> None:
    def columns(x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.ops.aten.im2col(x[None, None], [3, 3], [1, 1], [0, 0], [1, 1])
        return found

    program, calls = captured(columns, torch.randn(5, 7))
    with pytest.raises(Unsupported, match=r"holds only where .*(rows|columns)"):
        CallDecomposer(program).decompose(calls["aten::im2col"])


def test_a_decomposition_that_raises_is_refused_with_torch_s_words() -> None:
    library = torch.library.Library("apart", "FRAGMENT")  # for this test alone
    library.define("raises(Tensor x) -> Tensor")
    library.impl("raises", lambda x: x.exp(), "CPU")
    library.impl("raises", torch.empty_like, "Meta")
    program, calls = captured(lambda x: torch.ops.apart.raises(x), torch.randn(5, 7))

    def raises(x: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("no such luck\nand more lines")

    library.impl("raises", raises, "CompositeImplicitAutograd")
    with pytest.raises(Unsupported, match=r"fails: RuntimeError: no such luck$"):
        CallDecomposer(program).decompose(calls["apart::raises"])


def test_sizes_that_depend_on_data_keep_the_program_s_names() -> None:
    program, calls = captured(torch.argwhere, torch.randn(5, 7))
    node = calls["aten::argwhere"]
    found = apart(program, node)
    assert str(found.graph.outputs[0].shape) == str(node.outputs[0].shape)
    assert not found.is_general, "two calls have two such sizes"


def test_a_size_as_an_argument_stays_a_value() -> None:
    def repeated(x: torch.Tensor) -> torch.Tensor:
        return torch.repeat_interleave(x, x.shape[1] + 1, dim=0)

    program, calls = captured(repeated, torch.randn(5, 7))
    node = calls["aten::repeat_interleave.self_int"]
    found = apart(program, node)
    assert len(found.operands) == 2
    assert str(found.graph.outputs[0].shape) == str(node.outputs[0].shape)


def test_calls_of_equal_types_and_constants_have_one_signature() -> None:
    def several(x: torch.Tensor, y: torch.Tensor) -> object:
        first = torch.addr(x, x[:, 0], x[0])
        second = torch.addr(x, x[:, 0] * 2, x[0])
        column = x[:, 0]
        return first, second, torch.addr(x, x[:, 0], x[0], beta=2), torch.addr(x, column, column), y

    program, _ = captured(several, torch.randn(5, 5), torch.randn(5, 5), dynamic=False)
    one, two, beta, same = (
        call_signature(node) for node in program.model.graph if str(op_name(node)) == "aten::addr"
    )
    assert one == two
    assert len({one, beta, same}) == 3
