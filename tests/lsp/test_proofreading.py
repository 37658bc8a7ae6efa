"""Diagnostics and their fixes in all three position encodings."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAULTY = "# 第三章\n\n𠮷野说,他来了。😀然后走了走了,没有回头。\n"


async def actions(editor, uri, start, end, only=None):
    context = {"diagnostics": [], **({"only": only} if only else {})}
    params = {"textDocument": {"uri": uri}, "range": editor.range(uri, start, end), "context": context}
    return await editor.client.call("textDocument/codeAction", params)


async def test_diagnostics_name_version_and_place(editor):
    """What is published belongs to the version that the client has, and the range is the fault itself."""
    uri = editor.open("第三章.md", FAULTY)
    found = await editor.diagnostics(uri)
    commas = [d for d in found if editor.piece(uri, d["range"]) == ","]
    assert len(commas) == 2
    assert {d["source"] for d in found} == {"inkwright"}
    assert all(d["message"] and d["code"] and d["severity"] in (1, 2, 3, 4) for d in found)


async def test_diagnostics_follow_the_text(editor):
    """A fault that is repaired goes, and the empty list has the version too."""
    uri = editor.open("第三章.md", "他来了,走了。\n")
    assert await editor.diagnostics(uri)
    editor.type(uri, editor.find(uri, ","), "，", delete=1)
    assert await editor.diagnostics(uri) == []


async def test_latest_wins(editor):
    """A burst of typing is checked far less often than there are keys, and the last state for sure."""
    uri = editor.open("第三章.md", "他来了。\n")
    for _ in range(300):
        editor.type(uri, 0, "他说,好，")
    found = await editor.diagnostics(uri)
    assert len([d for d in found if editor.piece(uri, d["range"]) == ","]) == 300
    mine = [p for p in editor.client.got("textDocument/publishDiagnostics") if p["uri"] == uri]
    assert len(mine) < 60


async def test_closing_clears(editor):
    """A closed document has no diagnostics, under the very URI that they came with."""
    uri = editor.open("第三章.md", FAULTY)
    await editor.diagnostics(uri)
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    gone = {"uri": uri, "diagnostics": []}
    await editor.client.until(lambda: gone in editor.client.got("textDocument/publishDiagnostics"))
    assert editor.shown(uri) == []
    del editor.texts[uri]


async def test_deleting_clears_under_the_same_uri(editor):
    """A watcher that spells the URI in another way still clears what was published."""
    uri = editor.open("第一章.md", FAULTY)
    await editor.diagnostics(uri)
    spelled = uri.replace("%E7", "%e7").replace("%E7%AB%A0", "章")
    assert spelled != uri
    editor.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": spelled, "type": 3}]})
    await editor.client.until(
        lambda: any(
            p == {"uri": uri, "diagnostics": []} for p in editor.client.got("textDocument/publishDiagnostics")
        )
    )


async def test_a_fix_is_a_literal_edit(editor):
    """The quick fix replaces exactly the fault, in the document's present version."""
    uri = editor.open("第三章.md", FAULTY)
    at = editor.find(uri, ",", 1)
    found = await actions(editor, uri, at, at, ["quickfix"])
    (fix,) = [a for a in found if a["kind"] == "quickfix"]
    change = fix["edit"]["documentChanges"][0]
    assert change["textDocument"] == {"uri": uri, "version": editor.versions[uri]}
    assert fix["diagnostics"]
    assert editor.apply(fix["edit"]) == {"applied": True}
    assert editor.texts[uri] == FAULTY[:at] + "，" + FAULTY[at + 1 :]


async def test_a_way_of_writing_is_one_diagnostic_with_one_fix(editor):
    """The quick fix changes every place of it, as the text then stands."""
    text = "他说,好。\r\n\r\n😀她说,好。\r\n\r\n" * 40
    uri = editor.open("第三章.md", text)
    (one,) = await editor.diagnostics(uri)
    assert (one["code"], one["severity"]) == ("zh-mark-throughout", 3)
    editor.type(uri, 0, "夜里,")
    at = editor.find(uri, ",")
    found = await actions(editor, uri, at, at + 1, ["quickfix"])
    fix = next(a for a in found if "81" in a["title"])
    assert editor.apply(fix["edit"]) == {"applied": True}
    assert editor.texts[uri] == f"夜里,{text}".replace(",", "，")
    assert await editor.diagnostics(uri) == []


async def test_fixes_are_of_the_present_version(editor):
    """An action asked for right after typing is computed for what was typed, not for what was checked before."""
    uri = editor.open("第三章.md", FAULTY)
    await editor.diagnostics(uri)
    editor.type(uri, editor.find(uri, "𠮷"), "“好”,")
    at = editor.find(uri, ",", 1)
    found = await actions(editor, uri, at, at + 1, ["quickfix"])
    (fix,) = [a for a in found if a["kind"] == "quickfix"]
    assert editor.apply(fix["edit"]) == {"applied": True}
    assert editor.texts[uri].count(",") == 2
    assert "𠮷野说，他" in editor.texts[uri]


async def test_fix_all_leaves_nothing(editor):
    """One action repairs every certain fault, and then there is none."""
    uri = editor.open("第三章.md", FAULTY)
    (fix,) = await actions(editor, uri, 0, 0, ["source.fixAll"])
    assert editor.apply(fix["edit"]) == {"applied": True}
    assert "," not in editor.texts[uri]
    assert await actions(editor, uri, 0, 0, ["source.fixAll"]) == []


async def test_names_are_no_faults(editor):
    """What is a card's name is not touched by the checks, as soon as the card is there."""
    uri = editor.open("第三章.md", "走了走了来了,。\n")
    assert await editor.diagnostics(uri)
    await editor.client.command(
        "inkwright.createCard", {"uri": uri, "name": "走了走了来了,。", "type": "character"}
    )
    await editor.client.until(lambda: not editor.shown(uri))


async def test_abilities_on_a_selection_and_on_the_chapter(editor):
    """Every ability and each of its quick actions, with the range only when something is selected.

    One turn that edits a passage needs one; what inserts takes the cursor; a summary is the chapter's.
    """
    uri = editor.open("第一章.md")
    profiles = await editor.client.command("inkwright.listProfiles")
    abilities = {p["id"]: p for p in profiles if p["kind"] == "ability"}
    assert list(abilities)[:4] == ["writing", "analysis", "research", "polish"]
    for start, end in ((20, 20), (20, 25)):
        found = await actions(editor, uri, start, end, ["refactor"])
        commands = [a["command"] for a in found if a["command"]["command"] == "inkwright.runAbility"]
        asked = [command["arguments"][0] for command in commands]
        wanted = [
            p
            for p in abilities.values()
            if start < end or (p["mode"], p["scope"], p["output"]) != ("single", "selection", "edit")
        ]
        assert (len(wanted) < len(abilities)) == (start == end)
        assert len(asked) == sum(1 + len(p["quickActions"]) for p in wanted)
        assert {"uri": uri}.items() <= asked[0].items()
        for argument in asked:
            output = abilities[argument["ability"]]["output"]
            assert ("range" in argument) == (output == "insert" or (start < end and output != "summary"))
        assert sum("message" in argument for argument in asked) == len(asked) - len(wanted)


async def test_profiles_hold_no_prompt(editor):
    """A profile as clients see it has exactly the promised fields, in the client's language."""
    profiles = await editor.client.command("inkwright.listProfiles")
    keys = {"id", "kind", "label", "description", "icon", "color", "output", "scope", "quickActions"}
    keys |= {"mode", "pipeline"}
    assert {frozenset(p) for p in profiles} == {frozenset(keys)}
    assert [p["kind"] for p in profiles] == sorted(p["kind"] for p in profiles)
    polish = next(p for p in profiles if p["id"] == "polish")
    assert polish["label"] == "润色优化"
    assert [set(a) for a in polish["quickActions"]] == [{"label", "message"}] * 3
