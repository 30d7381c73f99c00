"""Symbolic functions by family, one room a module; the registry loads them all."""

__all__: list[str] = []
