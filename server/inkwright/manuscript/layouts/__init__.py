"""Layouts: how a folder of files is read as a book. One file per layout; the first that matches is taken."""

from __future__ import annotations

from inkwright.manuscript.layouts.base import Layout, Place, Role
from inkwright.manuscript.layouts.plain import PLAIN
from inkwright.manuscript.layouts.registry import LAYOUTS, detect

__all__ = ["LAYOUTS", "PLAIN", "Layout", "Place", "Role", "detect"]
