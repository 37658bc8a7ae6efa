"""Document links: to cards, chapters, files and pages. A link that leads nowhere has no target."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from inkwright.lsp.linking import Lead
    from inkwright.lsp.session import Session
    from inkwright.lsp.still import Still
    from inkwright.manuscript.links import Link


def register(ls: Session) -> None:
    ls.feature(t.TEXT_DOCUMENT_DOCUMENT_LINK)(links)


def links(ls: Session, params: t.DocumentLinkParams) -> Awaitable[list[dict[str, Any]] | None] | None:
    document = ls.documents.get(params.text_document.uri)
    if document is None or not document.prose:
        return None
    return _links(ls, document.still())


async def _links(ls: Session, still: Still) -> list[dict[str, Any]] | None:
    from inkwright.lsp import aside, linking

    if not (await ls.studio()).settings.links:
        return None
    still, found = await aside.whole(still, _find, newest=True)
    if not found:
        return []
    book = await ls.books.of(still.path)
    leads = await linking.leads(ls, book, still, found)
    return await aside.whole(still, partial(_rows, ls, leads))


def _find(still: Still) -> tuple[Still, list[Link]]:
    from inkwright.manuscript import links

    return still, links.find(still.text, still.parsed)


def _rows(ls: Session, leads: Sequence[Lead], still: Still) -> list[dict[str, Any]]:
    from inkwright.lsp.convert import plain

    out: list[dict[str, Any]] = []
    for lead in leads:
        link: dict[str, Any] = {"range": plain(still.lines.range(lead.span, ls.encoding))}
        if lead.uri:
            line = "" if lead.where is None else f"#L{lead.where['start']['line'] + 1}"
            link["target"] = lead.uri + line
        else:
            link["tooltip"] = ls.tr("link_broken", target=lead.span.of(still.text))
        out.append(link)
    return out
