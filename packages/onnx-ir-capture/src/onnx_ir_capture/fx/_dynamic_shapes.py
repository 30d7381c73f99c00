"""``dynamic_shapes`` as users write it, read against the example arguments."""

from __future__ import annotations

import dataclasses
import inspect
import keyword
from collections.abc import Mapping, Sequence

import torch
from torch.export.dynamic_shapes import Dim, _DerivedDim, _DimHint, _DimHintType
from torch.utils import _pytree as pytree

from onnx_ir_capture.fx._caches import cache_shapes
from onnx_ir_capture.fx._containers import member_path, members
from onnx_ir_capture.fx._shape_layout import InvalidShapesError, lay_out
from onnx_ir_capture.fx._symbols import INT_LIMIT

__all__ = ["DimensionRequest", "DynamicShapes", "dim_bounds", "read_dynamic_shapes"]


@dataclasses.dataclass(frozen=True)
class DimensionRequest:
    """A dimension that shall be dynamic.

    Attributes:
        leaf: position of the input among the flattened ``(args, kwargs)``.
        path: the input as a user would write it, such as ``x`` or ``cache[0]['key']``.
        axis: which dimension of the tensor; None when the input is a Python number.
        size: its size in the example.
        required: whether it is an error that the model fixes it; with ``Dim.AUTO`` it is not.
        name: the name that it shall have in the file.
        derived: the ``Dim`` when it is an expression over another one, such as ``2 * batch``.
        lower: smallest size that is asked for.
        upper: largest size that is asked for.
    """

    leaf: int
    path: str
    axis: int | None
    size: int
    required: bool
    name: str | None = None
    derived: _DerivedDim | None = None
    lower: int = 0
    upper: int | None = None

    def __str__(self) -> str:
        place = self.path if self.axis is None else f"dimension {self.axis} of {self.path}"
        return place if self.name is None else f"{place} ({self.name!r})"


@dataclasses.dataclass(frozen=True)
class DynamicShapes:
    """What is asked for.

    ``args`` and ``kwargs`` mirror the arguments, with torch's hints in place of tensors.
    """

    requests: tuple[DimensionRequest, ...] = ()
    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = dataclasses.field(default_factory=dict)


def read_dynamic_shapes(
    spec: object,
    signature: inspect.Signature,
    args: tuple[object, ...],
    kwargs: dict[str, object],
    input_names: Sequence[str] = (),
) -> DynamicShapes:
    """Read any form of ``dynamic_shapes``.

    Args:
        spec: by parameter or input name, or one entry per parameter; each entry mirrors the argument's
            structure, with ``{axis: dimension}`` or one dimension per axis for a tensor. A dimension is a
            name, a ``Dim``, ``Dim.DYNAMIC``, ``Dim.AUTO``, ``Dim.STATIC``, its size, or None (fixed).
        signature: the parameters of the model.
        args: example arguments by position.
        kwargs: example arguments by name.
        input_names: names of the flattened inputs, which a mapping may use, too.

    Raises:
        InvalidShapesError: it does not fit the arguments.
    """
    specs = lay_out(spec, signature, args, kwargs, input_names)
    if specs is None:
        return DynamicShapes()
    reader = _Reader(specs.by_leaf)
    arg_specs = [
        reader.read(value, entry, path)
        for value, entry, path in zip(args, specs.args, specs.arg_paths, strict=True)
    ]
    kwarg_specs = {name: reader.read(value, specs.kwargs[name], name) for name, value in kwargs.items()}
    _check_agreement(reader.requests)
    if not reader.requests:
        return DynamicShapes()
    return DynamicShapes(tuple(reader.requests), tuple(arg_specs), kwarg_specs)


class _Reader:
    """Walks arguments and their specs side by side, in pytree order."""

    def __init__(self, by_leaf: Mapping[int, object]) -> None:
        self.requests: list[DimensionRequest] = []
        self._by_leaf = by_leaf
        self._leaf = -1

    def read(self, value: object, spec: object, path: str) -> object:
        """The spec of ``value`` in torch's form."""
        inside = members(value)
        if inside is None:
            self._leaf += 1
            return self._read_leaf(value, self._by_leaf.get(self._leaf, spec), path)
        kind = pytree._get_node_type(value)
        node = pytree.SUPPORTED_NODES[kind]
        children, context = node.flatten_fn(value)
        specs = _child_specs(cache_shapes(value, spec), [key for key, _ in inside], value, path)
        read = [
            self.read(child, child_spec, member_path(value, path, key))
            for (key, child), child_spec in zip(inside, specs, strict=True)
        ]
        # For a container of its own, torch wants the flattened form.
        return node.unflatten_fn(read, context) if kind in pytree.BUILTIN_TYPES else type(children)(read)

    def _read_leaf(self, value: object, spec: object, path: str) -> object:
        if isinstance(value, torch.Tensor):
            return self._read_tensor(value, spec, path)
        if spec is None or (isinstance(spec, Sequence | Mapping) and not spec and spec != ""):
            return None
        if _is_static(spec) or (type(spec) is type(value) and spec == value):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and isinstance(spec, str | _DimHint | Dim):
            return self._read_dimension(value, None, spec, path)
        raise InvalidShapesError(
            f"dynamic_shapes gives {spec!r} for {path}, which is {_described(value)} and has no dimensions"
        )

    def _read_tensor(self, tensor: torch.Tensor, spec: object, path: str) -> object:
        axes = _axes(spec, tensor, path)
        return {axis: self._read_dimension(tensor.shape[axis], axis, dim, path) for axis, dim in axes.items()}

    def _read_dimension(self, size: int, axis: int | None, dim: object, path: str) -> object:
        place = path if axis is None else f"dimension {axis} of {path}"
        if dim is None or _is_static(dim):
            return Dim.STATIC
        if isinstance(dim, int) and not isinstance(dim, bool):
            if dim != size:
                raise InvalidShapesError(f"dynamic_shapes fixes {place} to {dim}, but the example has {size}")
            return Dim.STATIC
        request = _request(size, dim, place, is_size=axis is not None)
        self.requests.append(dataclasses.replace(request, leaf=self._leaf, path=path, axis=axis))
        # The looser AUTO stands for every form, because torch's errors for the others name no line of the
        # model: whether the dimension stayed dynamic is looked up afterwards.
        return Dim.AUTO


def _is_static(spec: object) -> bool:
    return isinstance(spec, _DimHint) and spec.type is _DimHintType.STATIC


def _request(size: int, dim: object, place: str, is_size: bool) -> DimensionRequest:
    lower = 0 if is_size else -INT_LIMIT
    upper: int | None = None
    request = DimensionRequest(0, place, None, size, required=True)
    if isinstance(dim, str):
        if not dim.isidentifier() or keyword.iskeyword(dim):
            raise InvalidShapesError(
                f"{dim!r}, the name of {place}, is no identifier; use letters, digits and underscores"
            )
        request = dataclasses.replace(request, name=dim)
    elif isinstance(dim, _DimHint):
        request = dataclasses.replace(request, required=dim.type is _DimHintType.DYNAMIC)
        lower, upper = lower if dim.min is None else dim.min, dim.max
    elif isinstance(dim, Dim):
        derived = dim if isinstance(dim, _DerivedDim) else None
        request = dataclasses.replace(request, name=dim.__name__, derived=derived)
        lower, upper = dim_bounds(dim)
    else:
        raise InvalidShapesError(
            f"dynamic_shapes gives {dim!r} for {place}; a dimension is a name, a Dim, Dim.DYNAMIC, Dim.AUTO, "
            "Dim.STATIC, its size, or None"
        )
    if size < lower or (upper is not None and size > upper):
        raise InvalidShapesError(
            f"{place} is {size} in the example, outside of its range {lower} to {upper or 'infinity'}"
        )
    return dataclasses.replace(request, lower=lower, upper=upper)


def dim_bounds(dim: Dim) -> tuple[int, int | None]:
    """Smallest and largest size of a ``Dim``; None for no largest."""
    # An unbounded end is torch's infinity, which is no int. Plain Dims have their bounds as attributes only.
    if isinstance(dim, _DerivedDim):
        # Its own bounds raise where the root's are too wide, as those of batch are for batch - 1.
        least, most = dim_bounds(dim.root)
        return max(0, int(dim.fn(least))), None if most is None else int(dim.fn(most))
    lower, upper = getattr(dim, "min", None), getattr(dim, "max", None)
    return lower if isinstance(lower, int) else 0, upper if isinstance(upper, int) else None


def _axes(spec: object, tensor: torch.Tensor, path: str) -> dict[int, object]:
    if spec is None:
        return {}
    shape = f"{path} has {tensor.dim()} dimensions, {tuple(tensor.shape)}"
    if isinstance(spec, Mapping):
        wrong = [axis for axis in spec if not _is_axis(axis, tensor.dim())]
        if wrong:
            raise InvalidShapesError(f"dynamic_shapes names axis {wrong[0]!r} of {path}, but {shape}")
        axes = {axis % tensor.dim(): dim for axis, dim in spec.items()}
        if len(axes) < len(spec):
            raise InvalidShapesError(f"dynamic_shapes names one axis of {path} twice, in {spec!r}")
        return axes
    if isinstance(spec, Sequence) and not isinstance(spec, str):
        if len(spec) != tensor.dim():
            raise InvalidShapesError(f"dynamic_shapes lists {len(spec)} dimensions for {path}, but {shape}")
        return dict(enumerate(spec))
    raise InvalidShapesError(f"dynamic_shapes gives {spec!r} for {path}; a tensor takes {{axis: dimension}}")


def _is_axis(axis: object, rank: int) -> bool:
    return isinstance(axis, int) and not isinstance(axis, bool) and -rank <= axis < rank


def _child_specs(spec: object, labels: Sequence[object], value: object, path: str) -> list[object]:
    if spec is None:
        return [None] * len(labels)
    if isinstance(spec, Mapping):
        unknown = [
            key
            for key, entry in spec.items()
            if key not in labels and (entry or key not in _field_names(value))
        ]
        if unknown:
            known = ", ".join(map(repr, labels)) or "none"
            raise InvalidShapesError(f"dynamic_shapes has {unknown[0]!r} for {path}, whose keys are {known}")
        return [spec.get(label) for label in labels]
    if type(spec) is type(value) and not isinstance(spec, Sequence):
        # Fields that are None may be left out of what torch sees of a class, here and in the value.
        given = dict(members(spec) or ())
        return [given.get(label) for label in labels]
    if isinstance(spec, Sequence) and not isinstance(spec, str):
        fields = _field_names(value)
        if len(spec) == len(fields) > len(labels):
            return [entry for field, entry in zip(fields, spec, strict=True) if field in labels]
        if len(spec) != len(labels):
            raise InvalidShapesError(
                f"dynamic_shapes has {len(spec)} entries for {path}, which holds {len(labels)}"
            )
        return list(spec)
    raise InvalidShapesError(
        f"dynamic_shapes gives {spec!r} for {path}, which is {_described(value)} of {len(labels)}"
    )


def _check_agreement(requests: Sequence[DimensionRequest]) -> None:
    """Equal names must have equal sizes and equal bounds, also where they are part of an expression."""
    first: dict[str, DimensionRequest] = {}
    for request in requests:
        if request.name is None:
            continue
        other = first.setdefault(request.name, request)
        if other.size != request.size:
            raise InvalidShapesError(
                f"the name {request.name!r} is given to {_sized(other)}, and to {_sized(request)}; "
                "give them two names, or examples of one size"
            )
        if (max(other.lower, 0), other.upper) != (max(request.lower, 0), request.upper):
            raise InvalidShapesError(
                f"the name {request.name!r} has different ranges at {_place(other)} and {_place(request)}"
            )
    roots = {name: (request.size, request) for name, request in first.items() if request.derived is None}
    for request in first.values():
        if request.derived is None:
            continue
        root = request.derived.root
        size, other = roots.setdefault(root.__name__, (_root_size(request, request.derived), request))
        if request.derived.fn(size) != request.size:
            raise InvalidShapesError(
                f"{_sized(request)}, shall be {request.name}, but {root.__name__} is {size} by "
                f"{_sized(other)}"
            )


def _root_size(request: DimensionRequest, derived: _DerivedDim) -> int:
    """The size of ``batch`` for a dimension ``2*batch + 1``."""
    offset = derived.fn(0)
    size, rest = divmod(request.size - int(offset), int(derived.fn(1) - offset))
    lower, upper = dim_bounds(derived.root)
    if rest or size < lower or (upper is not None and size > upper):
        raise InvalidShapesError(
            f"{_sized(request)}, shall be {request.name}, which it is for no {derived.root.__name__} from "
            f"{lower} to {'infinity' if upper is None else upper}"
        )
    return size


def _place(request: DimensionRequest) -> str:
    return request.path if request.axis is None else f"dimension {request.axis} of {request.path}"


def _sized(request: DimensionRequest) -> str:
    return f"{_place(request)}, which is {request.size} in the example"


def _field_names(value: object) -> list[str]:
    """All fields of an object of a dataclass."""
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return []
    return [field.name for field in dataclasses.fields(value)]


def _described(value: object) -> str:
    return "None" if value is None else f"a Python {type(value).__name__}"
