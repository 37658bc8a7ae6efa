"""Who acts, speaks and thinks in a paragraph, and what is said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkwright.checks.continuity.claims import Act, How, Said
from inkwright.checks.continuity.clauses import Clauses
from inkwright.checks.continuity.words import QUOTED
from inkwright.domain.text import Span

NEAR = 32
"""Characters between a quotation and the name behind it that says whose it is."""

_RELATIVE = re.compile(r"(?:[了过着下来出上起]|给[他她我你它]?){0,3}的|过(?![来去身头手])")
_WHILE = re.compile(r"[^，。．！？；：…\ue000]*?(?:时候?|那[天年晚夜次刻回])(?=[，。．！？；：…\s]|\Z)")
_COLON = re.compile(r"[^。！？!?.\ue000]{0,16}[：:,，]?\s*+(?=\ue000)")
_TAG = re.compile(rf"{QUOTED}[,，.。?？!！]?\s*\Z")


def acts(told: Clauses) -> Iterator[Act]:
    """Those who do something, each name once."""
    text, words = told.told, told.words
    for subject in told.subjects:
        found = words.says.match(text, subject.end) or words.does.match(text, subject.end)
        if found is None:
            continue
        kind = found.lastgroup
        how: How = "speech" if kind == "speech" else "think" if kind == "think" else "act"
        if words.language == "zh":
            if how != "think" and _RELATIVE.match(text, found.end()):
                continue
            if _WHILE.match(text, found.end()):
                continue
        people = subject.people
        if how == "speech" and len(people) > 1 and _COLON.match(text, found.end()):
            people = people[:1]
        for who in people:
            yield Act(who.card, Span(who.start, who.end), how=how)
    if words.language == "en":
        yield from _tagged(told)


def said(told: Clauses, found: list[Act]) -> Iterator[Said]:
    """The quotations that somebody is named for, and what somebody is said to think or know."""
    text, words = told.told, told.words
    speakers: dict[str, Act] = {act.card: act for act in found if act.how == "speech"}
    starts = {quote.start: quote for quote in told.quotes if not told.text.startswith("《", quote.start)}
    ends = _ends(told)
    for act in found:
        end = ends.get(act.span.start, act.span.end)
        does = (words.says.match(text, end) if act.how == "speech" else None) or words.does.match(text, end)
        at = does.end() if does else act.span.end
        if act.how == "think":
            sentence = told.sentence(act.span.start)
            rest = Span(at, sentence.end)
            verb = does.start("think") if does and does["think"] else at
            if rest.start < rest.end and not words.negative.search(text, act.span.end, verb):
                known = words.knowing.search(text, verb, at) is not None
                yield Said(act.card, _with_quote(told, rest), known=known)
            continue
        into = _COLON.match(text, at)
        if (
            into is not None
            and into.end() in starts
            and (act.how == "speech" or "：" in into[0] or ":" in into[0])
        ):
            yield Said(act.card, starts[into.end()])
        if (
            act.how == "speech"
            and (before := _TAG.search(text, max(0, act.span.start - NEAR), act.span.start)) is not None
        ):
            quote = next(q for q in told.quotes if q.start <= before.start() < q.end)
            yield Said(act.card, quote)
    if len(speakers) == 1 and len({act.card for act in found if act.how != "think"}) == 1:
        only = next(iter(speakers))
        for quote in starts.values():
            yield Said(only, quote)


def _tagged(told: Clauses) -> Iterator[Act]:
    """`"…," said Mara.`"""
    text = told.told
    for who in told.people:
        begin = max(0, who.start - 24)
        found = re.search(r"\ue000[,.?!]?\s*([a-z]+(?: on| in)?)\s+\Z", text[begin : who.start])
        if (
            found is not None
            and told.words.does.fullmatch(" " + found[1])
            and "speech" in _kinds(told, found[1])
        ):
            yield Act(who.card, Span(who.start, who.end), how="speech")


def _kinds(told: Clauses, verb: str) -> set[str]:
    found = told.words.does.match(" " + verb)
    return {kind for kind, value in found.groupdict().items() if value} if found else set()


def _ends(told: Clauses) -> dict[int, int]:
    """Where the subject ends that a name stands in, by where the name begins."""
    out: dict[int, int] = {}
    for subject in told.subjects:
        for who in subject.people:
            out.setdefault(who.start, subject.end)
    return out


def _with_quote(told: Clauses, rest: Span) -> Span:
    """What is thought may be written as a quotation that the sentence ends before."""
    end = rest.end
    for quote in told.quotes:
        if rest.start <= quote.start <= end:
            end = max(end, quote.end)
    return Span(rest.start, end)
