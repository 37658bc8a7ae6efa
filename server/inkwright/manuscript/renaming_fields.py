"""Where the front matter of one text has to change when a card is renamed. Pure.

What is written stays front matter that reads the same but for the name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from inkwright.domain.text import Span, TextEdit, apply
from inkwright.manuscript import fieldnames, fields, frontmatter, frontmatter_edits, renaming
from inkwright.manuscript.frontmatter import Scalar
from inkwright.manuscript.renaming_places import Place, Terms, mention

_OWN = ("name", "aliases")
_LEFT = frozenset(("match", "source", "type", "ai", "longform"))
"""Fields that hold no names: paths, words that a name is no part of."""
_SAFE = re.compile(r"[^\W\d_][\w ·・•-]*(?<! )")
_PATH = re.compile(r"[\\/]|://|\.\w{1,5}\Z")
_SEPARATOR = re.compile(r"[,，、;；|/]")


def places(text: str, terms: Terms, *, own: bool, card: bool, apart: Sequence[Span]) -> list[Place]:
    """What changes in the front matter, by place; `own` for the file of the card itself. `apart` are links,
    which are seen to elsewhere."""
    table = fieldnames.CARD if card else fieldnames.CHAPTER
    named = [n for n in fieldnames.names(text, table) if not any(map(n.span.touches, apart))]
    out: list[Place] = []
    for scalar in frontmatter.scalars(text):
        key = fields.word(scalar.key, table) or scalar.key
        if key in _LEFT or (card and not own and key in _OWN):
            continue
        inside = [
            n.span for n in named if scalar.span.start <= n.span.start and n.span.end <= scalar.span.end
        ]
        exact = own and key in _OWN
        found = _names(text, scalar, inside, terms, own=exact)
        if not exact:
            found += _mentions(text, scalar, [*apart, *(place.span for place in found)], terms)
        out += found if not found or _plain(terms) else _written(text, scalar, found)
    for scalar in frontmatter.folded(text):
        out += _mentions(text, scalar, (), terms)
    out.sort(key=lambda place: place.span.start)
    return out if _kept(text, out) else [place._replace(sure=False) for place in out]


def _names(text: str, scalar: Scalar, spans: Sequence[Span], terms: Terms, *, own: bool) -> list[Place]:
    """Names that stand for themselves: the value, or the parts of a list in one string."""
    wish = terms.wish
    out: list[Place] = []
    for span in spans:
        written = span.of(text) if span != scalar.span else scalar.value
        change = wish.change(written)
        if change is None or renaming.spelled(written) != renaming.spelled(change.old):
            continue
        sure = change.sure if own else wish.sure(change)
        splits = bool(_SEPARATOR.search(change.new)) and not (own and change.old == wish.card.name)
        out.append(Place(span, change.new, change, sure and not splits))
    return out


def _mentions(text: str, scalar: Scalar, apart: Sequence[Span], terms: Terms) -> list[Place]:
    """Names inside a longer value, as in prose; in what looks like a path they are no sure ones."""
    out: list[Place] = []
    path = bool(_PATH.search(scalar.value))
    for hit in terms.dictionary.hits(text, [scalar.span]):
        span = Span(hit[0], hit[1])
        if not any(map(span.touches, apart)):
            place = mention(text, hit, terms.wish)
            out += [place._replace(sure=place.sure and not path)] if place is not None else []
    return out


def _plain(terms: Terms) -> bool:
    """Whether the new names can stand in any value as they are."""
    return all(
        _SAFE.fullmatch(change.new) and frontmatter_edits.plain(change.new) == change.new
        for change in terms.wish.changes
    )


def _written(text: str, scalar: Scalar, found: list[Place]) -> list[Place]:
    """The same so that it reads back where the new name would mean something to YAML."""
    span = scalar.span
    quote = text[span.start - 1 : span.start]
    if quote == "'":
        return [place._replace(new=place.new.replace("'", "''")) for place in found]
    if quote == '"':
        return [place._replace(new=json.dumps(place.new, ensure_ascii=False)[1:-1]) for place in found]
    if not found:
        return []
    value = span.of(text)
    whole = apply(value, [TextEdit(place.span.shift(-span.start), place.new) for place in found])
    sure = all(place.sure for place in found) and not re.search("[\r\n]", value)
    return [Place(span, frontmatter_edits.plain(whole), found[0].change, sure)]


def _kept(text: str, found: Sequence[Place]) -> bool:
    """Whether the text still has front matter with the same keys when all is done."""
    if not found:
        return True
    before = frontmatter.read(text)
    after = frontmatter.read(apply(text, [TextEdit(place.span, place.new) for place in found]))
    return after.problem is None and bool(after) and list(after.keys) == list(before.keys)
