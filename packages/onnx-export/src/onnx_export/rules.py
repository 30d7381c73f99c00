"""Rules of the facade (EXP): arguments, checks, verification and saving."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet
from onnx_ir_capture.rules import RULE_PAGES

__all__ = [
    "ARGUMENTS_FIXED",
    "ARGUMENT_IGNORED",
    "COMPLEX_AS_PAIRS",
    "DIFFERENCE_NOT_LOCALISED",
    "DISK_FULL",
    "EXPORT_RULES",
    "EXTERNAL_DATA_FORCED",
    "FIRST_DIFFERENCE",
    "FUNCTIONALIZED",
    "INPUT_RENAMED",
    "INVALID_MODEL",
    "LARGE_CONSTANT",
    "MISSING_KERNEL",
    "MODEL_TOO_LARGE",
    "MODULE_INLINE",
    "NO_OUTPUTS",
    "OTHER_ROUTE",
    "REPORT_ADVICE",
    "ROUTE_FAILED",
    "RUNTIME_REFUSES",
    "SIZES_NOT_COMPARED",
    "UNREADABLE_PROGRAM",
    "UNUSABLE_ARGUMENT",
    "UNUSABLE_DESTINATION",
    "UNUSED_INPUT",
    "VERIFICATION_MISMATCH",
    "WEIGHTS_WITHOUT_VALUES",
]

REPORT_ADVICE = "report this as a bug with the log attached"
"""What to do where the exporter is at fault."""

INVALID_MODEL = Rule(
    "EXP001",
    "invalid-model",
    Level.ERROR,
    "onnx.checker rejects the model: {reason}",
    help_uri=RULE_PAGES,
    description="The finished model breaks the ONNX specification. The exporter is at fault.",
    advice=REPORT_ADVICE,
)
VERIFICATION_MISMATCH = Rule(
    "EXP002",
    "verification-mismatch",
    Level.ERROR,
    "output {output} differs from PyTorch at {sizes}: {difference}",
    help_uri=RULE_PAGES,
    description="ONNX Runtime and PyTorch give different results for the same inputs.",
    advice="{advice}",
)
ARGUMENT_IGNORED = Rule(
    "EXP003",
    "argument-ignored",
    Level.WARNING,
    "the argument {argument} has no effect: {reason}",
    help_uri=RULE_PAGES,
    description="An argument of torch.onnx.export was given that this route does not need.",
    advice="leave it out",
)
UNUSABLE_DESTINATION = Rule(
    "EXP020",
    "unusable-destination",
    Level.ERROR,
    "the model cannot be saved as {path}: {reason}",
    help_uri=RULE_PAGES,
    description="The path given for the model is not one at which a file can be written.",
    advice="{advice}",
)
DISK_FULL = Rule(
    "EXP021",
    "disk-full",
    Level.ERROR,
    "the model cannot be saved as {path}: the disk is full{sizes}",
    help_uri=RULE_PAGES,
    description="The new files need space beside the old ones, which stay until the new ones are complete.",
    advice="free some space, or save to another disk",
)
WEIGHTS_WITHOUT_VALUES = Rule(
    "EXP022",
    "weights-without-values",
    Level.ERROR,
    "{count} weights have no values that can be written: {names}",
    help_uri=RULE_PAGES,
    description="Weights on the meta device, fake tensors and tensor subclasses have no bytes of their own.",
    advice="load the checkpoint into the model before exporting it, or save without initializers",
)
EXTERNAL_DATA_FORCED = Rule(
    "EXP023",
    "external-data-forced",
    Level.WARNING,
    "the weights are in {data}: one file would be larger than the {gigabytes} GB that protobuf can hold",
    help_uri=RULE_PAGES,
    description="One file was asked for with external_data=False, but the model is too large for it.",
    advice="keep the two files together, or leave external_data=False out",
)
MODEL_TOO_LARGE = Rule(
    "EXP024",
    "model-too-large",
    Level.ERROR,
    "the model takes {gigabytes} GB in one piece, and protobuf holds no more than 2 GB",
    help_uri=RULE_PAGES,
    description="A buffer takes the weights inside the model, and so does what is no initializer of it.",
    advice="save to a path with external_data=True, and make large constants buffers of the model",
)
RUNTIME_REFUSES = Rule(
    "EXP004",
    "runtime-refuses",
    Level.ERROR,
    "ONNX Runtime does not run {what} at {sizes}, so that the model could not be verified: {reason}",
    help_uri=RULE_PAGES,
    description="The model is valid ONNX, but ONNX Runtime here has no kernel for it or rejects it.",
    advice="{advice}",
)
UNREADABLE_PROGRAM = Rule(
    "EXP025",
    "unreadable-program",
    Level.ERROR,
    "{path} holds no program of torch.export or torch.jit: {reason}",
    help_uri=RULE_PAGES,
    description="A path given for the model must be that of a file that torch.export.save or torch.jit.save "
    "wrote.",
    advice="write it again with torch.export.save(torch.export.export(model, args), path) or torch.jit.save, "
    "or give the model",
)
NO_OUTPUTS = Rule(
    "EXP026",
    "no-outputs",
    Level.ERROR,
    "the model returns {returned}, so its file would compute nothing",
    help_uri=RULE_PAGES,
    description="An ONNX model is what computes its outputs, and there are none.",
    advice="return the tensors that the file shall give, or export with keep_state=True for what the model "
    "writes to buffers and inputs",
)
FUNCTIONALIZED = Rule(
    "EXP005",
    "functionalized-by-torch",
    Level.NOTE,
    "the model was captured again, through torch's functionalization, since a write in place could not be "
    "proven: {reason}",
    help_uri=RULE_PAGES,
    description="The exporter's own pass could not prove how a write in place is seen elsewhere.",
    advice="nothing to do; the functional form in the model would make the export faster",
)
COMPLEX_AS_PAIRS = Rule(
    "EXP006",
    "complex-as-pairs",
    Level.NOTE,
    "the {name} is complex in PyTorch, and in the file a real tensor with a last dimension of 2: real and "
    "imaginary part",
    help_uri=RULE_PAGES,
    description="ONNX has no operators on complex numbers, so that a file has them as pairs of real numbers.",
    advice="give and take them as torch.view_as_real does; a call of the ONNXProgram takes complex tensors, "
    "too",
)
MODULE_INLINE = Rule(
    "EXP007",
    "module-inline",
    Level.NOTE,
    "{module} is no function of the file: {reason}",
    help_uri=RULE_PAGES,
    description="A module was to be a function of the file, and the file has its operators one by one.",
    advice="nothing to do, the file computes the same; see the rule's page for how it can be a function",
)
SIZES_NOT_COMPARED = Rule(
    "EXP008",
    "sizes-not-compared",
    Level.WARNING,
    "the exported model was not compared with PyTorch at {sizes}, where the model itself raises {reason}",
    help_uri=RULE_PAGES,
    description="Verification varies the dynamic dimensions, and the model does not take these sizes.",
    advice="compare at sizes that the model takes: onnx_export.assert_onnx_program(program, args=...)",
)
OTHER_ROUTE = Rule(
    "EXP009",
    "other-route",
    Level.WARNING,
    "the export went on with the other route, {route}, since torch.export cannot capture it: {reason}",
    help_uri=RULE_PAGES,
    description="One way to capture the model failed, and another was found to hold the same computation.",
    advice="nothing has to be done; fallback=False refuses such a model, and dynamo=False asks for a trace",
)
ROUTE_FAILED = Rule(
    "EXP010",
    "route-failed",
    Level.NOTE,
    "{route} does not capture the model, either: {reason}",
    help_uri=RULE_PAGES,
    description="After one way to capture the model had failed, another was tried and failed as well.",
    advice="mend the line that the error names; fallback=False leaves the other routes out",
)
FIRST_DIFFERENCE = Rule(
    "EXP011",
    "first-difference",
    Level.ERROR,
    "{op} is the first operator that computes something else in the file than in PyTorch, at {sizes}: "
    "{difference}; in the file, {value} holds the result",
    help_uri=RULE_PAGES,
    description="The captured program and the file were compared value by value, and part at this operator.",
    advice="{advice}",
)
DIFFERENCE_NOT_LOCALISED = Rule(
    "EXP012",
    "difference-not-localised",
    Level.NOTE,
    "the difference at {sizes} is not that of one operator: {reason}",
    help_uri=RULE_PAGES,
    description="The captured program and the file were compared value by value, and no operator is wrong.",
    advice="{advice}",
)
MISSING_KERNEL = Rule(
    "EXP013",
    "missing-kernel",
    Level.WARNING,
    "ONNX Runtime {version} has no CPU kernel for {op} of {dtypes} at opset {opset}, and rejects the file",
    help_uri=RULE_PAGES,
    description="The file is valid ONNX, but the operators of ONNX Runtime exist for some dtypes only.",
    advice="compute this line in float32, or the whole model by model.float(); or run the file elsewhere",
)
LARGE_CONSTANT = Rule(
    "EXP014",
    "large-constant",
    Level.NOTE,
    "the file holds the constant {name}, {dtype} {shape} of {megabytes} MB, which is no weight of the model",
    help_uri=RULE_PAGES,
    description="A tensor that is neither a parameter nor a buffer takes more than 1 MiB of the file.",
    advice="nothing has to be done; a buffer has a name of its own, and what depends on sizes alone can be "
    "computed from them in forward",
)
UNUSED_INPUT = Rule(
    "EXP015",
    "unused-input",
    Level.NOTE,
    "nothing in the model reads the input {name!r}, which stays an input of the file",
    help_uri=RULE_PAGES,
    description="The outputs are the same whatever this input holds. A run must give it all the same.",
    advice="nothing has to be done; leave the argument out of the export where the file shall not take it",
)
ARGUMENTS_FIXED = Rule(
    "EXP016",
    "arguments-fixed",
    Level.NOTE,
    "the file has no inputs for {arguments}: it computes what the model computes for these",
    help_uri=RULE_PAGES,
    description="Numbers, flags and strings among the arguments are part of the program, as they were given.",
    advice="nothing has to be done; pass a tensor where a number shall vary, and export once for each flag",
)
INPUT_RENAMED = Rule(
    "EXP017",
    "input-renamed",
    Level.NOTE,
    "an input that would be {name!r} is called {other!r} in the file, where another input has the name",
    help_uri=RULE_PAGES,
    description="Inputs are called after the parameter and the place in it, which two of them may share.",
    advice="nothing has to be done; choose other names with input_names",
)
UNUSABLE_ARGUMENT = Rule(
    "EXP018",
    "unusable-argument",
    Level.ERROR,
    "an argument of the export cannot be used, {kind}: {reason}",
    help_uri=RULE_PAGES,
    description="The export ended with an ordinary exception, which names the argument and what it may be.",
    advice="give the argument as the message says",
)
EXPORT_RULES = RuleSet(
    "EXP",
    (
        INVALID_MODEL,
        VERIFICATION_MISMATCH,
        ARGUMENT_IGNORED,
        RUNTIME_REFUSES,
        UNUSABLE_DESTINATION,
        DISK_FULL,
        WEIGHTS_WITHOUT_VALUES,
        EXTERNAL_DATA_FORCED,
        MODEL_TOO_LARGE,
        UNREADABLE_PROGRAM,
        NO_OUTPUTS,
        FUNCTIONALIZED,
        COMPLEX_AS_PAIRS,
        MODULE_INLINE,
        SIZES_NOT_COMPARED,
        OTHER_ROUTE,
        ROUTE_FAILED,
        FIRST_DIFFERENCE,
        DIFFERENCE_NOT_LOCALISED,
        MISSING_KERNEL,
        LARGE_CONSTANT,
        UNUSED_INPUT,
        ARGUMENTS_FIXED,
        INPUT_RENAMED,
        UNUSABLE_ARGUMENT,
    ),
)
