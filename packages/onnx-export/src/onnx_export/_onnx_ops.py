"""ONNX operators inside of models: what ``torch.onnx.ops`` registers with torch.

Its operators are known by their names and schemas alone; ``torch.onnx`` is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_export._domain_nodes import append_node
from onnx_ir_capture.contracts import Lowering, SymInt, Value
from onnx_ir_capture.emit import AttributeValue, schemas
from onnx_torchlib import BASE_OPSET, Op, TranslatorTable

__all__ = ["ONNX_OPS"]

ONNX_OPS = TranslatorTable("torch.onnx.ops")
"""Translations of the operators that ``torch.onnx.ops`` registers."""


def _symbolic(
    op: Op,
    inputs: Sequence[Value | None],
    op_type: str,
    onnx_dtype: int,
    shape: Sequence[SymInt],
    attr_keys: Sequence[str],
    attr_types: Sequence[str],
    attr_pos: Sequence[Sequence[int]],
    attr_ints: Sequence[int],
    attr_floats: Sequence[float],
    attr_strs: Sequence[str],
    metadata_props_keys: Sequence[str],
    metadata_props_values: Sequence[str],
    domain: str = "",
    version: int | None = None,
) -> Sequence[Value]:
    """One node of any operator, whose dtype and shape the model states."""
    del onnx_dtype, shape  # the program has them, too
    pools: Mapping[str, Sequence[int | float | str]] = {"i": attr_ints, "f": attr_floats, "s": attr_strs}
    floats = _float_attributes(op, op_type, version) if domain == "" else frozenset()
    attributes = []
    for key, kind, (start, end) in zip(attr_keys, attr_types, attr_pos, strict=True):
        values = list(pools[kind[0]][start:end])
        if key in floats:
            values = [float(value) for value in values]
        attributes.append(_attribute(key, values, is_list=len(kind) > 1))
    if domain:
        op.frame.domains[domain] = version or op.frame.domains.get(domain, 1)
    results = append_node(op, domain, op_type, inputs, attributes)
    node = results[0].producer()
    if node is not None:
        node.metadata_props.update(zip(metadata_props_keys, metadata_props_values, strict=True))
    return results


def _symbolic_multi_out(
    op: Op,
    inputs: Sequence[Value | None],
    op_type: str,
    onnx_dtypes: Sequence[int],
    shapes: Sequence[Sequence[SymInt]],
    attr_keys: Sequence[str],
    attr_types: Sequence[str],
    attr_pos: Sequence[Sequence[int]],
    attr_ints: Sequence[int],
    attr_floats: Sequence[float],
    attr_strs: Sequence[str],
    metadata_props_keys: Sequence[str],
    metadata_props_values: Sequence[str],
    domain: str = "",
    version: int | None = None,
) -> Sequence[Value]:
    """One node with several outputs."""
    del onnx_dtypes, shapes
    return _symbolic(
        op,
        inputs,
        op_type,
        0,
        [],
        attr_keys,
        attr_types,
        attr_pos,
        attr_ints,
        attr_floats,
        attr_strs,
        metadata_props_keys,
        metadata_props_values,
        domain,
        version,
    )


def _float_attributes(op: Op, op_type: str, version: int | None) -> frozenset[str]:
    """The attributes of an ai.onnx operator that are floats, which the model may give as integers.

    Raises:
        Unsupported: the target does not have the operator, or not in the form that the model asks for.
    """
    opset = op.opset
    if op_type not in schemas.names():
        op.refuse(f"ai.onnx has no operator {op_type}; name the domain it is from")
    if not schemas.exists(op_type, opset):
        first = schemas.first_opset(op_type)
        op.refuse(f"it stands for the ONNX operator {op_type}, which exists from opset {first}", first)
    form = schemas.form(op_type, opset)
    known = range(schemas.MIN_OPSET, schemas.NEWEST_OPSET + 1)
    is_same = version is None or (
        version in known and schemas.exists(op_type, version) and schemas.form(op_type, version) is form
    )
    if not is_same:
        op.refuse(f"it stands for {op_type} of opset {version}, and in opset {opset} that is another one")
    kinds = (ir.AttributeType.FLOAT, ir.AttributeType.FLOATS)
    attributes = form.attributes.values()
    return frozenset(attribute.name for attribute in attributes if attribute.type in kinds)


def _attribute(name: str, values: Sequence[int | float | str], *, is_list: bool) -> ir.Attr:
    floats = [value for value in values if isinstance(value, float)]
    ints = [value for value in values if isinstance(value, int)]
    if len(floats) == len(values):
        return ir.AttrFloat32s(name, floats) if is_list else ir.AttrFloat32(name, floats[0])
    if len(ints) == len(values):
        return ir.AttrInt64s(name, ints) if is_list else ir.AttrInt64(name, ints[0])
    texts = [str(value) for value in values]
    return ir.AttrStrings(name, texts) if is_list else ir.AttrString(name, texts[0])


def _rotary_embedding(
    op: Op,
    x: Value,
    cos_cache: Value,
    sin_cache: Value,
    position_ids: Value | None = None,
    interleaved: bool = False,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Value:
    """ONNX's RotaryEmbedding."""
    attributes = {"interleaved": int(interleaved)}
    # Zero is how the schema leaves them out.
    attributes |= {"num_heads": num_heads} if num_heads else {}
    attributes |= {"rotary_embedding_dim": rotary_embedding_dim} if rotary_embedding_dim else {}
    return op.node("RotaryEmbedding", [x, cos_cache, sin_cache, position_ids], attributes)[0]


def _attention(
    op: Op,
    q: Value,
    k: Value,
    v: Value,
    attn_mask: Value | None = None,
    past_key: Value | None = None,
    past_value: Value | None = None,
    is_causal: bool = False,
    kv_num_heads: int = 0,
    q_num_heads: int = 0,
    qk_matmul_output_mode: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int | None = None,
) -> Sequence[Value]:
    """ONNX's Attention, with as many outputs as the program uses."""
    expected = op.frame.expected
    used = [index for index, value in enumerate(expected) if value.uses() or value.is_graph_output()]
    attributes: dict[str, AttributeValue] = {
        "is_causal": int(is_causal),
        "qk_matmul_output_mode": qk_matmul_output_mode,
        "softcap": softcap,
    }
    # Zero is how the schema leaves them out.
    attributes |= {"kv_num_heads": kv_num_heads} if kv_num_heads else {}
    attributes |= {"q_num_heads": q_num_heads} if q_num_heads else {}
    attributes |= {"scale": scale} if scale is not None else {}
    attributes |= {"softmax_precision": softmax_precision} if softmax_precision is not None else {}
    inputs = [q, k, v, attn_mask, past_key, past_value]
    results = op.node("Attention", inputs, attributes, max(used, default=0) + 1)
    # The driver looks at no output that nothing uses.
    return [*results, *(results[0] for _ in expected[len(results) :])]


for _name, _function in (
    ("onnx_symbolic::_symbolic", _symbolic),
    ("onnx_symbolic::_symbolic_multi_out", _symbolic_multi_out),
    ("onnx::RotaryEmbedding.opset23", _rotary_embedding),
    ("onnx::Attention.opset23", _attention),
):
    ONNX_OPS.add(Lowering(_name, _function, BASE_OPSET, ONNX_OPS.name))
