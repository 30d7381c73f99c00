"""ONNX operators inside of models: what ``torch.onnx.ops`` registers with torch.

Its operators are known by their names and schemas alone; ``torch.onnx`` is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_export._domain_nodes import append_node, element_kind, schema_signature
from onnx_ir_capture.contracts import Lowering, SymInt, Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import AttributeValue, schemas
from onnx_ir_capture.emit.schemas import MIN_OPSET
from onnx_ir_capture.interpreter import find_operator
from onnx_torchlib import Op, TranslatorTable

__all__ = ["ONNX_OPS"]


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
    floats: frozenset[str] = frozenset()
    if domain == "":
        form = _form(op, op_type, version)
        _check_call(op, form, inputs, attr_keys)
        kinds = (ir.AttributeType.FLOAT, ir.AttributeType.FLOATS)
        floats = frozenset(known.name for known in form.attributes.values() if known.type in kinds)
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


def _form(op: Op, op_type: str, version: int | None) -> schemas.OperatorForm:
    """The operator as the target has it.

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
    return form


def _check_call(
    op: Op, form: schemas.OperatorForm, inputs: Sequence[Value | None], attributes: Sequence[str]
) -> None:
    """Refuse a call that the operator's schema does not allow, which nothing has looked at yet."""
    least = sum(parameter.option == "single" for parameter in form.inputs)
    is_variadic = bool(form.inputs) and form.inputs[-1].option == "variadic"
    if len(inputs) < least or (len(inputs) > len(form.inputs) and not is_variadic):
        op.refuse(f"it gives {form.op_type} {len(inputs)} inputs, which takes {len(form.inputs)}")
    unknown = [name for name in attributes if name not in form.attributes]
    if unknown:
        op.refuse(f"{form.op_type} has no attribute {', '.join(unknown)}")
    missing = [name for name, known in form.attributes.items() if known.required and name not in attributes]
    if missing:
        op.refuse(f"{form.op_type} needs the attribute {', '.join(missing)}")


def _attribute(name: str, values: Sequence[int | float | str], *, is_list: bool) -> ir.Attr:
    floats = [value for value in values if isinstance(value, float)]
    ints = [value for value in values if isinstance(value, int)]
    if len(floats) == len(values):
        return ir.AttrFloat32s(name, floats) if is_list else ir.AttrFloat32(name, floats[0])
    if len(ints) == len(values):
        return ir.AttrInt64s(name, ints) if is_list else ir.AttrInt64(name, ints[0])
    texts = [str(value) for value in values]
    return ir.AttrStrings(name, texts) if is_list else ir.AttrString(name, texts[0])


class _OnnxOperator:
    """Writes the calls of one operator of the library ``onnx``, whose overload says the opset it is from.

    Tensors are the node's inputs, the other arguments its attributes; the schema's defaults are ONNX's.
    """

    def __init__(self, overload: torch._ops.OpOverload[..., object], name: OpName) -> None:
        self._formals, self._op_type = overload._schema.arguments, name.name
        self.__name__ = self.__qualname__ = name.name
        # What the driver reads of a function.
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}

    def __call__(self, op: Op, *arguments: object) -> Sequence[Value]:
        inputs: list[Value | None] = []
        attributes: dict[str, AttributeValue] = {}
        for formal, argument in zip(self._formals, arguments, strict=True):
            if argument is None or isinstance(argument, ir.Value):
                inputs += [argument] if element_kind(formal) == "Tensor" else []
            elif isinstance(argument, int | float) and argument != formal.default_value:
                attributes[formal.name] = int(argument) if isinstance(argument, bool) else argument
        expected = op.frame.expected
        used = [index for index, value in enumerate(expected) if value.uses() or value.is_graph_output()]
        results = op.node(self._op_type, inputs, attributes, max(used, default=0) + 1)
        # The driver looks at no output that nothing uses.
        return [*results, *(results[0] for _ in expected[len(results) :])]


class OnnxOpsTable(TranslatorTable):
    """Translations of the libraries ``onnx_symbolic`` and ``onnx``, which ``torch.onnx.ops`` registers."""

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The translation of ``op``."""
        overload = find_operator(op) if op.domain == "onnx" and op.overload.startswith("opset") else None
        if overload is not None and self.first_opset(op) is None:
            self.add(Lowering(str(op), _OnnxOperator(overload, op), MIN_OPSET, self.name))
        return super().find(op, opset)


ONNX_OPS = OnnxOpsTable("torch.onnx.ops")
"""Translations of the operators that ``torch.onnx.ops`` registers."""

ONNX_OPS.add(Lowering("onnx_symbolic::_symbolic", _symbolic, MIN_OPSET, ONNX_OPS.name))
ONNX_OPS.add(Lowering("onnx_symbolic::_symbolic_multi_out", _symbolic_multi_out, MIN_OPSET, ONNX_OPS.name))
