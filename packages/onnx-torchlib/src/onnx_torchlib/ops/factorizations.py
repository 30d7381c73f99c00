"""Factors of matrices: QR by reflections, one column a step; what takes iterations is refused."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import dimension, dtype_of, size_vector
from onnx_torchlib import Op, translator
from onnx_torchlib._loops import counted_loop

__all__ = [
    "linalg_cond",
    "linalg_eigh",
    "linalg_eigh_of",
    "linalg_eigvalsh",
    "linalg_lstsq",
    "linalg_lu",
    "linalg_lu_factor",
    "linalg_lu_factor_ex",
    "linalg_matrix_rank",
    "linalg_pinv",
    "linalg_pinv_float",
    "linalg_qr",
    "linalg_svd",
    "linalg_svd_of",
    "linalg_svdvals",
    "pinverse",
    "qr",
    "svd",
]

_ADVICE = "compute it outside of the model, or export it as a custom operator"
_NO_SINGULAR_VALUES = f"it takes singular values, which ONNX has no operator for; {_ADVICE}"
_NO_EIGENVALUES = f"it takes eigenvalues, which ONNX has no operator for; {_ADVICE}"


@translator("aten::linalg_qr")
def linalg_qr(op: Op, A: Value, mode: str = "reduced") -> tuple[Value, Value]:
    """linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)"""
    rows, columns = _places(op, dimension(op, A, -2)), _places(op, dimension(op, A, -1))
    count = _smaller(op, dimension(op, A, -2), dimension(op, A, -1))
    down = op.Unsqueeze(rows, [1])
    identity = op.cast(op.Equal(down, rows), dtype_of(op, A))
    size = op.Shape(op.ReduceSum(A, [-1], keepdims=1), end=-1)
    start = op.Expand(identity, op.Concat(size, op.Shape(rows), axis=0))

    def step(inner: Op, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        product, table = state
        mirror, scale = _mirror(inner, table, down, index)
        across = inner.MatMul(_transposed(inner, mirror), table)
        table = inner.Sub(table, inner.Mul(inner.Mul(mirror, scale), across))
        along = inner.Mul(inner.MatMul(product, mirror), scale)
        return [inner.Sub(product, inner.MatMul(along, _transposed(inner, mirror))), table]

    factor, triangle = counted_loop(op, count, [start, A], step)
    triangle = op.Where(op.LessOrEqual(down, columns), triangle, 0.0)
    if mode == "r":
        return op.Expand(op.constant(0.0, dtype_of(op, A)), op.constant([0])), _cut(op, triangle, count, -2)
    if mode == "complete":
        return factor, triangle
    return _cut(op, factor, count, -1), _cut(op, triangle, count, -2)


def _places(op: Op, size: SymInt) -> Value:
    return op.Range(0, op.constant(size) if isinstance(size, int) else size, 1)


def _smaller(op: Op, left: SymInt, right: SymInt) -> SymInt:
    return min(left, right) if isinstance(left, int) and isinstance(right, int) else op.Min(left, right)


def _cut(op: Op, matrices: Value, count: SymInt, axis: int) -> Value:
    return op.Slice(matrices, [0], size_vector(op, [count]), [axis])


def _transposed(op: Op, column: Value) -> Value:
    """Columns as rows."""
    return op.Reshape(column, op.Concat(op.Shape(column, end=-2), [1, -1], axis=0))


def _mirror(op: Op, table: Value, down: Value, index: Value) -> tuple[Value, Value]:
    """The vector whose mirror turns a column's part from ``index`` on into one number, and 2 by its square.

    Source: LAPACK's larfg, whose signs torch's results have. Nothing is mirrored that is one number already.
    """
    column = op.Gather(table, op.Unsqueeze(index, [0]), axis=-1)
    part = op.Where(op.GreaterOrEqual(down, index), column, 0.0)
    largest = op.ReduceMax(op.Abs(part), [-2], keepdims=1)
    # The squares of what is at most 1 stay in range.
    part = op.Div(part, op.Where(op.Equal(largest, 0.0), 1.0, largest))
    is_first = op.Equal(down, index)
    first = op.ReduceSum(op.Where(is_first, part, 0.0), [-2], keepdims=1)
    rest = op.Where(is_first, 0.0, part)
    is_done = op.Equal(op.ReduceSum(op.Abs(rest), [-2], keepdims=1), 0.0)
    length = op.Sqrt(op.ReduceSum(op.Mul(part, part), [-2], keepdims=1))
    moved = op.Add(first, op.Where(op.Less(first, 0.0), op.Neg(length), length))
    mirror = op.Where(is_first, moved, rest)
    square = op.ReduceSum(op.Mul(mirror, mirror), [-2], keepdims=1)
    return mirror, op.Where(is_done, 0.0, op.Div(2.0, square))


@translator("aten::qr")
def qr(op: Op, self: Value, some: bool = True) -> tuple[Value, Value]:
    """qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)"""
    return linalg_qr(op, self, "reduced" if some else "complete")


@translator("aten::linalg_svd")
def linalg_svd(
    op: Op, A: Value, full_matrices: bool = True, driver: str | None = None
) -> tuple[Value, Value, Value]:
    """linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::svd")
def svd(op: Op, self: Value, some: bool = True, compute_uv: bool = True) -> tuple[Value, Value, Value]:
    """svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::linalg_svdvals")
def linalg_svdvals(op: Op, A: Value, driver: str | None = None) -> Value:
    """linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::_linalg_svd")
def linalg_svd_of(
    op: Op, A: Value, full_matrices: bool = False, compute_uv: bool = True, driver: str | None = None
) -> tuple[Value, Value, Value]:
    """_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::linalg_eigh")
def linalg_eigh(op: Op, self: Value, UPLO: str = "L") -> tuple[Value, Value]:
    """linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)"""
    op.refuse(_NO_EIGENVALUES)


@translator("aten::linalg_eigvalsh")
def linalg_eigvalsh(op: Op, self: Value, UPLO: str = "L") -> Value:
    """linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor"""
    op.refuse(_NO_EIGENVALUES)


@translator("aten::_linalg_eigh")
def linalg_eigh_of(op: Op, A: Value, UPLO: str = "L", compute_v: bool = True) -> tuple[Value, Value]:
    """_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"""
    op.refuse(_NO_EIGENVALUES)


@translator("aten::linalg_pinv.atol_rtol_tensor")
def linalg_pinv(
    op: Op, self: Value, atol: Value | None = None, rtol: Value | None = None, hermitian: bool = False
) -> Value:
    """linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::linalg_pinv.atol_rtol_float")
def linalg_pinv_float(
    op: Op, self: Value, atol: float | None = None, rtol: float | None = None, hermitian: bool = False
) -> Value:
    """linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::pinverse")
def pinverse(op: Op, self: Value, rcond: float = 1e-15) -> Value:
    """pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::linalg_matrix_rank.atol_rtol_tensor")
def linalg_matrix_rank(
    op: Op, input: Value, atol: Value | None = None, rtol: Value | None = None, hermitian: bool = False
) -> Value:
    """linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)


@translator("aten::linalg_lstsq")
def linalg_lstsq(
    op: Op, self: Value, b: Value, rcond: float | None = None, driver: str | None = None
) -> tuple[Value, Value, Value, Value]:
    """linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"""
    op.refuse(
        "it finds the rank of its matrix by values, which ONNX has no operator for; solve the normal equations "
        "with torch.linalg.solve where the rank is full"
    )


@translator("aten::linalg_lu")
def linalg_lu(op: Op, A: Value, pivot: bool = True) -> tuple[Value, Value, Value]:
    """linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"""
    op.refuse(_NO_LU)


_NO_LU = "ONNX has no operator for LU factors; take torch.linalg.solve, inv or det, which are exported without them"


@translator("aten::linalg_lu_factor")
def linalg_lu_factor(op: Op, A: Value, pivot: bool = True) -> tuple[Value, Value]:
    """linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"""
    op.refuse(_NO_LU)


@translator("aten::linalg_lu_factor_ex")
def linalg_lu_factor_ex(
    op: Op, A: Value, pivot: bool = True, check_errors: bool = False
) -> tuple[Value, Value, Value]:
    """linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)"""
    op.refuse(_NO_LU)


@translator("aten::linalg_cond")
def linalg_cond(op: Op, self: Value, p: Scalar | None = None) -> Value:
    """linalg_cond(Tensor self, Scalar? p=None) -> Tensor"""
    op.refuse(_NO_SINGULAR_VALUES)
