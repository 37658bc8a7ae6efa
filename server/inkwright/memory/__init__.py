"""What a book's writer said they like and decided: found by rules, kept, and brought along when it matters."""

from __future__ import annotations

from inkwright.memory import shape
from inkwright.memory.extract import extract
from inkwright.memory.legacy import Imported, import_file
from inkwright.memory.recall import lines, recall
from inkwright.memory.remember import add, edit, known_type, remember, tidy

__all__ = [
    "Imported",
    "add",
    "edit",
    "extract",
    "import_file",
    "known_type",
    "lines",
    "recall",
    "remember",
    "shape",
    "tidy",
]
