"""What the demo embeds."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = (
    "It is raining.",
    "Take an umbrella, the weather forecast says it will be wet all afternoon.",
    "The bakery on the corner sells rye bread, rolls and, on Saturdays, a plum cake that is gone by nine.",
    "Fresh bread, please!",
    "How do I reset my password?",
    (
        "I cannot log in any more, because I have forgotten the passphrase of my account and the link in "
        "your e-mail has expired, so please send me a new one or tell me whom to call."
    ),
    "The central bank raised its interest rate by a quarter of a percentage point.",
    "Borrowing money becomes more expensive.",
    "Neural networks are trained by following the gradient of a loss function downhill.",
    "Backpropagation computes derivatives.",
    (
        "The orchestra opened the evening with a symphony by Haydn and closed it, after a long interval and "
        "much applause, with a piano concerto that few in the audience had ever heard."
    ),
    "She plays the cello.",
)
"""Six pairs of related sentences, from 5 to about 40 tokens."""
