"""Where one text has to change when a card is renamed: prose, headings, links. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from inkwright.domain.text import Span
from inkwright.manuscript import links, markdown, renaming_fields, renaming_links
from inkwright.manuscript.links import Link, Targets
from inkwright.manuscript.markdown import Document
from inkwright.manuscript.mentions import Hit
from inkwright.manuscript.renaming import Wish
from inkwright.manuscript.renaming_places import Place, Terms, mention


def places(
    text: str, path: str, terms: Terms, *, card: bool, hits: Sequence[Hit] | None = None
) -> list[Place]:
    """What changes in the file at `path`, by place, never overlapping; `card` says that it is one.

    `hits` are the mentions of its prose where they are known already.
    """
    own = path == terms.wish.card.file
    linked = "[[" in text or (terms.file and ("](" in text or "]:" in text))
    outline = markdown.outline(text) if hits is None or linked or own else None
    found = list(terms.dictionary.in_outline(text, outline) if hits is None and outline else hits or ())
    parsed = outline.document() if outline is not None else None
    out: list[Place] = []
    written = links.find(text, parsed) if linked and parsed is not None else []
    for link in written:
        if link.kind == "wiki":
            out += _wiki(text, link, terms)
        elif link.kind == "path" and terms.file:
            out += _path(text, path, link, terms)
    wiki = [link.span for link in written if link.kind == "wiki"]
    found = _outside(found, wiki)
    if own and parsed is not None:
        out += _heading(text, parsed, terms.wish)
    out += [place for hit in found if (place := mention(text, hit, terms.wish, prose=True)) is not None]
    if text.startswith(("---", "\ufeff---")):
        out += renaming_fields.places(text, terms, own=own, card=card, apart=wiki)
    return _apart(out)


def _heading(text: str, parsed: Document, wish: Wish) -> list[Place]:
    """The heading that gives the card its name, whatever else has the same."""
    for heading in parsed.headings:
        if wish.main and heading.level == 1 and heading.title_span.of(text) == wish.old:
            change = wish.changes[0]
            return [Place(heading.title_span, change.new, change, sure=True)]
    return []


def _wiki(text: str, link: Link, terms: Terms) -> list[Place]:
    """A `[[link]]` to the card: its target follows, what it shows is the writer's."""
    wish, out = terms.wish, list[Place]()
    inner = Span(link.span.start + 2, link.span.end - 2)
    at = text.find(link.target, inner.start, inner.end)
    span = Span(at, at + len(link.target))
    leads = bool(link.target) and terms.targets.wiki(link) == wish.card.file
    change = wish.change(link.target)
    if leads and change is not None:
        out.append(Place(span, change.new, change, wish.sure(change)))
    elif leads and terms.file:
        out.append(Place(span, renaming_links.renamed(link.target, terms.file), None, sure=True))
    elif not leads:
        out += _unsure(text, span, terms)
    bar = text.find("|", inner.start, inner.end)
    if bar >= 0:
        out += _unsure(text, Span(bar + 1, inner.end), terms)
    return out


def _unsure(text: str, span: Span, terms: Terms) -> list[Place]:
    """The mentions in a piece whose words are the writer's, or another thing's name."""
    found = [mention(text, hit, terms.wish) for hit in terms.dictionary.hits(text, [span])]
    return [place._replace(sure=False) for place in found if place is not None]


def _path(text: str, path: str, link: Link, terms: Terms) -> list[Place]:
    """A link to the card's file: the part of it that is the file's name."""
    if not link.target or terms.wish.card.file not in Targets((), (), path).path(link):
        return []
    start = link.span.start
    new = renaming_links.retargeted(link.target, terms.file, angled=text[start - 1 : start] == "<")
    return [Place(Span(start, start + len(link.target)), new, None, sure=True)]


def _outside(hits: Sequence[Hit], spans: Sequence[Span]) -> list[Hit]:
    """The hits that lie in none of `spans`; both by place."""
    out: list[Hit] = []
    at = 0
    for hit in hits:
        while at < len(spans) and spans[at].end <= hit[0]:
            at += 1
        if at == len(spans) or not spans[at].start <= hit[0] < spans[at].end:
            out.append(hit)
    return out


def _apart(found: list[Place]) -> list[Place]:
    """By place; of two that overlap the one that was found first."""
    out: list[Place] = []
    for place in sorted(found, key=lambda place: place.span.start):
        if not out or out[-1].span.end <= place.span.start:
            out.append(place)
    return out
