"""Proofreading a document the way its book and the writer's settings want it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from inkwright import checks
from inkwright.checks import CheckCache, keys
from inkwright.config import Checks
from inkwright.domain.diagnostic import Diagnostic


def diagnose(
    text: str,
    language: str,
    names: Collection[str],
    chosen: Checks,
    cache: CheckCache | None = None,
    *,
    book_file: bool = False,
) -> list[Diagnostic]:
    """The diagnostics of `text` by place; none when checks are off. Takes CPU time: call it in a thread.

    Keys that stand in it come first; in a `book_file` there is nothing else to look for. Without a language each paragraph's script decides. `names` are those of the book's cards.
    """
    if not chosen.enabled:
        return []
    found = [one for one in _keys(text, book_file=book_file) if one.code not in chosen.off]
    if not book_file:
        found += checks.check(text, language=language, names=names, disabled=chosen.off, cache=cache)
    return [
        replace(one, severity=rank)
        if (rank := chosen.severity.get(one.code)) is not None and rank != "off"
        else one
        for one in found
    ]


def _keys(text: str, *, book_file: bool) -> list[Diagnostic]:
    return keys.in_book_file(text) if book_file else keys.in_front_matter(text)
