"""Cards and facts that wait, in editors that have no view of them: code actions on their chapter and card, and a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.abilities.facts import Waiting
    from inkwright.domain.cards import Candidate
    from inkwright.domain.text import Span
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.workspace import OpenBook

Found = tuple[tuple["Candidate", ...], tuple["Waiting", ...]]

MOST = 20
"""Facts of one place that are offered by themselves."""


def register(ls: Session) -> None:
    ls.command("inkwright.showCandidates")(show)


def show(ls: Session, given: Mapping[str, Any], _token: object) -> Awaitable[dict[str, str]]:
    """{uri} → {uri} of a page that lists what waits for the chapter or card, in a client that can be shown one."""
    return _show(ls, Arguments("inkwright.showCandidates", given).text("uri"))


async def offers(
    ls: Session, still: Still, book: OpenBook | None, span: Span
) -> list[tuple[str, str, dict[str, Any]]]:
    """Titles, commands and arguments: of the facts whose quotations the selection touches, then of all."""
    from inkwright.abilities import candidates
    from inkwright.domain.errors import InkwrightError

    if book is None or book.index is None or still.path is None or not book.index.ready.is_set():
        return []
    here = book.relative(still.path)
    try:
        found = await candidates.at(book, here)
    except InkwrightError:  # what is kept cannot be read: who asks for it is told so
        return []
    every = candidates.ids(found)
    if not every:
        return []
    out: list[tuple[str, str, dict[str, Any]]] = []
    touched = (w for w in found[1] if w.candidate.fact.source == here and w.span.touches(span))
    for one in islice(touched, MOST):
        fact = one.candidate.fact
        argument: dict[str, Any] = {"uri": still.uri, "ids": [one.candidate.id]}
        said = {"name": fact.name, "key": one.key, "value": fact.value}
        out.append(
            (ls.tr("action_fact_accept", **said), "inkwright.acceptCandidates", {**argument, "show": True})
        )
        out.append((ls.tr("action_fact_reject", **said), "inkwright.rejectCandidates", argument))
    if sound := candidates.sound(found):
        argument = {"uri": still.uri, "ids": sound, "show": True}
        title = ls.tr("action_candidates_accept", count=len(sound))
        out.append((title, "inkwright.acceptCandidates", argument))
    title = ls.tr("action_candidates_list", count=len(every))
    return [*out, (title, "inkwright.showCandidates", {"uri": still.uri})]


async def _show(ls: Session, uri: str) -> dict[str, str]:
    from inkwright.abilities import candidates
    from inkwright.lsp import telling, uris

    book, path = await ls.books.at(uri), uris.path(uri)
    await book.ready()
    found = await candidates.waiting(book) if path is None else await candidates.at(book, book.relative(path))
    title = ls.tr("candidates_page", count=len(candidates.ids(found)))
    text = await asyncio.to_thread(_page, ls, book, found)
    return {"uri": await telling.page(ls, f"candidates {uri}", title, text)}


def _page(ls: Session, book: OpenBook, found: Found) -> str:
    """Each with what it says, against what, and the words that it rests on."""
    parts: list[str] = []
    for card in (one.card for one in found[0]):
        parts += [
            f"## {card.title}",
            card.content.strip(),
            _quoted(card.quote),
            _place(ls, book, card.source),
        ]
    for one in found[1]:
        fact = one.candidate.fact
        parts += [f"## {fact.name} · {one.key}", fact.value]
        parts += [ls.tr("fact_against", value=one.against)] if one.against else []
        parts += [_quoted(fact.quote), _place(ls, book, fact.source)]
    return "\n\n".join(filter(None, parts))


def _quoted(text: str) -> str:
    from inkwright.domain.text import EOL

    return "\n".join(f"> {line}" for line in EOL.split(text)) if text else ""


def _place(ls: Session, book: OpenBook, source: str) -> str:
    return f"[{source}](<{ls.documents.uri(book.root / source)}>)" if source else ""
