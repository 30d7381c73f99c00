"""What a dialect node does beside computing its outputs: whether it may be dropped, merged or moved.

onnx_ir's ``RemoveUnusedNodesPass`` and ``CommonSubexpressionEliminationPass`` are wrong on this dialect and
must not run before lowering. The first drops every node without used outputs: ``relu_``, ``copy_``, an
assertion, an attribute's new value; it also cuts off trailing ``None`` inputs. The second knows the random
operators of ONNX only, so it merges two ``rand_like``; it compares attributes by ``==``, so it merges the
constants 1, 1.0 and True; and it does not know that a value was written between two equal reads.

A pass that drops unused nodes keeps those with any of :data:`Effect.LASTING`. A pass that merges equal calls
takes pure nodes only, compares constants by :func:`constant_key`, and runs when no node of the program
writes any more: two equal fresh tensors are not one if the first of them is written later.
"""

from __future__ import annotations

import enum

import onnx_ir as ir

from onnx_ir_capture.dialect._build import aliases_of
from onnx_ir_capture.dialect._constants import constant_value, is_constant
from onnx_ir_capture.dialect._structure import STRUCTURAL_FAULTS, blocks_of

__all__ = ["Effect", "draws_random_numbers", "effects_of", "is_pure"]


class Effect(enum.Flag):
    """Effects of a node; the empty flag is a pure one."""

    WRITES = enum.auto()
    """Changes a value, a buffer or an attribute in place."""
    RANDOM = enum.auto()
    """Draws random numbers: two equal calls give two results."""
    CHECKS = enum.auto()
    """Raises, or tells the compiler a bound, unless something holds."""
    OTHER = enum.auto()
    """Prints, changes a global state, or runs code that nobody knows."""

    LASTING = WRITES | CHECKS | OTHER
    """What is left to see of a node when its outputs are dropped."""


_NONE = Effect(0)

# fmt: off
# Operators of ATen that draw whatever their arguments say. Those that end in an underscore write as well, by
# their alias marks. torch says which: torch.Tag.nondeterministic_seeded.
_DRAWS = frozenset([
    "_cudnn_attention_backward", "_cudnn_init_dropout_state", "_fill_mem_eff_dropout_mask_",
    "_fused_dropout", "_nested_tensor_softmax_with_shape", "_sample_dirichlet",
    "_scaled_dot_product_cudnn_attention_backward", "_scaled_dot_product_efficient_attention_backward",
    "_standard_gamma", "bernoulli", "bernoulli_", "binomial", "cauchy", "cauchy_", "exponential",
    "exponential_", "geometric", "geometric_", "log_normal", "log_normal_", "multinomial", "normal",
    "normal_", "normal_functional", "poisson", "rand", "rand_like", "randint", "randint_like", "randn",
    "randn_like", "random", "random_", "randperm", "uniform", "uniform_",
])

# Operators that draw if an argument says so, a training flag or a dropout probability, with its position;
# "name.overload" where an overload differs (aten/src/ATen/native/native_functions.yaml).
_DRAWS_IF = {
    "_cudnn_attention_forward": 9,
    "_cudnn_rnn": 12,
    "_efficient_attention_forward": 8,
    "_flash_attention_forward": 7,
    "_flash_attention_forward_no_dropout_inplace": 8,
    "_fused_sdp_choice": 4,
    "_lstm_mps": 6,
    "_scaled_dot_product_attention_math": 4,
    "_scaled_dot_product_attention_math_for_mps": 4,
    "_scaled_dot_product_cudnn_attention": 5,
    "_scaled_dot_product_efficient_attention": 5,
    "_scaled_dot_product_flash_attention": 3,
    "_scaled_dot_product_flash_attention.quantized": 6,
    "_scaled_dot_product_flash_attention_for_cpu": 3,
    "_scaled_dot_product_fused_attention_overrideable": 4,
    "_triton_scaled_dot_attention": 3,
    "alpha_dropout": 2,
    "alpha_dropout_": 2,
    "dropout": 2,
    "dropout_": 2,
    "feature_alpha_dropout": 2,
    "feature_alpha_dropout_": 2,
    "feature_dropout": 2,
    "feature_dropout_": 2,
    "gru": 6,
    "gru.data": 7,
    "lstm": 6,
    "lstm.data": 7,
    "miopen_rnn": 10,
    "native_dropout": 2,
    "rnn_relu": 6,
    "rnn_relu.data": 7,
    "rnn_tanh": 6,
    "rnn_tanh.data": 7,
    "rrelu": 3,
    "rrelu_": 3,
    "rrelu_with_noise": 4,
    "rrelu_with_noise_": 4,
    "rrelu_with_noise_functional": 4,
    "scaled_dot_product_attention": 4,
}

# Norms that write their running statistics (inputs 3 and 4) if the flag (input 5) is set, though their
# schemas say nothing of it.
_WRITES_STATISTICS = frozenset([
    "_batch_norm_impl_index", "batch_norm", "cudnn_batch_norm", "instance_norm", "miopen_batch_norm",
    "native_batch_norm",
])

_CHECK_NAMES = ("_assert", "_functional_assert", "sym_constrain_range", "_functional_sym_constrain_range")

# What has outputs but is not to be judged by its marks. Without outputs every call has an effect.
_OTHER = frozenset([
    "aten::_enter_autocast", "aten::_exit_autocast", "aten::initial_seed", "aten::seed", "aten::wait",
    "prim::CallFunction", "prim::CallMethod", "prim::PythonOp", "prim::fork",
])
# fmt: on


def is_pure(node: ir.Node) -> bool:
    """Whether the node does nothing but compute its outputs, and equal inputs give equal outputs.

    A call whose marks are missing is not pure. An operator of somebody else's library is judged by its marks
    alone: that it draws random numbers, nothing says.
    """
    return effects_of(node) == _NONE


def draws_random_numbers(graph: ir.Graph) -> bool:
    """Whether two runs of the graph on the same inputs may differ."""
    return any(effects_of(node) & Effect.RANDOM for node in graph)


def effects_of(node: ir.Node) -> Effect:
    """All effects of the node, those of its blocks included."""
    if node.domain == "prim" and node.op_type in STRUCTURAL_FAULTS:
        effects = _NONE
        for block in blocks_of(node):
            for inner in block:
                effects |= effects_of(inner)
        return effects
    return _marked(node) | _named(node)


def _marked(node: ir.Node) -> Effect:
    try:
        aliases = aliases_of(node)
    except (ValueError, TypeError):
        return Effect.OTHER
    return Effect.WRITES if aliases.mutates else _NONE


def _named(node: ir.Node) -> Effect:
    name = node.op_type
    if name.startswith(_CHECK_NAMES) or (node.domain == "prim" and name == "RaiseException"):
        return Effect.CHECKS
    if node.domain == "prim" and name == "SetAttr":
        return Effect.WRITES
    if not node.outputs or f"{node.domain}::{name}" in _OTHER:
        return Effect.OTHER
    if node.domain != "aten":
        return _NONE
    flag = _flag_position(node)
    if name in _DRAWS or (flag is not None and _may_be_set(node, flag)):
        return Effect.RANDOM
    if name in _WRITES_STATISTICS and _has_statistics(node) and _may_be_set(node, 5):
        return Effect.WRITES
    return _NONE


def _flag_position(node: ir.Node) -> int | None:
    """Position of the argument that says whether the call draws; None if there is no such argument."""
    return _DRAWS_IF.get(f"{node.op_type}.{node.overload}", _DRAWS_IF.get(node.op_type))


def _may_be_set(node: ir.Node, position: int) -> bool:
    """Whether a flag or a probability may be other than False and 0: by a constant, or nobody knows."""
    value = node.inputs[position] if position < len(node.inputs) else None
    if value is None or not is_constant(value):
        return True
    constant = constant_value(value)
    # native_dropout takes None for "training".
    return constant is None or bool(constant)


def _has_statistics(node: ir.Node) -> bool:
    given = [value for value in node.inputs[3:5] if value is not None]
    return any(not is_constant(value) or constant_value(value) is not None for value in given)
