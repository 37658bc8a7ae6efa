"""The client's settings, which change while the server runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from inkwright.lsp.protocol import SECTION

if TYPE_CHECKING:
    from inkwright.lsp.session import Session


def register(ls: Session) -> None:
    ls.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    ls.when_open(follow)


async def follow(ls: Session) -> None:
    """Asks to be told: clients that pull configuration do not push it unasked."""
    if ls.client.can.follow_configuration:
        await ls.client.register(t.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})


def did_change_configuration(ls: Session, params: t.DidChangeConfigurationParams) -> Awaitable[None]:
    """Begun at once: whatever the client asks for behind it finds it under way."""
    pushed: Any = params.settings
    if isinstance(pushed, dict) and isinstance(section := pushed.get(SECTION), dict):
        ls.options = section
    return asyncio.shield(ls.configuring.begin(if_changed=False, told=True))
