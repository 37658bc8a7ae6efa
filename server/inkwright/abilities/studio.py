"""The studio: the one facade that both presenters, LSP and command line, call.

A run is a task of the studio's own. Whoever asked for it follows it; the same request again joins it
or gets its first outcome. Cancel stops it until its outcome is being written, never after.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inkwright.abilities import past
from inkwright.abilities.active import ActiveRun, Sink, last, refused
from inkwright.abilities.asks import Ask, RunResult, digest
from inkwright.abilities.behind import Behind
from inkwright.abilities.ceilings import Ceilings
from inkwright.abilities.findings import Findings
from inkwright.abilities.review import Review
from inkwright.abilities.sources import Models, Profiles
from inkwright.abilities.trust import Trust
from inkwright.config import Settings
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, InkwrightError, StorageError
from inkwright.domain.proposal import Proposal
from inkwright.domain.run import RunEnded, RunRequest, RunSettling
from inkwright.workspace import OpenBook, Workspace

if TYPE_CHECKING:
    from inkwright.abilities.gists import Gists
    from inkwright.abilities.requests import Composed
    from inkwright.config import UserFile
    from inkwright.domain.profile import Profile
    from inkwright.library.registry import Library

_log = logging.getLogger(__name__)

IDLE = 2.0
"""Seconds from the first offer to the loading of what a run needs: the books' own reading goes first."""


class Studio:
    """Close it before the loop ends. `trusted` is the client's word on the books of its folders, None: no word.
    `source` is the user's file, which settings are from among others; None: there is none that could change."""

    def __init__(
        self,
        settings: Settings,
        libraries: Profiles,
        workspace: Workspace,
        locale: Locale,
        models: Models,
        trusted: bool | None = None,
        source: UserFile | None = None,
    ) -> None:
        self.libraries = libraries
        self.source = source
        self._trusted = trusted
        self._unused: set[Path] = set()
        self._loading: asyncio.TimerHandle | None = None
        self.workspace = workspace
        self.locale = locale
        self.review = Review(workspace)
        self.models = models
        self._active: dict[str, ActiveRun] = {}
        self._gists: dict[Path, Gists] = {}
        self._ceilings = Ceilings(workspace)
        self._behind = Behind()
        self.findings = Findings(workspace)
        self.settings = settings

    async def library(self, book: OpenBook | None = None) -> Library:
        """The profiles in force now: a book's own are among them where it is trusted."""
        root = book.root if book is not None and book.index is not None else None
        return await asyncio.to_thread(self._library, root)

    async def all_profiles(self) -> Library:
        """Those of every open book together."""
        from inkwright.library.registry import together

        books = tuple(self.workspace.open_books())
        return together([await self.library(), *[await self.library(book) for book in books]])

    def known(self, ability: str) -> Profile | None:
        """An ability as it was last read, at once."""
        return self.libraries.known(ability)

    def _library(self, root: Path | None) -> Library:
        if root is None or self.trusts(root):
            return self.libraries.of(root)
        if root not in self._unused and self.libraries.has_own(root):
            self._unused.add(root)
            _log.warning("profiles of the book %r are not used: it is not trusted", root.name)
            if self._trusted is None:  # a client that says no has told its user
                self.workspace.tell(Fault("profiles_untrusted", {"root": str(root)}))
        return self.libraries.of(None)

    def trusts(self, root: Path) -> bool:
        """Whether the profiles of the book at `root` are used. Blocks."""
        trust = Trust(self._trusted, self.settings.trusted_folders)
        return trust.covers(root, tuple(self.workspace.folders))

    def load(self) -> None:
        """Imports and reads what a run needs. Blocks: for a thread."""
        from inkwright.abilities import engine  # noqa: F401

        self.libraries.of(None)

    def load_soon(self) -> None:
        """Has it loaded in idle time, once, so that the first run does not wait for it.

        For whoever offers a run: an editor that shows nothing of them does without.
        """
        if self._loading is None:
            loop = asyncio.get_running_loop()
            self._loading = loop.call_later(IDLE, loop.run_in_executor, None, self.load)

    @property
    def settings(self) -> Settings:
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings
        self.findings.checks = settings.checks
        self.workspace.count_by(settings.count)

    async def close(self) -> None:
        """Cancels every run, waits until each is written down, and closes the books."""
        if self._loading is not None:
            self._loading.cancel()
        tasks = [run.task for run in self._active.values() if run.task is not None]
        for run in tuple(self._active.values()):
            run.cancel()
        try:
            if tasks:
                await asyncio.wait(tasks)
            await self._behind.close()
            await self.findings.close()
            await self.models.close()
        finally:
            await self.workspace.close()

    async def run(self, ask: Ask, sink: Sink) -> RunResult:
        """Runs, joins, or repeats. Expected failures are results; only cancelling the caller raises."""
        ask = ask if ask.request_id else replace(ask, request_id=uuid.uuid4().hex)
        body = digest(ask)
        active = self._active.get(ask.request_id)
        if active is None:
            active = ActiveRun(ask, body)
            active.task = asyncio.create_task(self._owned(active), name=f"run {ask.request_id}")
            self._active[ask.request_id] = active
        elif active.body != body:
            conflict = Fault("request_conflict", {"request": ask.request_id})
            return refused(ActiveRun(ask, body), "error", conflict)
        return await active.follow(sink)

    def cancel(self, request_id: str) -> bool:
        """True when the run was stopped; its followers get a result whose status is cancelled."""
        active = self._active.get(request_id)
        return active is not None and active.cancel()

    async def _owned(self, active: ActiveRun) -> RunResult:
        ask = active.ask
        try:
            active.begin()
            return await self._perform(active)
        except asyncio.CancelledError:
            return refused(active, "cancelled", None)
        except InkwrightError as error:
            return refused(active, "busy" if error.fault.code == "busy" else "error", error.fault)
        except Exception:  # noqa: BLE001 - a fault of ours ends this run, not the server
            _log.exception("run %s", ask.request_id)
            return refused(active, "error", Fault("run_error"))
        finally:
            del self._active[ask.request_id]

    async def _perform(self, active: ActiveRun) -> RunResult:
        ask = active.ask
        book = await self.workspace.book(ask.path)
        if (earlier := await self._earlier(book, active)) is not None:
            return earlier
        made = await self._composed(ask, book)
        request = active.request = made.request
        self._refuse_if_busy(active, request)
        from inkwright.abilities.engine import Describing, Runner, keep_summary, settle, watched

        model = self.models.get(made.model, book.view)
        describing = None if made.shown is None else Describing(model, made.shown, request.locale)
        cards_of_book = book.index.cards() if book.index else ()
        proposals: list[Proposal] = []
        chapter = await watched(ask, request, book)

        async def settled(ended: RunEnded) -> tuple[RunEnded, Proposal | None]:
            active.settling = True
            active.emit(RunSettling())
            if describing is not None:
                ended, proposal = await asyncio.to_thread(describing.settle, request, ended)
            else:
                ended, proposal = await asyncio.to_thread(settle, request, ended, cards_of_book)
            proposals.extend([proposal] if proposal is not None else [])
            if request.profile.output == "summary" and ended.status == "completed":
                await keep_summary(book, made, ended.text, model.name)
            if chapter is not None:
                ended = replace(ended, notices=(*ended.notices, *await chapter.change()))
            if made.cards is not None:
                ended = replace(ended, notices=(*ended.notices, *await past.cardless(book, request, ended)))
            if made.facts is not None:
                ended = replace(ended, notices=(*ended.notices, *made.facts.notices()))
            return ended, proposal

        runner = Runner(book.state.runs)
        events = runner.run(
            request,
            describing or model,
            made.tools(book),
            body_hash=active.body,
            settle=settled,
            on_cancel=active.take,
            purse=self._ceilings.of(made.model, self.settings),
        )
        ended = await last(active, events)
        notices = [*made.notices, *ended.notices]
        if chapter is not None and not active.settling:  # it was cancelled on its way
            notices += await chapter.change()
        cards: tuple[str, ...] = ()
        candidates: tuple[str, ...] = ()
        if made.cards is not None or made.facts is not None:
            try:
                cards, candidates = await past.cards_of(book, request.id)
            except StorageError as error:
                notices.append(error.fault)
        if self.settings.memory and ended.status == "completed" and describing is None:
            self._behind.start(book.root, request.id, self._remember(book, made, ended))
        return RunResult(
            request.id,
            request.profile.ability,
            ended.status,
            ended.stop_reason,
            request.model,
            ended.text,
            next(iter(proposals), None),
            ended.usage,
            ended.fault,
            tuple(notices),
            request.pipeline or None,
            ended.steps,
            cards,
            candidates,
        )

    async def context(self, ask: Ask) -> Path:
        """The context page of a run before it is started. Raises as composing does."""
        book = await self.workspace.book(ask.path)
        ask = ask if ask.request_id else replace(ask, request_id=uuid.uuid4().hex)
        made = await self._composed(ask, book, trial=True)
        from inkwright.abilities.engine import pages

        return await pages.before(made, book)

    async def context_of(self, request_id: str) -> Path:
        """The context page of a run in the journal. Raises `InkwrightError`: run_unknown."""
        await asyncio.to_thread(self.load)
        from inkwright.abilities.engine import pages

        for book in tuple(self.workspace.open_books()):
            if (stored := await book.state.runs.get(request_id)) is not None:
                chosen = self.settings.profile(stored.model)
                library = await self.library(book)
                return await pages.after(stored, book, library, chosen.context_window if chosen else 0)
        raise InkwrightError("run_unknown", run=request_id)

    async def _remember(self, book: OpenBook, made: Composed, ended: RunEnded) -> None:
        from inkwright.abilities.engine import remembering

        library = await self.library(book)
        await remembering.kept(book, made.request, ended, library, by_rule=made.model.offline)

    async def _composed(self, ask: Ask, book: OpenBook, *, trial: bool = False) -> Composed:
        """The request, its model, and what the writer should know of how the two came about."""
        await asyncio.to_thread(self.load)
        await self._behind.done(book.root)
        from inkwright.abilities.engine import Gists, composed
        from inkwright.store.locations import owned

        gists = self._gists.get(book.root)
        if gists is None and book.view is not None:
            gists = self._gists[book.root] = Gists(book.view, book.state.summaries)
        library = await self.library(book)
        trusted = await asyncio.to_thread(self.trusts, book.root)
        distrusted = self._trusted is False and await asyncio.to_thread(owned, book.root)
        return await composed(
            ask,
            book,
            gists,
            library,
            self.settings,
            self.locale,
            trial=trial,
            trusted=trusted,
            distrusted=distrusted,
        )

    async def _earlier(self, book: OpenBook, active: ActiveRun) -> RunResult | None:
        """The outcome that this request had within the last 24 hours."""
        stored = await past.settled(book, book.state.runs.find_by_request, active.ask.request_id)
        if stored is None:
            return None
        if stored.body_hash != active.body:
            raise InkwrightError("request_conflict", request=active.ask.request_id)
        if stored.stop_reason is None:
            raise InkwrightError("request_elsewhere", request=active.ask.request_id)
        return await past.result(stored, stored.stop_reason, book)

    def _refuse_if_busy(self, active: ActiveRun, request: RunRequest) -> None:
        """Two edits of one passage, or two runs that go on from the same one: the second is refused."""
        for other in self._active.values():
            if other is active or other.request is None:
                continue
            same = _document(other.request) == _document(request)
            edits = active.edits() and other.edits() and other.request.span.touches(request.span)
            resumes = bool(request.resumes) and other.request.resumes == request.resumes
            if same and (edits or resumes):
                raise InkwrightError("busy", run=other.request.id, ability=other.request.profile.label)


def _document(request: RunRequest) -> tuple[str, str]:
    """Which document a run works on, however its client spells the URI."""
    return request.book_root, request.snapshot.path or request.snapshot.uri
