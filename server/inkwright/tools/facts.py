"""The tool that proposes facts of cards. What the chapter does not say to the letter is dropped, and counted."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Annotated, Literal

from inkwright.domain.text import Span
from inkwright.manuscript import fields
from inkwright.tools import verbatim
from inkwright.tools.desk import Desk, Refused, shorten
from inkwright.tools.notes import told
from inkwright.tools.registry import PROPOSES_FACTS, Parameters, Tool
from inkwright.tools.texts import line

NAME_CHARS = 100
KEY_CHARS = 40
VALUE_CHARS = 200
QUOTE_CHARS = 300
KEYS = ("status", "birth", "death", "age", "location", "owner", "knows", "appearance", "relations")
"""Those that the checks of a book understand; any other word is a key as well."""
_STRUCTURE = frozenset(
    ("type", "name", "aliases", "summary", "tags", "match", "ai", "private", "facts", "source", "chapter")
)
"""Keys that say what a card is and who may see it: nothing that a chapter tells."""
_BREAK = re.compile(r"(?<![^\S\r\n])[^\S\r\n]*+[\r\n]\s*")


class ProposedFact(Parameters):
    card: Annotated[str, told(minLength=1, maxLength=NAME_CHARS)]
    key: Annotated[str, told(minLength=1, maxLength=KEY_CHARS, examples=list(KEYS))]
    value: Annotated[str, told(minLength=1, maxLength=VALUE_CHARS)]
    quote: Annotated[str, told(minLength=1, maxLength=QUOTE_CHARS)]
    until: Literal["", "current"] = ""


async def propose_fact(desk: Desk, args: ProposedFact) -> str:
    if desk.facts is None:
        raise Refused(line("unknown", desk.locale, name="propose_fact"))
    name, key, value = (" ".join(said.split()) for said in (args.card, args.key, args.value))
    key = fields.word(key, "card.keys") or key
    limits = {"card": NAME_CHARS, "key": KEY_CHARS, "value": VALUE_CHARS, "quote": QUOTE_CHARS}
    for field, limit in limits.items():
        length = len(getattr(args, field))
        if not getattr(args, field).strip():
            raise _refused(desk, "field_empty", field, {"minLength": 1, "maxLength": limit})
        if length > limit:
            raise _refused(desk, "field_too_long", field, {"maxLength": limit}, length=length)
    if key in _STRUCTURE:
        raise _refused(desk, "fact_key", "key", list(KEYS))
    read = await desk.read(desk.snapshot.path)
    span = await asyncio.to_thread(verbatim.find, read, args.quote)
    if span is None:
        desk.facts.drop(name, key, value)
        meant = await asyncio.to_thread(verbatim.nearly, read, args.quote)
        hint = {"found": shorten(read.between(meant), QUOTE_CHARS)} if meant else {}
        raise _refused(desk, "quote_not_verbatim", "quote", "chapter", **hint)
    taken = await desk.facts.take(name, key, value, _quoted(read.raw, span), ends=args.until == "current")
    if taken.outcome == "unknown":
        raise _refused(desk, "fact_no_card", "card", "cards", name=name)
    return line(f"fact_{taken.outcome}", desk.locale, name=name, key=key, value=value)


def _quoted(raw: str, span: Span) -> str:
    """The quotation on one line, as it stands in a card."""
    return _BREAK.sub(" ", span.of(raw))


def _refused(desk: Desk, code: str, field: str, allowed: object, **more: object) -> Refused:
    error = {"code": code, "field": field, "message": line(code, desk.locale), "allowed": allowed, **more}
    return Refused(json.dumps({"error": error}, ensure_ascii=False))


TOOLS = (Tool("propose_fact", ProposedFact, propose_fact, frozenset({PROPOSES_FACTS}), reads=False),)
