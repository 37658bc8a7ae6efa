"""People who say or think what they cannot know yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from inkwright.checks.book.page import Page
from inkwright.checks.continuity import known, offers, story
from inkwright.checks.continuity.claims import Said
from inkwright.checks.continuity.known import Known
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.words import HAN, words
from inkwright.domain.diagnostic import Diagnostic
from inkwright.domain.text import Span
from inkwright.manuscript.overview import Overview
from inkwright.manuscript.places import BEYOND

KNOWS = "continuity_knows"
CODES = frozenset({KNOWS})

_STEM = 5
_ASKED = re.compile(r"[?？吗]|是不是|是否|有没有|会不会|\b(?:if|whether)\b", re.IGNORECASE)
"""What is not sure of somebody who is said to know: where a thing is can be known as well as that it is there."""


class Secret(NamedTuple):
    """What nobody says who does not know. `names`: of each card in it the names. `rest`: what else it is told by."""

    names: tuple[tuple[str, ...], ...]
    rest: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.names or self.rest)

    @property
    def telling(self) -> bool:
        """Whether there is enough of it to be told from other talk."""
        return len(self.names) + len(self.rest) > 1 or any(len(word) > 2 for word in self.rest)


def find(book: Overview, page: Page) -> Iterable[Diagnostic]:
    told = story.of(book, page)
    if told is None or told.aside:
        return
    secrets: dict[str, list[tuple[Statement, Secret]]] = {}
    for card in told.known.stating("knows"):
        rows = [one for one in told.known.of(card, "knows") if _hidden(one, told.place)]
        if rows:
            secrets[card] = [(one, secret(told.known, one)) for one in rows]
    seen: list[Statement] = []
    for said in told.of(Said, secrets):
        for one, what in secrets[said.card]:
            short = not what.telling and said.known and bool(what)
            if any(one is other for other in seen) or not (what.telling or short):
                continue
            where = _told(page.text, said.span, what, _ASKED if short else None)
            if where is None:
                continue
            seen.append(one)
            params = {"name": one.card.name, "value": one.value, "since": one.fact.since if one.fact else ""}
            until = one.fact.until if one.fact else ""
            fixes = [*offers.aside(page, told, where.start)]
            if not until:
                fixes += offers.since(book, one, offers.reference(told, page))
            code_params = {**params, "since": params["since"] or until}
            yield Diagnostic(
                where, "information", KNOWS, code_params, related=(known.related(one),), fixes=tuple(fixes)
            )


def secret(facts: Known, one: Statement) -> Secret:
    """The words of a secret, without the one who is to learn it."""
    chinese = HAN.search(one.value) is not None
    language = words("zh" if chinese else "en")
    rest = language.unknowing.sub(" ", one.value)
    names: list[tuple[str, ...]] = []
    for name, card in facts.longest_first:
        if name in rest:
            rest = rest.replace(name, " ")
            if card.path != one.card.path and card.names not in names:
                names.append(card.names)
    if chinese:
        left = [word for word in language.empty.split(rest) if word.strip()]
        return Secret(tuple(names), tuple(dict.fromkeys(word.strip() for word in left)))
    left = [w for w in re.findall(r"[^\W\d_]+", rest.casefold()) if not language.empty.fullmatch(w)]
    return Secret(tuple(names), tuple(dict.fromkeys(word[:_STEM] for word in left)))


def _hidden(one: Statement, place: int) -> bool:
    """Whether its card does not know it in a chapter: not before it begins; while it holds, where it is an ignorance."""
    if any(words(language).unknowing.search(one.value) for language in ("zh", "en")):
        return one.since <= place < one.until and one.until != BEYOND
    return one.dated and place < one.since


def _told(text: str, where: Span, what: Secret, asked: re.Pattern[str] | None) -> Span | None:
    """The sentence of what is said in which the secret is told and not doubted: by the words for doubt, or by
    `asked` alone."""
    doubts = (asked,) if asked is not None else (words("zh").doubt, words("en").doubt)
    said = where.of(text)
    if not _holds(said, what):
        return None
    at = where.start
    for part in re.split(r"(?<=[。！？!?.…])", said):
        if _holds(part, what) and not any(doubt.search(part) for doubt in doubts):
            lead = len(part) - len(part.lstrip('“”"「『 ，：:,'))
            end = at + len(part.rstrip('“”"」』 '))
            return Span(at + lead, max(end, at + lead + 1))
        at += len(part)
    return None


def _holds(said: str, what: Secret) -> bool:
    low = said.casefold()
    if not all(any(name.casefold() in low for name in row) for row in what.names):
        return False
    found = sum(word in low for word in what.rest)
    return found == len(what.rest) if len(what.rest) <= 3 else found >= 0.75 * len(what.rest)
