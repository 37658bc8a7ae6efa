"""How a run ended, for an editor that shows nothing of it by itself: a sentence, and the answer as a page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as t

from inkwright.i18n import render

if TYPE_CHECKING:
    from inkwright.abilities.asks import RunResult
    from inkwright.lsp.session import Session

SHOWN = 300
"""Characters of an answer that stand in the sentence itself."""


async def tell(ls: Session, result: RunResult, title: str) -> None:
    """Nothing of a run that was cancelled: whoever did that knows."""
    if result.status == "cancelled":
        return
    if result.fault is not None:
        kind = t.MessageType.Error if result.status == "failed" else t.MessageType.Warning
        ls.client.show(ls.tr("told_fault", title=title, text=render(result.fault, ls.locale)), kind)
    if result.status == "failed":
        return
    if result.proposal is not None and result.proposal.hunks:
        count = len(result.proposal.hunks)
        ls.client.show(ls.tr("told_hunks", title=title, count=count), t.MessageType.Info)
    elif result.text.strip():
        await _page(ls, result, title)


async def _page(ls: Session, result: RunResult, title: str) -> None:
    from inkwright.domain.errors import InkwrightError

    try:
        await page(ls, f"answer {result.request_id}", title, result.text)
    except InkwrightError as error:
        ls.notice(error.fault)


async def page(ls: Session, key: str, title: str, text: str) -> str:
    """Shows a text as a page, or says where it is; gives its URI. One key is one page. Raises `InkwrightError`."""
    from inkwright.abilities import pages
    from inkwright.lsp import uris

    text = text.strip()
    uri = uris.from_path(await asyncio.to_thread(pages.keep, key, f"# {title}\n\n{text}\n"))
    if ls.client.can.show_document:
        shown = await ls.client.ask(t.WINDOW_SHOW_DOCUMENT, {"uri": uri, "takeFocus": False})
        if isinstance(shown, dict) and shown.get("success") is True:
            return uri
    short = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    ls.client.show(ls.tr("told_answer", title=title, text=short, page=uri), t.MessageType.Info)
    return uri
