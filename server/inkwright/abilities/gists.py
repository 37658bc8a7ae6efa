"""What the chapters before one are about: in the author's words, as summed up before, or by rule."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from inkwright.domain.errors import InkwrightError, StorageError
from inkwright.domain.manuscript import Chapter, Summary
from inkwright.domain.ports import BookView, Summaries
from inkwright.runtime.caps import SUMMARY_CHARS

_log = logging.getLogger(__name__)

KEPT = 200
"""Summaries by rule that one book remembers."""


@dataclass(frozen=True, slots=True)
class Gist:
    """`reason` is a code of the context page: chapter_before (a synopsis), summary_of_chapter, summary_by_rule."""

    text: str
    reason: str


class Gists:
    """The gists of one book's chapters. What rules make is remembered by the content that it was made from."""

    def __init__(self, view: BookView, summaries: Summaries) -> None:
        self._view = view
        self._summaries = summaries
        self._by_rule: OrderedDict[str, str] = OrderedDict()

    async def of(self, chapters: Sequence[Chapter]) -> dict[str, Gist]:
        """By path; a chapter that cannot be read has none. Summaries that cannot be read cost no run: rules
        make others."""
        out: dict[str, Gist] = {}
        for chapter in chapters:
            if (gist := await self._of(chapter)) is not None:
                out[chapter.path] = gist
        return out

    async def _of(self, chapter: Chapter) -> Gist | None:
        if synopsis := str(chapter.meta.get("synopsis", "") or "").strip():
            return Gist(synopsis, "chapter_before")
        digest = self._view.digest(chapter.path)
        stored = await self._stored(chapter.path)
        if stored is not None and stored.digest == digest:
            return Gist(stored.text, "summary_of_chapter" if stored.by else "summary_by_rule")
        try:
            text = await self._by_rules(chapter.path, digest)
        except InkwrightError:
            return None
        return Gist(text, "summary_by_rule") if text else None

    async def _stored(self, path: str) -> Summary | None:
        try:
            return await self._summaries.summary(path)
        except StorageError as error:
            _log.warning("a summary cannot be read: %s", error.fault.code)
            return None

    async def _by_rules(self, path: str, digest: str) -> str:
        if digest in self._by_rule:
            self._by_rule.move_to_end(digest)
            return self._by_rule[digest]
        from inkwright.manuscript.summary import summarise

        text = await self._view.text(path)
        made = await asyncio.to_thread(summarise, text, SUMMARY_CHARS)
        if digest:
            self._by_rule[digest] = made
            while len(self._by_rule) > KEPT:
                self._by_rule.popitem(last=False)
        return made
