"""Cutting text for a model, never silently."""

from __future__ import annotations

from inkwright.domain.conversation import Locale
from inkwright.runtime.texts import line

RESULT_CHARS = 200_000
"""The most of one tool result that is kept at all."""
MODEL_CHARS = 30_000
"""The most of one tool result that a model is sent."""


def cut(text: str, limit: int, locale: Locale) -> str:
    """`text` within `limit` characters, the marker that says how much is missing included."""
    if len(text) <= limit:
        return text
    marker = line("cut", locale, cut=len(text))
    keep = max(0, limit - len(marker))
    return text[:keep] + line("cut", locale, cut=len(text) - keep)


def missing(text: str, limit: int, locale: Locale) -> int:
    """How many characters `cut` leaves out."""
    return 0 if len(text) <= limit else len(text) - max(0, limit - len(line("cut", locale, cut=len(text))))
