"""Example inputs and dynamic dimensions, learned from calls of a model."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, overload

import torch
from torch.utils import _pytree as pytree

from onnx_export._comparison import VerificationInfo
from onnx_export._observed_inputs import ObservedInputs, copied, tensors_of
from onnx_export._program import ONNXProgram
from onnx_export._runtime import InferenceSession, default_session
from onnx_ir_capture.fx import known_caches

__all__ = ["InputObserver"]


class InputObserver:
    """Records the calls of a model while it is used as usual, and infers from them how to export it.

    An input that some calls have and others lack, such as the cache of a language model, counts as one that
    may be empty::

        observer = InputObserver()
        with observer(model):
            model.generate(input_ids)
        args, kwargs = observer.infer_arguments(as_args_kwargs=True)
        shapes = observer.infer_dynamic_shapes()
        onnx_export.export(model, args, kwargs=kwargs, dynamic_shapes=shapes)

    Args:
        value_if_missing: for inputs, by name or position, that no call has beside the others: what they are
            where they are missing, as in ``{"pixel_values": torch.empty(0, 3, 224, 224)}``.
    """

    def __init__(self, value_if_missing: Mapping[str | int, object] | None = None) -> None:
        self._value_if_missing = dict(value_if_missing or {})
        self._inputs: ObservedInputs | None = None
        self._outputs: list[list[torch.Tensor | None]] = []
        self._seconds: list[float] = []

    def num_obs(self) -> int:
        """How many calls are recorded."""
        return len(self._outputs)

    @contextlib.contextmanager
    def __call__(
        self, model: torch.nn.Module, store_n_calls: int = 3, method_name: str = "forward"
    ) -> Iterator[InputObserver]:
        """Record the calls of a method while the block runs.

        Args:
            model: the model; its method is put back when the block ends.
            store_n_calls: after this many calls no more are kept, which would take memory.
            method_name: the method that will be exported.

        Raises:
            ValueError: the model has no such method.
        """
        method = getattr(model, method_name, None)
        if not callable(method):
            raise ValueError(f"{type(model).__qualname__} has no method {method_name!r} to observe")
        if self._inputs is None:
            self._inputs = ObservedInputs(inspect.signature(method), self._value_if_missing)
        own = vars(model).get(method_name)
        # As an attribute of the instance, it goes before the method of the class.
        vars(model)[method_name] = self._recorder(method, self._inputs, self.num_obs() + store_n_calls)
        try:
            yield self
        finally:
            del vars(model)[method_name]
            if own is not None:
                vars(model)[method_name] = own

    def _recorder(
        self, method: Callable[..., object], inputs: ObservedInputs, limit: int
    ) -> Callable[..., object]:
        @functools.wraps(method)  # generate() of transformers looks at forward's signature
        def record(*args: object, **kwargs: object) -> object:
            if self.num_obs() >= limit:
                return method(*args, **kwargs)
            call = copied(args), copied(kwargs)
            start = time.perf_counter()
            result = method(*args, **kwargs)
            self._seconds.append(time.perf_counter() - start)
            inputs.add(*call)
            with known_caches():
                leaves = pytree.tree_leaves(result)
            self._outputs.append(
                [leaf.detach().clone() if isinstance(leaf, torch.Tensor) else None for leaf in leaves]
            )
            return result

        return record

    def infer_dynamic_shapes(
        self, set_batch_dimension_for: Collection[str | int] | bool | None = None
    ) -> tuple[object, ...] | dict[str, object]:
        """The dimensions that differed among the calls, as ``export(dynamic_shapes=)`` takes them.

        Args:
            set_batch_dimension_for: inputs, by name or position, whose first dimension varies, too, although
                all calls had the same; True for all inputs.

        Returns:
            A tuple if all inputs are given by position, and otherwise a dict by parameter.

        Raises:
            RuntimeError: no call was recorded.
            ValueError: an input differs in its structure among the calls, or there is no such input.
        """
        return self._observed().dynamic_shapes(set_batch_dimension_for)

    @overload
    def infer_arguments(
        self,
        index_or_args_or_kwargs: int | tuple[object, ...] | Mapping[str, object] | None = None,
        flat: Literal[False] = False,
        *,
        as_args_kwargs: Literal[True],
    ) -> tuple[tuple[object, ...], dict[str, object]]: ...

    @overload
    def infer_arguments(
        self,
        index_or_args_or_kwargs: int | tuple[object, ...] | Mapping[str, object] | None = None,
        *,
        flat: Literal[True],
    ) -> list[torch.Tensor]: ...

    @overload
    def infer_arguments(
        self,
        index_or_args_or_kwargs: int | tuple[object, ...] | Mapping[str, object] | None = None,
    ) -> tuple[object, ...] | dict[str, object]: ...

    def infer_arguments(
        self,
        index_or_args_or_kwargs: int | tuple[object, ...] | Mapping[str, object] | None = None,
        flat: bool = False,
        as_args_kwargs: bool = False,
    ) -> (
        tuple[object, ...]
        | dict[str, object]
        | list[torch.Tensor]
        | tuple[tuple[object, ...], dict[str, object]]
    ):
        """Example arguments; tensors that the call lacks and another one has are there, and empty.

        Args:
            index_or_args_or_kwargs: the number of a call, or arguments to be completed; by default the call
                with the most tensors.
            flat: True returns the tensors only, in a list.
            as_args_kwargs: True returns ``(args, kwargs)`` always.

        Returns:
            A tuple if all are given by position, and otherwise a dict by parameter.

        Raises:
            RuntimeError: no call was recorded.
            ValueError: an input differs in its structure among the calls, or ``*args`` of the model cannot be
                in a dict.
        """
        inputs = self._observed()
        args, kwargs = inputs.arguments(self._chosen(inputs, index_or_args_or_kwargs))
        if flat:
            return tensors_of((args, kwargs))
        if as_args_kwargs:
            return args, kwargs
        if not kwargs:
            return args
        return inputs.as_keywords(args, kwargs)

    def check_discrepancies(
        self,
        onnx_program: ONNXProgram,
        atol: float = 1e-4,
        rtol: float = 0.1,
        progress_bar: bool = False,
        initializer: Callable[[str | bytes], InferenceSession] = default_session,
        skip_none: bool = True,
    ) -> list[dict[str, str | int | float | bool]]:
        """Run an exported model on the recorded inputs, and compare with the recorded outputs.

        Args:
            onnx_program: the model, exported with the arguments inferred here.
            atol: largest absolute difference of a success.
            rtol: largest relative difference of a success; where values are small, relative to this.
            progress_bar: show one, by tqdm.
            initializer: makes the ONNX Runtime session.
            skip_none: False counts an output that was no tensor as a failure.

        Returns:
            For each call ``SUCCESS``, the differences ``abs`` and ``rel`` or an ``error``, ``index``, the
            seconds ``duration_torch`` and ``ort_duration``, and the numbers of inputs ``n_inputs``, of those
            that it lacked, ``n_none``, and of empty ones, ``n_empty``.

        Raises:
            RuntimeError: no call was recorded.
        """
        inputs = self._observed()
        onnx_program.initialize_inference_session(initializer)
        rows = [
            self._compared(onnx_program, inputs, index, atol, rtol, skip_none)
            for index in _shown(range(self.num_obs()), progress_bar)
        ]
        onnx_program.release()
        return rows

    def _compared(
        self,
        program: ONNXProgram,
        inputs: ObservedInputs,
        index: int,
        atol: float,
        rtol: float,
        skip_none: bool,
    ) -> dict[str, str | int | float | bool]:
        args, kwargs = inputs.arguments(inputs.call(index))
        tensors = tensors_of((args, kwargs))
        row: dict[str, str | int | float | bool]
        start = time.perf_counter()
        try:
            outputs = program(*args, **kwargs)
        except Exception as error:
            # What the model or its runtime refuses belongs into the row; the other calls are worth a look.
            # ONNX Runtime's exceptions have no base class of their own.
            if not isinstance(error, TypeError | ValueError) and "onnxruntime" not in type(error).__module__:
                raise
            row = {"SUCCESS": False, "error": str(error)}
            seconds = time.perf_counter() - start
        else:
            seconds = time.perf_counter() - start
            row = _differences(self._outputs[index], outputs, atol, rtol, skip_none)
        return {
            **row,
            "index": index,
            "duration_torch": self._seconds[index],
            "ort_duration": seconds,
            "n_inputs": len(program.model.graph.inputs),
            "n_none": len(tensors) - len(tensors_of(dict(inputs.call(index)))),
            "n_empty": sum(tensor.numel() == 0 for tensor in tensors),
        }

    def _observed(self) -> ObservedInputs:
        if self._inputs is None or not self._outputs:
            raise RuntimeError("no call was recorded: use the model inside of 'with observer(model):'")
        return self._inputs

    def _chosen(
        self, inputs: ObservedInputs, given: int | tuple[object, ...] | Mapping[str, object] | None
    ) -> Mapping[str, object]:
        if given is None:
            return inputs.fullest
        if isinstance(given, int):
            return inputs.call(given)
        return inputs.named((), given) if isinstance(given, Mapping) else inputs.named(given, {})


def _shown(indices: range, progress_bar: bool) -> Iterable[int]:
    if not progress_bar:
        return indices
    tqdm = importlib.import_module("tqdm")  # only who asks for it needs it
    bar: Iterable[int] = tqdm.tqdm(indices)
    return bar


def _differences(
    expected: Sequence[torch.Tensor | None],
    actual: Sequence[torch.Tensor],
    atol: float,
    rtol: float,
    skip_none: bool,
) -> dict[str, str | int | float | bool]:
    wanted = [tensor for tensor in expected if tensor is not None]
    if len(wanted) < len(expected) and not skip_none:
        return {"SUCCESS": False, "error": "missing output"}
    if len(wanted) != len(actual):
        return {"SUCCESS": False, "error": f"{len(actual)} outputs instead of {len(wanted)}"}
    largest = relative = 0.0
    for want, got in zip(wanted, actual, strict=True):
        if (want.shape, want.dtype) != (got.shape, got.dtype):
            told = " instead of ".join(f"{side.dtype} {tuple(side.shape)}" for side in (got, want))
            return {"SUCCESS": False, "error": told}
        if not want.numel():
            continue
        info = VerificationInfo.from_tensors("", want, got)
        largest = max(largest, info.max_abs_diff)
        scale = want.cpu().abs().double() + rtol
        gap = (want.cpu().double() - got.double()).abs() / scale
        relative = max(relative, gap.nan_to_num(0.0).max().item())
    return {"SUCCESS": largest <= atol and relative <= rtol, "abs": largest, "rel": relative}
