"""Parameters that a model writes into while it is traced."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from onnx_ir_capture.fx import values_kept

__all__ = ["parameters_kept"]

_MAY_COPY = 1 << 24
"""How many bytes of parameters are copied; a model with more is told that it must not write them: the copy
would take as much memory as the model and longer than the rest of the export."""


@contextlib.contextmanager
def parameters_kept(model: torch.nn.Module) -> Iterator[None]:
    """Put back afterwards what the block writes into the parameters of ``model``.

    Raises:
        NotImplementedError: it has written some of so many that no copies of them were made.
    """
    # Those of lazy layers have no values yet, and those of inference mode count no writes.
    own = {
        name: parameter
        for name, parameter in model.named_parameters()
        if not isinstance(parameter, torch.nn.UninitializedParameter) and not parameter.is_inference()
    }
    if sum(parameter.nbytes for parameter in own.values()) <= _MAY_COPY:
        with values_kept(own.values()):
            yield
        return
    before = {name: parameter._version for name, parameter in own.items()}
    yield
    for name, parameter in own.items():
        if parameter._version != before[name]:
            raise NotImplementedError(
                f"it writes into its parameter {name} while it is traced, and is too large to be copied: "
                "register as a buffer what the forward changes, or compute with the new value instead"
            )
