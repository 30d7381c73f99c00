"""Operators whose form changed: each function takes the newest form and writes the target's."""

__all__: list[str] = []
