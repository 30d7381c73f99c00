"""Operators whose form changed between opsets: each function takes the newest form and writes the target's."""

__all__: list[str] = []
