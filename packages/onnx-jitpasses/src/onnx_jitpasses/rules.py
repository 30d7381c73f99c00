"""Rules of the passes (JIT): what they find."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet
from onnx_ir_capture.rules import RULE_PAGES

__all__ = [
    "ASSERTION_DROPPED",
    "COMPLEX_OPERATOR",
    "DROPPED_STATE",
    "IN_PLACE_WRITE",
    "MODE_KEPT",
    "MODE_SWITCHED",
    "PASS_RULES",
    "QUANTIZED_OPERATOR",
    "RAISE_DROPPED",
]

IN_PLACE_WRITE = Rule(
    "JIT001",
    "in-place-write",
    Level.ERROR,
    "{op} writes in place, and this could not be made functional: {reason}",
    help_uri=RULE_PAGES,
    description="ONNX has no in-place writes. One is replaced by an operator that gives a new tensor where "
    "nothing else can see the written memory; this one may be seen.",
    advice="use the functional form in the model, such as x = x + y for x += y, or torch.where and "
    "torch.cat for a write to a part of a tensor",
)
DROPPED_STATE = Rule(
    "JIT002",
    "dropped-state",
    Level.WARNING,
    "the model changes its {kind} %{name}, and the exported model does not keep the change",
    help_uri=RULE_PAGES,
    description="An ONNX model has no state: each run begins with the weights in the file, and leaves its "
    "inputs as they are. What the model itself reads after the change is right.",
    advice="nothing to do if the change is of no use after the run; else export with keep_state=True, which "
    "gives the last value as an output",
)
MODE_SWITCHED = Rule(
    "JIT003",
    "mode-switched",
    Level.WARNING,
    "{op} was captured in training mode, and is exported in evaluation mode",
    help_uri=RULE_PAGES,
    description="A program of torch.export does not say whether a call is in training mode because its "
    "module was, or because the model asks for it, so that such calls are switched.",
    advice="call model.eval() before torch.export.export; or, to keep the modes of the program, export with "
    "training=TrainingMode.PRESERVE or eval_mode=False",
)
MODE_KEPT = Rule(
    "JIT004",
    "mode-kept",
    Level.NOTE,
    "{op} stays in training mode, in which it was although every module of the model was in evaluation mode",
    help_uri=RULE_PAGES,
    description="A call such as F.dropout(x, training=True) is the model's own wish, and random in the file.",
    advice="nothing has to be done if that is meant; else write training=self.training, and make every "
    "module that is called a submodule of the model",
)
COMPLEX_OPERATOR = Rule(
    "JIT005",
    "complex-operator",
    Level.ERROR,
    "{op} computes with complex numbers, and cannot be exported: {reason}",
    help_uri=RULE_PAGES,
    description="ONNX has no operators on complex numbers. They are exported as pairs of real numbers, for "
    "which this call has no form.",
    advice="compute with the real and the imaginary part as tensors of their own",
)
RAISE_DROPPED = Rule(
    "JIT006",
    "raise-dropped",
    Level.NOTE,
    "the exported model does not raise {text}; it goes on as if the input were in order",
    help_uri=RULE_PAGES,
    description="ONNX has no errors. A branch that only raises one is left out, and the other one stays.",
    advice="check the inputs before they are given to the exported model",
)
QUANTIZED_OPERATOR = Rule(
    "JIT007",
    "quantized-operator",
    Level.ERROR,
    "{op} computes with quantized tensors, and cannot be exported: {reason}",
    help_uri=RULE_PAGES,
    description="ONNX has no quantized tensors. They are exported as integers with a scale and a zero point "
    "that are known when the model is exported, for which this call has no form.",
    advice="dequantize before the call, such as by a DeQuantStub, and quantize its result again",
)
ASSERTION_DROPPED = Rule(
    "JIT008",
    "assertion-dropped",
    Level.NOTE,
    "the check {condition} is left out: the exported model goes on as if it held",
    help_uri=RULE_PAGES,
    description="ONNX has no assertions. What the model checks by torch._assert_async, or by torch._check of "
    "what tensors hold, is left out of the file.",
    advice="check the inputs before they are given to the exported model",
)
PASS_RULES = RuleSet(
    "JIT",
    (
        IN_PLACE_WRITE,
        DROPPED_STATE,
        MODE_SWITCHED,
        MODE_KEPT,
        COMPLEX_OPERATOR,
        RAISE_DROPPED,
        QUANTIZED_OPERATOR,
        ASSERTION_DROPPED,
    ),
)
