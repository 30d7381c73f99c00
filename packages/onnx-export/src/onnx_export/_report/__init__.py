"""Reports of an export: its facts, gathered on the way or read from a log, and their rendering."""

from onnx_export._report._facts import ExportFacts
from onnx_export._report._properties import FACTS_KEY, FactsError, facts_of, properties_of
from onnx_export._report._recorder import Recorder

__all__ = [
    "FACTS_KEY",
    "ExportFacts",
    "FactsError",
    "Recorder",
    "facts_of",
    "properties_of",
]
