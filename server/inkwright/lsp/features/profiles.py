"""listProfiles: the abilities and domains that a client can offer, in its language; no prompt in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.command("inkwright.listProfiles")(list_profiles)


async def list_profiles(ls: Session, _given: Mapping[str, Any], _token: object) -> list[dict[str, Any]]:
    from inkwright.abilities import shapes

    library = (await ls.studio()).library
    return [shapes.profile(one, ls.locale) for one in (*library.abilities(), *library.domains())]
