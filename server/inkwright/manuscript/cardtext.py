"""What a card that a run makes says: the model's words as text and nothing more, the quotation to the letter."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata

from inkwright.domain.cards import NewCard
from inkwright.domain.text import EOL, encodable
from inkwright.manuscript import cardname, cards, frontmatter_edits

# What no writer types: control characters, and marks that turn the order of what is read.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_TAG = re.compile(r"<(?=!--|!\[|!doctype|\?|/?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>)", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LONGEST = 1000
"""Of a value in the front matter, whose length has a limit."""
_HIDES = re.compile("%%")
"""What opens a comment in some editors, as no model means it."""


def render_note(card: NewCard) -> str:
    """The text of the card's file: front matter, what it says, and the quotation as a blockquote.

    Nothing in `card` becomes a key of the front matter but what has one there, or hides what follows it.
    """
    text = "---\ntype: misc\n---\n"
    values: dict[str, frontmatter_edits.Value] = {
        "type": cards.kind_of(_one_line(card.type)) or "misc",
        "name": cardname.tamed(card.title),
        "tags": [
            tag for tag in (_one_line(tag)[: cards.MAX_NAME] for tag in card.tags[: cards.MAX_NAMES]) if tag
        ],
        "source": _one_line(card.source)[:_LONGEST],
        "chapter": _one_line(card.chapter)[:_LONGEST],
    }
    for key, value in values.items():
        if value:
            text = frontmatter_edits.set_key(text, key, value)
    parts = [_body(card.content), blockquote(card.quote)]
    return text + "\n" + "\n\n".join(part for part in parts if part) + "\n"


def blockquote(quote: str) -> str:
    """Each line of a quotation behind `> `, otherwise as it stands; '' for a blank one."""
    if not quote.strip():
        return ""
    return "\n".join(f"> {line}" for line in EOL.split(encodable(quote)))


def card_digest(card: NewCard) -> str:
    """What makes two wishes for a card the same: chapter, type, title, content and quotation, white space
    and normal form apart."""
    said = (card.source, card.type, card.title, card.content, card.quote)
    same = [unicodedata.normalize("NFC", " ".join(encodable(part).split())) for part in said]
    return hashlib.sha256(json.dumps(same).encode()).hexdigest()


def _one_line(text: str) -> str:
    return " ".join(_HIDDEN.sub("", encodable(text)).split())


def _body(content: str) -> str:
    """The content as Markdown that ends where it ends: no HTML, no comment, no fence left open."""
    text = _HIDES.sub(r"%\\%", _TAG.sub(r"\\<", _HIDDEN.sub("", EOL.sub("\n", encodable(content))))).strip(
        "\n"
    )
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found is None:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return f"{text}\n{fence}" if fence else text.rstrip()
