"""Functions written for onnxscript as translations: what they call is appended to the graph."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import onnx
import onnx_ir as ir
from onnxscript import OnnxFunction, TracedOnnxFunction, evaluator
from onnxscript.values import Op as OnnxScriptOp

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import AttributeValue, schemas, size_vector
from onnx_torchlib import Op

__all__ = ["OnnxScriptFunction", "call_function", "is_onnxscript_function"]

OnnxScriptFunction: TypeAlias = "OnnxFunction[..., object] | TracedOnnxFunction"
"""What ``onnxscript.script`` and torch_lib's registration make of a Python function."""

Literal: TypeAlias = "int | float | bool | complex | Sequence[int] | Sequence[float] | ir.TensorProtocol"


def is_onnxscript_function(function: object) -> bool:
    """Whether ``function`` was made by ``onnxscript.script``, or is of the kind that torch_lib registers."""
    return isinstance(function, OnnxFunction | TracedOnnxFunction)


def call_function(
    op: Op, function: Callable[..., object], positional: Sequence[object], named: Mapping[str, object]
) -> Sequence[Value]:
    """Run ``function`` so that the ONNX operators and functions it calls are appended to the graph.

    A compiled function becomes a function of the model and a node that calls it; any other is traced.

    Raises:
        Unsupported: the function is written for another opset, where ONNX has another form.
        TypeError: it returned something that is no value.
    """
    result: object
    with _recording(op) as recorder:
        if isinstance(function, OnnxFunction):
            result = recorder.eval_function(function, positional, named)
        else:
            result = function(*positional, **named)
    results = list(result) if isinstance(result, list | tuple) else [result]
    for place, value in enumerate(results):
        if not isinstance(value, ir.Value):
            raise TypeError(f"it returned {value!r} as result {place}, which is no value of the graph")
    return [value for value in results if isinstance(value, ir.Value)]


@contextlib.contextmanager
def _recording(op: Op) -> Iterator[_Recorder]:
    recorder = _Recorder(op)
    before = ir.set_value_magic_handler(op)
    try:
        with evaluator.default_as(recorder):
            yield recorder
    finally:
        ir.set_value_magic_handler(before)


class _Recorder(evaluator.Evaluator):
    """Stands for onnxscript's evaluator: calls become nodes."""

    def __init__(self, op: Op) -> None:
        self._op = op

    def eval_op(
        self, op: OnnxScriptOp, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> Value | Sequence[Value]:
        """Append the node of one operator."""
        signature = op.op_signature
        if signature is None:
            raise ValueError(f"onnxscript knows no schema of {op.opset.domain}::{op.name}")
        inputs, attributes = _split(signature, args, kwargs)
        if op.opset.domain:
            self._op.frame.domains[op.opset.domain] = op.opset.version
            return _single(self._call(op.opset.domain, signature, inputs, attributes, len(signature.outputs)))
        count = _output_count(op.name, inputs, attributes, len(signature.outputs))
        return _single(self._ai_onnx(op.name, op.opset.version, inputs, attributes, count))

    def eval_function(
        self, function: OnnxFunction[..., object], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> Value | Sequence[Value]:
        """Append a node that calls ``function``, which becomes a function of the model."""
        body, signature = function.function_ir, function.op_signature
        if signature is None:
            raise ValueError(f"onnxscript knows no signature of {function.name}")
        inputs, attributes = _split(signature, args, kwargs)
        for called in (function, *body.get_called_functions().values()):
            self._define(called)
        proto = self._op.frame.functions[body.identifier()]
        values = self._call(body.domain, signature, inputs, attributes, len(body.outputs))
        _infer_call(values, ir.to_proto(proto), self._op.frame.functions)
        return _single(values)

    def _define(self, function: OnnxFunction[..., object]) -> None:
        body = function.function_ir
        defined = self._op.frame.functions
        identifier = body.identifier()
        if identifier in defined:
            if defined[identifier].meta.get("source") is not function:
                raise ValueError(f"two functions are named {body.domain}::{body.name}")
            return
        clone = body.clone()
        self._fit_opset(clone)
        clone.meta["source"] = function
        defined[identifier] = clone
        self._op.frame.domains[body.domain] = function.opset.version
        for domain, version in clone.opset_imports.items():
            if domain:
                self._op.frame.domains.setdefault(domain, version)

    def _fit_opset(self, body: ir.Function) -> None:
        """Let the function import the file's opset, if its operators are the same there."""
        written, target = body.opset_imports.get("", self._op.opset), self._op.opset
        for node in body.all_nodes():
            if node.domain:
                continue
            inputs = len(node.inputs)
            if not _is_same(node.op_type, written, target, inputs, node.attributes):
                self._op.refuse(
                    f"the function {body.name} uses {node.op_type} of opset {written}, "
                    f"and opset {target} has another form of it"
                )
        body.opset_imports[""] = target

    def _ai_onnx(
        self,
        op_type: str,
        version: int,
        inputs: Sequence[object],
        attributes: Mapping[str, object],
        count: int,
    ) -> Sequence[Value]:
        op = self._op
        form = schemas.form(op_type, version)
        literals = [self._input(value) for value in inputs]
        converted = {
            name: _attribute_value(form.attributes[name].type, value) for name, value in attributes.items()
        }
        if _is_same(op_type, version, op.opset, len(inputs), attributes):
            return op.node(op_type, literals, converted, count)
        if not _is_same(op_type, version, schemas.NEWEST_OPSET, len(inputs), attributes):
            op.refuse(f"its translation uses {op_type} of opset {version}, which opset {op.opset} lacks")
        result = op.call_operator(op_type, literals, converted, count if len(form.outputs) > 1 else None)
        return [result] if isinstance(result, ir.Value) else list(result)

    def _call(
        self,
        domain: str,
        signature: ir.schemas.OpSignature,
        inputs: Sequence[object],
        attributes: Mapping[str, object],
        count: int,
    ) -> Sequence[Value]:
        """A node of a domain other than ai.onnx; its results have no types yet."""
        kinds = {parameter.name: parameter.type for parameter in signature.attributes}
        converted = [
            ir.Attr(name, kinds[name], _attribute_value(kinds[name], value))
            for name, value in attributes.items()
        ]
        values = [self._value(value) for value in inputs]
        node = ir.Node(domain, signature.name, values, converted, num_outputs=count)
        self._op.frame.graph.append(node)
        self._op.frame.created(node)
        return node.outputs

    def _value(self, value: object) -> Value | None:
        literal = self._input(value)
        if literal is None or isinstance(literal, ir.Value):
            return literal
        if isinstance(literal, ir.TensorProtocol):
            return self._op.frame.tensor(literal)
        sample = literal[0] if isinstance(literal, Sequence) and literal else literal
        dtypes = {bool: ir.DataType.BOOL, float: ir.DataType.FLOAT, complex: ir.DataType.COMPLEX64}
        return self._op.constant(literal, dtypes.get(type(sample), ir.DataType.INT64))

    def _input(self, value: object) -> Value | Literal | None:
        """An input as the emitter takes it; a list with values in it becomes a vector or a sequence."""
        if isinstance(value, onnx.TensorProto):
            return ir.serde.deserialize_tensor(value)
        if value is None or isinstance(value, ir.Value | int | float | complex | ir.TensorProtocol):
            return value
        if not isinstance(value, list | tuple):
            raise TypeError(f"a {type(value).__qualname__}, {value!r}, is passed for a tensor")
        items = list(value)
        tensors = [item for item in items if isinstance(item, ir.Value)]
        if not tensors:
            return [item for item in items if isinstance(item, int | float)]
        if all(item.shape is not None and len(item.shape) == 0 for item in tensors):
            return size_vector(self._op, [item for item in items if isinstance(item, int | ir.Value)])
        sequence = self._op.node("SequenceConstruct", tensors)
        return sequence[0]


class _Arguments(NamedTuple):
    inputs: list[object]
    attributes: dict[str, object]


def _split(
    signature: ir.schemas.OpSignature, args: Sequence[object], kwargs: Mapping[str, object]
) -> _Arguments:
    """Inputs and attributes of a call, by the order and the names of the signature."""
    remaining, named = list(args), dict(kwargs)
    result = _Arguments([], {})
    for parameter in signature.params:
        if isinstance(parameter, ir.schemas.Parameter) and parameter.variadic:
            result.inputs.extend(remaining)
            remaining = []
            continue
        given = remaining.pop(0) if remaining else named.pop(parameter.name, None)
        if isinstance(parameter, ir.schemas.Parameter):
            result.inputs.append(given)
        elif given is not None:
            result.attributes[parameter.name] = given
    if remaining or any(value is not None for value in named.values()):
        extra = ", ".join([*map(repr, remaining), *named])
        raise TypeError(f"{signature.name} is called with arguments that it does not take: {extra}")
    while result.inputs and result.inputs[-1] is None:
        result.inputs.pop()
    return result


def _single(values: Sequence[Value]) -> Value | Sequence[Value]:
    return values[0] if len(values) == 1 else tuple(values)


def _output_count(
    op_type: str, inputs: Sequence[object], attributes: Mapping[str, object], outputs: int
) -> int:
    if op_type == "BatchNormalization" and not attributes.get("training_mode"):
        return 1
    if op_type != "Split":
        return outputs
    count = attributes.get("num_outputs")
    sizes = inputs[1] if len(inputs) > 1 else None
    if isinstance(sizes, list | tuple):
        return len(sizes)
    if not isinstance(count, int):
        raise ValueError("Split is called without num_outputs, and its sizes are known at run time only")
    return count


def _is_same(op_type: str, version: int, other: int, inputs: int, attributes: Mapping[str, object]) -> bool:
    """Whether a call of ``op_type``, written for opset ``version``, means the same in opset ``other``."""
    if not schemas.exists(op_type, version) or not schemas.exists(op_type, other):
        return False
    written, found = schemas.form(op_type, version), schemas.form(op_type, other)
    if written is found:
        return True
    names = [parameter.name for parameter in written.inputs[:inputs]]
    if names != [parameter.name for parameter in found.inputs[: len(names)]]:
        return False
    if any(parameter.option == "single" for parameter in found.inputs[len(written.inputs) :]):
        return False
    if [parameter.name for parameter in written.outputs] != [parameter.name for parameter in found.outputs]:
        return False
    return all(
        name in found.attributes and found.attributes[name].type == form.type
        for name, form in written.attributes.items()
        if name in attributes or form.default is not None
    ) and all(
        name in attributes or name not in found.attributes or found.attributes[name].default == form.default
        for name, form in written.attributes.items()
    )


def _attribute_value(kind: ir.AttributeType, value: object) -> AttributeValue:
    """A Python object as an attribute of that kind; what does not fit is left for the emitter to refuse."""
    if isinstance(value, onnx.TensorProto):
        return ir.serde.deserialize_tensor(value)
    if kind is ir.AttributeType.FLOAT and isinstance(value, int):
        return float(value)
    if isinstance(value, list | tuple):
        floats = kind is ir.AttributeType.FLOATS
        return tuple(float(item) if floats else item for item in value)
    if isinstance(value, int | float | str | ir.TensorProtocol | ir.Graph):
        return int(value) if isinstance(value, bool) else value
    raise TypeError(f"{value!r} is no attribute of an ONNX operator")


def _infer_call(
    values: Sequence[Value],
    function: onnx.FunctionProto,
    functions: Mapping[ir.OperatorIdentifier, ir.Function],
) -> None:
    """Types of the results of a function call, by onnx's inference, where its inputs' types are known."""
    node = values[0].producer()
    if node is None or any(value is not None and value.dtype is None for value in node.inputs):
        return
    if len(functions) > 1 and any(called.domain for called in function.node):
        return  # the inference of one function knows no other
    types = [_type_proto(value) for value in node.inputs]
    attributes = [ir.to_proto(attribute) for attribute in node.attributes.values()]
    try:
        inferred = onnx.shape_inference.infer_function_output_types(function, types, attributes)
    except onnx.shape_inference.InferenceError as error:
        raise ValueError(f"the function {function.name} does not fit its inputs: {error}") from error
    for value, proto in zip(values, inferred, strict=True):
        if proto.WhichOneof("value"):
            value.type = ir.serde.deserialize_type_proto_for_type(proto)
            value.shape = ir.serde.deserialize_type_proto_for_shape(proto)


def _type_proto(value: Value | None) -> onnx.TypeProto:
    if value is None or value.type is None:
        return onnx.TypeProto()
    proto = ir.serde.serialize_type(value.type)
    if value.shape is not None:
        ir.serde.serialize_shape_into(proto, value.shape)
    return proto
