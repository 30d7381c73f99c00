"""Rules of capture (CAP) and of lowering (LOW): what these stages can find."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet

__all__ = [
    "ATTRIBUTE_DROPPED",
    "CAPTURE_FAILED",
    "CAPTURE_RULES",
    "CUSTOM_TRANSLATION_FAULT",
    "DATA_DEPENDENT",
    "DECOMPOSED",
    "DIMENSIONS_TIED",
    "DIMENSION_FIXED",
    "DIMENSION_LIMITED",
    "DYNAMIC_SHAPES_IGNORED",
    "FORWARD_RAISED",
    "INVALID_ARGUMENTS",
    "INVALID_DYNAMIC_SHAPES",
    "ITEMS_FIXED",
    "LAST_RESORT",
    "LOWERING_FAULT",
    "LOWERING_RULES",
    "OUTPUT_DROPPED",
    "RULE_PAGES",
    "SCRIPTED_MODEL",
    "SEMANTICS_LIMITED",
    "SIZE_CONDITION",
    "TRACED_VALUE",
    "TRAINING_MODE",
    "UNSUPPORTED_ARGUMENTS",
    "UNSUPPORTED_CONSTRUCT",
    "UNSUPPORTED_OPERATOR",
    "UNUSABLE_INPUT",
    "WEIGHT_RENAMED",
]

RULE_PAGES = "pkg:pypi/onnx-export#docs/rules/{code}.md"
"""The page of a rule, as a package URL: the source distribution of onnx-export has those of all packages."""

CAPTURE_FAILED = Rule(
    "CAP001",
    "capture-failed",
    Level.ERROR,
    "the model could not be captured as a graph: {reason}",
    help_uri=RULE_PAGES,
    description="torch.export could not turn the model's forward into a graph.",
    advice="{advice}",
)
UNSUPPORTED_CONSTRUCT = Rule(
    "CAP002",
    "unsupported-construct",
    Level.ERROR,
    "{construct} is not supported: {reason}",
    help_uri=RULE_PAGES,
    description="The captured program holds a construct that the torch dialect cannot express yet.",
    advice="{advice}",
)
INVALID_ARGUMENTS = Rule(
    "CAP003",
    "invalid-arguments",
    Level.ERROR,
    "the example arguments do not fit the model: {reason}",
    help_uri=RULE_PAGES,
    description="The model is captured by running it on example arguments, so they must fit its signature.",
    advice="pass one example for every parameter without a default, in args or by name in kwargs",
)
SCRIPTED_MODEL = Rule(
    "CAP004",
    "scripted-model",
    Level.ERROR,
    "{kind} is TorchScript code, which torch.export does not capture",
    help_uri=RULE_PAGES,
    description="What torch.jit compiled takes another route, which onnx_export.export chooses by itself.",
    advice="give it to onnx_export.export or to onnx_ir_capture.torchscript.capture_script, or capture the "
    "module or function that it was compiled from",
)
FORWARD_RAISED = Rule(
    "CAP005",
    "forward-raised",
    Level.ERROR,
    "the model raised {error}: {reason}",
    help_uri=RULE_PAGES,
    description="Running the model on the example arguments, as the capture does, ended in an exception.",
    advice="{advice}",
)
DATA_DEPENDENT = Rule(
    "CAP006",
    "data-dependent",
    Level.ERROR,
    "the way of the program depends on the values in a tensor: {reason}",
    help_uri=RULE_PAGES,
    description="A graph holds for all inputs, so Python cannot branch on what a tensor contains.",
    advice="write the choice with torch.where or torch.cond; if the value is a size or an index, bound it "
    "with torch._check, or take it from a dynamic dimension",
)
INVALID_DYNAMIC_SHAPES = Rule(
    "CAP007",
    "invalid-dynamic-shapes",
    Level.ERROR,
    "{reason}",
    help_uri=RULE_PAGES,
    description="dynamic_shapes must fit the example arguments.",
    advice="give {{parameter: {{axis: 'name'}}}} for the dimensions that vary; all others stay fixed",
)
DIMENSION_FIXED = Rule(
    "CAP008",
    "dimension-fixed",
    Level.ERROR,
    "{dimension} shall be dynamic, but the model fixes it to {size}",
    help_uri=RULE_PAGES,
    description="The model's code holds only for the size of the example, so the file could take no other.",
    advice="{advice}",
)
DIMENSIONS_TIED = Rule(
    "CAP009",
    "dimensions-tied",
    Level.WARNING,
    "{dimension} is always {relation} in the model, by {others}; it has that name in the file",
    help_uri=RULE_PAGES,
    description="Two dimensions that were named apart can only vary together.",
    advice="give both one name, or change the line if they should be independent",
)
DIMENSION_LIMITED = Rule(
    "CAP010",
    "dimension-limited",
    Level.NOTE,
    "the captured model holds only for {limit}, where {dimension} was asked for without that limit",
    help_uri=RULE_PAGES,
    description="The model takes another way for other sizes, or cannot take them at all.",
    advice="state the limit with Dim(name, min=…, max=…), or capture with an example of another size",
)
SIZE_CONDITION = Rule(
    "CAP013",
    "size-condition-assumed",
    Level.WARNING,
    "the graph holds only where {condition}: the model chose its way by the sizes of the example",
    help_uri=RULE_PAGES,
    description="A branch, or a number computed of a size, was captured as it came out for the example.",
    advice="write the choice with torch.cond or torch.where, compute with tensors, or keep to such sizes",
)
TRAINING_MODE = Rule(
    "CAP011",
    "training-mode",
    Level.WARNING,
    "{module} is in training mode, {effect}",
    help_uri=RULE_PAGES,
    description="Dropout and batch normalisation compute something else while they are trained.",
    advice="{advice}",
)
DYNAMIC_SHAPES_IGNORED = Rule(
    "CAP012",
    "dynamic-shapes-ignored",
    Level.WARNING,
    "{argument} is ignored, because an ExportedProgram brings its dimensions along",
    help_uri=RULE_PAGES,
    description="Which dimensions of an ExportedProgram are dynamic was decided when it was made.",
    advice="pass dynamic_shapes to torch.export.export, or export the module itself",
)
UNUSABLE_INPUT = Rule(
    "CAP014",
    "unusable-input",
    Level.ERROR,
    "{reason}",
    help_uri=RULE_PAGES,
    description="Inputs are tensors, numbers, strings and None, and containers of them that torch knows.",
    advice="{advice}",
)
TRACED_VALUE = Rule(
    "CAP015",
    "traced-value",
    Level.WARNING,
    "the trace holds what came out for the example: {reason}",
    help_uri=RULE_PAGES,
    description="A trace records operations on tensors; what Python computes from their values stays fixed.",
    advice="compute it with tensors, script that part, or export with dynamo=True, which follows sizes",
)
OUTPUT_DROPPED = Rule(
    "CAP016",
    "output-dropped",
    Level.NOTE,
    "{construct} is left out: the exported model neither prints nor warns",
    help_uri=RULE_PAGES,
    description="ONNX has no operator that writes text.",
    advice="nothing has to be done; return what shall be seen as an output",
)
ITEMS_FIXED = Rule(
    "CAP017",
    "items-fixed",
    Level.WARNING,
    "the exported model takes exactly {count} items for {name}, as the example has",
    help_uri=RULE_PAGES,
    description="Lists and dicts among the inputs of a script become one input per item.",
    advice="pass them as one tensor, stacked or padded, where their number shall vary",
)
ATTRIBUTE_DROPPED = Rule(
    "CAP018",
    "attribute-dropped",
    Level.WARNING,
    "the model sets its attribute {name}, and the exported model does not keep that",
    help_uri=RULE_PAGES,
    description="The file computes what the example's call does; a Python attribute is no input or output.",
    advice="nothing to do if no later call reads it; else keep it in a buffer, with keep_state=True",
)
WEIGHT_RENAMED = Rule(
    "CAP019",
    "weight-renamed",
    Level.NOTE,
    "the weight {name!r} is called {other!r} in the file, where {name!r} is the name of another value",
    help_uri=RULE_PAGES,
    description="Weights have their names of the state_dict in a file, and all names of a file are distinct; "
    "those of the inputs go first.",
    advice="nothing has to be done; call the input or the weight otherwise where names of weights matter",
)
CAPTURE_RULES = RuleSet(
    "CAP",
    (
        CAPTURE_FAILED,
        UNSUPPORTED_CONSTRUCT,
        INVALID_ARGUMENTS,
        SCRIPTED_MODEL,
        FORWARD_RAISED,
        DATA_DEPENDENT,
        INVALID_DYNAMIC_SHAPES,
        DIMENSION_FIXED,
        DIMENSIONS_TIED,
        DIMENSION_LIMITED,
        TRAINING_MODE,
        DYNAMIC_SHAPES_IGNORED,
        SIZE_CONDITION,
        UNUSABLE_INPUT,
        TRACED_VALUE,
        OUTPUT_DROPPED,
        ITEMS_FIXED,
        ATTRIBUTE_DROPPED,
        WEIGHT_RENAMED,
    ),
)

UNSUPPORTED_OPERATOR = Rule(
    "LOW001",
    "unsupported-operator",
    Level.ERROR,
    "{op} has no translation to ONNX opset {opset}{hint}",
    help_uri=RULE_PAGES,
    description="No table of translations holds the operator for the opset that was asked for.",
    advice="{advice}",
)
UNSUPPORTED_ARGUMENTS = Rule(
    "LOW002",
    "unsupported-arguments",
    Level.ERROR,
    "{op} cannot be exported: {reason}",
    help_uri=RULE_PAGES,
    description="The operator is translated, but not for these arguments, dtypes or this opset.",
    advice="{advice}",
)
LOWERING_FAULT = Rule(
    "LOW003",
    "lowering-fault",
    Level.ERROR,
    "the translation of {op} ({table}) is at fault: {reason}",
    help_uri=RULE_PAGES,
    description="A translation raised, or returned values that contradict the captured program.",
    advice="report this as a bug with the log attached; a custom translation may stand in meanwhile",
)
CUSTOM_TRANSLATION_FAULT = Rule(
    "LOW004",
    "custom-translation-fault",
    Level.ERROR,
    "your translation of {op}, {function}, is at fault: {reason}",
    help_uri=RULE_PAGES,
    description="A translation or symbolic function raised, or its results contradict the program.",
    advice="mend the function; it takes op, or g if it was written for torch.onnx, and then the arguments "
    "of the call",
)
DECOMPOSED = Rule(
    "LOW005",
    "decomposed",
    Level.NOTE,
    "{op} is translated by decomposition into {parts}: {reason}",
    help_uri=RULE_PAGES,
    description="No translation fits the call, so torch's own decomposition of the operator is exported.",
    advice="nothing has to be done; if the file is slow here, translate it with custom_translation_table",
)
LAST_RESORT = Rule(
    "LOW006",
    "last-resort",
    Level.NOTE,
    "{op} is translated by {table}: {reason}",
    help_uri=RULE_PAGES,
    description="Only a library outside of this project translates the operator, and no test here covers it.",
    advice="export with verify=True, and translate it with custom_translation_table if the numbers differ",
)
SEMANTICS_LIMITED = Rule(
    "LOW007",
    "semantics-limited",
    Level.NOTE,
    "{op} is exported, but {limit}",
    help_uri=RULE_PAGES,
    description="The file computes what PyTorch does but for the inputs that the message names.",
    advice="nothing has to be done where the model does not meet such inputs, or does not mind",
)
LOWERING_RULES = RuleSet(
    "LOW",
    (
        UNSUPPORTED_OPERATOR,
        UNSUPPORTED_ARGUMENTS,
        LOWERING_FAULT,
        CUSTOM_TRANSLATION_FAULT,
        DECOMPOSED,
        LAST_RESORT,
        SEMANTICS_LIMITED,
    ),
)
