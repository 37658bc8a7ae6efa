"""listProfiles, createProfile: what a client can offer, in its language; and word to it when that has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from inkwright.lsp.arguments import Arguments
from inkwright.lsp.latest import Latest

if TYPE_CHECKING:
    from inkwright.library.registry import Library
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session

LIST = "inkwright.listProfiles"
CREATE = "inkwright.createProfile"
CHANGED = "$/inkwright/profilesChanged"
"""A notification without parameters: who shows profiles asks for them anew. Others may pass it over."""
STIR = 0.1
"""Seconds in which several files that change are one change."""

Given = Mapping[str, Any]


def register(ls: Session) -> None:
    ls.command(LIST)(list_profiles)
    ls.command(CREATE)(create_profile)
    told: Latest[None] = Latest(STIR, lambda _: _changed(ls), ls.spawn)
    ls.profiles_changed = lambda: told.call(None)
    looked: Latest[None] = Latest(STIR, lambda _: look(ls), ls.spawn)

    def follow(_document: Document, event: Event) -> None:
        # The user's folder is not watched everywhere, and not every client watches a book's.
        if event in ("opened", "saved"):
            looked.call(None)

    ls.documents.listen(follow)


async def list_profiles(ls: Session, given: Given, _token: object) -> list[dict[str, Any]]:
    """Those of the book of `uri`; without one, those of all open books. No prompt is in it."""
    from inkwright.abilities import shapes

    uri = Arguments(LIST, given).maybe("uri")
    studio = await ls.studio()
    library = await (studio.library(await ls.books.at(uri)) if uri else _all(ls))
    return [shapes.profile(one, ls.locale) for one in (*library.abilities(), *library.domains())]


async def create_profile(ls: Session, given: Given, _token: object) -> dict[str, Any]:
    """{uri, name, id?, home?: book or user} → {uri, id, home, trusted, message}: a new ability's commented file.

    It stands in the book of `uri` where that is one of its own and trusted, else among the user's. `message` says why it is
    not used yet, null where it is.
    """
    from pygls.exceptions import JsonRpcInvalidParams

    from inkwright.abilities import profile_files

    args = Arguments(CREATE, given)
    uri, name, id_, home = args.text("uri"), args.maybe("name"), args.maybe("id"), args.maybe("home")
    if home not in ("", "book", "user"):
        raise JsonRpcInvalidParams(f"{CREATE}: home must be book or user")
    studio = await ls.studio()
    book = await ls.books.at(uri)
    made = await profile_files.create(studio, book, name, id_, cast("profile_files.Home", home) or None)
    await _all(ls)  # clients are told at once, whether they watch files or not
    return {
        "uri": ls.documents.uri(made.path),
        "id": made.id,
        "home": made.home,
        "trusted": made.trusted,
        "message": None if made.trusted else ls.tr("profiles_untrusted", root=str(book.root)),
    }


async def look(ls: Session) -> None:
    """Files of profiles may have changed: they are looked at, and clients told."""
    studio = await ls.studio()
    if await asyncio.to_thread(studio.libraries.look):  # it waits for who reads them just now
        await _all(ls)


async def _all(ls: Session) -> Library:
    """Those of the books of all folders and documents, be they just being opened."""
    await ls.books.everywhere()
    return await (await ls.studio()).all_profiles()


async def _changed(ls: Session) -> None:
    ls.client.notify(CHANGED, {})
    if any(document.path is not None and "profiles" in document.path.parts for document in ls.documents):
        ls.checks.changed(None)  # what is wrong with one hangs on the others
    await ls.client.refresh_lenses()
