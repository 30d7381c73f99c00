"""One measurement of ``tools/bench.py`` in a process of its own, apart from what others left in memory.

Called with the route, the task, the model's name, 1 or 0 for the small variant, and paths; numbers go to
stdout as JSON.
"""

from __future__ import annotations

import gc
import json
import operator
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import onnx
import onnxruntime
import torch
from _bench_models import Case, Inputs, build
from _bench_routes import ROUTES, Export, Numbers, Route

Run = Callable[[Inputs], list[torch.Tensor]]

_ALTERNATIONS = 5
_SECONDS_PER_TURN = 0.5


def stages(route: Route, case: Case, path: str) -> Numbers:
    """Seconds of each stage of ours."""
    _warm_up(lambda case, path: route.export_in_stages(case, path, {}))
    seconds: Numbers = {}
    _settle()
    route.export_in_stages(case, path, seconds)
    return seconds


def capture(route: Route, case: Case, path: str) -> Numbers:
    """Seconds of torch's capture alone, and of writing the weights' bytes once."""
    _warm_up(route.capture_only)
    _settle()
    start = time.perf_counter()
    route.capture_only(case, path)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    written = _write_weights(case.model, path)
    return {"seconds": seconds, "write": time.perf_counter() - start, "weights": written}


def run_files(route: Route, case: Case, ours: str, theirs: str) -> Numbers:
    """Latency of both files in ONNX Runtime in alternation, and their difference to eager PyTorch.

    A file that does not exist is left out.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    options.log_severity_level = 3
    sessions = {
        name: onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        for name, path in (("ours", ours), ("torch", theirs))
        if Path(path).exists()
    }
    runs = {name: _runner(session) for name, session in sessions.items()}
    numbers = {f"{name}_difference": _difference(case, run) for name, run in runs.items()}
    turns: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(_ALTERNATIONS):
        for name, run in runs.items():
            turns[name].append(_seconds_per_run(run, case.timed))
    return numbers | {f"{name}_latency": statistics.median(seconds) for name, seconds in turns.items()}


def _runner(session: onnxruntime.InferenceSession) -> Run:
    def run(inputs: Inputs) -> list[torch.Tensor]:
        arrays = session.run(None, {name: tensor.numpy() for name, tensor in inputs.items()})
        return [torch.from_numpy(array) for array in arrays]

    return run


def _whole(export_of: Callable[[Route], Export], route: Route, case: Case, path: str) -> Numbers:
    """Seconds, peak memory and outcome of a process's first real export."""
    export = export_of(route)
    _warm_up(export)
    _settle()
    base = _reset_peak()
    start = time.perf_counter()
    export(case, path)
    seconds, peak = time.perf_counter() - start, _peak()
    return {"seconds": seconds, "peak": peak - base, "nodes": _nodes(path), "bytes": _bytes(path)}


def _memory(export_of: Callable[[Route], Export], route: Route, case: Case, path: str) -> Numbers:
    """Peak memory of an export once the process has exported a model like it.

    The first use of an operator makes torch load and cache what it knows of it, about 6 MB for a ResNet,
    whatever the size of the weights; that stays in the process and is no part of what the export holds.
    """
    export = export_of(route)
    with tempfile.TemporaryDirectory() as folder:
        export(build(case.name, small=True), str(Path(folder) / "small.onnx"))
    _settle()
    base = _reset_peak()
    export(case, path)
    return {"peak": _peak() - base}


def _warm_up(export: Export) -> None:
    """Export next to nothing first: imports that an exporter puts off are no part of what is measured."""
    model = torch.nn.Linear(3, 2).eval()
    inputs = {"input": torch.randn(2, 3)}
    case = Case(model, inputs, {"input": {0: torch.export.Dim.DYNAMIC}}, inputs, inputs)
    with tempfile.TemporaryDirectory() as folder:
        export(case, str(Path(folder) / "linear.onnx"))


def _settle() -> None:
    """Let neither garbage nor other processes' unwritten pages fall into the measurement."""
    gc.collect()
    os.sync()


def _reset_peak() -> float:
    """Start to watch for a new peak; the resident bytes now."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _resident("VmRSS")


def _peak() -> float:
    return _resident("VmHWM")


def _resident(field: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(float(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def _write_weights(model: torch.nn.Module, path: str) -> int:
    """Write each parameter and buffer once, tied ones together; like both exporters, without a flush."""
    tensors = {tensor.data_ptr(): tensor for tensor in model.state_dict().values()}
    with open(path, "wb") as file:
        return sum(file.write(tensor.numpy().data) for tensor in tensors.values())


def _nodes(path: str) -> int:
    """Nodes of the graph, its subgraphs and functions."""
    model = onnx.load(path, load_external_data=False)
    lists = [model.graph.node, *(function.node for function in model.functions)]
    return sum(1 for nodes in lists for _ in _walk(nodes))


def _walk(nodes: Sequence[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    for node in nodes:
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from _walk(graph.node)


def _bytes(path: str) -> int:
    """Size of the file and of its external data."""
    return sum(os.path.getsize(file) for file in (path, f"{path}.data") if os.path.exists(file))


def _difference(case: Case, run: Run) -> float:
    """Largest difference to eager PyTorch, relative to the largest magnitude of the output."""
    with torch.no_grad():
        wanted = case.model(**case.compared).to_tuple()
    pairs = zip(run(case.compared), wanted, strict=True)
    return max(float((got - want).abs().max() / want.abs().max()) for got, want in pairs)


def _seconds_per_run(run: Run, inputs: Inputs) -> float:
    run(inputs)
    times: list[float] = []
    while len(times) < 3 or sum(times) < _SECONDS_PER_TURN:
        start = time.perf_counter()
        run(inputs)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


_OURS: Callable[[Route], Export] = operator.attrgetter("export_ours")
_TORCH: Callable[[Route], Export] = operator.attrgetter("export_torch")
_CAPTURE: Callable[[Route], Export] = operator.attrgetter("capture_only")

TASKS: Mapping[str, Callable[..., Numbers]] = {
    "ours": partial(_whole, _OURS),
    "torch": partial(_whole, _TORCH),
    "stages": stages,
    "capture": capture,
    "ours_memory": partial(_memory, _OURS),
    "torch_memory": partial(_memory, _TORCH),
    "capture_memory": partial(_memory, _CAPTURE),
    "run": run_files,
}


def main(arguments: Sequence[str]) -> None:
    """Runs one task and prints its numbers; whatever else talks on stdout goes to stderr."""
    route, task, model, small, *paths = arguments
    answer = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    with answer:
        answer.write(json.dumps(TASKS[task](ROUTES[route], build(model, small == "1"), *paths)))


if __name__ == "__main__":
    main(sys.argv[1:])
