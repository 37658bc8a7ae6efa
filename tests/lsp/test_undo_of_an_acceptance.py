"""An undo that takes an acceptance back brings its hunks back; a redo accepts them again."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = "林夏到的时候,船已经走了。\n\n她数了数铜钱:十七枚...\n"


def becomes(editor, uri: str, text: str) -> None:
    """An undo or a redo, as an editor tells it: a change like any other."""
    editor.type(uri, 0, text, delete=len(editor.texts[uri]))


async def waiting(editor, uri: str) -> list[int]:
    found = await editor.client.command("inkwright.listProposals", {"uri": uri})
    return [hunk["index"] for proposal in found for hunk in proposal["hunks"] if not hunk.get("stale")]


async def accept(editor, proposal: str, hunks: list[int]) -> None:
    argument = {"proposalId": proposal, "hunks": hunks}
    verdict = await editor.client.command("inkwright.acceptProposal", argument)
    assert verdict == {"applied": hunks, "stale": [], "rejected": []}


async def begun(editor, name: str) -> tuple[str, str, list[int]]:
    uri = editor.open(name, TEXT)
    proposal = (await editor.run("polish", name))["proposal"]
    hunks = [hunk["index"] for hunk in proposal["hunks"]]
    assert len(hunks) >= 2
    return uri, proposal["id"], hunks


async def test_an_undone_hunk_waits_again_and_a_redone_one_does_not(editor) -> None:
    """Step by step, as they were accepted; the same hunk can then be accepted anew, and the lenses come back."""
    uri, proposal, hunks = await begun(editor, "撤销一.md")
    await accept(editor, proposal, hunks[:1])
    first = editor.texts[uri]
    await accept(editor, proposal, hunks[1:])
    second = editor.texts[uri]
    assert await waiting(editor, uri) == []
    becomes(editor, uri, first)
    assert await waiting(editor, uri) == hunks[1:]
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks
    lenses = await editor.client.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert any(one["command"]["command"] == "inkwright.acceptProposal" for one in lenses)
    becomes(editor, uri, first)
    assert await waiting(editor, uri) == hunks[1:]
    becomes(editor, uri, second)
    assert await waiting(editor, uri) == []
    becomes(editor, uri, TEXT)
    becomes(editor, uri, first)
    becomes(editor, uri, TEXT)
    await accept(editor, proposal, hunks[:1])
    assert editor.texts[uri] == first
    assert await waiting(editor, uri) == hunks[1:]


@pytest.mark.parametrize("typed", ["", "她上了岸。\n"])
async def test_several_undos_that_are_told_as_one_change(editor, typed) -> None:
    """An editor that waits a moment before it tells leaves the texts in between out: all that is gone from the text waits,
    all that is in it again does not, with or without something typed between two acceptances."""
    uri, proposal, hunks = await begun(editor, f"撤销{len(typed)}.md")
    await accept(editor, proposal, hunks[:1])
    first = editor.texts[uri]
    editor.type(uri, len(first), typed)
    await accept(editor, proposal, hunks[1:])
    second = editor.texts[uri]
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks
    becomes(editor, uri, second)
    assert await waiting(editor, uri) == []
    becomes(editor, uri, first)
    assert await waiting(editor, uri) == hunks[1:]
    becomes(editor, uri, second)
    assert await waiting(editor, uri) == []


async def test_an_undo_over_all_that_was_done_since(editor) -> None:
    """Back to the text that was polished in one step, over what was typed and accepted: all of it waits again."""
    uri, proposal, hunks = await begun(editor, "撤销九.md")
    editor.type(uri, len(editor.texts[uri]), "她上了岸。\n")
    await accept(editor, proposal, hunks[:1])
    editor.type(uri, len(editor.texts[uri]), "天黑了。\n")
    await accept(editor, proposal, hunks[1:])
    assert await waiting(editor, uri) == []
    last = editor.texts[uri]
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks
    becomes(editor, uri, last)
    assert await waiting(editor, uri) == []


async def test_what_was_undone_before_another_was_accepted_does_not_come_back_with_it(editor) -> None:
    """A redo brings back what stood when it was made, and no more."""
    uri, proposal, hunks = await begun(editor, "撤销五.md")
    await accept(editor, proposal, hunks[:1])
    becomes(editor, uri, TEXT)
    await accept(editor, proposal, hunks[1:])
    other = editor.texts[uri]
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks
    becomes(editor, uri, other)
    assert await waiting(editor, uri) == hunks[:1]


async def test_what_is_undone_and_rejected_stays_so(editor) -> None:
    """A redo does not overrule what the writer decided in between."""
    uri, proposal, hunks = await begun(editor, "撤销二.md")
    await accept(editor, proposal, hunks)
    after = editor.texts[uri]
    becomes(editor, uri, TEXT)
    argument = {"proposalId": proposal, "hunks": hunks[:1]}
    assert (await editor.client.command("inkwright.rejectProposal", argument))["rejected"] == hunks[:1]
    becomes(editor, uri, after)
    assert await waiting(editor, uri) == []
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks[1:]


async def test_old_words_in_another_text_are_no_undo(editor) -> None:
    """Typed by hand in a text that has changed they are the writer's own: nothing is asked about them anew."""
    uri, proposal, hunks = await begun(editor, "撤销三.md")
    await accept(editor, proposal, hunks)
    becomes(editor, uri, f"{TEXT}她上了岸。\n")
    assert await waiting(editor, uri) == []
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks


async def test_edits_that_a_client_made_by_itself_can_be_undone(editor) -> None:
    """It tells that it made them; what the text was before follows from the proposal."""
    uri, _, hunks = await begun(editor, "撤销四.md")
    [found] = await editor.client.command("inkwright.listProposals", {"uri": uri})
    hunk = found["hunks"][0]
    start = editor.offset(uri, hunk["range"]["start"])
    editor.type(uri, start, hunk["after"], delete=len(hunk["before"]))
    argument = {"proposalId": found["id"], "hunks": hunks[:1], "applied": True}
    await editor.client.command("inkwright.acceptProposal", argument)
    assert editor.texts[uri] != TEXT
    assert await waiting(editor, uri) == hunks[1:]
    becomes(editor, uri, TEXT)
    assert await waiting(editor, uri) == hunks
