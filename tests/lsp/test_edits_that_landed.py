"""What an editor did counts, not what it managed to say about it."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_edit_that_landed_is_accepted_though_the_editor_denied_it(editor) -> None:
    """An editor that makes the edit and then answers `applied: false` has accepted it: nothing is stale."""
    uri = editor.open("第三章.md", "林夏到的时候,船已经走了。\n\n她数了数铜钱:十七枚...\n")
    result = await editor.run("polish", "第三章.md")
    hunks = [hunk["index"] for hunk in result["proposal"]["hunks"]]
    assert hunks

    def denies(params):
        editor.apply(params["edit"])
        return {"applied": False}

    editor.client.answers["workspace/applyEdit"] = denies
    verdict = await editor.client.command(
        "inkwright.acceptProposal", {"proposalId": result["proposal"]["id"], "hunks": hunks}
    )
    assert verdict == {"applied": hunks, "stale": [], "rejected": []}
    assert editor.texts[uri] == result["proposal"]["text"]
