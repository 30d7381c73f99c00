"""The gamma function's logarithm and its derivatives."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
special = torch.special

# Small, large, and between the poles.
X = torch.cat([floats(2, 13) * 3, torch.linspace(-7.7, 23.3, 26).reshape(2, 13)], 1)
LARGE = floats(7, seed=1).abs() * 1e4
NEAR_ROOTS = torch.tensor([1, 2]) + floats(3, 2) * 1e-3
POSITIVE = floats(2, 17).abs() + 1e-3

CASES = [
    OpCase("lgamma", torch.lgamma, (X,), extremes=True, dtypes=FLOATS),
    OpCase("lgamma large", torch.lgamma, (LARGE,), dtypes=(torch.float32, torch.float64)),
    OpCase("lgamma roots", torch.lgamma, (NEAR_ROOTS,), dtypes=(torch.float32, torch.float64)),
    OpCase("lgamma int", torch.lgamma, (ints(-3, 30, 2, 7),), dtypes=(torch.int32, torch.bool)),
    OpCase("special_gammaln", torch.ops.aten.special_gammaln, (X,)),
    OpCase("digamma", torch.digamma, (X,), extremes=True, dtypes=FLOATS),
    OpCase("digamma large", torch.digamma, (LARGE,)),
    OpCase("digamma int", torch.digamma, (ints(-3, 30, 2, 7),)),
    OpCase("special_psi", torch.ops.aten.special_psi, (X,)),
    OpCase("polygamma 0", lambda x: torch.polygamma(0, x), (X,)),
    # Near its poles, torch computes the first in float32 from the sine of an angle that has lost digits.
    OpCase("polygamma 1", lambda x: torch.polygamma(1, x), (X.double(),)),
    OpCase("polygamma 1 poles", lambda x: torch.polygamma(1, x), (torch.tensor([0.0, -1.0, -3.0]),)).xfail(
        "torch takes the sine of a rounded multiple of pi, and gives a large number for infinity"
    ),
    OpCase("polygamma 1 positive", lambda x: torch.polygamma(1, x), (POSITIVE,)),
    *(OpCase(f"polygamma {n}", lambda x, n=n: torch.polygamma(n, x), (X,)) for n in (2, 5)),
    *(
        OpCase(
            f"polygamma {n} extremes",
            lambda x, n=n: torch.polygamma(n, x),
            (POSITIVE.double(),),
            extremes=True,
        )
        for n in (2, 3)
    ),
    OpCase("polygamma 31", lambda x: torch.polygamma(31, x), (POSITIVE,), refused="the factorial"),
    OpCase("special_polygamma", lambda x: torch.ops.aten.special_polygamma(1, x), (POSITIVE,)),
    OpCase("mvlgamma", lambda x: torch.mvlgamma(x, 3), (POSITIVE + 1,)),
    OpCase("mvlgamma 1", lambda x: torch.mvlgamma(x, 1), (ints(1, 9, 7),)),
    OpCase("special_multigammaln", lambda x: torch.ops.aten.special_multigammaln(x, 2), (POSITIVE + 1,)),
    OpCase("special_zeta.self_scalar", lambda x: special.zeta(2, x), (X.double(),)),
    OpCase("special_zeta.self_scalar float", lambda x: special.zeta(1.1, x), (POSITIVE,), extremes=True),
    OpCase("special_zeta.self_scalar large", lambda x: special.zeta(70.5, x), (LARGE.sqrt(),)),
    OpCase("special_zeta.self_scalar refused", lambda x: special.zeta(0.5, x), (X,), refused="above 1"),
]
