"""The layouts in the order they are tried."""

from __future__ import annotations

from collections.abc import Collection

from inkwright.manuscript.layouts.base import Layout
from inkwright.manuscript.layouts.plain import PLAIN

LAYOUTS: tuple[Layout, ...] = (PLAIN,)
"""Specific ones first; the plain one takes whatever is left and stays last."""


def detect(paths: Collection[str], layouts: tuple[Layout, ...] = LAYOUTS) -> Layout:
    """The first layout that matches; ids are unique."""
    ids = [layout.id for layout in layouts]
    if len(set(ids)) != len(ids):
        raise ValueError(f"two layouts share an id: {ids}")
    return next((layout for layout in layouts if layout.matches(paths)), PLAIN)
