"""An acceptance that never reached the file: its hunks wait again, however the text was left."""

from __future__ import annotations

import pytest

TEXT = "林夏到的时候,船已经走了。\n\n她数了数铜钱:十七枚...\n"
NAME = "未存.md"


async def waiting(editor, uri: str) -> list[int]:
    found = await editor.client.command("inkwright.listProposals", {"uri": uri})
    return [hunk["index"] for proposal in found for hunk in proposal["hunks"] if not hunk.get("stale")]


async def accept(editor, proposal: str, hunks: list[int]) -> None:
    verdict = await editor.client.command(
        "inkwright.acceptProposal", {"proposalId": proposal, "hunks": hunks}
    )
    assert verdict["applied"] == hunks


def save(editor, uri: str, *, told: bool = True) -> None:
    (editor.root / NAME).write_bytes(editor.texts[uri].encode())
    if told:
        editor.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def leave(editor, uri: str) -> None:
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.fixture
async def begun(start, book):
    """A chapter whose hunks wait, in an editor that was just started."""
    (book / NAME).write_text(TEXT, "utf-8")
    editor = await start()
    uri = editor.open(NAME)
    proposal = (await editor.run("polish", NAME))["proposal"]
    hunks = [hunk["index"] for hunk in proposal["hunks"]]
    assert len(hunks) >= 2
    return editor, uri, proposal["id"], hunks


async def test_closed_without_saving(begun):
    """What was accepted before the last save stays accepted; what came after it waits again, typing or not."""
    editor, uri, proposal, hunks = begun
    await accept(editor, proposal, hunks[:1])
    save(editor, uri)
    editor.type(uri, len(editor.texts[uri]), "她上了岸。\n")
    await accept(editor, proposal, hunks[1:])
    assert await waiting(editor, uri) == []
    leave(editor, uri)
    assert await waiting(editor, uri) == hunks[1:]
    editor.open(NAME)
    assert await waiting(editor, uri) == hunks[1:]
    await accept(editor, proposal, hunks[1:])
    save(editor, uri)
    leave(editor, uri)
    assert await waiting(editor, uri) == []


@pytest.mark.parametrize("told", [True, False])
async def test_saved_and_closed(begun, told):
    """It stays accepted, whether the client tells of the saving or not."""
    editor, uri, proposal, hunks = begun
    await accept(editor, proposal, hunks)
    save(editor, uri, told=told)
    leave(editor, uri)
    assert await waiting(editor, uri) == []


async def test_an_undo_that_was_not_saved(begun):
    """The file has the new words still, so they are accepted."""
    editor, uri, proposal, hunks = begun
    await accept(editor, proposal, hunks)
    save(editor, uri)
    editor.type(uri, 0, TEXT, delete=len(editor.texts[uri]))
    assert await waiting(editor, uri) == hunks
    leave(editor, uri)
    editor.open(NAME)
    assert await waiting(editor, uri) == []


@pytest.mark.parametrize("how", ["quit", "eof"])
async def test_the_editor_ends(begun, start, how):
    """It comes back with the file, and the hunk waits; or with the text that it has kept, and it does not."""
    editor, uri, proposal, hunks = begun
    await accept(editor, proposal, hunks[:1])
    if how == "quit":
        await editor.client.quit()
    else:
        editor.client.eof()
        await editor.client.ended()
    again = await start()
    again.open(NAME, editor.texts[uri])
    assert await waiting(again, uri) == hunks[1:]
    leave(again, uri)
    again.open(NAME)
    assert await waiting(again, uri) == hunks


async def test_the_file_is_gone(begun):
    """A chapter that was deleted before it was closed: nothing is decided about it."""
    editor, uri, proposal, hunks = begun
    await accept(editor, proposal, hunks)
    (editor.root / NAME).unlink()
    leave(editor, uri)
    assert await waiting(editor, uri) == []
