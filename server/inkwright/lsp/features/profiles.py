"""listProfiles: the abilities and domains that a client can offer, in its language; no prompt in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from inkwright.lsp.arguments import Arguments

if TYPE_CHECKING:
    from inkwright.lsp.session import Session

COMMAND = "inkwright.listProfiles"


def register(ls: Session) -> None:
    ls.command(COMMAND)(list_profiles)


async def list_profiles(ls: Session, given: Mapping[str, Any], _token: object) -> list[dict[str, Any]]:
    """Those of the book of `uri`; without one, those of all open books."""
    from inkwright.abilities import shapes

    uri = Arguments(COMMAND, given).maybe("uri")
    studio = await ls.studio()
    library = await (studio.library(await ls.books.at(uri)) if uri else studio.all_profiles())
    return [shapes.profile(one, ls.locale) for one in (*library.abilities(), *library.domains())]
