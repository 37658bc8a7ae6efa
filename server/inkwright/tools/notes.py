"""The tool that makes cards. What is wrong with a card is told in fields; nothing is made of it then."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from pydantic import Field

from inkwright.domain.cards import CARD_TYPES, NewCard
from inkwright.domain.text import Span
from inkwright.manuscript import cardname
from inkwright.tools import verbatim
from inkwright.tools.desk import Desk, Refused, shorten
from inkwright.tools.plain import Plain
from inkwright.tools.registry import MAKES_CARDS, Parameters, Tool
from inkwright.tools.texts import line

TITLE_CHARS = 100
CONTENT_CHARS = 4000
QUOTE_CHARS = 1000
TAGS = 10
TAG_CHARS = 40
_NEARLY_CHARS = 300


def told(**limits: object) -> object:
    """What the schema says of a field whose faults we name ourselves."""
    return Field(json_schema_extra=limits)  # type: ignore[arg-type]


class NoteCard(Parameters):
    card_type: Annotated[str, told(enum=list(CARD_TYPES))]
    title: Annotated[str, told(minLength=1, maxLength=TITLE_CHARS)]
    content: Annotated[str, told(minLength=1, maxLength=CONTENT_CHARS)]
    tags: Annotated[tuple[str, ...], told(maxItems=TAGS)] = ()
    quote: Annotated[str, told(minLength=1, maxLength=QUOTE_CHARS)]


async def create_note_card(desk: Desk, args: NoteCard) -> str:
    if desk.maker is None:
        raise Refused(line("unknown", desk.locale, name="create_note_card"))
    _check(desk, args)
    read = await desk.read(desk.snapshot.path)
    span, meant = await asyncio.to_thread(_place, read, args.quote)
    if span is None:
        hint = {"found": shorten(meant, _NEARLY_CHARS)} if meant else {}
        raise _refused(desk, "quote_not_verbatim", "quote", "chapter", **hint)
    card = NewCard(
        args.card_type,
        cardname.tamed(args.title),
        args.content.strip(),
        tuple(dict.fromkeys(tag for tag in (" ".join(tag.split()) for tag in args.tags) if tag)),
        span.of(read.raw),
        desk.snapshot.path,
        desk.title(desk.snapshot.path),
    )
    made = await desk.maker.make(card)
    if made.path:
        return line("card_made" if made.made else "card_there", desk.locale, title=card.title, path=made.path)
    told = "candidate_made" if made.made else "candidate_there"
    return line(told, desk.locale, title=card.title, id=made.candidate)


def _check(desk: Desk, args: NoteCard) -> None:
    """Raises `Refused` for the first field that no card may have."""
    if args.card_type not in CARD_TYPES:
        raise _refused(desk, "card_type_unknown", "card_type", list(CARD_TYPES))
    limits = {"title": TITLE_CHARS, "content": CONTENT_CHARS, "quote": QUOTE_CHARS}
    for name, limit in limits.items():
        text = getattr(args, name)
        if not text.strip() or (name == "title" and not cardname.tamed(text)):
            raise _refused(desk, "field_empty", name, {"minLength": 1, "maxLength": limit})
        if len(text) > limit:
            raise _refused(desk, "field_too_long", name, {"maxLength": limit}, length=len(text))
    if len(args.tags) > TAGS or any(len(tag) > TAG_CHARS for tag in args.tags):
        raise _refused(desk, "too_many_tags", "tags", {"maxItems": TAGS, "maxLength": TAG_CHARS})


def _refused(desk: Desk, code: str, field: str, allowed: object, **more: object) -> Refused:
    error = {"code": code, "field": field, "message": line(code, desk.locale), "allowed": allowed, **more}
    return Refused(json.dumps({"error": error}, ensure_ascii=False))


def _place(read: Plain, quote: str) -> tuple[Span | None, str]:
    """Where the quotation stands; for one that doesn't, the passage that it seems to mean."""
    span = verbatim.find(read, quote)
    if span is not None:
        return span, ""
    meant = verbatim.nearly(read, quote)
    return None, "" if meant is None else read.between(meant)


TOOLS = (Tool("create_note_card", NoteCard, create_note_card, frozenset({MAKES_CARDS}), reads=False),)
