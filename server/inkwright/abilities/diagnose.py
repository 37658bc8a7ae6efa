"""Proofreading a document the way its book and the writer's settings want it."""

from __future__ import annotations

from dataclasses import replace

from inkwright import checks
from inkwright.checks import CheckCache
from inkwright.config import Settings
from inkwright.domain.diagnostic import Diagnostic
from inkwright.workspace import OpenBook


def diagnose(
    text: str, book: OpenBook | None, settings: Settings, cache: CheckCache | None = None
) -> list[Diagnostic]:
    """The diagnostics of `text` by place; none when checks are off. Takes CPU time: call it in a thread.

    Without a language of the book's own, each paragraph's script decides.
    """
    chosen = settings.checks
    if not chosen.enabled:
        return []
    off = {*chosen.disabled, *(code for code, rank in chosen.severity.items() if rank == "off")}
    index = book.index if book is not None else None
    names = {name for card in index.cards() for name in card.names} if index is not None else set[str]()
    language = index.book.language if index is not None else ""
    found = checks.check(text, language=language, names=names, disabled=off, cache=cache)
    return [
        replace(one, severity=rank)
        if (rank := chosen.severity.get(one.code)) is not None and rank != "off"
        else one
        for one in found
    ]
