"""What torch's dynamo says where it gives up, as one reason, one piece of advice and the model's frames."""

from __future__ import annotations

import re
import traceback

__all__ = ["dynamo_frames", "dynamo_words"]

# Dynamo's message: a preamble, a title, then indented lines that begin with what they hold.
_FIELD = re.compile(r"^  (Higher Order Operator|Explanation|Hint): (.*)$", re.MULTILINE)
_RAISED_ADVICE = (
    "check that the model runs on the example, and that all branches give the same dtypes and sizes"
)
_NO_HINT = "the exception that this one was raised from has torch's own words"
_RAISED = re.compile(r"""(?:got|raised exception) \w+\((["'])(?P<words>.*)\1\)""")

# By dynamo's title: the reason and the advice; {operator} is the call whose body it could not take in.
_KNOWN = {
    "Encountered aliasing during higher order op tracing": (
        "a function that {operator} is given returns its own input, a view of it, or one tensor twice",
        "return a copy there, as in `return x.clone()`",
    ),
    "Data-dependent branching": (
        "a function that {operator} is given asks a tensor for its value, as `if x.sum() > 0` does",
        "choose inside of it with torch.cond or torch.where, too",
    ),
    "HOP: Unsafe side effect": (
        "a function that {operator} is given changes something outside of itself",
        "return the new value from the function, and assign it after the call",
    ),
}


def dynamo_words(error: Exception) -> tuple[str, str] | None:
    """Reason and advice of an error that dynamo explains; None for one without an explanation.

    Args:
        error: of ``torch._dynamo.exc``, which is not imported here since that takes a second.
    """
    text = str(error)
    fields: dict[str, list[str]] = {}
    for name, words in _FIELD.findall(text):
        fields.setdefault(name, []).append(words)
    if not fields:
        return None
    (operator,) = fields.get("Higher Order Operator", ["a control flow operator"])[:1]
    title = _title(text)
    if title in _KNOWN:
        reason, advice = _KNOWN[title]
        return reason.format(operator=operator), advice
    explanation = fields.get("Explanation", [title])[0]
    raised = _RAISED.search(explanation) or _RAISED.search(text)
    if raised is not None:
        return " ".join(raised["words"].split()), _RAISED_ADVICE
    return f"{title}: {explanation}", fields.get("Hint", [_NO_HINT])[0].rstrip(".")


def dynamo_frames(error: Exception) -> list[traceback.FrameSummary]:
    """The frames that dynamo was following, outermost first, which Python's own traceback lacks."""
    return list(getattr(error, "real_stack", None) or ())


def _title(text: str) -> str:
    """The line above the first field."""
    found = _FIELD.search(text)
    lines = text[: found.start() if found else None].strip().splitlines()
    return lines[-1].strip() if lines else ""
