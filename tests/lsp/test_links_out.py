"""A chapter that is a link out of the book goes to a model from the editor alone, never from the disk."""

from __future__ import annotations

import sys

import pytest

NAME = "日记.md"
SECRET = "别人的秘密,没有人知道。\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
async def test_what_lies_outside_is_not_sent(start, own_model, book, tmp_path):
    """Neither as an ability nor as a pipeline; what the writer has opened is the writer's own text."""
    own_model.answer = ["好。"]
    outside = tmp_path / "别处.md"
    outside.write_text(SECRET, "utf-8")
    (book / NAME).symlink_to(outside)
    (book / "book.toml").write_text('type = "breakdown"\nlanguage = "zh-CN"\n', "utf-8")
    editor = await start(env=own_model.environment())
    given = {"uri": editor.uri(NAME)}
    runs = [
        await editor.run("analysis", NAME),
        await editor.client.command("inkwright.runPipeline", given),
    ]
    for result in runs:
        assert (result["status"], result["error"]["code"]) == ("failed", "link_outside")
        assert NAME in result["error"]["message"]
    assert own_model.requests == []
    editor.open(NAME, SECRET)
    result = await editor.run("analysis", NAME)
    assert (result["status"], result["error"]) == ("completed", None)
    assert own_model.requests
