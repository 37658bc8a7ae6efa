"""Lecture notes: what their lines are, and the concepts that they come to."""

from __future__ import annotations

from inkwright.offline.notes.concepts import Concept, Notes, gather
from inkwright.offline.notes.lines import Line, lines

__all__ = ["Concept", "Line", "Notes", "gather", "lines"]
