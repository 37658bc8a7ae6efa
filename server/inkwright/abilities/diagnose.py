"""Checking a document the way its book and the writer's settings want it: the one door for every client."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from inkwright.checks import book_file as book_files
from inkwright.checks import checking, intended, keys
from inkwright.checks.book import engine
from inkwright.checks.checking import CheckCache
from inkwright.checks.intended import Decided
from inkwright.config import Checks
from inkwright.domain.diagnostic import Diagnostic, Said, Severity, placed
from inkwright.manuscript.ends import Ends
from inkwright.manuscript.overview import Overview


class Memory:
    """What is remembered of one open document, whose `ends` these are, between two passes. Not safe for two threads
    at once."""

    def __init__(self, ends: Ends | None = None) -> None:
        ends = ends or Ends()
        self.proof = CheckCache(ends=ends)
        self.book = engine.BookCache(ends)
        self.ranked: dict[tuple[int, Severity], tuple[Diagnostic, Diagnostic]] = {}
        """Diagnostics with another severity than their rule's, by the one that they were and what it became."""


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
) -> list[Said]:
    """The diagnostics of `text`; none when checks are off. Takes CPU time: call it in a thread.

    No decision answers the keys that stand in it, or what a `book_file` cannot be used for; nothing else is looked for
    there. Without a language each paragraph's script decides. `names` are those of the book's cards. `overview` is the book that the text stands
    in at `path`, None for one that has not been read, or for a text without a book; with `alone` False only what
    hangs on the book is looked for. `more` is what others said of the text, where our own rules say
    nothing. What `decided` calls intended is left out.
    """
    if not chosen.enabled:
        return []
    memory = memory or Memory()
    held = [one for one in _keys(text, book_file=book_file) if one.code not in chosen.off]
    said: list[Said] = []
    only_keys = book_file or chosen.only_keys
    if alone and not only_keys:
        said += checking.said(text, language=language, names=names, disabled=chosen.off, cache=memory.proof)
    if overview is not None and not only_keys:
        said.append(Said(engine.find(overview, path, text, chosen.off, memory.book)))
    if more:
        taken = [one.span for one in placed([*said, Said(held)])]
        said.append(
            Said([m for m in more if m.code not in chosen.off and not any(map(m.span.touches, taken))])
        )
    if decided:
        said = intended.without(said, text, path, decided)
    return _ranked([Said(held), *said], chosen.severity, memory)


def _ranked(
    said: Sequence[Said], severity: Mapping[str, Severity | Literal["off"]], memory: Memory
) -> list[Said]:
    """All that there is to say, with the severities that the writer or the book wants."""
    before, memory.ranked = memory.ranked, {}
    if not severity:
        return [part for part in said if part.found]

    def ranked(one: Diagnostic) -> Diagnostic:
        rank = severity.get(one.code)
        if rank is None or rank == "off":
            return one
        key = id(one), rank
        known = memory.ranked[key] = before.get(key) or (one, replace(one, severity=rank))
        return known[1]

    return [part._replace(found=[ranked(one) for one in part.found]) for part in said if part.found]


def _keys(text: str, *, book_file: bool) -> list[Diagnostic]:
    return book_files.find(text) if book_file else keys.in_front_matter(text)
