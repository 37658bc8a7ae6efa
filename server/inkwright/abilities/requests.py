"""From a wish to what the runner plays: the profile, the model, what goes along, and where its cards go."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace

from inkwright.abilities import plan, remembering
from inkwright.abilities.asks import Ask
from inkwright.abilities.cards import CardCandidates, CardFiles, Maker
from inkwright.abilities.choose import choose
from inkwright.abilities.compose import Resumed, Terms, compose
from inkwright.abilities.context import survey
from inkwright.abilities.gists import Gists
from inkwright.config import Settings
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import Summary
from inkwright.domain.memory import Memory
from inkwright.domain.model import ModelProfile
from inkwright.domain.profile import EffectiveProfile, Pipeline, Profile
from inkwright.domain.run import RunRequest
from inkwright.domain.text import Snapshot
from inkwright.library import Library, merge
from inkwright.library.merge import DEFAULT_DOMAIN
from inkwright.store.journal_rows import StoredRun
from inkwright.tools import Tools
from inkwright.workspace import OpenBook


@dataclass(frozen=True, slots=True)
class Composed:
    """`digest` is that of the chapter the run reads. `cards` is None where the run makes none."""

    request: RunRequest
    model: ModelProfile
    notices: tuple[Fault, ...]
    cards: Maker | None
    digest: str
    memories: tuple[Memory, ...] = ()

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(self.cards.candidates) if self.cards is not None else ()

    def tools(self, book: OpenBook) -> Tools:
        return Tools(
            book.view,
            self.request.snapshot,
            self.request.locale,
            cards=self.cards,
            summaries=book.state.summaries,
        )


async def composed(
    ask: Ask,
    book: OpenBook,
    gists: Gists | None,
    library: Library,
    settings: Settings,
    locale: Locale,
    *,
    trial: bool = False,
    trusted: bool = True,
) -> Composed:
    """The request as of this moment. The model that a book names is used where the book is `trusted`. `gists` are the book's, None for a document without one. A `trial`
    is not going to be run: it leaves no trace.

    Raises `InkwrightError`: what composing does; run_unknown for `follow` and `resume`; no_pipeline,
    pipeline_unknown, book_needs_folder, resume_running, resume_done for pipelines; storage errors.
    """
    notices: list[Fault] = []
    try:
        await book.ready()
    except InkwrightError as error:
        notices.append(error.fault)  # the passage is at hand all the same
    # The domain comes from the book, never from the caller.
    type_ = book.book.type
    domain = library.domain(type_ or DEFAULT_DOMAIN)
    if domain is None:
        notices.append(Fault("book_type_unknown", {"type": type_, "used": DEFAULT_DOMAIN}))
        domain = library.domain(DEFAULT_DOMAIN)
        assert domain is not None
    stored = await _resumable(book, ask.resume) if ask.resume else None
    snapshot, message, resumed = ask.snapshot, ask.message, None
    if stored is not None:
        snapshot, resumed = await _left_behind(book, stored)
        message = message or stored.message
        if snapshot.text != ask.snapshot.text:
            notices.append(Fault("resume_of_older_text", {"path": snapshot.path}))
    ask = _with(ask, snapshot, message)
    profile, pipeline = _what(ask, library, type_, domain, stored, locale, notices)
    if pipeline is not None:
        _ = book.files  # a pipeline's cards need a place
    chosen = _model(ask, profile, book.book.model, settings, notices, trusted=trusted)
    memories = (
        await remembering.recalled(book, profile, ask.message, notices, trial) if settings.memory else ()
    )
    terms = Terms(
        profile,
        chosen,
        book.book,
        await survey(book.view, gists, snapshot, locale),
        settings,
        await conversation(book, ask.follow) if ask.follow else (),
        tuple(memory.content for memory in memories),
        pipeline,
        resumed,
    )
    request = await asyncio.to_thread(compose, ask, terms)
    digest = book.view.digest(snapshot.path) if book.view is not None else ""
    cards = maker(book, request, pipeline, domain.pipeline)
    return Composed(request, chosen, tuple(notices), cards, digest, memories)


def _model(
    ask: Ask,
    profile: EffectiveProfile,
    of_book: str,
    settings: Settings,
    notices: list[Fault],
    *,
    trusted: bool,
) -> ModelProfile:
    """The model of a run: asked for, set for the ability, named by the profile, named by a trusted book."""
    own = settings.abilities.get(profile.ability, "")
    held = bool(of_book) and not trusted and settings.profile(of_book) is not None
    chosen = choose(settings, ask.model, (own, profile.model, "" if held else of_book), notices)
    if held and not (ask.model or own or profile.model) and chosen.id != of_book:
        notices.append(Fault("book_model_untrusted", {"name": of_book, "used": chosen.id}))
    return chosen


def _what(
    ask: Ask,
    library: Library,
    type_: str,
    domain: Profile,
    stored: StoredRun | None,
    locale: Locale,
    notices: list[Fault],
) -> tuple[EffectiveProfile, Pipeline | None]:
    """The effective profile, and the pipeline that is to be run, if one is."""
    if ask.pipeline is None and stored is None:
        profile = merge(library, ask.ability, type_, ask.message, locale)
        if not profile.ability_matched:
            notices.append(Fault("ability_unknown", {"ability": ask.ability, "used": profile.label}))
        if profile.mode != "pipeline":
            return profile, None
        return profile, _pipeline(library, domain.pipeline)
    wanted = stored.pipeline if stored is not None else ask.pipeline or domain.pipeline
    if not wanted:
        known = ", ".join(f"{p.label[locale]} ({p.id})" for p in library.pipelines())
        raise InkwrightError("no_pipeline", type=domain.label[locale], known=known)
    pipeline = _pipeline(library, wanted)
    return plan.effective(pipeline, domain, locale), pipeline


def _pipeline(library: Library, id_: str) -> Pipeline:
    found = library.pipeline(id_)
    if found is None:
        known = ", ".join(pipeline.id for pipeline in library.pipelines())
        raise InkwrightError("pipeline_unknown", id=id_, known=known)
    return found


def maker(book: OpenBook, request: RunRequest, pipeline: Pipeline | None, own: str) -> Maker | None:
    """Files in the pipeline of the book's own domain, candidates elsewhere; an edit, a text to insert and a
    single shot make no card in any book."""
    profile = request.profile
    if book.index is None:
        return None
    if pipeline is not None:
        files = pipeline.id == own
        return CardFiles(book, request.id) if files else CardCandidates(book, request.id)
    if profile.mode == "single" or profile.output in ("edit", "insert", "summary"):
        return None
    return CardCandidates(book, request.id)


async def conversation(book: OpenBook, run_id: str) -> tuple[tuple[str, str], ...]:
    """The turns up to a run and with it. Raises `InkwrightError`: run_unknown."""
    stored = await book.state.runs.get(run_id)
    if stored is None:
        raise InkwrightError("run_unknown", run=run_id)
    return (*stored.history, (stored.message, stored.text))


async def _resumable(book: OpenBook, run_id: str) -> StoredRun:
    stored = await book.state.runs.get(run_id)
    if stored is None or not stored.pipeline:
        raise InkwrightError("run_unknown", run=run_id)
    if stored.stop_reason is None:
        raise InkwrightError("resume_running", run=run_id)
    if stored.state == "completed":
        raise InkwrightError("resume_done", run=run_id)
    return stored


async def _left_behind(book: OpenBook, stored: StoredRun) -> tuple[Snapshot, Resumed]:
    """The text that the run was made from, its batches and what its steps came to."""
    runs = book.state.runs
    text = await runs.snapshot(stored.id)
    snapshot = Snapshot(stored.uri, stored.path, stored.version, text)
    return snapshot, Resumed(stored.id, await runs.windows(stored.id), await runs.products(stored.id))


def _with(ask: Ask, snapshot: Snapshot, message: str) -> Ask:
    same = ask.snapshot is snapshot and ask.message == message
    return ask if same else replace(ask, snapshot=snapshot, message=message, span=None)


async def cards_of(book: OpenBook, run_id: str) -> tuple[str, ...]:
    """The cards that a run made or found made, in order; those of the runs that it went on from first."""
    chain: list[str] = []
    while run_id and run_id not in chain:
        chain.append(run_id)
        stored = await book.state.runs.get(run_id)
        run_id = stored.resumes if stored is not None else ""
    paths: dict[str, None] = {}
    for one in reversed(chain):
        paths |= dict.fromkeys(await book.state.made_cards.of(one))
    return tuple(paths)


async def keep_summary(book: OpenBook, made: Composed, text: str, model: str) -> None:
    """The answer of a run whose output is a summary, kept for its chapter. Raises `StorageError`."""
    path = made.request.snapshot.path
    if path and text.strip():
        by = "" if made.model.offline else model
        await book.state.summaries.put(Summary(path, text.strip(), made.digest, by, time.time()))
