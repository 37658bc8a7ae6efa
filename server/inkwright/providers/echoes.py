"""Whether a server's sentence has something of the request in it: what the writer wrote is shown nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inkwright.domain.conversation import Message
from inkwright.domain.tokens import weigh

STRETCH = weigh("八个字就是一句话")
"""So much in one piece is no chance: eight characters of Chinese, nineteen letters of English."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
_QUOTES = frozenset("\"'")


def echoes(said: str, messages: Sequence[Message]) -> bool:
    """White space, quotation marks and the escapes that JSON and Python write make no difference."""
    stretches = list(_stretches(_bare(_ESCAPE.sub(_unescaped, said))))
    if not stretches:
        return False
    texts = [text for message in messages for text in (message.content, *(c.raw for c in message.tool_calls))]
    return any(stretch in text for text in map(_bare, texts) for stretch in stretches)


def _stretches(text: str) -> Iterator[str]:
    """From each character on, the shortest piece that is long enough."""
    end = weight = 0
    for start, first in enumerate(text):
        while weight < STRETCH and end < len(text):
            weight += weigh(text[end])
            end += 1
        if weight < STRETCH:
            return
        yield text[start:end]
        weight -= weigh(first)


def _bare(text: str) -> str:
    return "".join(char for char in text if char.isprintable() and char != " " and char not in _QUOTES)


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else ""
