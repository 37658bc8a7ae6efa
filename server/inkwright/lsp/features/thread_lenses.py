"""A code lens on a chapter's title: the threads that it sets up, goes on with, has due and pays; and the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.domain.text import Encoding, Range
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still

SHOWN = 6


def register(ls: Session) -> None:
    ls.command("inkwright.threads")(threads)


async def threads(ls: Session, given: Mapping[str, Any], _token: object) -> dict[str, Any]:
    """{uri} → {threads}: the ledger of the book, as `inkwright threads --json` has it."""
    import asyncio

    from inkwright.abilities.ledger import threads as rows

    book = await ls.books.at(Arguments("inkwright.threads", given).text("uri"))
    index = book.files
    await book.ready()
    return {"threads": await asyncio.to_thread(rows, index.chapters())}


async def lenses(ls: Session, still: Still) -> list[dict[str, Any]]:
    """At most one lens, for a chapter that names threads. It hangs on the book as of the last pause in the typing."""
    import asyncio

    from inkwright.lsp import aside
    from inkwright.lsp.convert import plain

    studio = await ls.studio()
    book = await ls.books.of(still.path)
    if not studio.settings.thread_lens or still.path is None or book.index is None:
        return []
    overview, order = book.index.overview(), book.index.order(fresh=False)
    at = order.index(book.relative(still.path))
    if at is None or order.chapters[at].meta.get("threads") is None:
        return []
    said = [_said(ls, row, at) for row in await asyncio.to_thread(overview.ledger)]
    told = [one for one in said if one]
    if not told:
        return []
    named = ls.tr("list_comma").join(told[:SHOWN]) + ("…" if len(told) > SHOWN else "")
    where = plain(await aside.whole(still, partial(_title, ls.encoding)))
    return [{"range": where, "command": {"title": ls.tr("lens_threads", threads=named), "command": ""}}]


def _said(ls: Session, row: Any, at: int) -> str:
    """What a chapter does with a thread; '' where nothing."""
    states = [state for state in ("planted", "progress", "paid") if at in getattr(row, state)]
    if row.due == at:
        states.insert(0, "due")
    if not states:
        return ""
    said = ls.tr(f"thread_{states[-1] if 'paid' in states else states[0]}")
    if row.standing in ("overdue", "unpaid", "unplanted"):
        return ls.tr("lens_thread_due", name=row.name, said=said, due=ls.tr(f"standing_{row.standing}"))
    return ls.tr("lens_thread", name=row.name, said=said)


def _title(encoding: Encoding, still: Still) -> Range:
    from inkwright.domain.text import Span

    parsed = still.parsed
    first = next((p.span.start for p in parsed.paragraphs if p.prose), parsed.frontmatter.body_start)
    return still.lines.range(Span(first, first), encoding)
