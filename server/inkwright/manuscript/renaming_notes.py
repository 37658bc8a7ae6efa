"""The cards that runs made of a chapter, when the chapter's file has another path: the wish can be told again
from what was written. Pure."""

from __future__ import annotations

import re

from inkwright.domain.cards import NewCard
from inkwright.domain.text import EOL
from inkwright.manuscript import fields, frontmatter

_QUOTED = re.compile(r"(?:\A|\n)((?:> ?[^\n]*(?:\n|\Z))+)\Z")


def wish(text: str, source: str) -> NewCard:
    """What a card's file was made from, had it been made of the chapter at `source`; right for one that nobody has
    edited since, which a comparison of digests tells."""
    found = frontmatter.read(text)
    body = "\n".join(EOL.split(text[found.body_start :])).strip("\n")
    quoted = _QUOTED.search(body)
    content = body[: quoted.start()] if quoted else body
    lines = quoted[1].rstrip("\n").split("\n") if quoted else []
    quote = "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)
    return NewCard(
        fields.text(found.meta.get("type")),
        fields.text(found.meta.get("name")),
        content,
        fields.texts(found.meta.get("tags")),
        quote,
        source,
        fields.text(found.meta.get("chapter")),
    )
