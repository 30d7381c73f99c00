"""Cleanup passes over the torch dialect of onnx-ir-capture."""

from onnx_jitpasses.__about__ import __version__
from onnx_jitpasses._attribute_state import AttributeState
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._batch_statistics import BatchStatistics
from onnx_jitpasses._common_subexpressions import CommonSubexpressions
from onnx_jitpasses._complex_to_pairs import ComplexToPairs
from onnx_jitpasses._dead_code import DeadCode
from onnx_jitpasses._eval_mode import EvalMode
from onnx_jitpasses._fold_constants import FoldConstants
from onnx_jitpasses._functional_lists import FunctionalLists
from onnx_jitpasses._functionalize import Functionalize
from onnx_jitpasses._hand_in import HandIn
from onnx_jitpasses._optional_values import OptionalValues
from onnx_jitpasses._ranges import Ranges
from onnx_jitpasses._refuse_mutation import RefuseMutation
from onnx_jitpasses._remove_assertions import RemoveAssertions
from onnx_jitpasses._remove_no_ops import RemoveNoOps
from onnx_jitpasses._remove_raises import RemoveRaises
from onnx_jitpasses._resolve_branches import ResolveBranches
from onnx_jitpasses._resolve_scripts import ResolveScripts
from onnx_jitpasses._size_lists import SizeLists
from onnx_jitpasses._split_tuples import SplitTuples
from onnx_jitpasses._stand_ins import StandIns
from onnx_jitpasses._unique_names import UniqueNames
from onnx_jitpasses._unpack_quantized import UnpackQuantized
from onnx_jitpasses._unpack_tuples import UnpackTuples
from onnx_jitpasses._unroll_loops import UnrollLoops
from onnx_jitpasses._view_to_reshape import ViewToReshape

__all__ = [
    "AttributeState",
    "BatchStatistics",
    "CommonSubexpressions",
    "ComplexToPairs",
    "DeadCode",
    "DialectPass",
    "EvalMode",
    "FoldConstants",
    "FunctionalLists",
    "Functionalize",
    "Guarantee",
    "HandIn",
    "OptionalValues",
    "Ranges",
    "RefuseMutation",
    "RemoveAssertions",
    "RemoveNoOps",
    "RemoveRaises",
    "ResolveBranches",
    "ResolveScripts",
    "SizeLists",
    "SplitTuples",
    "StandIns",
    "UniqueNames",
    "UnpackQuantized",
    "UnpackTuples",
    "UnrollLoops",
    "ViewToReshape",
    "__version__",
]
