"""What goes along with a passage: the parts below it, best first, each with its reason and its cap.

Nothing of a later chapter is ever in it: facts hold as of this chapter, summaries come from before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inkwright.abilities.gists import Gist, Gists
from inkwright.domain.cards import Card
from inkwright.domain.conversation import Locale
from inkwright.domain.manuscript import Chapter, Mention
from inkwright.domain.ports import BookView
from inkwright.domain.run import Part, Window
from inkwright.domain.text import Snapshot, Span
from inkwright.domain.tokens import estimate
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.places import Order
from inkwright.runtime.caps import CARD_CHARS, CARDS, MARGIN_CHARS, SUMMARIES, SUMMARY_CHARS
from inkwright.tools.desk import Desk, describe


@dataclass(frozen=True, slots=True)
class Survey:
    """What a book says of one of its chapters, taken on the event loop at one moment.

    `cards` are those that a model may see; `place` is the chapter's index, None for one that is not listed.
    """

    order: Order = field(default_factory=lambda: Order(()))
    cards: tuple[Card, ...] = ()
    mentions: tuple[Mention, ...] = ()
    place: int | None = None
    gists: Mapping[str, Gist] = field(default_factory=dict)


async def survey(view: BookView | None, gists: Gists | None, snapshot: Snapshot, locale: Locale) -> Survey:
    """Asks the book, on the event loop: an index belongs to its thread."""
    if view is None:
        return Survey()
    desk = Desk(view, snapshot, locale)
    found = Survey(desk.order(), desk.so_far(), view.mentions(snapshot.path), desk.place())
    if gists is None or found.place is None:
        return found
    return replace(found, gists=await gists.of(_before(found)))


def parts(
    around: Survey, snapshot: Snapshot, document: Document, window: Window, *, cards_only: bool = False
) -> tuple[Part, ...]:
    """The parts for one window of a passage in `snapshot`, whose scan is `document`. Takes CPU time."""
    if cards_only:
        return tuple(_cards(around, len(snapshot.text), document, window))
    out = [*_margins(snapshot, document, window)]
    out += _cards(around, len(snapshot.text), document, window)
    if around.place is not None:
        here = around.order.chapters[around.place]
        if outline := str(here.meta.get("outline", "") or ""):
            out.append(_part("outline", outline, "outline_of_chapter", source=here.path))
        out += _summaries(around)
    return tuple(out)


def _before(around: Survey) -> Sequence[Chapter]:
    place = around.place or 0
    return around.order.chapters[max(0, place - SUMMARIES) : place]


def _margins(snapshot: Snapshot, document: Document, window: Window) -> Iterable[Part]:
    body = document.frontmatter.body_start
    before = snapshot.text[max(body, window.span.start - MARGIN_CHARS) : window.span.start]
    after = snapshot.text[window.span.end : window.span.end + MARGIN_CHARS]
    if before.strip():
        yield _part("before", before, "text_before", source=snapshot.path)
    if after.strip():
        yield _part("after", after, "text_after", source=snapshot.path)


def _cards(around: Survey, length: int, document: Document, window: Window) -> Iterable[Part]:
    visible = {card.path: card for card in around.cards}
    passage = _by_count(around.mentions, window.span)
    scene = _by_count(around.mentions, _scene(document, window.span, length))
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
        text = describe(card, around.order, around.place)
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


def _summaries(around: Survey) -> Iterable[Part]:
    """What the chapters before are about, the nearest first."""
    for chapter in reversed(_before(around)):
        if (gist := around.gists.get(chapter.path)) is not None:
            yield _part(
                "summary", gist.text, gist.reason, {"title": chapter.title}, SUMMARY_CHARS, chapter.path
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
