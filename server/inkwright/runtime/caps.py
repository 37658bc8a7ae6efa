"""How much of what may go along with a passage: characters of one part, number of parts."""

from __future__ import annotations

MARGIN_CHARS = 600
"""The text right before the passage, and as much right after it."""
CARD_CHARS = 300
CARDS = 12
OUTLINE_CHARS = 3000
SUMMARY_CHARS = 300
SUMMARIES = 5
OTHER_CHARS = 1000
MEMORY_TOKENS = 600
