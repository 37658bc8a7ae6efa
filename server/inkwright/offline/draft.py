"""The cards that a passage of a book to be broken down gives: each understood by itself, each with its quotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inkwright.domain.cards import NewCard
from inkwright.domain.conversation import Locale
from inkwright.i18n import listed, tr
from inkwright.offline.desk import short
from inkwright.offline.events import events
from inkwright.offline.names import han
from inkwright.offline.names.entity import Entity, Kind
from inkwright.offline.notes import pages
from inkwright.offline.notes.concepts import gather
from inkwright.offline.notes.lines import lines
from inkwright.offline.portrait import LONG, SIDES, Portrait, draw
from inkwright.offline.prose import excerpt
from inkwright.offline.reading import Reading
from inkwright.offline.verses import verses

MOST = 6
KINDS: tuple[Kind, Kind] = ("location", "item")
_PEOPLE, _OTHERS = 3, 1


def draft(reading: Reading, locale: Locale) -> list[NewCard]:
    """At most `MOST` cards, the most useful first; none for a passage that gives none. Takes CPU time."""
    people = list(_people(reading, locale))
    if reading.narrative:
        place, thing = (list(_first(reading.cast.of(kind), reading, locale)) for kind in KINDS)
        rest = [*_timeline(reading, locale), *place, *_works(reading, locale), *thing]
        first = people[:_PEOPLE]
        kept = [*first, *rest]
        kept = [*kept[:MOST], *people[_PEOPLE : _PEOPLE + max(0, MOST - len(kept))]]
    else:
        kept = [*_ideas(reading, locale), *people[:2], *_first(reading.cast.of("location"), reading, locale)][
            :MOST
        ]
    return list({card.title: card for card in reversed(kept)}.values())[::-1]


def _people(reading: Reading, locale: Locale) -> Iterator[NewCard]:
    drawn = [draw(entity, reading) for entity in reading.cast.of("character")[:12] if _fresh(entity, reading)]
    # Somebody of whom it is told who they are comes before somebody who is only there.
    ranked = sorted(drawn, key=lambda p: (-_weight(p), p.entity.name))
    for portrait in ranked:
        if portrait.quote and (portrait.sides or (portrait.count >= 3 and portrait.size >= 2)):
            yield _card(portrait, reading, locale)


def _weight(portrait: Portrait) -> float:
    return portrait.count + 6.0 * len(portrait.sides)


def _card(portrait: Portrait, reading: Reading, locale: Locale) -> NewCard:
    entity = portrait.entity
    between = " " if reading.language == "en" else ""
    lines = [
        _line(locale, side, between.join(map(_flat, portrait.sides[side])))
        for side in SIDES
        if side in portrait.sides
    ]
    if portrait.deeds:
        label = "deeds" if entity.kind == "character" else "told"
        lines.append(_line(locale, label, ""))
        lines += [f"- {_flat(deed)}" for deed in portrait.deeds]
    if portrait.company:
        lines.append(_line(locale, "company", listed(portrait.company, locale)))
    others = [form for form in entity.forms if form != entity.name]
    if others:
        lines.append(_line(locale, "also", listed(others, locale)))
    return NewCard(entity.kind, entity.name, _text(lines), _tags(locale, entity.kind), portrait.quote)


def _fresh(entity: Entity, reading: Reading) -> bool:
    """Whether this passage has more of somebody than what went before, which had a card of its own."""
    before = reading.known_before(entity.forms)
    return before == 0 or 2 * before < han.occurrences(reading.prose.text, entity.forms)


def _first(entities: Sequence[Entity], reading: Reading, locale: Locale) -> Iterator[NewCard]:
    """The first of several places or things of which there is enough to say."""
    given = 0
    for entity in entities[:5]:
        if not _fresh(entity, reading):
            continue
        portrait = draw(entity, reading)
        if portrait.quote and portrait.count >= 2 and given < _OTHERS:
            given += 1
            yield _card(portrait, reading, locale)


def _timeline(reading: Reading, locale: Locale) -> Iterator[NewCard]:
    found = events(reading)
    if len(found) < 3:
        return
    strongest = max(found, key=lambda e: (bool(e.when), e.worth))
    rows = [
        f"{number}. " + (f"**{_flat(event.when)}** · " if event.when else "") + _flat(event.text)
        for number, event in enumerate(found, 1)
    ]
    yield NewCard(
        "timeline",
        _titled("title_timeline", reading, found[0].when or _short(found[0].text), locale),
        _text([tr("offline_card_timeline", locale), *rows]),
        _tags(locale, "timeline"),
        strongest.text,
    )


def _works(reading: Reading, locale: Locale) -> Iterator[NewCard]:
    """The longest verse of the passage."""
    found = verses(reading)
    if found:
        verse = max(found, key=lambda v: (v.clauses, -len(v.lead)))
        lines = (
            [_line(locale, "lead", excerpt(verse.lead, LONG["zh"], verse.lead[-12:]))] if verse.lead else []
        )
        rows = [row.strip() for row in verse.text.split("\n") if row.strip()]
        lines += [_line(locale, "verse", ""), "  \n".join(rows)]
        yield NewCard(
            "misc",
            tr("offline_title_verse", locale, {"name": verse.name}),
            _text(lines),
            _tags(locale, "verse"),
            rows[0],
        )


def _ideas(reading: Reading, locale: Locale) -> Iterator[NewCard]:
    """What is defined, then the sentences that claim most."""
    setting = reading.setting
    for concept in gather(lines(setting.text, setting.document, setting.span)).concepts:
        if concept.quote and concept.said:
            about = [
                s for s in reading.prose.sentences if concept.name in s.text and s.text not in concept.said
            ]
            concept.points = [s.text for s in reading.scored.best(3, about)]
            yield pages.card(concept, concept.topic, locale)
    best = [s for s in reading.scored.best(5) if s.raw]
    if best:
        strongest = max(best, key=lambda s: (reading.scored.worth(s), -s.span.start))
        limit = 2 * LONG[reading.language]
        yield NewCard(
            "misc",
            _titled("title_points", reading, _short(best[0].text), locale),
            _text([tr("offline_card_points", locale), *(f"- {_flat(excerpt(s.raw, limit))}" for s in best)]),
            _tags(locale, "points"),
            excerpt(strongest.raw, limit),
        )


def _titled(code: str, reading: Reading, begins: str, locale: Locale) -> str:
    """A title that names the chapter, and for a later part of it how that part begins."""
    chapter = reading.title or tr("offline_untitled", locale)
    title = tr(f"offline_{code}", locale, {"chapter": short(chapter)})
    return (
        title
        if reading.first
        else tr("offline_title_from", locale, {"title": title, "begins": _flat(begins)[:16]})
    )


def _tags(locale: Locale, kind: str) -> tuple[str, ...]:
    return (tr(f"offline_tag_{kind}", locale), tr("offline_tag_rules", locale))


def _line(locale: Locale, label: str, text: str) -> str:
    return tr(
        "offline_card_line", locale, {"label": tr(f"offline_label_{label}", locale), "text": text}
    ).rstrip()


def _text(lines: Sequence[str]) -> str:
    """Lines as Markdown: a list stays together, everything else is a paragraph of its own."""
    out: list[str] = []
    for line in lines:
        together = bool(out) and _listed(line) and _listed(out[-1].lstrip("\n"))
        out.append(("\n" if out and not together else "") + line)
    return "\n".join(out)


def _listed(line: str) -> bool:
    return line.startswith("- ") or line.split(". ")[0].isdigit()


def _flat(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text[:12]
