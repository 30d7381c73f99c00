"""Arguments that torch.onnx.export took once, and what stands for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["refuse_removed"]

_INSTEAD: Mapping[str, str] = {
    "_retain_param_name": "leave it out, weights always keep their names",
    "aten": "give operator_export_type='ONNX_ATEN' with dynamo=False",
    "enable_onnx_checker": "leave it out, every file is checked",
    "example_outputs": "leave it out, the capture knows the outputs",
    "export_raw_ir": "print the program attribute of the result",
    "strip_doc_string": "leave it out, source lines are in the metadata of the file's nodes",
    "use_external_data_format": "give external_data",
}


def refuse_removed(names: Iterable[str]) -> None:
    """Refuse the name of an argument that was removed, where Python would only call it unexpected.

    Raises:
        TypeError: there is one; the message says what to do instead.
    """
    for name in names:
        if name in _INSTEAD:
            raise TypeError(f"export() takes {name} no more: {_INSTEAD[name]}")
