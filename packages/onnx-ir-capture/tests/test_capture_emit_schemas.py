"""The tables of operator forms and kernels against their sources, onnx.defs and ONNX Runtime."""

from __future__ import annotations

import importlib.resources
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
import onnx_ir as ir
import onnxruntime
import pytest
from onnx import helper

from onnx_ir_capture.emit import _tables, schemas

TOOLS = Path(__file__).resolve().parents[3] / "tools"
OPSETS = range(schemas.MIN_OPSET, schemas.NEWEST_OPSET + 1)
INTEGERS = {dtype for dtype in ir.DataType if dtype.is_integer()}


def seen_by_onnx(op_type: str, opset: int) -> onnx.defs.OpSchema | None:
    """The schema that onnx.defs gives for an opset, None where it has none or a deprecated one."""
    if not onnx.defs.has(op_type, max_inclusive_version=opset):
        return None
    schema = onnx.defs.get_schema(op_type, max_inclusive_version=opset)
    return None if schema.deprecated else schema


ONNX_NAMES = sorted({s.name for s in onnx.defs.get_all_schemas_with_history() if s.domain == ""})


def test_range_is_that_of_onnx() -> None:
    assert onnx.defs.onnx_opset_version() == schemas.NEWEST_OPSET
    assert schemas.MIN_OPSET == 7


@pytest.mark.parametrize("opset", OPSETS)
def test_existence_and_since_agree_with_onnx(opset: int) -> None:
    for name in ONNX_NAMES:
        schema = seen_by_onnx(name, opset)
        assert schemas.exists(name, opset) == (schema is not None), name
        if schema is None:
            with pytest.raises(schemas.OperatorNotFoundError, match=name):
                schemas.form(name, opset)
        else:
            assert schemas.since(name, opset) == schema.since_version, name
            assert schemas.form(name, opset).since == schema.since_version, name


def same_parameter(ours: schemas.Parameter, theirs: onnx.defs.OpSchema.FormalParameter) -> bool:
    option = str(theirs.option).rpartition(".")[2].lower()
    facts = (theirs.name, theirs.type_str, set(theirs.types), option)
    if (ours.name, ours.type_param, set(ours.types), ours.option) != facts:
        return False
    return option != "variadic" or (ours.min_arity, ours.homogeneous) == (
        theirs.min_arity,
        theirs.is_homogeneous,
    )


def same_default(ours: schemas.AttributeDefault | None, theirs: onnx.AttributeProto) -> bool:
    if theirs.type == onnx.AttributeProto.UNDEFINED:
        return ours is None
    value = helper.get_attribute_value(theirs)
    if isinstance(value, bytes):
        return ours == value.decode()
    if isinstance(value, float):
        return isinstance(ours, float) and np.float32(ours) == np.float32(value)
    if isinstance(value, int):
        return ours == value
    return ours == tuple(item.decode() if isinstance(item, bytes) else item for item in value)


@pytest.mark.parametrize("op_type", schemas.names())
def test_forms_agree_with_onnx(op_type: str) -> None:
    for version in schemas.versions(op_type):
        opset = max(version, schemas.MIN_OPSET)
        ours, theirs = schemas.form(op_type, opset), seen_by_onnx(op_type, opset)
        assert theirs is not None
        assert all(map(same_parameter, ours.inputs, theirs.inputs))
        assert all(map(same_parameter, ours.outputs, theirs.outputs))
        assert (len(ours.inputs), len(ours.outputs)) == (len(theirs.inputs), len(theirs.outputs))
        assert ours.attributes.keys() == theirs.attributes.keys()
        for name, attribute in theirs.attributes.items():
            form = ours.attributes[name]
            assert (form.name, form.required) == (name, attribute.required)
            assert str(attribute.type).endswith(f".{form.type.name}")
            assert same_default(form.default, attribute.default_value), name


def test_accepted_types_at_known_breakpoints() -> None:
    assert not schemas.accepted("Relu", 13, 0) & INTEGERS
    assert {ir.DataType.INT8, ir.DataType.INT32, ir.DataType.INT64} <= schemas.accepted("Relu", 14, 0)
    assert ir.DataType.FLOAT not in schemas.accepted("Equal", 10, 0)
    assert ir.DataType.FLOAT in schemas.accepted("Equal", 11, 0)
    assert schemas.accepted("ReduceSum", 13, 1) == {ir.DataType.INT64}


def test_reduce_sum_takes_axes_as_input_from_13() -> None:
    old, new = schemas.form("ReduceSum", 12), schemas.form("ReduceSum", 13)
    assert "axes" in old.attributes
    assert "axes" not in new.attributes
    assert [parameter.name for parameter in old.inputs] == ["data"]
    assert [(parameter.name, parameter.option) for parameter in new.inputs] == [
        ("data", "single"),
        ("axes", "optional"),
    ]


def test_variadic_input_repeats_and_others_end() -> None:
    assert schemas.form("Concat", 13).input(7).name == "inputs"
    assert schemas.form("Loop", 13).input(5).name == "v_initial"
    with pytest.raises(IndexError, match=r"Relu-14 has no input 1; its inputs: X"):
        schemas.accepted("Relu", 14, 1)


def test_sequence_inputs_accept_no_plain_tensor() -> None:
    assert schemas.accepted("SequenceLength", 11, 0) == frozenset()
    assert "seq(tensor(float))" in schemas.form("SequenceLength", 11).input(0).types


def test_first_opset_stays_in_the_range() -> None:
    assert schemas.first_opset("Gelu") == 20
    assert schemas.first_opset("Relu") == schemas.MIN_OPSET
    assert all(schemas.exists(name, schemas.first_opset(name)) for name in schemas.names())


@pytest.mark.parametrize(
    ("op_type", "opset", "message"),
    [
        ("Gelu", 18, "Gelu does not exist at opset 18; it exists in opset 20 to"),
        ("Upsample", 12, "it exists in opset 7 to 9"),
        ("GroupNormalization", 18, "it exists in opset 21 to"),
        ("Softmx", 18, "no operator 'Softmx' in opset 7 to .*; did you mean Softmax"),
    ],
)
def test_errors_say_where_an_operator_exists(op_type: str, opset: int, message: str) -> None:
    with pytest.raises(schemas.OperatorNotFoundError, match=message):
        schemas.form(op_type, opset)


@pytest.mark.parametrize("opset", [schemas.MIN_OPSET - 1, schemas.NEWEST_OPSET + 1])
def test_opsets_outside_the_range_are_refused(opset: int) -> None:
    with pytest.raises(ValueError, match=f"opset {opset} is outside the supported range 7 to"):
        schemas.exists("Relu", opset)
    with pytest.raises(ValueError, match="outside the supported range"):
        schemas.form("Relu", opset)


def test_forms_are_kept() -> None:
    assert schemas.form("Relu", 9) is schemas.form("Relu", 12)


def test_reading_the_tables_takes_under_30_ms_of_processor_time() -> None:
    def seconds() -> float:
        start = time.process_time()
        _tables.schema_table.__wrapped__()
        _tables.kernel_table.__wrapped__()
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 0.03


def test_run_time_needs_neither_onnxruntime_nor_torch() -> None:
    code = (
        "import sys\n"
        "sys.modules['onnxruntime'] = sys.modules['torch'] = None\n"
        "from onnx_ir_capture.emit import schemas\n"
        "assert schemas.ort_cpu_accepts('Relu', 14, 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["_schemas.json", "_ort_kernels.json"])
def test_tables_hold_no_unused_type_set(name: str) -> None:
    text = importlib.resources.files("onnx_ir_capture.emit").joinpath(name).read_text(encoding="utf-8")
    assert all(text.count(f'"{types}"') > 1 for types in json.loads(text)["types"])


def test_generated_files_are_current() -> None:
    run = subprocess.run(
        [sys.executable, str(TOOLS / "generate_emit.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    lines = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    assert lines["_schemas.json"] == lines["_operators.pyi"] == "current"
    same_ort = onnxruntime.__version__ == schemas.ort_version()
    kernels = "current" if same_ort else f"not compared: it records onnxruntime {schemas.ort_version()}"
    assert lines["_ort_kernels.json"].startswith(kernels)


def unary_cases() -> dict[str, list[tuple[int, ir.DataType]]]:
    """The operators with one input that ONNX Runtime's type check alone decides on, at every version.

    FLOAT16 is left out, which ONNX Runtime casts by itself, and so are operators that have a function body or
    ask more of their input than a type.
    """
    particular = {"ConstantOfShape", "DFT", "ImageDecoder", "RandomNormalLike", "RandomUniformLike"}
    cases: dict[str, list[tuple[int, ir.DataType]]] = defaultdict(list)
    for op_type in set(schemas.names()) - particular - {"RegexFullMatch", "Resize", "StringNormalizer"}:
        for version in schemas.versions(op_type):
            opset = max(version, schemas.MIN_OPSET)
            form = schemas.form(op_type, opset)
            required = [parameter.option for parameter in form.inputs if parameter.option != "optional"]
            simple = required == ["single"] and [parameter.option for parameter in form.outputs] == ["single"]
            if simple and not form.has_function and not any(a.required for a in form.attributes.values()):
                dtypes = schemas.accepted(op_type, opset, 0) - {ir.DataType.FLOAT16}
                cases[op_type] += [(opset, dtype) for dtype in sorted(dtypes)]
    return cases


UNARY = unary_cases()


def loads_in_onnxruntime(op_type: str, opset: int, dtype: ir.DataType) -> bool:
    """Whether ONNX Runtime finds a kernel for a graph of this one node."""
    graph = helper.make_graph(
        [helper.make_node(op_type, ["x"], ["y"])],
        "unary",
        [helper.make_tensor_value_info("x", dtype.value, ["N", "C"])],
        [helper.make_empty_tensor_value_info("y")],
    )
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=helper.find_min_ir_version_for(opsets))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        return False
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail as failure:
        # ONNX Runtime has no complex numbers at all and refuses them before it looks for kernels.
        if "is not currently registered or supported" in str(failure):
            return False
        raise
    return True


@pytest.mark.skipif(
    onnxruntime.__version__ != schemas.ort_version(),
    reason=f"the kernel table is that of onnxruntime {schemas.ort_version()}",
)
@pytest.mark.parametrize("op_type", sorted(UNARY))
def test_kernel_table_says_what_onnxruntime_loads(op_type: str) -> None:
    for opset, dtype in UNARY[op_type]:
        kernels = schemas.ort_cpu_accepts(op_type, opset, 0)
        expected = kernels is not None and dtype in kernels
        assert loads_in_onnxruntime(op_type, opset, dtype) == expected, (opset, dtype)


def test_kernel_look_up_by_constraint_and_by_input() -> None:
    assert schemas.ort_cpu_accepts("Relu", 14, "T") == schemas.ort_cpu_accepts("Relu", 14, 0)
    assert ir.DataType.INT64 in schemas.accepted("Relu", 14, 0) - (
        schemas.ort_cpu_accepts("Relu", 14, 0) or frozenset()
    )
    assert schemas.ort_cpu_accepts("GroupNormalization", 21, 0) is None
    assert schemas.form("GroupNormalization", 21).has_function
    with pytest.raises(ValueError, match=r"Relu-14 has no type constraint 'T9'; it has: T"):
        schemas.ort_cpu_accepts("Relu", 14, "T9")


FLOAT, HALF, DOUBLE, INT = (
    ir.DataType.FLOAT,
    ir.DataType.FLOAT16,
    ir.DataType.DOUBLE,
    ir.DataType.INT64,
)


@pytest.mark.parametrize(
    ("op_type", "inputs", "outputs", "taken"),
    [
        ("Atan", (FLOAT,), (FLOAT,), True),
        ("Atan", (HALF,), (HALF,), True),  # between casts that ONNX Runtime inserts
        ("Atan", (DOUBLE,), (DOUBLE,), False),
        ("Atan", (None,), (None,), True),  # nothing known
        ("Softmax", (ir.DataType.BFLOAT16,), (), False),  # it has a function body
        ("Concat", (INT, INT, INT), (INT,), True),
        ("Constant", (), (DOUBLE,), True),
        ("BatchNormalization", (DOUBLE,) * 5, (DOUBLE,), True),
        ("BatchNormalization", (FLOAT, DOUBLE, DOUBLE, FLOAT, FLOAT), (FLOAT,), False),  # each of them alone
        ("CumSum", (INT, ir.DataType.INT32), (INT,), True),
        ("Gemm", (INT, INT), (INT,), False),
    ],
)
def test_one_kernel_takes_all_types_of_a_node(
    op_type: str,
    inputs: tuple[ir.DataType | None, ...],
    outputs: tuple[ir.DataType | None, ...],
    taken: bool,
) -> None:
    assert schemas.ort_cpu_has_kernel(op_type, 20, inputs, outputs) is taken


def test_kernels_are_asked_for_no_input_that_the_operator_lacks() -> None:
    with pytest.raises(IndexError, match="Atan-7 has no input 1"):
        schemas.ort_cpu_has_kernel("Atan", 20, (FLOAT, FLOAT))
