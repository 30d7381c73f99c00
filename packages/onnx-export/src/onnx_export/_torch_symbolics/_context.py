"""``g``, the first argument of symbolic functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, overload

import onnx_ir as ir
import torch

from onnx_export._onnxscript import call_function
from onnx_export._torch_symbolics._attributes import read_attributes, write_attributes
from onnx_export._torch_symbolics._graph import ScratchGraph

__all__ = ["GraphContext"]


class GraphContext:
    """What a symbolic function writes nodes with; its methods are those that torch.onnx gives it.

    Args:
        scratch: the graph of the call.
        original_node: the call that the function stands for.
    """

    def __init__(self, scratch: ScratchGraph, original_node: torch._C.Node) -> None:
        self._scratch = scratch
        self.graph = scratch.graph
        self.block = scratch.graph.block()
        self.original_node = original_node
        self.opset = scratch.op.opset
        self.params_dict: dict[str, object] = {}
        self.env: dict[torch._C.Value, torch._C.Value] = {}
        self.values_in_env: set[torch._C.Value] = set()
        self.new_nodes: list[torch._C.Node] = []

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self.graph, name)
        return found

    @overload
    def op(
        self, opname: str, *raw_args: object, outputs: Literal[1] = 1, **attributes: object
    ) -> torch._C.Value: ...

    @overload
    def op(
        self, opname: str, *raw_args: object, outputs: Literal[2, 3, 4, 5, 6, 7, 8], **attributes: object
    ) -> tuple[torch._C.Value, ...]: ...

    @overload
    def op(
        self, opname: str, *raw_args: object, outputs: int, **attributes: object
    ) -> torch._C.Value | tuple[torch._C.Value, ...]: ...

    def op(
        self, opname: str, *raw_args: object, outputs: int = 1, **attributes: object
    ) -> torch._C.Value | tuple[torch._C.Value, ...]:
        """Append a node and return its output, or a tuple of several.

        Args:
            opname: an operator of ONNX such as ``"Relu"``, in the form that it has at the target's opset, or
                one of another domain such as ``"mydomain::Shrink"``.
            raw_args: values, tensors, which become constants, and None for an input that is left out.
            outputs: how many there are.
            attributes: by names that end in their type: ``axis_i=1``, ``axes_i=[0, 1]``, ``alpha_f=0.5``,
                ``mode_s="linear"``, ``value_t=tensor``. None leaves an attribute out.

        Raises:
            ValueError: the operator takes other inputs or attributes at the opset.
            TypeError: an argument or attribute is of another type.
        """
        kind = opname if "::" in opname else f"onnx::{opname}"
        node = self._scratch.create(kind, [self._value(kind, argument) for argument in raw_args], outputs)
        write_attributes(node, attributes)
        self.new_nodes.append(node)
        self._scratch.emit(node)
        return _single(node)

    def at(
        self, operator: str, *args: object, overload_name: str = "", **attributes: object
    ) -> torch._C.Value | tuple[torch._C.Value, ...]:
        """Append an ATen operator as a node ``org.pytorch.aten::ATen``, for runtimes that have ATen.

        Args:
            operator: its name, such as ``"bilinear"``.
            args: values and tensors.
            overload_name: which overload.
            attributes: further attributes, and ``outputs``, as for :meth:`op`.
        """
        count = attributes.pop("outputs", 1)
        return self.op(
            "aten::ATen",
            *args,
            outputs=count if isinstance(count, int) else 1,
            operator_s=operator,
            overload_name_s=overload_name,
            **attributes,
        )

    aten_op = at

    def onnxscript_op(
        self, onnx_fn: Callable[..., object], *raw_args: object, outputs: int = 1, **attributes: object
    ) -> torch._C.Value | tuple[torch._C.Value, ...]:
        """Append a call of a function of onnxscript, which becomes a function of the model.

        Args:
            onnx_fn: a function that ``onnxscript.script`` compiled.
            raw_args: values and tensors.
            outputs: how many there are.
            attributes: by names that end in their type, as for :meth:`op`.

        Raises:
            ValueError: the function has another number of results.
        """
        name = str(getattr(onnx_fn, "name", getattr(onnx_fn, "__name__", "function")))
        kind = f"onnxscript::{name}"
        node = self._scratch.create(kind, [self._value(kind, argument) for argument in raw_args], outputs)
        write_attributes(node, attributes)
        self.new_nodes.append(node)
        given = {key: found.value for key, found in read_attributes(node).items()}
        inputs: list[ir.Value | None] = [self._scratch.lowered(value) for value in node.inputs()]
        results = call_function(self._scratch.op, onnx_fn, inputs, given)
        if len(results) != outputs:
            raise ValueError(f"{name} has {len(results)} results, and g.onnxscript_op is told {outputs}")
        for output, result in zip(node.outputs(), results, strict=True):
            self._scratch.bind(output, result)
        return _single(node)

    def _value(self, kind: str, argument: object) -> torch._C.Value:
        if isinstance(argument, torch._C.Value):
            return argument
        if argument is None:
            return self._scratch.none()
        if isinstance(argument, torch.Tensor):
            return self._scratch.constant(argument)
        raise TypeError(
            f"{kind.removeprefix('onnx::')} is given {argument!r}, a {type(argument).__name__}, for an "
            "input: pass a value, or torch.tensor(...) for a constant"
        )


def _single(node: torch._C.Node) -> torch._C.Value | tuple[torch._C.Value, ...]:
    return node.output() if node.outputsSize() == 1 else tuple(node.outputs())
