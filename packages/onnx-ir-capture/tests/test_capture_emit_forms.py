"""Form functions: what they write at each opset means what the newest form means, by onnx's own evaluator."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator

from onnx_ir_capture.contracts import Target, Unsupported
from onnx_ir_capture.emit import Emitter, GraphFrame, registered_forms, schemas

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Call: TypeAlias = "Callable[..., ir.Value | Sequence[ir.Value]]"


def f32(values: object) -> Array:
    return np.array(values, np.float32)


def i64(values: object) -> Array:
    return np.array(values, np.int64)


def scalars(array: Array) -> tuple[Array, ...]:
    return tuple(np.asarray(item) for item in array)


FLOATS = np.array([-2.5, -1.5, -0.5, -0.3, -0.0, 0.0, 0.5, 1.5, 7.0, np.inf, -np.inf, np.nan], np.float32)
FINITE = np.linspace(-4, 4, 30, dtype=np.float32).reshape(2, 3, 5)
INTEGERS = np.array([[-7, -3, -1, 0], [1, 2, 5, 9]], np.int64)
LIMITS = np.array([-(2**63), -(2**63) + 1, -1, 2**53 + 1, 2**63 - 1], np.int64)
POWERS = np.array([0, 1, 129, 2**31 + 3, 2**32 - 1], np.uint32)
PLACES = np.array([0, 1, 7, 30, 31], np.uint32)
PICKS = (np.arange(20, dtype=np.int64) % 6 - 3).reshape(2, 2, 5)
DIVISORS = np.array([3, -3, 5, -7], np.int64)


@dataclasses.dataclass(frozen=True)
class Case:
    """A call in the newest form, its inputs, and the lowest opset that can express it."""

    op_type: str
    call: Call
    inputs: tuple[Array, ...]
    lowest: int = 9
    detail: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.op_type, self.detail)))


def reduction(name: str, data: Array = FINITE) -> Case:
    return Case(name, lambda op, x: getattr(op, name)(x, [-1, 0], keepdims=0), (data,), 7)


CASES = [
    Case("Unsqueeze", lambda op, x: op.Unsqueeze(x, [-1, 0]), (FINITE,), 7),
    Case("Squeeze", lambda op, x: op.Squeeze(x, [-3]), (FINITE[:1],), 7),
    Case("Squeeze", lambda op, x: op.Squeeze(x), (FINITE[:1],), 7, "all"),
    Case("DFT", lambda op, x: op.DFT(x, None, 1), (FINITE[..., :2],), 17),
    Case("DFT", lambda op, x: op.DFT(x, 7, -2, onesided=1), (FINITE[..., :1],), 17, "length"),
    *(reduction(f"Reduce{name}") for name in ("L1", "L2", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum")),
    reduction("ReduceLogSum", np.abs(FINITE)),
    reduction("ReduceSumSquare"),
    Case("ReduceSum", lambda op, x: op.ReduceSum(x, [1]), (np.full((2, 300), 1, np.int8),), 7, "int8"),
    Case("ReduceSum", lambda op, x: op.ReduceSum(x), (FINITE,), 7, "all"),
    Case("ReduceMax", lambda op, x: op.ReduceMax(x, noop_with_empty_axes=1), (FINITE,), 18, "none"),
    Case("Softmax", lambda op, x: op.Softmax(x, axis=1), (FINITE,), 7),
    Case("LogSoftmax", lambda op, x: op.LogSoftmax(x, axis=-3), (FINITE,), 7),
    Case("Hardmax", lambda op, x: op.Hardmax(x), (FINITE,), 7),
    Case("Clip", lambda op, x: op.Clip(x, -1.0, 2.0), (FLOATS,), 7),
    Case("Clip", lambda op, x: op.Clip(x, 0.0), (FLOATS[5:],), 7, "one bound"),
    Case("Clip", lambda op, x: op.Clip(x, -0.1, 0.1), (FINITE.astype(np.float64),), 8, "double"),
    Case("Clip", lambda op, x, low: op.Clip(x, low), (FINITE, f32(0.3)), 8, "computed"),
    Case("Clip", lambda op, x: op.Clip(x, -2, 3), (INTEGERS,), 9, "int64"),
    Case("Clip", lambda op, x: op.Clip(x), (FINITE,), 7, "no bound"),
    Case("Max", lambda op, x: op.Max(x, 0, 2), (INTEGERS,), 9, "int64"),
    Case("Min", lambda op, x: op.Min(x, 0), (INTEGERS.astype(np.int8),), 9, "int8"),
    Case("Min", lambda op, x: op.Min(x, 0.5), (FLOATS,), 8),
    Case("Relu", lambda op, x: op.Relu(x), (INTEGERS.astype(np.int8),), 9, "int8"),
    Case("Relu", lambda op, x: op.Relu(x), (FINITE,), 7),
    Case("Equal", lambda op, x: op.Equal(x, 0.5), (FLOATS,), 9),
    Case("Equal", lambda op, x, y: op.Equal(x, y), (FLOATS, FLOATS[::-1].copy()), 9, "values"),
    Case("GreaterOrEqual", lambda op, x: op.GreaterOrEqual(x, 0.5), (FLOATS,), 9),
    Case("LessOrEqual", lambda op, x: op.LessOrEqual(x, 0.5), (FLOATS,), 9),
    Case("GreaterOrEqual", lambda op, x: op.GreaterOrEqual(x, 1), (INTEGERS,), 9, "int64"),
    Case("IsInf", lambda op, x: op.IsInf(x), (FLOATS,), 7),
    Case("IsInf", lambda op, x: op.IsInf(x, detect_negative=0), (FLOATS,), 7, "positive"),
    Case("IsInf", lambda op, x: op.IsInf(x, detect_positive=0), (FLOATS,), 7, "negative"),
    Case("Gelu", lambda op, x: op.Gelu(x), (FINITE,), 9),
    Case("Gelu", lambda op, x: op.Gelu(x, approximate="tanh"), (FINITE,), 7, "tanh"),
    Case("HardSwish", lambda op, x: op.HardSwish(x), (FINITE,), 7),
    Case("Mish", lambda op, x: op.Mish(x), (FINITE,), 7),
    Case("Softplus", lambda op, x: op.Softplus(x), (FINITE,), 7),
    Case("Softplus", lambda op, x: op.Softplus(x), (FINITE.astype(np.float64),), 8, "double"),
    Case("Softplus", lambda op, x: op.Softplus(x), (FINITE.astype(np.float16),), 7, "half"),
    Case("Celu", lambda op, x: op.Celu(x, alpha=2.0), (FINITE,), 8),
    Case(
        "LayerNormalization",
        lambda op, x, w: op.LayerNormalization(x, w, w, axis=1, epsilon=1e-3, outputs=3),
        (FINITE, FINITE[1]),
        7,
    ),
    Case("Dropout", lambda op, x: op.Dropout(x, 0.5, False), (FINITE,), 7),
    Case("Dropout", lambda op, x: op.Dropout(x, 0.0, True, seed=1), (FINITE,), 12, "training"),
    Case("Pow", lambda op, x, y: op.Pow(x, y), (np.abs(FINITE), i64([3])), 7, "mixed"),
    Case("Pow", lambda op, x: op.Pow(x, 0.1), (np.abs(FINITE).astype(np.float64),), 7, "double"),
    Case("Pow", lambda op, x: op.Pow(x, 2), (INTEGERS,), 12, "int64"),
    Case("Mod", lambda op, x, y: op.Mod(x, y), (INTEGERS, DIVISORS), 9),
    Case("Mod", lambda op, x, y: op.Mod(x, y, fmod=1), (INTEGERS, DIVISORS), 7, "fmod"),
    Case("Mod", lambda op, x: op.Mod(x, 0.7, fmod=1), (FINITE,), 10, "floats"),
    Case("Round", lambda op, x: op.Round(x), (FLOATS,), 9),
    Case("CastLike", lambda op, x, y: op.CastLike(x, y), (FINITE, INTEGERS), 7),
    *(
        Case(name, lambda op, x, y, name=name: getattr(op, name)(x, y), (INTEGERS, DIVISORS), 9)
        for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")
    ),
    Case("BitwiseAnd", lambda op, x, y: op.BitwiseAnd(x, y), (LIMITS, LIMITS[::-1].copy()), 9, "limits"),
    Case("BitwiseXor", lambda op, x: op.BitwiseXor(x, 6), (INTEGERS.astype(np.int8),), 9, "int8"),
    Case("BitwiseOr", lambda op, x, y: op.BitwiseOr(x, y), (POWERS, POWERS[::-1].copy()), 9, "uint32"),
    Case("BitwiseAnd", lambda op, x: op.BitwiseAnd(x, 7), (POWERS.astype(np.uint64),), 18, "uint64"),
    Case("BitwiseNot", lambda op, x: op.BitwiseNot(x), (LIMITS,), 7),
    Case("BitwiseNot", lambda op, x: op.BitwiseNot(x), (POWERS.astype(np.uint8),), 7, "uint8"),
    Case("BitShift", lambda op, x: op.BitShift(x, 3, direction="LEFT"), (POWERS,), 7, "left"),
    Case("BitShift", lambda op, x, y: op.BitShift(x, y, direction="RIGHT"), (POWERS, PLACES), 7, "right"),
    Case("Slice", lambda op, x: op.Slice(x, [1], [-1], [-1]), (FINITE,), 7),
    Case("Slice", lambda op, x: op.Slice(x, [4], [0], [2], [-2]), (FINITE,), 9, "step"),
    Case("Slice", lambda op, x: op.Slice(x, [9, -1], [-99, 0], [2, 1], [-3, -1]), (FINITE,), 9, "down"),
    Case("Slice", lambda op, x, i: op.Slice(x, i, [9]), (FINITE, i64([1])), 9, "computed"),
    Case(
        "Slice", lambda op, x, i: op.Slice(x, i, [9, -1], [-1, 1], [2, 1]), (FINITE, i64([-4, 0])), 9, "both"
    ),
    Case("Slice", lambda op, x, i: op.Slice(x, [0], i, [2]), (FINITE, i64([-9])), 9, "nothing"),
    Case("Split", lambda op, x: op.Split(x, axis=-1, num_outputs=2, outputs=2), (FINITE,), 7),
    Case("Split", lambda op, x: op.Split(x, [1, 4], axis=2, outputs=2), (FINITE,), 7, "sizes"),
    Case("Shape", lambda op, x: op.Shape(x, start=-2, end=-1), (FINITE,), 7),
    Case("Gather", lambda op, x: op.Gather(x, 1, axis=-1), (FINITE,), 7, "front"),
    Case("Gather", lambda op, x, i: op.Gather(x, i, axis=1), (FINITE, i64([[-1, 0], [2, -3]])), 9),
    Case("GatherElements", lambda op, x, i: op.GatherElements(x, i, axis=1), (FINITE, PICKS), 9),
    Case("GatherElements", lambda op, x, i: op.GatherElements(x, i), (FINITE[0, 0], PICKS[0, 0]), 9, "line"),
    Case("GatherND", lambda op, x, i: op.GatherND(x, i), (FINITE, i64([[[1, -1, 0], [-2, 2, 4]]])), 9),
    Case("GatherND", lambda op, x, i: op.GatherND(x, i), (FINITE, i64([[1, -1], [0, 2]])), 9, "rows"),
    Case(
        "GatherND", lambda op, x, i: op.GatherND(x, i, batch_dims=1), (FINITE, i64([[1], [0]])), 12, "batch"
    ),
    Case(
        "ScatterND",
        lambda op, x, i, u: op.ScatterND(x, i, u, reduction="add"),
        (FINITE, i64([[0, 1, 2]]), f32([5])),
        16,
        "add",
    ),
    Case(
        "ScatterElements",
        lambda op, x, i, u: op.ScatterElements(x, i, u, axis=1, reduction="add"),
        (FINITE, i64([[[0]]]), f32([[[5]]])),
        16,
        "add",
    ),
    Case("TopK", lambda op, x: op.TopK(x, [2]), (FINITE,), 7),
    Case("TopK", lambda op, x: op.TopK(x, [2], axis=1, largest=0, sorted=0), (FINITE,), 9, "smallest"),
    Case("TopK", lambda op, x, k: op.TopK(x, k), (FINITE, i64([2])), 10, "computed"),
    Case("Reshape", lambda op, x: op.Reshape(x, [3, 0], allowzero=1), (FINITE[:0],), 7, "empty"),
    Case("Reshape", lambda op, x: op.Reshape(x, [3, 10], allowzero=1), (FINITE,), 7),
    *(
        Case("Reshape", lambda op, x, s: op.Reshape(x, s, allowzero=1), (data, i64(sizes)), 9, f"to {sizes}")
        for data, sizes in (
            (FINITE, [30]),
            (FINITE, [5, 3, 2]),
            (FINITE, [3, -1]),
            (FINITE[:0], [5, 0, 2]),
            (FINITE[0, 0, 0], [1, 1]),
        )
    ),
    Case("Pad", lambda op, x: op.Pad(x, [1, 2], -1.0, [1]), (FINITE,), 7),
    Case("Pad", lambda op, x: op.Pad(x, [0, 1, 2, 0], 3), (INTEGERS,), 9, "integers"),
    Case("Pad", lambda op, x: op.Pad(x, [0, 1, 2, 0]), (INTEGERS > 0,), 9, "bools"),
    Case("Pad", lambda op, x, p: op.Pad(x, p, 0.5), (FINITE[0], i64([1, 0, 2, 3])), 9, "computed"),
    Case("Pad", lambda op, x: op.Pad(x, [0, 0, 1, 0, 0, 2], mode="reflect"), (FINITE,), 7, "reflect"),
    Case("Pad", lambda op, x: op.Pad(x, [0, 0, 1, 0, 0, 1], mode="wrap"), (FINITE,), 19, "wrap"),
    Case("Gemm", lambda op, x, y: op.Gemm(x, y, transB=1, alpha=0.5), (FINITE[0], FINITE[1]), 7),
    Case("Gemm", lambda op, x, y: op.Gemm(x, y, 1.0, transA=1), (FINITE[0], FINITE[1]), 7, "offset"),
    Case("Range", lambda op, a, b, d: op.Range(a, b, d), scalars(i64([-3, 8, 2])), 9),
    Case("Range", lambda op, a, b, d: op.Range(a, b, d), scalars(i64([3, -8, -3])), 9, "down"),
    Case("Range", lambda op, a, b, d: op.Range(a, b, d), scalars(i64([3, -8, 2])), 9, "none"),
    Case("Range", lambda op, a, b, d: op.Range(a, b, d), scalars(f32([1, 2.2, 0.25])), 9, "float"),
    Case("Trilu", lambda op, x: op.Trilu(x, -1, upper=0), (FINITE,), 9, "lower"),
    Case("Trilu", lambda op, x: op.Trilu(x, 1), (FINITE > 0,), 9, "bool"),
    Case("ArgMax", lambda op, x: op.ArgMax(x, axis=-1, keepdims=0), (FINITE,), 7),
    Case("ArgMin", lambda op, x: op.ArgMin(x, select_last_index=1), (FINITE,), 12, "last"),
    Case("MaxPool", lambda op, x: op.MaxPool(x, kernel_shape=[2], dilations=[1]), (FINITE,), 7),
    Case("MaxPool", lambda op, x: op.MaxPool(x, kernel_shape=[2], dilations=[2]), (FINITE,), 10, "dilated"),
    Case("AveragePool", lambda op, x: op.AveragePool(x, kernel_shape=[2], ceil_mode=0), (FINITE,), 7),
    Case("Cast", lambda op, x: op.Cast(x, to=ir.DataType.INT32, saturate=1), (FINITE,), 7),
    Case("Concat", lambda op, x: op.Concat(x, x, axis=-1), (FINITE,), 7),
    Case("Flatten", lambda op, x: op.Flatten(x, axis=-1), (FINITE,), 7),
]


def build(case: Case, opset: int) -> onnx.ModelProto:
    """The checked model of one call."""
    inputs = [
        ir.Value(
            name=f"x{i}",
            type=ir.TensorType(ir.DataType.from_numpy(array.dtype)),
            shape=ir.Shape(np.shape(array)),
        )
        for i, array in enumerate(case.inputs)
    ]
    graph = ir.Graph(inputs, [], nodes=[], opset_imports={"": opset}, name="case")
    op = Emitter(GraphFrame(graph, Target(opset)))
    result = case.call(op, *inputs)
    for value in [result] if isinstance(result, ir.Value) else result:
        computed = value if value.producer() is not None else op.Identity(value)
        graph.outputs.append(computed)
    # From IR version 4 on an initializer need not be an input; opsets 7 and 8 alone would do with 3.
    version = max(4, onnx.helper.find_min_ir_version_for([onnx.helper.make_opsetid("", opset)]))
    model = ir.to_proto(ir.Model(graph, ir_version=version))
    onnx.checker.check_model(model, full_check=True)
    return model


def evaluate(case: Case, opset: int) -> list[Array]:
    model = build(case, opset)
    feeds = {f"x{i}": np.asarray(array) for i, array in enumerate(case.inputs)}
    with np.errstate(all="ignore"):
        return [np.asarray(array) for array in ReferenceEvaluator(model).run(None, feeds)]


def breakpoints(case: Case) -> list[int]:
    """The opsets at which the operator or a detour changes, the one before each, and the lowest one."""
    changes = {7, 8, 9, 10, 11, 12, 13, *schemas.versions(case.op_type)}
    around = {opset for change in changes for opset in (change - 1, change)}
    return sorted({opset for opset in around if opset >= case.lowest} | {case.lowest})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_form_means_what_the_newest_means(case: Case) -> None:
    expected = evaluate(case, schemas.NEWEST_OPSET)
    for opset in breakpoints(case):
        results = evaluate(case, opset)
        assert [result.dtype for result in results] == [array.dtype for array in expected], opset
        for result, array in zip(results, expected, strict=True):
            close = np.isclose(result.astype(float), array.astype(float), 2e-6, 2e-6, equal_nan=True)
            assert result.shape == array.shape, opset
            assert close.all(), (opset, result, array)


@pytest.mark.parametrize("case", [case for case in CASES if case.lowest > schemas.MIN_OPSET], ids=str)
def test_below_its_lowest_opset_a_call_is_refused(case: Case) -> None:
    for opset in range(schemas.MIN_OPSET, case.lowest):
        with pytest.raises(Unsupported) as refusal:
            build(case, opset)
        assert refusal.value.from_opset is not None
        assert opset < refusal.value.from_opset <= case.lowest


@pytest.mark.parametrize("opset", [9, 10])
def test_scatter_elements_is_scatter_before_11(opset: int) -> None:
    """By ONNX Runtime: onnx's evaluator has no Scatter."""
    inputs = (FINITE, i64([[[-1], [0], [1]]]), np.ones((1, 3, 1), np.float32))
    model = build(Case("", lambda op, x, i, u: op.ScatterElements(x, i, u, axis=-1), inputs), opset)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {f"x{i}": array for i, array in enumerate(inputs)})
    expected = FINITE.copy()
    expected[0, [0, 1, 2], [4, 0, 1]] = 1
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("opset", [9, 10, 11])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("places", [[[1, -1], [0, 0]], [[1, 2, -5], [0, 0, 4]]])
def test_scatter_nd_writes_to_the_flattened_tensor_before_11(
    places: list[list[int]], known: bool, opset: int
) -> None:
    """By ONNX Runtime: onnx's evaluator has no Scatter."""
    rows = FINITE if len(places[0]) == 3 else FINITE[:, :, 0]
    inputs = (rows, i64(places), f32([7, 8]))

    def call(op: Emitter, x: ir.Value, i: ir.Value, u: ir.Value) -> ir.Value:
        if known:
            return op.ScatterND(x, i, u)
        # Sizes that no inference knows.
        x.shape = ir.Shape([None] * len(x.shape or ()))
        return op.ScatterND(x, i, u)

    model = build(Case("", call, inputs), opset)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {f"x{i}": array for i, array in enumerate(inputs)})
    expected = rows.copy()
    expected[tuple(i64(places).T)] = f32([7, 8])
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("opset", [7, 9, 11, 12, 13, 20])
def test_onnxruntime_keeps_infinity_between_missing_bounds(opset: int) -> None:
    model = build(Case("Clip", lambda op, x: op.Clip(x, None, 1.0), (FLOATS,)), opset)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"x0": FLOATS})
    np.testing.assert_array_equal(result, np.minimum(FLOATS, f32(1)))


def test_rounding_keeps_the_sign_of_zero() -> None:
    case = Case("Round", lambda op, x: op.Round(x), (f32([-0.3, -0.0, 0.0, 0.3]),))
    (result,) = evaluate(case, 9)
    np.testing.assert_array_equal(np.signbit(result), [True, True, False, False])


@pytest.mark.parametrize("opset", [7, 8, 9, 14, 15])
def test_batch_normalization_of_inference_is_one_node_at_every_opset(opset: int) -> None:
    """By ONNX Runtime: onnx's evaluator returns a tuple too much for the form of 7."""
    weights = np.array([1, 2, 3], np.float32)
    case = Case("", lambda op, x, w: op.BatchNormalization(x, w, w, w, w), (FINITE, weights))
    model = build(case, opset)
    assert [node.op_type for node in model.graph.node] == ["BatchNormalization"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (result,) = session.run(None, {"x0": FINITE, "x1": weights})
    column = weights[:, None]
    expected = (FINITE - column) / np.sqrt(column + np.float32(1e-5)) * column + column
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_a_loop_without_carried_values_needs_11() -> None:
    op = Emitter(GraphFrame(ir.Graph([], [], nodes=[]), Target(10)))
    with pytest.raises(Unsupported, match="from opset 11"):
        op.Loop(3, True, body=ir.Graph([], [], nodes=[]), outputs=1)


def test_roi_align_has_no_half_pixel_before_16() -> None:
    inputs = (FINITE[None], f32([[0, 0, 2, 2]]), i64([0]))
    newest = Case("RoiAlign", lambda op, *xs: op.RoiAlign(*xs), inputs)
    with pytest.raises(Unsupported, match="coordinate_transformation_mode from opset 16"):
        build(newest, 15)
    mode = "output_half_pixel"
    build(Case("RoiAlign", lambda op, *xs: op.RoiAlign(*xs, coordinate_transformation_mode=mode), inputs), 15)


def test_every_form_was_held_against_the_newest_schema() -> None:
    stale = {
        name: schemas.versions(name)[-1]
        for name, form in registered_forms().items()
        if form.reviewed != schemas.versions(name)[-1]
    }
    assert not stale, (
        "onnx has newer versions of these operators than their form functions were written for; read what "
        f"changed, add a case above, then raise reviewed= in emit/forms to {stale}"
    )


def structure(form: schemas.OperatorForm) -> object:
    options = [[parameter.option for parameter in side] for side in (form.inputs, form.outputs)]
    return options, {name: (a.type, a.required, a.default) for name, a in form.attributes.items()}


def test_operators_without_a_form_are_refused_where_their_structure_differs() -> None:
    """Nothing may be written by the rules of another version because nobody has thought of it."""
    refused: set[str] = set()
    for name in schemas.names():
        if name in registered_forms() or not schemas.exists(name, schemas.NEWEST_OPSET):
            continue
        newest = structure(schemas.form(name, schemas.NEWEST_OPSET))
        for version in schemas.versions(name):
            opset = max(version, schemas.MIN_OPSET)
            if structure(schemas.form(name, opset)) == newest:
                continue
            refused.add(name)
            op = Emitter(GraphFrame(ir.Graph([], [], nodes=[]), Target(opset)))
            with pytest.raises(Unsupported, match=f"{name} is written from opset"):
                op.call_operator(name, [], {}, None)
    assert refused == {"OptionalHasElement", "Resize", "Scan"}
