"""Who is in a scene, where and when: what front matter says and what the text names. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inkwright.domain.cards import Card
from inkwright.domain.text import Span
from inkwright.manuscript import fields
from inkwright.manuscript.markdown import Document, Paragraph
from inkwright.manuscript.mentions import Hit


class SceneFacts(NamedTuple):
    """Names of cards, or what front matter says; '' and () where nothing is said."""

    pov: str = ""
    cast: tuple[str, ...] = ()
    location: str = ""
    time: str = ""

    def __bool__(self) -> bool:
        return any(self)


def starts(text: str, parsed: Document) -> list[tuple[Span, bool]]:
    """The first paragraph of each scene that begins in the parsed part, and whether it is the chapter's first."""
    body = [p for p in parsed.paragraphs if p.prose and p.kind != "heading"]
    out: list[tuple[Span, bool]] = []
    if body and _opens(text, parsed, body[0]):
        out.append((body[0].span, True))
    at = 0
    for number, scene_break in enumerate(parsed.scene_breaks):
        border = parsed.scene_breaks[number + 1].start if number + 1 < len(parsed.scene_breaks) else len(text)
        while at < len(body) and body[at].span.start < scene_break.end:
            at += 1
        if at < len(body) and body[at].span.start < border and (not out or out[-1][0] != body[at].span):
            out.append((body[at].span, False))
    return out


def facts(
    meta: Mapping[str, Any], hits: Sequence[Hit], cards: Mapping[str, Card], *, opening: bool
) -> SceneFacts:
    """What is known of a scene. `meta` is the chapter's front matter under our names, which is about the opening
    scene; `hits` are the names in the scene, by place; a name of several cards says nothing."""
    named = [cards[paths[0]] for _, _, paths in hits if len(paths) == 1 and paths[0] in cards]
    people = list(dict.fromkeys(card.name for card in named if card.kind == "character"))
    place = next((card.name for card in named if card.kind == "location"), "")
    if not opening:
        return SceneFacts("", tuple(people), place, "")
    pov = _one(meta, "pov")
    own = next((card.name for card in cards.values() if pov in card.names), pov) if pov else ""
    cast = tuple(name for name in people if name != own)
    when = " ".join(filter(None, (_one(meta, "date"), _one(meta, "time"))))
    return SceneFacts(own, cast, _one(meta, "location") or place, when)


def cast(hits: Sequence[Hit], cards: Mapping[str, Card]) -> tuple[str, ...]:
    """The characters that are named, those who are named most first."""
    counts = Counter(
        cards[paths[0]].name
        for _, _, paths in hits
        if len(paths) == 1 and paths[0] in cards and cards[paths[0]].kind == "character"
    )
    return tuple(name for name, _ in counts.most_common())


def _opens(text: str, parsed: Document, first: Paragraph) -> bool:
    """Whether nothing but headings and marks stands before a paragraph."""
    at = parsed.frontmatter.body_start
    before = [p for p in parsed.paragraphs if p.span.start < first.span.start]
    for piece in sorted(
        [*(p.span for p in before), *parsed.scene_breaks, *parsed.comments], key=lambda s: s.start
    ):
        if piece.start >= first.span.start:
            break
        if text[at : piece.start].strip():
            return False
        at = max(at, piece.end)
    return not text[at : first.span.start].strip()


def _one(meta: Mapping[str, Any], key: str) -> str:
    return ", ".join(fields.texts(meta[key])) if meta.get(key) is not None else ""
