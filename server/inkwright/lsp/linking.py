"""Where the links of a document lead."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inkwright.domain.text import Span
from inkwright.lsp import aside

if TYPE_CHECKING:
    from inkwright.domain.manuscript import Heading
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.links import Link
    from inkwright.workspace import OpenBook


class Lead(NamedTuple):
    """A link of a document. `uri` is '' when it leads nowhere; `where` a place in the text that it leads to."""

    span: Span
    uri: str
    where: dict[str, Any] | None = None


async def at(ls: Session, book: OpenBook, still: Still, offset: int) -> Lead | None:
    """Where the link that `offset` touches leads; None where there is none, or it leads nowhere."""
    from inkwright.manuscript import links

    await aside.part(still, Span(offset, offset))
    found = links.at(still.text, still.near(offset), offset)
    if found is None or found.kind == "url":
        return None
    (lead,) = await leads(ls, book, still, [found], far=True)
    return lead if lead.uri else None


async def leads(
    ls: Session, book: OpenBook, still: Still, found: Sequence[Link], *, far: bool = False
) -> list[Lead]:
    """Where links lead, in their order. `far` looks up anchors in other files too, which reads them."""
    from inkwright.manuscript.links import Targets

    index, here = book.index, "" if still.path is None else book.relative(still.path)
    if index is not None:
        await book.ready()
    targets = Targets(*((index.cards(), index.chapters()) if index else ((), ())), here)
    others = {path for link in found if link.kind == "path" for path in targets.path(link)}
    there = await _there(book, others)
    out: list[Lead] = []
    for link in found:
        if link.kind == "url":
            out.append(Lead(link.span, link.target))
            continue
        if link.kind == "path":
            path = next((spelled for p in targets.path(link) if (spelled := there.get(p))), "")
        else:
            path = targets.wiki(link) if link.kind == "wiki" else targets.chapter(link)
        own = path == here and not link.target
        uri = still.uri if own else ls.documents.uri(book.root / path) if path else ""
        where = None
        if uri and link.anchor and (own or far):
            where = await _heading(ls, book, still, "" if own else path, link.anchor)
            uri = uri if where is not None or not own else ""
        out.append(Lead(link.span, uri, where))
    return out


async def _there(book: OpenBook, paths: Iterable[str]) -> dict[str, str]:
    """Of paths in the book those that there are, each as it is spelled."""
    if book.index is None:
        return {}
    known = {path: book.index.spelled(path) for path in paths}
    missing = [path for path, spelled in known.items() if not spelled]
    if missing:
        found = await asyncio.to_thread(_existing, book.root, missing)
        known |= {path: path for path in found}
    return known


def _existing(root: Path, paths: Iterable[str]) -> list[str]:
    """Those that lie in the book, links followed."""
    out: list[str] = []
    for path in paths:
        try:
            found = (root / path).resolve()
            if found.exists() and found.is_relative_to(root.resolve()):
                out.append(path)
        except (OSError, ValueError, RuntimeError):
            continue
    return out


async def _heading(
    ls: Session, book: OpenBook, still: Still, path: str, anchor: str
) -> dict[str, Any] | None:
    """The heading that an anchor means, in this document (`path` '') or another; None when there is none."""
    from inkwright.domain.errors import InkwrightError
    from inkwright.domain.text import Lines
    from inkwright.lsp.convert import plain
    from inkwright.manuscript import links, markdown

    lines: Lines
    headings: Sequence[Heading]
    if path:
        try:
            text = await book.files.text(path)
        except InkwrightError:  # no text of the book: an image, or gone
            return None
        lines, headings = Lines(text), markdown.scan(text).headings
    else:
        await aside.read(still)
        lines, headings = still.lines, still.parsed.headings
    heading = links.anchor(headings, anchor)
    return None if heading is None else plain(lines.range(heading.span, ls.encoding))
