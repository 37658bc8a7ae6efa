"""Server and clients name the same things."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from inkwright.lsp import features, protocol
from inkwright.lsp.session import Session

ROOT = Path(__file__).parents[2]
CLIENTS = {
    "vscode": ROOT / "clients/vscode/src/protocol.ts",
    "neovim": ROOT / "clients/neovim/lua/inkwright/protocol.lua",
}

EVENTS = {
    "vscode": re.compile(r"event: ((?:'\w+'(?: \| )?)+);"),
    "neovim": re.compile(r"M\.EVENTS = \{(.*?)\}"),
}


async def _nothing(**_: object) -> None:
    return None


@pytest.fixture
async def session() -> Session:
    return Session(_nothing)  # type: ignore[arg-type]


async def test_the_server_has_every_command_and_no_other(session):
    """The commands that features register are those of the protocol."""
    assert sorted(session.protocol.fm.commands) == sorted(protocol.COMMANDS)


def test_the_terminal_events_are_events():
    """The three that end a stream are events of it."""
    assert set(get_args(protocol.StreamEvent)) > protocol.TERMINAL


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_a_client_names_what_the_server_defines(client):
    """The commands and stream events in a client's protocol file are exactly the server's."""
    text = CLIENTS[client].read_text("utf-8")
    named = set(re.findall(r"""["'](inkwright\.[a-z][A-Za-z]*)["']""", text))
    assert named == set(protocol.COMMANDS)
    events = {word for stretch in EVENTS[client].findall(text) for word in re.findall(r"'(\w+)'", stretch)}
    assert events == set(get_args(protocol.StreamEvent))


def test_a_feature_is_a_file_with_register():
    """Every module of `features` registers itself: adding one means adding its file."""
    import importlib

    assert features.names()
    for name in features.names():
        module = importlib.import_module(f"inkwright.lsp.features.{name}")
        assert callable(module.register)
        assert module.__doc__
