"""describeImage: a picture goes to a model that sees, because the writer asked for it and for nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.command("inkwright.describeImage")(describe)


def describe(ls: Session, given: Mapping[str, Any], token: str | int | None) -> Awaitable[dict[str, Any]]:
    """{uri, range? | position? | path?, message?, model?, streamToken?, requestId?, show?} → the result of a run.

    `path` is the file as the document names it. The proposal has two hunks: the alternative text, and a
    description below the picture; what is uncertain stands among their findings.
    """
    from inkwright.lsp.running import Running, Wish

    args = Arguments("inkwright.describeImage", given)
    uri = args.text("uri")
    document = ls.documents.get(uri)
    place = given.get("position")
    where = Arguments("inkwright.describeImage", {"range": {"start": place, "end": place}}) if place else args
    wish = Wish(
        ability="image",
        uri=uri if document is None else document.uri,
        still=None if document is None else document.still(),
        where=where.range("range"),
        message=args.maybe("message"),
        model=args.maybe("model"),
        follow="",
        request_id=args.maybe("requestId") or uuid.uuid4().hex,
        body=args.body("streamToken", "requestId", "show"),
        image=args.maybe("path"),
        show=args.flag("show"),
    )
    return Running(ls, wish, args.token("streamToken"), token).start()
