"""Breaks in continuity as an editor sees them: the other place linked, the card edited, the chapter marked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ABLE = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix"]}}},
    },
}

CARD = "---\ntype: 角色\nname: 秦九\n# 𠮷 不要改\nfacts:\n  - {key: 生死, value: 死, from: 第一章}\n---\n"
HERE = "# 第三章\n\n𠮷野。“走吧。”秦九推开门，说。\n"


async def call(editor, method, uri, **more):
    return await editor.client.call(method, {"textDocument": {"uri": uri}, **more})


async def offered(editor, uri, piece):
    at = editor.find(uri, piece)
    where = editor.range(uri, at, at + len(piece))
    context = {"diagnostics": [], "only": ["quickfix"]}
    return await call(editor, "textDocument/codeAction", uri, range=where, context=context)


def _edits(action):
    edit = action["edit"]
    if "documentChanges" in edit:
        return {c["textDocument"]["uri"]: c["edits"] for c in edit["documentChanges"]}
    return edit["changes"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_a_dead_man_speaks(start, encoding):
    """The finding stands on the name in every encoding, the card's entry is the related place, and what is offered
    marks the chapter or adds to the card; when the text is mended nothing is said any more."""
    editor = await start(encoding=encoding, capabilities=ABLE)
    (editor.root / "角色").mkdir(exist_ok=True)
    card = editor.open("角色/秦九.md", CARD)
    uri = editor.open("第三章.md", HERE)
    dead = lambda items: [one for one in items if one["code"] == "continuity_dead"]  # noqa: E731
    (found,) = dead(await editor.diagnostics(uri, dead))
    assert editor.piece(uri, found["range"]) == "秦九"
    assert found["severity"] == 3
    (related,) = found["relatedInformation"]
    assert Path(unquote(urlsplit(related["location"]["uri"]).path)).name == "秦九.md"
    assert editor.piece(card, related["location"]["range"]) == "{key: 生死, value: 死, from: 第一章}"
    actions = {action["title"]: action for action in await offered(editor, uri, "秦九")}
    mark = next(action for title, action in actions.items() if "倒叙" in title)
    if "edit" not in mark:
        mark = await editor.client.call("codeAction/resolve", mark)
    assert any("mode: 倒叙" in edit["newText"] for edit in _edits(mark)[uri])
    alive = next(action for title, action in actions.items() if "生死" in title)
    if "edit" not in alive:
        alive = await editor.client.call("codeAction/resolve", alive)
    ((where, edits),) = _edits(alive).items()
    assert where == card
    assert "生死" in edits[0]["newText"]
    editor.type(uri, editor.find(uri, "秦九"), "林夏想起", delete=0)
    await editor.diagnostics(uri, lambda items: not dead(items))


async def test_hover_shows_what_a_card_states_in_its_fields(start, book):
    """Fields like facts, a death only from its chapter on."""
    card = "---\ntype: character\n死亡: 第二章\n眼睛: 绿色\n年龄: 34\nid: 7\n---\n# 周衡\n\n教书先生。\n"
    (book / "cards/周衡.md").write_text(card, "utf-8")
    editor = await start()
    for name, dead in (("第一章.md", False), ("第二章.md", True)):
        uri = editor.open(name)
        text = (
            await editor.client.call(
                "textDocument/hover",
                {"textDocument": {"uri": uri}, "position": editor.position(uri, editor.find(uri, "周衡"))},
            )
        )["contents"]["value"]
        assert "- 眼睛: 绿色" in text
        assert "- 年龄: 34" in text
        assert "id" not in text
        assert ("- 死亡: 第二章" in text) is dead
