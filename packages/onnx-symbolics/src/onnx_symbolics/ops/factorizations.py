"""Factors of matrices: what takes iterations is refused."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import matrix_exponential, orthogonal_factors, product_of_mirrors
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "linalg_cond",
    "linalg_eigh",
    "linalg_eigh_of",
    "linalg_eigvalsh",
    "linalg_householder_product",
    "linalg_lstsq",
    "linalg_lu",
    "linalg_lu_factor",
    "linalg_lu_factor_ex",
    "linalg_matrix_exp",
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


@symbolic("aten::linalg_qr")
def linalg_qr(g: SymbolicContext, A: Value, mode: str = "reduced") -> tuple[Value, Value]:
    """linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)"""
    return orthogonal_factors(g, A, mode)


@symbolic("aten::qr")
def qr(g: SymbolicContext, self: Value, some: bool = True) -> tuple[Value, Value]:
    """qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)"""
    return linalg_qr(g, self, "reduced" if some else "complete")


@symbolic("aten::linalg_householder_product", "aten::orgqr")
def linalg_householder_product(g: SymbolicContext, input: Value, tau: Value) -> Value:
    """linalg_householder_product(Tensor input, Tensor tau) -> Tensor"""
    return product_of_mirrors(g, input, tau)


@symbolic("aten::linalg_matrix_exp", "aten::matrix_exp")
def linalg_matrix_exp(g: SymbolicContext, self: Value) -> Value:
    """linalg_matrix_exp(Tensor self) -> Tensor"""
    return matrix_exponential(g, self)


@symbolic("aten::linalg_svd")
def linalg_svd(
    g: SymbolicContext, A: Value, full_matrices: bool = True, driver: str | None = None
) -> tuple[Value, Value, Value]:
    """linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::svd")
def svd(
    g: SymbolicContext, self: Value, some: bool = True, compute_uv: bool = True
) -> tuple[Value, Value, Value]:
    """svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::linalg_svdvals")
def linalg_svdvals(g: SymbolicContext, A: Value, driver: str | None = None) -> Value:
    """linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::_linalg_svd")
def linalg_svd_of(
    g: SymbolicContext,
    A: Value,
    full_matrices: bool = False,
    compute_uv: bool = True,
    driver: str | None = None,
) -> tuple[Value, Value, Value]:
    """_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::linalg_eigh")
def linalg_eigh(g: SymbolicContext, self: Value, UPLO: str = "L") -> tuple[Value, Value]:
    """linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)"""
    g.refuse(_NO_EIGENVALUES)


@symbolic("aten::linalg_eigvalsh")
def linalg_eigvalsh(g: SymbolicContext, self: Value, UPLO: str = "L") -> Value:
    """linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor"""
    g.refuse(_NO_EIGENVALUES)


@symbolic("aten::_linalg_eigh")
def linalg_eigh_of(
    g: SymbolicContext, A: Value, UPLO: str = "L", compute_v: bool = True
) -> tuple[Value, Value]:
    """_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)"""
    g.refuse(_NO_EIGENVALUES)


@symbolic("aten::linalg_pinv.atol_rtol_tensor")
def linalg_pinv(
    g: SymbolicContext,
    self: Value,
    atol: Value | None = None,
    rtol: Value | None = None,
    hermitian: bool = False,
) -> Value:
    """linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::linalg_pinv.atol_rtol_float")
def linalg_pinv_float(
    g: SymbolicContext,
    self: Value,
    atol: float | None = None,
    rtol: float | None = None,
    hermitian: bool = False,
) -> Value:
    """linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::pinverse")
def pinverse(g: SymbolicContext, self: Value, rcond: float = 1e-15) -> Value:
    """pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::linalg_matrix_rank.atol_rtol_tensor")
def linalg_matrix_rank(
    g: SymbolicContext,
    input: Value,
    atol: Value | None = None,
    rtol: Value | None = None,
    hermitian: bool = False,
) -> Value:
    """linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)


@symbolic("aten::linalg_lstsq")
def linalg_lstsq(
    g: SymbolicContext, self: Value, b: Value, rcond: float | None = None, driver: str | None = None
) -> tuple[Value, Value, Value, Value]:
    """linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"""
    g.refuse(
        "it finds the rank of its matrix by values, which ONNX has no operator for; solve the normal equations "
        "with torch.linalg.solve where the rank is full"
    )


@symbolic("aten::linalg_lu")
def linalg_lu(g: SymbolicContext, A: Value, pivot: bool = True) -> tuple[Value, Value, Value]:
    """linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"""
    g.refuse(_NO_LU)


_NO_LU = "ONNX has no operator for LU factors; take torch.linalg.solve, inv or det, which are exported without them"


@symbolic("aten::linalg_lu_factor")
def linalg_lu_factor(g: SymbolicContext, A: Value, pivot: bool = True) -> tuple[Value, Value]:
    """linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)"""
    g.refuse(_NO_LU)


@symbolic("aten::linalg_lu_factor_ex")
def linalg_lu_factor_ex(
    g: SymbolicContext, A: Value, pivot: bool = True, check_errors: bool = False
) -> tuple[Value, Value, Value]:
    """linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)"""
    g.refuse(_NO_LU)


@symbolic("aten::linalg_cond")
def linalg_cond(g: SymbolicContext, self: Value, p: Scalar | None = None) -> Value:
    """linalg_cond(Tensor self, Scalar? p=None) -> Tensor"""
    g.refuse(_NO_SINGULAR_VALUES)
