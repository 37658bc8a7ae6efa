"""The report on a book, as a read-only page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


STEP = 20
"""Chapters between two reports of progress."""


def register(ls: Session) -> None:
    ls.command("inkwright.report")(report)


async def report(ls: Session, given: Mapping[str, Any], token: str | int | None) -> dict[str, str]:
    """{uri, checks?} → {uri} of a read-only Markdown page about the book; `checks` false leaves them out.

    Raises `InkwrightError`: book_needs_folder, page_unwritable.
    """
    from inkwright.abilities import pages
    from inkwright.abilities.report import files, gather, page
    from inkwright.lsp import uris
    from inkwright.store import locations

    args = Arguments("inkwright.report", given)
    checked = args.flag("checks") if "checks" in given else True
    book = await ls.books.at(args.text("uri"))
    studio = await ls.studio()
    task = asyncio.current_task()
    cancel = task.cancel if task is not None else None
    work = ls.progress_bars.begin(ls.tr("report_progress"), token=token, cancel=cancel, measured=True)

    def told(done: int, count: int) -> None:
        if done % STEP == 0:
            work.report(ls.tr("report_reading", done=done, count=count), 100 * done / max(1, count))

    try:
        made = await gather.gather(studio, book, ls.locale, checked=checked, progress=told)
    finally:
        work.end()

    to = files.links(book.root, locations.pages_folder())
    text = page.page(made, ls.locale, now=datetime.now().astimezone(), to=to)
    kept = await asyncio.to_thread(pages.keep, f"report {book.root}", text)
    return {"uri": uris.from_path(kept)}
