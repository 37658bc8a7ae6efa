"""Proofreading a document the way its book and the writer's settings want it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from inkwright import checks
from inkwright.checks import CheckCache
from inkwright.config import Checks
from inkwright.domain.diagnostic import Diagnostic


def diagnose(
    text: str, language: str, names: Collection[str], chosen: Checks, cache: CheckCache | None = None
) -> list[Diagnostic]:
    """The diagnostics of `text` by place; none when checks are off. Takes CPU time: call it in a thread.

    Without a language each paragraph's script decides. `names` are those of the book's cards.
    """
    if not chosen.enabled:
        return []
    found = checks.check(text, language=language, names=names, disabled=chosen.off, cache=cache)
    return [
        replace(one, severity=rank)
        if (rank := chosen.severity.get(one.code)) is not None and rank != "off"
        else one
        for one in found
    ]
