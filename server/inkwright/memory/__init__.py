"""What a book's writer said they like and decided: found by rules, kept, and brought along when it matters."""

from __future__ import annotations

from inkwright.memory.extract import extract
from inkwright.memory.recall import lines, recall
from inkwright.memory.remember import add, edit, remember, tidy

__all__ = ["add", "edit", "extract", "lines", "recall", "remember", "tidy"]
