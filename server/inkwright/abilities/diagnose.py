"""Checking a document the way its book and the writer's settings want it: the one door for every client."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from inkwright import checks
from inkwright.checks import CheckCache, book, intended, keys
from inkwright.checks.intended import Decided
from inkwright.config import Checks
from inkwright.domain.diagnostic import Diagnostic
from inkwright.manuscript.overview import Overview


class Memory:
    """What is remembered of one open document between two passes. Not safe for two threads at once."""

    def __init__(self) -> None:
        self.proof = CheckCache()
        self.book = book.BookCache()


def diagnose(
    text: str,
    language: str,
    names: Collection[str],
    chosen: Checks,
    memory: Memory | None = None,
    *,
    book_file: bool = False,
    overview: Overview | None = None,
    path: str = "",
    alone: bool = True,
    decided: Decided | None = None,
    more: Sequence[Diagnostic] = (),
) -> list[Diagnostic]:
    """The diagnostics of `text`; none when checks are off. Takes CPU time: call it in a thread.

    Keys that stand in it come first, and no decision answers them; in a `book_file` there is nothing else to look for. Without a language each
    paragraph's script decides. `names` are those of the book's cards. `overview` is the book that the text stands
    in at `path`, None for one that has not been read, or for a text without a book; with `alone` False only what
    hangs on the book is looked for. `more` is what others said of the text, where our own rules say
    nothing. What `decided` calls intended is left out.
    """
    if not chosen.enabled:
        return []
    memory = memory or Memory()
    held = [one for one in _keys(text, book_file=book_file) if one.code not in chosen.off]
    found: list[Diagnostic] = []
    only_keys = book_file or chosen.only_keys
    if alone and not only_keys:
        found += checks.check(text, language=language, names=names, disabled=chosen.off, cache=memory.proof)
    if overview is not None and not only_keys:
        found += book.find(overview, path, text, chosen.off, memory.book)
    if more:
        taken = sorted(one.span for one in (*held, *found))
        found += [one for one in more if one.code not in chosen.off and not any(map(one.span.touches, taken))]
    if decided:
        found = intended.without(found, text, path, decided)
    return [
        replace(one, severity=rank)
        if (rank := chosen.severity.get(one.code)) is not None and rank != "off"
        else one
        for one in (*held, *found)
    ]


def _keys(text: str, *, book_file: bool) -> list[Diagnostic]:
    return keys.in_book_file(text) if book_file else keys.in_front_matter(text)
