"""Fences round manuscript text: they say that it is material, and the text inside cannot forge them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029\"<>]+")


def key(seed: str, texts: Iterable[str]) -> str:
    """Twelve hex digits that stand in none of `texts`; the same for the same seed and texts."""
    material = list(texts)
    for turn in range(1 << 16):
        found = hashlib.sha256(f"{seed}\x00{turn}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        if not any(found in text for text in material):
            return found
    raise ValueError("no key is free")


def fence(key: str, name: str, text: str, source: str = "") -> str:
    """`text`, verbatim, between tags that carry `key`."""
    origin = f' source="{attribute(source)}"' if source else ""
    return f'<material-{key} name="{attribute(name)}"{origin}>\n{text}\n</material-{key}>'


def attribute(text: str) -> str:
    """A name or path on one line, without what would end the attribute or the tag."""
    return _UNSAFE.sub(" ", text).strip()[:300]
