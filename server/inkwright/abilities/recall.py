"""Runs of the journal as they were asked for, and played again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime

from inkwright.abilities import images, plan
from inkwright.abilities.past import why
from inkwright.abilities.requests import maker
from inkwright.domain.conversation import ToolSpec
from inkwright.domain.profile import EffectiveProfile, Localised, Pipeline
from inkwright.domain.run import Budget, RunEvent, RunRequest
from inkwright.domain.text import Snapshot
from inkwright.library.merge import DEFAULT_DOMAIN, merge
from inkwright.library.registry import Library
from inkwright.runtime.replay import Recording, replay
from inkwright.store.journal_rows import StoredRun
from inkwright.tools.toolbox import Tools
from inkwright.workspace import OpenBook


async def recall(stored: StoredRun, book: OpenBook, library: Library) -> RunRequest:
    """A run's request as the journal has it; the prompts, which are in no journal, are today's."""
    runs = book.state.runs
    pipeline = library.pipeline(stored.pipeline) if stored.pipeline else None
    said = {step.name: step.instruction[stored.locale] for step in pipeline.steps} if pipeline else {}
    return RunRequest(
        id=stored.id,
        profile=_profile(stored, library, pipeline),
        book_root=str(book.root),
        snapshot=Snapshot(stored.uri, stored.path, stored.version, await runs.snapshot(stored.id)),
        span=stored.span,
        whole=stored.whole,
        windows=await runs.windows(stored.id),
        context=await runs.context(stored.id),
        message=stored.message,
        locale=stored.locale,
        model=stored.model,
        effort=stored.effort,
        budget=stored.budget or Budget(rounds=0),
        memories=stored.memories,
        history=stored.history,
        context_window=stored.context_window,
        pipeline=stored.pipeline,
        steps=tuple(replace(step, instruction=said.get(step.name, "")) for step in stored.steps),
        products=await runs.products(stored.id, given=True),
        resumes=stored.resumes,
    )


def offered(request: RunRequest, book: OpenBook, library: Library) -> tuple[ToolSpec, ...]:
    """All the tools that a run was offered, those of a pipeline's steps among them."""
    pipeline = library.pipeline(request.pipeline) if request.pipeline else None
    cards = maker(book, request, pipeline, request.pipeline)
    tools = Tools(book.view, request.snapshot, request.locale, cards=cards, summaries=book.state.summaries)
    return tools.specs(named(request))


def named(request: RunRequest) -> tuple[str, ...]:
    """The tools that a run's profile and its steps name."""
    of_steps = (tool for step in request.steps for tool in step.tools)
    return tuple(dict.fromkeys((*request.profile.tools, *of_steps)))


async def replayed(stored: StoredRun, book: OpenBook, library: Library) -> AsyncGenerator[RunEvent, None]:
    """What the run came to, once more: see `runtime.replay`. Nothing is written, nobody is asked."""
    request = await recall(stored, book, library)
    runs = book.state.runs
    recording = Recording(
        steps=await runs.steps(stored.id),
        now=datetime.fromtimestamp(stored.created_at).astimezone(),
        stop_reason=stored.stop_reason,
        # A run that was cut off left no text.
        text=None if stored.stop_reason in (None, "interrupted") else stored.text,
        fault=why(stored),
        products=await runs.products(stored.id),
        tools=offered(request, book, library),
    )
    return replay(request, recording)


def _profile(stored: StoredRun, library: Library, pipeline: Pipeline | None) -> EffectiveProfile:
    if stored.ability == images.ABILITY:
        return images.effective(stored.domain, stored.locale)
    if not stored.pipeline or stored.ability != stored.pipeline:
        return merge(library, stored.ability, stored.domain, stored.message, stored.locale)
    domain = library.domain(stored.domain) or library.domain(DEFAULT_DOMAIN)
    assert domain is not None
    name: Localised = {"zh": stored.pipeline, "en": stored.pipeline}
    return plan.effective(pipeline or Pipeline(stored.pipeline, name, name, ()), domain, stored.locale)
