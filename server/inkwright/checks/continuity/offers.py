"""What the checks of continuity offer to do: the text, the card, or the time that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from inkwright.checks.book.page import Page
from inkwright.checks.continuity.stating import Statement
from inkwright.checks.continuity.story import Story
from inkwright.checks.continuity.words import HAN
from inkwright.domain.cards import Card, Fact
from inkwright.domain.diagnostic import Change, Fix
from inkwright.domain.errors import InkwrightError
from inkwright.domain.text import EOL, Span, TextEdit, apply
from inkwright.manuscript import factlist, fields, frontedits, frontmatter, frontmatter_edits
from inkwright.manuscript.overview import Overview


def text(span: Span, new: str) -> Fix:
    """What the card says, in the text."""
    return Fix("fix_replace", {"better": new}, (Change("", (TextEdit(span, new),)),))


def stated(book: Overview, card: Card, fact: Fact) -> tuple[Fix, ...]:
    """A further fact of a card. None for a card that is not ours to write."""
    if not _open(book, card):
        return ()
    change = Change(card.path, partial(_stated, fact))
    params = {"name": card.name, "key": fact.key, "value": fact.value, "since": fact.since}
    return (Fix("fix_add_fact" if fact.since else "fix_add_fact_always", params, (change,)),)


def restated(book: Overview, one: Statement, value: str) -> tuple[Fix, ...]:
    """Another value of a fact or field of a card."""
    if not _open(book, one.card):
        return ()
    change = Change(one.card.path, partial(_restated, one, value))
    params = {"name": one.card.name, "key": one.key, "old": one.value, "value": value}
    return (Fix("fix_change_fact", params, (change,)),)


def since(book: Overview, one: Statement, chapter: str) -> tuple[Fix, ...]:
    """A fact that begins with another chapter."""
    if one.fact is None or not _open(book, one.card):
        return ()
    change = Change(one.card.path, partial(_redated, one.fact, replace(one.fact, since=chapter)))
    params = {"name": one.card.name, "key": one.key, "since": chapter}
    return (Fix("fix_fact_since", params, (change,)),)


def aside(page: Page, story: Story, at: int) -> tuple[Fix, ...]:
    """The chapter is one of another time; of a chapter of several parts the part."""
    chinese = _chinese(page)
    parts = page.once("parts", page.text, lambda: _parts(page, story))
    if len(parts) < 2:
        change = Change("", partial(_flashback, "倒叙" if chinese else "flashback"))
        return (Fix("fix_flashback", {}, (change,)),)
    start = story.scene(at)
    if start == 0:
        start = page.front.body_start
    eol = _eol(page.text)
    mark = "<!-- 倒叙 -->" if chinese else "<!-- flashback -->"
    while page.text.startswith(("\r", "\n"), start):
        start += 1
    return (Fix("fix_flashback_scene", {}, (Change("", (TextEdit(Span(start, start), mark + eol * 2),)),)),)


def reference(story: Story, page: Page) -> str:
    """The chapter that is checked, as a fact may name it."""
    return story.known.order.reference(story.place, chinese=_chinese(page))


def _flashback(mode: str, text: str) -> Sequence[TextEdit]:
    key = next((k for k in frontmatter.read(text).meta if fields.word(k, "chapter.keys") == "mode"), "mode")
    return frontedits.put(text, key, mode)


def _parts(page: Page, story: Story) -> Sequence[int]:
    """The parts of a chapter that have text in them."""
    ends = [*story.parts[1:], len(page.text)]
    body = page.front.body_start
    titles = {h.span.end: h.span.start for h in page.headings}
    out = []
    for start, end in zip(story.parts, ends, strict=True):
        told = page.text[max(start, body) : titles.get(end, end)].strip()
        if any(ch.isalnum() for ch in told):
            out.append(start)
    return out


def _open(book: Overview, card: Card) -> bool:
    return not card.within and not book.locked(card.path)


def _stated(fact: Fact, text: str) -> Sequence[TextEdit]:
    try:
        return factlist.add(text, [fact])
    except InkwrightError:
        return ()


def _restated(one: Statement, value: str, text: str) -> Sequence[TextEdit]:
    if one.fact is None:
        key = next((k for k in frontmatter.read(text).meta if k == one.key or _same(k, one.key)), one.key)
        return frontedits.put(text, key, value)
    return _redated(one.fact, replace(one.fact, value=value), text)


def _redated(before: Fact, after: Fact, text: str) -> Sequence[TextEdit]:
    """The entry of a fact rewritten: the one value that differs where it is written, else the entry anew."""
    entry = next((e for e in factlist.entries(text) if e.fact == before), None)
    if entry is None:
        return ()
    edit: TextEdit | None = None
    if before.value != after.value:
        edit = TextEdit(entry.value, frontmatter_edits.plain(after.value))
    elif before.since:
        written = frontmatter_edits.plain(before.since)
        inner = entry.span.of(text)
        for said in (written, before.since, f'"{before.since}"', f"'{before.since}'"):
            if inner.count(said) == 1:
                at = entry.span.start + inner.index(said)
                edit = TextEdit(Span(at, at + len(said)), frontmatter_edits.plain(after.since))
                break
    if edit is None:
        return ()
    now = [e.fact for e in factlist.entries(apply(text, [edit]))]
    wanted = [after if e.fact == before else e.fact for e in factlist.entries(text)]
    return (edit,) if now == wanted else ()


def _same(key: str, other: str) -> bool:
    return fields.word(key, "card.keys") == other


def _chinese(page: Page) -> bool:
    return HAN.search(page.text, page.front.body_start, page.front.body_start + 2_000) is not None


def _eol(text: str) -> str:
    found = EOL.search(text)
    return found[0] if found else "\n"
