"""Symbolic functions that were written for torch.onnx, as a table of lowerings."""

from onnx_export._torch_symbolics._context import GraphContext
from onnx_export._torch_symbolics._node_table import ATEN_NODES, OWN_NODES, NodeTable
from onnx_export._torch_symbolics._registry import (
    SymbolicFunction,
    register_custom_op_symbolic,
    unregister_custom_op_symbolic,
)
from onnx_export._torch_symbolics._table import (
    AUTOGRAD_FUNCTIONS,
    REGISTERED,
    REGISTERED_ANYWHERE,
    REGISTERED_WITH_TORCH,
    AutogradTable,
    SymbolicTable,
)

__all__ = [
    "ATEN_NODES",
    "AUTOGRAD_FUNCTIONS",
    "OWN_NODES",
    "REGISTERED",
    "REGISTERED_ANYWHERE",
    "REGISTERED_WITH_TORCH",
    "AutogradTable",
    "GraphContext",
    "NodeTable",
    "SymbolicFunction",
    "SymbolicTable",
    "register_custom_op_symbolic",
    "unregister_custom_op_symbolic",
]
