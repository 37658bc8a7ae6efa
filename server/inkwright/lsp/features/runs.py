"""runAbility, runPipeline and what belongs to them: cancelRun, showContext, listRuns, getRun."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.running import Wish
    from inkwright.lsp.session import Session
    from inkwright.workspace import OpenBook

PAGE = 50
MAX_PAGE = 500

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command("inkwright.runAbility")(run_ability)
    ls.command("inkwright.runPipeline")(run_pipeline)
    ls.command("inkwright.cancelRun")(cancel_run)
    ls.command("inkwright.showContext")(show_context)
    ls.command("inkwright.listRuns")(list_runs)
    ls.command("inkwright.getRun")(get_run)


def run_ability(ls: Session, given: Given, token: str | int | None) -> Awaitable[dict[str, Any]]:
    """{ability, uri, range?, message?, model?, follow?, streamToken?, requestId?, show?} → the result.

    `show`, as code actions and lenses have it, lets the server tell how it ended where nobody follows the stream.
    """
    from inkwright.lsp.running import Running

    args = Arguments("inkwright.runAbility", given)
    return Running(ls, _wish(ls, args), args.token("streamToken"), token).start()


def run_pipeline(ls: Session, given: Given, token: str | int | None) -> Awaitable[dict[str, Any]]:
    """{uri, pipeline?, message?, model?, streamToken?, requestId?, resume?: requestId} → the result with
    steps, cards and candidates."""
    from inkwright.lsp.running import Running

    args = Arguments("inkwright.runPipeline", given)
    return Running(ls, _wish(ls, args, pipeline=True), args.token("streamToken"), token).start()


def _wish(ls: Session, args: Arguments, *, pipeline: bool = False) -> Wish:
    """What is asked for, with the document as it stands at this moment."""
    from inkwright.lsp.running import Wish

    uri = args.text("uri")
    document = ls.documents.get(uri)
    return Wish(
        ability="" if pipeline else args.text("ability"),
        uri=uri if document is None else document.uri,
        still=None if document is None else document.still(),
        where=args.range("range"),
        message=args.maybe("message"),
        model=args.maybe("model"),
        follow=args.maybe("follow"),
        request_id=args.maybe("requestId") or uuid.uuid4().hex,
        body=args.body("streamToken", "requestId", "show"),
        show=args.flag("show"),
        pipeline=args.maybe("pipeline") if pipeline else None,
        resume=args.maybe("resume") if pipeline else "",
    )


def cancel_run(ls: Session, given: Given, _token: object) -> dict[str, bool]:
    request_id = Arguments("inkwright.cancelRun", given).text("requestId")
    stopped = [running.cancel() for running in ls.running.get(request_id, ())]
    return {"cancelled": any(stopped)}


def show_context(ls: Session, given: Given, _token: object) -> Awaitable[dict[str, str]]:
    args = Arguments("inkwright.showContext", given)
    if "ability" not in given and "pipeline" not in given:
        return _context_of_run(ls, args.text("requestId"))
    return _context_of_wish(ls, _wish(ls, args, pipeline="ability" not in given))


async def _context_of_run(ls: Session, request_id: str) -> dict[str, str]:
    from inkwright.lsp import uris

    studio = await ls.studio()
    await ls.books.everywhere()
    return {"uri": uris.from_path(await studio.context_of(request_id))}


async def _context_of_wish(ls: Session, wish: Wish) -> dict[str, str]:
    from inkwright.lsp import uris
    from inkwright.lsp.running import ask_of

    studio = await ls.current()
    return {"uri": uris.from_path(await studio.context(await ask_of(ls, wish)))}


async def list_runs(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri?, limit?, cursor?} → {runs, next}: newest first; `next` is null after the last page.

    `label` of a run is the name of its ability or pipeline.
    """
    from inkwright.abilities import past, run_shapes

    args = Arguments("inkwright.listRuns", given)
    limit = max(1, min(args.whole("limit") or PAGE, MAX_PAGE))
    before = args.cursor("cursor")
    found = [
        (run, book)
        for book in await _books(ls, args.maybe("uri"))
        for run in await book.state.runs.list(limit=limit + 1, before=before)
    ]
    found.sort(key=lambda row: (-row[0].created_at, row[0].id))
    page = found[:limit]
    last = page[-1][0] if len(found) > limit else None
    studio = await ls.studio()
    libraries = {book.root: await studio.library(book) for book in {b.root: b for _, b in page}.values()}
    rows = [
        run_shapes.stored_run(run, ls.locale) | {"label": past.label(run, libraries[book.root], ls.locale)}
        for run, book in page
    ]
    return {"runs": rows, "next": None if last is None else f"{last.created_at!r}|{last.id}"}


async def get_run(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{requestId, uri?} → the run with its steps and tool calls; of a pipeline with its products, cards and candidates."""
    from inkwright.abilities import past, run_shapes
    from inkwright.domain.errors import InkwrightError
    from inkwright.store.products import every

    args = Arguments("inkwright.getRun", given)
    request_id = args.text("requestId")
    for book in await _books(ls, args.maybe("uri")):
        if (run := await book.state.runs.get(request_id)) is not None:
            state = book.state
            steps, products = await state.runs.steps(run.id), await state.runs.products(run.id)
            value = run_shapes.stored_run(run, ls.locale, steps, every(run.steps, products))
            library = await (await ls.studio()).library(book)
            value["label"] = past.label(run, library, ls.locale)
            if run.pipeline:
                cards, candidates = await past.cards_of(book, run.id)
                value |= {"cards": list(cards), "candidates": list(candidates)}
            return value
    raise InkwrightError("run_unknown", run=request_id)


async def _books(ls: Session, uri: str) -> list[OpenBook]:
    return [await ls.books.at(uri)] if uri else await ls.books.everywhere()
