"""Taking keys out of a text."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from urllib.parse import quote

from inkwright.domain.keys import SHAPES
from inkwright.secrets.secret import MASK


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Known values go first (also URL- and base64-encoded), the longest before its parts; then patterns."""
    forms: set[str] = set()
    for value in known:
        if len(value) >= 4:
            encoded = base64.b64encode(value.encode()).decode().rstrip("=")
            forms |= {value, quote(value, safe=""), encoded, encoded.replace("+", "-").replace("/", "_")}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, MASK)
    return SHAPES.sub(MASK, text)
