"""From a wish to what the runner plays: the profile, the model, what goes along, and where its cards go."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, replace

from inkwright.abilities import images, past, plan, remembering
from inkwright.abilities.asks import Ask
from inkwright.abilities.cards import CardCandidates, CardFiles
from inkwright.abilities.choose import choose
from inkwright.abilities.compose import Resumed, Terms, compose
from inkwright.abilities.context import survey
from inkwright.abilities.fact_taker import FactCandidates
from inkwright.abilities.gists import Gists
from inkwright.config import Settings
from inkwright.domain.conversation import Locale
from inkwright.domain.errors import Fault, InkwrightError
from inkwright.domain.manuscript import Summary
from inkwright.domain.memory import Memory
from inkwright.domain.model import ModelProfile
from inkwright.domain.ports import BookView, CardMaker
from inkwright.domain.profile import EffectiveProfile, Pipeline, Profile
from inkwright.domain.run import RunRequest
from inkwright.domain.text import Snapshot
from inkwright.library.merge import DEFAULT_DOMAIN, merge
from inkwright.library.registry import Library
from inkwright.manuscript import drafts
from inkwright.store.journal_rows import StoredRun
from inkwright.tools.toolbox import Tools
from inkwright.workspace import OpenBook


@dataclass(frozen=True, slots=True)
class Composed:
    """`cards` is None where the run makes none."""

    request: RunRequest
    model: ModelProfile
    notices: tuple[Fault, ...]
    cards: CardMaker | None
    facts: FactCandidates | None = None
    """Where the facts go that it proposes, None where it proposes none."""
    memories: tuple[Memory, ...] = ()
    shown: images.Given | None = None
    """The picture that goes along."""

    def tools(self, book: OpenBook) -> Tools:
        return Tools(
            book.view,
            self.request.snapshot,
            self.request.locale,
            cards=self.cards,
            summaries=book.state.summaries,
            facts=self.facts,
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
    distrusted: bool = False,
) -> Composed:
    """The request as of this moment. `gists` are the book's, None for a document without one; the model that
    a book names is used where it is `trusted`, and the memories that lie in a book's own folder unless it is
    `distrusted`. A `trial` is not going to be run: it leaves no trace.

    Raises `InkwrightError`: what composing does; run_unknown for `follow` and `resume`, follow_running;
    no_pipeline, pipeline_unknown, book_needs_folder, resume_running, resume_done for pipelines; storage errors.
    """
    notices: list[Fault] = []
    try:
        await book.ready()
    except InkwrightError as error:
        notices.append(error.fault)  # the passage is at hand all the same
    if book.index is not None and (locked := book.index.locked(ask.snapshot.path)):
        ask = replace(ask, snapshot=replace(ask.snapshot, readonly=ask.snapshot.readonly or locked))
    # The domain comes from the book, never from the caller.
    type_ = book.book.type
    domain = library.domain(type_ or DEFAULT_DOMAIN)
    if domain is None:
        notices.append(Fault("book_type_unknown", {"type": type_, "used": DEFAULT_DOMAIN}))
        domain = library.domain(DEFAULT_DOMAIN)
        assert domain is not None
    stored = await _resumable(book, ask.resume) if ask.resume else None
    snapshot, resumed = ask.snapshot, None
    if stored is not None:
        snapshot, resumed = await _left_behind(book, stored)
        message = ask.message or stored.message
        if snapshot.path != ask.snapshot.path:
            notices.append(
                Fault("resume_of_other_chapter", {"path": snapshot.path, "asked": ask.snapshot.path})
            )
        elif snapshot.text != ask.snapshot.text:
            notices.append(Fault("resume_of_older_text", {"path": snapshot.path}))
        span = None if stored.whole else stored.span
        ask = replace(ask, snapshot=snapshot, message=message, span=span)
    memories: tuple[Memory, ...] = ()
    shown = None if ask.image is None else await images.given(ask, book)
    if shown is not None:
        profile, pipeline = images.effective(domain.id, locale), None
        chosen = images.chosen(settings, ask.model)
        ask = replace(ask, span=shown.picture.span, cursor=None)
    else:
        profile, pipeline = _what(ask, library, type_, domain, stored, locale, notices)
        chosen = _model(ask, profile, book.book.model, settings, notices, trusted=trusted)
        if settings.memory:
            memories = await remembering.recalled(
                book, profile, ask.message, notices, trial=trial, distrusted=distrusted
            )
    if pipeline is not None:
        _ = book.files  # a pipeline's cards need a place
    terms = Terms(
        profile,
        chosen,
        book.book,
        await survey(book.view, gists, snapshot, locale),
        settings,
        await conversation(book, ask.follow, library) if ask.follow else (),
        tuple(memory.content for memory in memories),
        pipeline,
        resumed,
    )
    request = await asyncio.to_thread(compose, ask, terms)
    if shown is not None:
        request = images.with_picture(request, shown)
    cards = maker(book, request, pipeline, domain.pipeline)
    return Composed(
        request, chosen, tuple(notices), cards, facts_of(book, request), memories=memories, shown=shown
    )


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
    if stored is None and ask.pipeline is None:
        profile = merge(library, ask.ability, type_, ask.message, locale)
        if not profile.ability_matched:
            notices.append(Fault("ability_unknown", {"ability": ask.ability, "used": profile.label}))
        if profile.mode != "pipeline":
            return profile, None
        return plan.of_ability(profile), _pipeline(library, domain.pipeline)
    wanted = stored.pipeline if stored is not None else ask.pipeline or domain.pipeline
    if not wanted:
        known = ", ".join(f"{p.label[locale]} ({p.id})" for p in library.pipelines())
        raise InkwrightError("no_pipeline", type=domain.label[locale], known=known)
    pipeline = _pipeline(library, wanted)
    if stored is not None and stored.ability != stored.pipeline:
        profile = merge(library, stored.ability, type_, ask.message, locale)
        if profile.ability_matched:
            return plan.of_ability(profile), pipeline
    return plan.effective(pipeline, domain, locale), pipeline


def _pipeline(library: Library, id_: str) -> Pipeline:
    found = library.pipeline(id_)
    if found is None:
        known = ", ".join(pipeline.id for pipeline in library.pipelines())
        raise InkwrightError("pipeline_unknown", id=id_, known=known)
    return found


def maker(book: OpenBook, request: RunRequest, pipeline: Pipeline | None, own: str) -> CardMaker | None:
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


def facts_of(book: OpenBook, request: RunRequest) -> FactCandidates | None:
    """Who takes the facts that a run proposes: of a chapter of a book, and where an answer is neither an edit nor
    one turn."""
    profile = request.profile
    proposes = "propose_fact" in profile.tools and profile.mode != "single"
    if book.index is None or not proposes or profile.output in ("edit", "insert", "summary"):
        return None
    chapter = any(chapter.path == request.snapshot.path for chapter in book.index.chapters())
    return FactCandidates(book, request) if chapter else None


async def conversation(book: OpenBook, run_id: str, library: Library) -> tuple[tuple[str, str], ...]:
    """The turns up to a run and with it; one without a message is called by what was run. Raises
    `InkwrightError`: run_unknown, follow_running."""
    stored = await past.settled(book, book.state.runs.get, run_id)
    if stored is None:
        raise InkwrightError("run_unknown", run=run_id)
    if stored.stop_reason is None:
        raise InkwrightError("follow_running", run=run_id)
    run = library.pipeline(stored.pipeline) or library.ability(stored.ability)
    asked = stored.message or (run.label[stored.locale] if run is not None else stored.ability)
    return (*stored.history, (asked, await past.text(stored, book)))


async def _resumable(book: OpenBook, run_id: str) -> StoredRun:
    stored = await past.settled(book, book.state.runs.get, run_id)
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


async def keep_summary(book: OpenBook, made: Composed, text: str, model: str) -> None:
    """The answer of a run whose output is a summary, kept for its chapter; that of a selection is none of the
    chapter's. Raises `StorageError`."""
    request, view = made.request, book.view
    path = request.snapshot.path
    if view is None or not request.whole or not text.strip() or not view.digest(path):
        return
    by = "" if made.model.offline else model
    digest = await _digest_of(view, request.snapshot)
    await book.state.summaries.put(Summary(path, text.strip(), digest, by, time.time()))


async def _digest_of(view: BookView, snapshot: Snapshot) -> str:
    """What the book knows the text of the snapshot by: not what has been typed since."""
    digest = view.digest(snapshot.path)
    with suppress(InkwrightError):
        if await view.text(snapshot.path) == snapshot.text and view.digest(snapshot.path) == digest:
            return digest
    return drafts.digest(snapshot.text).hex()
