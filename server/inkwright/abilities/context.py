"""What goes along with a passage: the parts below it, best first, each with its reason and its cap.

Nothing of a later chapter is ever in it: facts hold as of this chapter, summaries come from before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from inkwright.domain.cards import Card
from inkwright.domain.manuscript import Chapter, Mention
from inkwright.domain.run import Part, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.domain.tokens import estimate
from inkwright.manuscript.markdown import Document
from inkwright.tools.desk import Desk

MARGIN = 600
"""Characters of manuscript before and after the passage."""
CARD_CHARS = 300
CARDS = 12
SUMMARIES = 5
SUMMARY_CHARS = 300


def parts(desk: Desk, document: Document, window: Window) -> tuple[Part, ...]:
    """The parts for one window of a passage in the desk's snapshot, whose scan is `document`."""
    out = [*_margins(desk.snapshot, document, window)]
    chapters = desk.chapters()
    place = desk.place()
    here = chapters[place] if place is not None else None
    out += _cards(desk, document, window)
    if here is not None and place is not None:
        if outline := str(here.meta.get("outline", "") or ""):
            out.append(_part("outline", outline, "outline_of_chapter", source=here.path))
        out += _summaries(chapters[max(0, place - SUMMARIES) : place])
    return tuple(out)


def _margins(snapshot: Snapshot, document: Document, window: Window) -> Iterable[Part]:
    body = document.frontmatter.body_start
    before = snapshot.text[max(body, window.span.start - MARGIN) : window.span.start]
    after = snapshot.text[window.span.end : window.span.end + MARGIN]
    if before.strip():
        yield _part("before", before, "text_before", source=snapshot.path)
    if after.strip():
        yield _part("after", after, "text_after", source=snapshot.path)


def _cards(desk: Desk, document: Document, window: Window) -> Iterable[Part]:
    visible = {card.path: card for card in desk.cards()}
    mentions = desk.view.mentions(desk.snapshot.path) if desk.view is not None else ()
    passage = _by_count(mentions, window.span)
    scene = _by_count(mentions, _scene(document, window.span, len(desk.snapshot.text)))
    order: list[tuple[Card, str, int]] = [
        (card, "card_always", 0) for card in visible.values() if card.ai == "always"
    ]
    order += [(visible[path], "card_in_passage", n) for path, n in passage.items() if path in visible]
    order += [(visible[path], "card_in_scene", n) for path, n in scene.items() if path in visible]
    seen: set[str] = set()
    for card, reason, count in order:
        if card.path in seen:
            continue
        seen.add(card.path)
        text = desk.card(card)
        if len(seen) > CARDS:
            yield Part("card", "", "too_many_cards", {"name": card.name}, cut=len(text), source=card.path)
            continue
        yield _part("card", text, reason, {"name": card.name, "count": count}, CARD_CHARS, card.path)


def _by_count(mentions: Iterable[Mention], span: Span) -> dict[str, int]:
    """Cards by how often they stand in `span`, most often first, then by first place."""
    counter = Counter(m.card for m in mentions if span.start <= m.span.start and m.span.end <= span.end)
    return dict(counter.most_common())


def _scene(document: Document, span: Span, length: int) -> Span:
    """From the last scene break before the span to the first one after it."""
    start = max((b.end for b in document.scene_breaks if b.end <= span.start), default=0)
    end = min((b.start for b in document.scene_breaks if b.start >= span.end), default=length)
    return Span(start, end)


def _summaries(before: Sequence[Chapter]) -> Iterable[Part]:
    """The authors' synopses of the chapters before, the nearest first."""
    for chapter in reversed(before):
        if text := str(chapter.meta.get("synopsis", "") or ""):
            yield _part(
                "summary", text, "chapter_before", {"title": chapter.title}, SUMMARY_CHARS, chapter.path
            )


def _part(
    name: str,
    text: str,
    reason: str,
    params: dict[str, str | int] | None = None,
    cap: int | None = None,
    source: str = "",
) -> Part:
    kept = text if cap is None or len(text) <= cap else text[: cap - 1].rstrip() + "…"
    return Part(name, kept, reason, params or {}, estimate(kept), max(0, len(text) - len(kept)), source)
