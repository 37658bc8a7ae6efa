"""A picture as text, the way every wire wants it."""

from __future__ import annotations

import base64

from inkwright.domain.conversation import Image


def base64_of(image: Image) -> str:
    return base64.b64encode(image.data).decode("ascii")
