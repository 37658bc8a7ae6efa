"""Layouts: how a folder of files is read as a book. One module for each tool whose projects are known."""

from __future__ import annotations

from inkwright.manuscript.layouts.base import Place, Project, Role
from inkwright.manuscript.layouts.plain import PLAIN
from inkwright.manuscript.layouts.registry import PLAINLY, Arrangement, Heads, note, survey

__all__ = [
    "PLAIN",
    "PLAINLY",
    "Arrangement",
    "Heads",
    "Place",
    "Project",
    "Role",
    "note",
    "survey",
]
