"""The commands about memories, as an editor's list uses them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(editor, name, argument):
    response = await editor.client.request(
        "workspace/executeCommand", {"command": f"inkwright.{name}", "arguments": [argument]}
    )
    return response["error"]


@pytest.fixture
def ask(editor):
    """A command about the book of a chapter that is open."""
    uri = editor.open("第一章.md")

    async def ask(name, **argument):
        return await editor.client.command(f"inkwright.{name}", {"uri": uri, **argument})

    return ask


async def test_a_memory_is_added_changed_and_deleted(editor, ask):
    """Each answers with the memory as it is then; an old revision is refused."""
    await ask("clearMemories")
    made = await ask("addMemory", content="我喜欢短句，少用形容词", ability="polish")
    assert set(made) == {
        "id",
        "ability",
        "type",
        "content",
        "keywords",
        "pinned",
        "relevance",
        "revision",
        "createdAt",
        "updatedAt",
        "lastHitAt",
    }
    assert (made["type"], made["pinned"], made["revision"], made["lastHitAt"]) == (
        "preference",
        False,
        0,
        None,
    )
    again = await ask("addMemory", content="我还是喜欢短句，少用形容词。", ability="polish")
    assert (again["id"], again["revision"]) == (made["id"], 1)
    changed = await ask("updateMemory", id=made["id"], pinned=True, content="只用短句", revision=1)
    assert (changed["pinned"], changed["content"], changed["revision"]) == (True, "只用短句", 2)
    error = await refused(editor, "updateMemory", {"id": made["id"], "pinned": False, "revision": 1})
    assert (error["code"], error["data"]) == (-32803, {"code": "revision_conflict"})
    error = await refused(editor, "deleteMemory", {"id": made["id"], "revision": 1})
    assert error["data"] == {"code": "revision_conflict"}
    assert await ask("deleteMemory", id=made["id"], revision=2) == {"deleted": True}
    error = await refused(editor, "deleteMemory", {"id": made["id"]})
    assert error["data"] == {"code": "memory_unknown"}
    assert await ask("listMemories") == {"memories": [], "next": None}


async def test_pages(editor, ask):
    """Newest first, each once; by ability and type; without a document all books' are listed."""
    await ask("clearMemories")
    for number in range(5):
        await ask("addMemory", content=f"决定第{number}卷写渡口", type="decision", ability="writing")
    await ask("addMemory", content="我喜欢短句")
    page = await ask("listMemories", limit=4)
    assert len(page["memories"]) == 4
    rest = await ask("listMemories", limit=4, cursor=page["next"])
    assert rest["next"] is None
    every = [one["content"] for one in [*page["memories"], *rest["memories"]]]
    assert every == ["我喜欢短句", *[f"决定第{number}卷写渡口" for number in reversed(range(5))]]
    assert len((await ask("listMemories", type="decision"))["memories"]) == 5
    assert len((await ask("listMemories", ability="polish"))["memories"]) == 1
    everywhere = await editor.client.command("inkwright.listMemories", {})
    assert [one["content"] for one in everywhere["memories"]] == every
    assert await ask("clearMemories", type="decision") == {"cleared": 5}
    assert await ask("clearMemories") == {"cleared": 1}


@pytest.mark.parametrize(
    ("name", "argument", "code"),
    [
        ("addMemory", {"content": "……"}, "memory_empty"),
        ("addMemory", {"content": "长" * 700}, "memory_too_long"),
        ("addMemory", {"content": "短句", "type": "mood"}, "memory_type"),
        ("addMemory", {"content": "短句", "ability": "a b"}, "memory_ability"),
        ("listMemories", {"type": "mood"}, "memory_type"),
        ("clearMemories", {"type": "mood"}, "memory_type"),
        ("updateMemory", {"id": "\ud800", "content": "短句"}, "memory_unknown"),
    ],
)
async def test_what_cannot_be_done_is_said(editor, name, argument, code):
    """A code and a sentence, never a traceback."""
    error = await refused(editor, name, {"uri": editor.uri("第一章.md"), **argument})
    assert (error["code"], error["data"]) == (-32803, {"code": code})


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("addMemory", {"content": "短句"}),
        ("addMemory", {"uri": "x:y", "content": 5}),
        ("listMemories", {"cursor": "nothing"}),
        ("listMemories", {"limit": "many"}),
        ("updateMemory", {"id": "1", "pinned": "yes"}),
        ("clearMemories", {}),
    ],
)
async def test_arguments_of_a_wrong_type_are_named(editor, name, argument):
    """-32602 with the command and the field."""
    error = await refused(editor, name, argument)
    assert error["code"] == -32602
    assert name in error["message"]
