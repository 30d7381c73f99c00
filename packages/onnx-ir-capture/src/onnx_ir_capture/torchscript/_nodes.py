"""What nodes of TorchScript graphs say of themselves."""

from __future__ import annotations

import functools

import torch

from onnx_ir_capture.dialect import OpName

__all__ = ["constant_tensor", "name_of_schema", "schema_of"]


def constant_tensor(node: torch._C.Node) -> torch.Tensor | None:
    """The tensor that a constant holds; None for a constant of another kind, and for other nodes."""
    if node.kind() != "prim::Constant" or not node.hasAttribute("value") or node.kindOf("value") != "t":
        return None
    return node.t("value")


def schema_of(node: torch._C.Node) -> torch._C.FunctionSchema | None:
    """The schema that a node calls; None for nodes that have none, such as those of the language itself."""
    return _parsed(node.schema())


@functools.lru_cache(maxsize=2048)
def _parsed(text: str) -> torch._C.FunctionSchema | None:
    return None if text.startswith("(no schema)") else torch._C.parse_schema(text)


def name_of_schema(schema: torch._C.FunctionSchema) -> OpName:
    """The operator's name with its overload."""
    return OpName.parse(schema.name)._replace(overload=schema.overload_name)
