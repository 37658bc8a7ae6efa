"""Proposals that a client has the texts of are listed without them: where their hunks stand now, in a few bytes each."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMMAND = "inkwright.listProposals"


def whole(listed: list[dict], texts: list[dict]) -> list[dict]:
    """What is listed in short, with the texts of an earlier answer."""
    known = {one["id"]: {hunk["index"]: hunk for hunk in one["hunks"]} for one in texts}
    out = []
    for one in listed:
        assert set(one) == {"id", "uri", "version", "places", "stale"}
        hunks, above = {}, 0
        for at in range(0, len(one["places"]), 5):
            index, line, character, lines, end = one["places"][at : at + 5]
            above += line
            place = {
                "start": {"line": above, "character": character},
                "end": {"line": above + lines, "character": end},
            }
            hunks[index] = {**known[one["id"]][index], "range": place}
        for index in one["stale"]:
            hunks[index] = {**known[one["id"]][index], "stale": True}
        out.append(
            {
                "id": one["id"],
                "uri": one["uri"],
                "version": one["version"],
                "hunks": [hunks[i] for i in sorted(hunks)],
            }
        )
    return out


def bare(listed: list[dict]) -> list[dict]:
    """Without what the short form leaves out: the text of all, and where a hunk stood whose text is gone."""
    out = []
    for one in listed:
        hunks = [dict(hunk) for hunk in one["hunks"]]
        for hunk in hunks:
            if hunk.get("stale"):
                del hunk["range"]
        out.append({**{name: one[name] for name in ("id", "uri", "version")}, "hunks": hunks})
    return out


async def test_what_is_known_is_listed_without_its_texts(editor) -> None:
    """With the texts of before it is what the long form says: after typing, a hunk that went stale, one decided."""
    uri = editor.open("一.md", "他来了,走了。\n\n𠮷野说,好。😀天黑了,雨停了。\n\n她笑了,他没笑。\n")
    proposal = (await editor.run("polish", "一.md"))["proposal"]
    texts = await editor.client.command(COMMAND, {"uri": uri})

    async def same() -> list[dict]:
        short = await editor.client.command(COMMAND, {"uri": uri, "known": [proposal["id"]]})
        long = await editor.client.command(COMMAND, {"uri": uri})
        found = whole(short, texts)
        for one in found:
            for hunk in one["hunks"]:
                if hunk.get("stale"):
                    del hunk["range"]
        assert found == bare(long)
        return short

    await same()
    editor.type(uri, 0, "𠮷先写一句。\n\n再一句。\n\n")
    await same()
    editor.type(uri, editor.find(uri, "笑了,"), "大")
    (one,) = await same()
    assert one["stale"]
    await editor.client.command("inkwright.rejectProposal", {"proposalId": proposal["id"], "hunks": [0]})
    (one,) = await same()
    assert one["places"][0] != 0


async def test_one_that_is_not_known_comes_whole(editor) -> None:
    """Beside one that is; ids that there are not, none or an empty list change nothing; what is no list is refused."""
    ids = []
    for name in ("二.md", "三.md"):
        uri = editor.open(name, "他来了,走了。\n")
        ids.append((await editor.run("polish", name))["proposal"]["id"])
    listed = await editor.client.command(COMMAND, {"known": ids[:1]})
    assert {one["id"]: "hunks" in one for one in listed if one["id"] in ids} == {ids[0]: False, ids[1]: True}
    long = await editor.client.command(COMMAND, {"uri": uri})
    for known in (None, [], ["no such"], ids[:1]):
        assert await editor.client.command(COMMAND, {"uri": uri, "known": known}) == long
    for known in ("all", [1], {"id": ids[0]}):
        with pytest.raises(AssertionError, match="known must be a list of strings"):
            await editor.client.command(COMMAND, {"uri": uri, "known": known})


async def test_five_hundred_hunks_in_a_few_bytes(editor) -> None:
    """What is sent at a pause in typing grows with the number of the hunks alone, by less than twenty bytes each."""
    days = "".join(f"第{day}日,他走到了渡口，看江水慢慢地流过去。\n\n" for day in range(1, 501))
    uri = editor.open("长.md", days)
    proposal = (await editor.run("polish", "长.md"))["proposal"]
    assert len(proposal["hunks"]) == 500
    editor.type(uri, 0, "先写一句。\n\n")

    async def size(**more: object) -> int:
        answer = await editor.client.command(COMMAND, {"uri": uri, **more})
        return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())

    long, short = await size(), await size(known=[proposal["id"]])
    print(f"500 hunks: {long} bytes whole, {short} known")
    assert short < 500 * 20
    assert short * 10 < long
