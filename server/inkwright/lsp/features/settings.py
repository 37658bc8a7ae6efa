"""Settings that change while the server runs: the client's, and the user's file, which is looked at when it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp.latest import Latest
from inkwright.lsp.protocol import SECTION

if TYPE_CHECKING:
    from inkwright.lsp.documents import Document, Event
    from inkwright.lsp.session import Session

STIR = 0.1
"""Seconds in which several looks at the user's file are one."""


def register(ls: Session) -> None:
    ls.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    ls.when_open(follow)
    looked: Latest[None] = Latest(STIR, lambda _: ls.reconfigure(if_changed=True), ls.spawn)

    def stirred(_document: Document, event: Event) -> None:
        # The user's file is not watched everywhere.
        if event in ("opened", "saved"):
            looked.call(None)

    ls.documents.listen(stirred)


async def follow(ls: Session) -> None:
    """Asks to be told: clients that pull configuration do not push it unasked."""
    if ls.client.can.follow_configuration:
        await ls.client.register(t.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})


async def did_change_configuration(ls: Session, params: t.DidChangeConfigurationParams) -> None:
    pushed: Any = params.settings
    if isinstance(pushed, dict) and isinstance(section := pushed.get(SECTION), dict):
        ls.options = section
    await ls.reconfigure()
