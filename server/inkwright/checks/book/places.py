"""Where in a text something stands that the book knows of."""

from __future__ import annotations

from inkwright.domain.cards import Card
from inkwright.domain.diagnostic import Related
from inkwright.domain.manuscript import Chapter
from inkwright.domain.text import EOL, Span
from inkwright.manuscript import fieldnames, fields, frontmatter, markdown


def title(text: str) -> Span:
    """The title of a chapter: its heading, else its `title`, else its first line."""
    found = frontmatter.read(text)
    named = (s.span for s in frontmatter.scalars(text) if fields.word(s.key, "chapter.keys") == "title")
    written = next(named, None)
    body = text[found.body_start : found.body_start + 4_000]
    heading = next((h for h in markdown.scan(body).headings if h.level == 1), None) if "#" in body else None
    if heading is not None:
        return heading.title_span.shift(found.body_start)
    return written or line(text, 0 if found else found.body_start)


def name(text: str, wanted: str, card: Card) -> Span:
    """Where a card says that it has a name: in its front matter, or in the heading that gives it."""
    if card.within:
        at = line(text, card.line)
        start = text.find(wanted, at.start)
        return Span(start, start + len(wanted)) if start >= 0 else at
    written = fieldnames.names(text, fieldnames.CARD)
    own = [found for found in written if found.key in ("name", "aliases") and found.name == wanted]
    if own:
        return own[0].span
    if wanted == card.name:
        for heading in markdown.scan(text).headings:
            if heading.level == 1 and heading.title == wanted:
                return heading.title_span
    return line(text, 0)


def line(text: str, number: int) -> Span:
    """A line by its number from 0 on, without its end."""
    start = 0
    for count, found in enumerate(EOL.finditer(text)):
        if count == number:
            return Span(start, found.start())
        start = found.end()
    return Span(start, len(text))


def card(one: Card, wanted: str = "") -> Related:
    """A card as a related place: where it says that name, or its own."""
    said = wanted or one.name
    return Related(one.file, lambda text: name(text, said, one), "related_card", {"name": one.name})


def chapter(one: Chapter) -> Related:
    """A chapter as a related place: its title."""
    return Related(one.path, title, "related_chapter", {"title": one.title, "path": one.path})
