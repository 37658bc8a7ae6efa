"""How much of what may go along with a passage: characters or tokens of one part, number of parts."""

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
CONVERSATION_TOKENS = 600
"""The summary of a conversation's older turns."""
PRODUCT_CHARS = 6000
"""What a step sees of one earlier step's product."""
PRODUCTS_CHARS = 24_000
"""What it sees of all of them."""
