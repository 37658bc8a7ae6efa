"""What there is to say of a text: the rules, the rest of the book, what its writers called intended, Harper."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from inkwright.domain.diagnostic import Diagnostic, Said, placed
from inkwright.domain.errors import InkwrightError
from inkwright.workspace import OpenBook, Workspace

if TYPE_CHECKING:
    from inkwright.abilities.diagnose import Memory
    from inkwright.abilities.english import English
    from inkwright.abilities.intending import Intentions
    from inkwright.checks.intended import Decided
    from inkwright.config.settings import Checks

_log = logging.getLogger(__name__)


class Findings:
    """The diagnostics of the books of a workspace. `checks` says which are wanted. Close it before the loop ends."""

    checks: Checks

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._intentions: Intentions | None = None
        self._english: English | None = None

    async def close(self) -> None:
        if self._english is not None:
            await self._english.close()

    @property
    def english(self) -> English:
        """What Harper says of English."""
        if self._english is None:
            from inkwright.abilities.english import English

            self._english = English(self._workspace.tell)
        return self._english

    @property
    def intentions(self) -> Intentions:
        """What the writers of the books called intended."""
        if self._intentions is None:
            from inkwright.abilities.intending import Intentions

            self._intentions = Intentions()
        return self._intentions

    async def of(
        self,
        text: str,
        book: OpenBook | None,
        memory: Memory | None = None,
        *,
        book_file: bool = False,
        path: str = "",
        alone: bool = True,
    ) -> list[Diagnostic]:
        """The diagnostics of a text that stands at `path` in this book, by place, off the loop.

        What hangs on the rest of the book is found once that has been read; with `alone` False only that is
        looked for.
        """
        return placed(
            await self.said(text, book, memory, book_file=book_file, path=path, alone=alone),
        )

    async def said(
        self,
        text: str,
        book: OpenBook | None,
        memory: Memory | None = None,
        *,
        book_file: bool = False,
        path: str = "",
        alone: bool = True,
    ) -> list[Said]:
        """The same by the stretches of the text."""
        index = book.index if book is not None else None
        overview = index.overview() if index is not None and index.ready.is_set() and path else None
        names = {name for card in index.cards() for name in card.names} if index is not None else set[str]()
        language = index.book.language if index is not None else ""
        chosen = self.checks
        decided: Decided | None = None
        if book is not None and index is not None:
            chosen = chosen.within(index.fields.checks)
            decided = await self.intentions.answering(book.root)
        if book is not None and overview is not None and path in overview.table.by_file:
            from inkwright.abilities import facts

            try:
                overview = replace(overview, lost=await facts.lost(book, card=path))
            except InkwrightError as error:  # what else there is to say is worth having
                _log.warning("where facts came from is not known: %s", error.fault.code)

        more: list[Diagnostic] = []
        if chosen.enabled and not chosen.only_keys and chosen.harper and alone and not book_file:
            more = await self.english.find(text, language, names)

        def work() -> list[Said]:
            from inkwright.abilities.diagnose import diagnose

            return diagnose(
                text,
                language,
                names,
                chosen,
                memory,
                book_file=book_file,
                overview=overview,
                path=path,
                alone=alone,
                decided=decided,
                more=more,
            )

        return await asyncio.to_thread(work)
